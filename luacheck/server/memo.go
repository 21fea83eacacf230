package server

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// memo remembers what a target was asked, since many scripts ask the same: the answers depend on the tables and the target alone. Only
// names that some server knows are kept, so it stays small whatever the scripts hold. It is safe for several goroutines.
type memo struct {
	presence, lookups, arity, calls sync.Map
	count                           atomic.Int32 // of calls
}

type presenceKey struct {
	name string
	ctx  Context
}

type lookupKey struct{ name, sub string }

func (t Target) presence(name string, ctx Context) Presence {
	if t.memo == nil {
		return t.findPresence(name, ctx)
	}
	k := presenceKey{name, ctx}
	if p, ok := t.memo.presence.Load(k); ok {
		return p.(Presence)
	}
	p := t.findPresence(name, ctx)
	if !p.Nowhere {
		t.memo.presence.Store(k, p)
	}
	return p
}

// Lookup finds a command by name and, where known, its subcommand ("" for none). Letter case does not count; as on the server, neither
// "GET k" nor "CONFIG|GET" is a name. A module command (a name with a dot) is neither found nor unknown.
func (t Target) Lookup(name, sub string) Lookup {
	if t.memo == nil {
		return t.find(name, sub)
	}
	k := lookupKey{name, sub}
	if l, ok := t.memo.lookups.Load(k); ok {
		return l.(Lookup)
	}
	l := t.find(name, sub)
	if l.Command != nil && (l.HasSub || sub == "") {
		t.memo.lookups.Store(k, l)
	}
	return l
}

type arityKey struct {
	cmd     *Command
	n       int
	atLeast bool
}

// ArityProblems lists the builds of the target that have the command and refuse a call with n arguments, the names counted. atLeast: there
// may be more of them, so that only too many is certain. The result must not be changed.
func (t Target) ArityProblems(cmd *Command, n int, atLeast bool) []Build {
	if t.memo == nil || n > maxKept {
		return t.findArity(cmd, n, atLeast)
	}
	k := arityKey{cmd, n, atLeast}
	if l, ok := t.memo.arity.Load(k); ok {
		return l.([]Build)
	}
	l := t.findArity(cmd, n, atLeast)
	t.memo.arity.Store(k, l)
	return l
}

// callKey is one form of a call: what is known of its words.
type callKey struct {
	cmd      *Command
	words    string
	problems bool // else roles
}

// maxKept bounds the words of a call whose facts are remembered, and maxKeptText their text: scripts share the short ones.
const (
	maxKept     = 24
	maxKeptText = 120
)

// form writes the words of a call so that two calls with the same form have the same facts; false where it would be long.
func form(args []Arg) (string, bool) {
	if len(args) > maxKept {
		return "", false
	}
	var b strings.Builder
	for _, a := range args {
		switch {
		case a.Many:
			b.WriteByte('*')
		case a.Known:
			b.WriteString(strconv.Itoa(len(a.Text)))
			b.WriteByte(':')
			b.WriteString(a.Text)
		default:
			b.WriteByte('?')
		}
		if b.Len() > maxKeptText {
			return "", false
		}
	}
	return b.String(), true
}

// remembered is the answer about a form of call, which find works out.
func remembered[T any](m *memo, cmd *Command, args []Arg, problems bool, find func() T) T {
	words, short := "", false
	if m != nil {
		words, short = form(args)
	}
	if !short {
		return find()
	}
	k := callKey{cmd, words, problems}
	if v, ok := m.calls.Load(k); ok {
		return v.(T)
	}
	v := find()
	if m.count.Add(1) < maxForms {
		m.calls.Store(k, v)
	}
	return v
}

// maxForms bounds the forms that are remembered: scripts that differ in every text must not fill the memory.
const maxForms = 1 << 14

// Roles is cmd.Roles, remembered. The result must not be changed.
func (t Target) Roles(cmd *Command, args []Arg) []Role {
	return remembered(t.memo, cmd, args, false, func() []Role { return cmd.Roles(args) })
}

// ArgProblems lists what the builds of the target that have the command refuse in a call, args[0] being the name, beside its arity
// (ArityProblems). It lists only what is certain, whatever the unknown arguments are. The result must not be changed.
func (t Target) ArgProblems(cmd *Command, args []Arg) []ArgProblem {
	return remembered(t.memo, cmd, args, true, func() []ArgProblem { return t.findProblems(cmd, args) })
}
