package server

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Form is a call as the tables see it: a command, and what is known of its words. It is immutable and may be shared by many calls; what its
// methods give must not be changed.
type Form struct {
	Command *Command
	Words   []Arg // the arguments, the command's name being the first
	// Keys are the keys of the call; KeysSure is false where there may be others: see Command.KeysOf.
	Keys     []KeyAt
	KeyArgs  []KeyArg // Keys in short
	KeysSure bool

	target              Target
	onAccepted          sync.Once
	accepted            bool
	onRoles, onProblems sync.Once
	roles               []Role
	problems            []ArgProblem
	replies             [2]Reply // under RESP2 and RESP3
	onReply             [2]sync.Once
}

// KeyArg is a key argument of a call.
type KeyArg struct {
	Arg    int // its index; the name is 0
	Access Access
	NotKey bool
}

// Scripts share the forms of their calls, so those of short calls are kept: in sets of two slots each, where a new one takes the place of
// one that fell on the same set.
const (
	formSlots   = 1 << 11
	maxKept     = 24  // words of a form that is kept
	maxKeptText = 120 // bytes of their texts
)

// Form is the form of a call, args[0] being the command's name. It keeps none of args.
func (t Target) Form(c *Command, args []Arg) *Form {
	hash, short := formHash(c, args)
	known := t.known()
	if known == nil || !short {
		return t.newForm(c, slices.Clone(args))
	}
	set := known.forms[hash%formSlots&^1:][:2]
	for i := range set {
		if f := set[i].Load(); f != nil && f.Command == c && sameWords(f.Words, args) {
			return f
		}
	}
	kept := make([]Arg, len(args))
	for i, a := range args {
		a.Text = strings.Clone(a.Text) // and not the whole script
		kept[i] = a
	}
	f := t.newForm(c, kept)
	store(set, hash, f)
	return f
}

// store puts a new answer into an empty slot of its set, else into one of the two.
func store[T any](set []atomic.Pointer[T], hash uint32, x *T) {
	for i := range set {
		if set[i].CompareAndSwap(nil, x) {
			return
		}
	}
	set[hash>>31].Store(x)
}

func (t Target) newForm(c *Command, args []Arg) *Form {
	f := &Form{Command: c, Words: args, target: t}
	f.Keys, f.KeysSure = c.KeysOf(args)
	f.KeyArgs = make([]KeyArg, len(f.Keys))
	for i, k := range f.Keys {
		f.KeyArgs[i] = KeyArg{Arg: k.Index, Access: k.Access, NotKey: k.NotKey}
	}
	return f
}

// formHash is a hash of what makes a form (FNV-1a); short is false where the form is too long to be kept.
func formHash(c *Command, args []Arg) (hash uint32, short bool) {
	if len(args) > maxKept {
		return 0, false
	}
	hash = hashStart ^ uint32(c.at)
	size := 0
	for i := range args {
		a := &args[i]
		switch {
		case a.Many:
			hash = (hash ^ 256) * hashPrime
		case a.Known:
			hash = (hashText(hash, a.Text) ^ 257) * hashPrime
			size += len(a.Text)
		default:
			hash = (hash ^ 258) * hashPrime
		}
	}
	return hash, size <= maxKeptText
}

const (
	hashStart = 2166136261
	hashPrime = 16777619
)

func hashText(hash uint32, text string) uint32 {
	for i := range len(text) {
		hash = (hash ^ uint32(text[i])) * hashPrime
	}
	return hash
}

func sameWords(a, b []Arg) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Reply models the reply: see Command.Reply.
func (f *Form) Reply(resp3 bool) *Reply {
	i := 0
	if resp3 {
		i = 1
	}
	f.onReply[i].Do(func() { f.replies[i] = f.Command.Reply(f.Words, resp3) })
	return &f.replies[i]
}

// Roles tells what each word is for: see Command.Roles.
func (f *Form) Roles() []Role {
	f.onRoles.Do(func() { f.roles = f.Command.Roles(f.Words) })
	return f.roles
}

// Accepted is whether there is nothing to say of the call: each build of the target has the command and takes it in scripts, with so many
// arguments and with these, and it does not block outside of them.
func (f *Form) Accepted() bool {
	f.onAccepted.Do(func() {
		t, n := f.target, len(f.Words)
		many := n > 0 && f.Words[n-1].Many
		if many {
			n--
		}
		refused, _ := t.Allowed(f.Command, f.Words, InScript)
		f.accepted = len(refused) == 0 && len(t.of(f.Command).missing) == 0 && !f.Command.NeverBlocks(f.Words) &&
			len(t.ArityProblems(f.Command, n, many)) == 0 && len(f.Problems()) == 0
	})
	return f.accepted
}

// MayTakeTime is whether the command has arguments with the role of a time.
func (f *Form) MayTakeTime() bool { return f.target.of(f.Command).takesTime }

// Problems lists what the builds of the target that have the command refuse in the call, beside its arity (Target.ArityProblems). It lists
// only what is certain, whatever the unknown arguments are.
func (f *Form) Problems() []ArgProblem {
	f.onProblems.Do(func() { f.problems = f.target.findProblems(f.Command, f.Words) })
	return f.problems
}

// place is a name that was asked for before, and where it can be read.
type place struct {
	lib, name string // lib is "" for a global
	ctx       Context
	presence  Presence
}

const placeSlots = 1 << 9

// presence is where a global, or a field of a library, can be read.
func (t Target) presence(lib, name string, ctx Context) Presence {
	known := t.known()
	if known == nil || len(lib)+len(name) > maxKeptText {
		return t.findPresence(fullName(lib, name), ctx)
	}
	hash := hashText((hashText(hashStart, lib)^(256+uint32(ctx)))*hashPrime, name)
	set := known.places[hash%placeSlots&^1:][:2]
	for i := range set {
		if p := set[i].Load(); p != nil && p.name == name && p.lib == lib && p.ctx == ctx {
			return p.presence
		}
	}
	p := &place{lib: strings.Clone(lib), name: strings.Clone(name), ctx: ctx}
	p.presence = t.findPresence(fullName(lib, name), ctx)
	store(set, hash, p)
	return p.presence
}

func fullName(lib, name string) string {
	if lib == "" {
		return name
	}
	return lib + "." + name
}
