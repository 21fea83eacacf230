package server

import "sync"

// memo remembers what a target was asked, since many scripts ask the same: the answers depend on the tables and the target alone. Only
// names that some server knows are kept, so it stays small whatever the scripts hold. It is safe for several goroutines.
type memo struct{ presence, lookups sync.Map }

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
