package scope

import "github.com/redislint/redislint/luacheck/syntax"

// listUses gives each local and global its uses. The parser numbers names in the order in which they stand, so going by number is going by
// position. All lists are parts of one array, which is divided by the counts of the first pass.
func (b *binder) listUses() {
	b.divide()
	for i, n := range b.names {
		if n == nil {
			continue
		}
		l := b.info.ref[i]
		switch {
		case l == nil:
			list := &b.syms[b.uses[i].symbol()].list
			*list = append(*list, n)
		case b.uses[i] < 0:
			l.Writes = append(l.Writes, n)
		default:
			l.Reads = append(l.Reads, n)
		}
	}
	for i := range b.syms {
		if s := &b.syms[i]; s.globals > 0 {
			b.info.Globals[s.text] = s.list
		}
	}
	for i, l := range b.info.ref {
		if l != nil && l.Name != nil && int(l.Name.Index) == i {
			b.info.placed = append(b.info.placed, l)
		}
	}
}

// divide gives each list its room.
func (b *binder) divide() {
	room := b.lists.List(b.total)
	part := func(n int32) (list []*syntax.Name) {
		if n == 0 {
			return nil
		}
		list, room = room[:0:n], room[n:]
		return list
	}
	for _, l := range b.info.Locals {
		l.Reads, l.Writes = part(l.reads), part(l.writes)
	}
	for i := range b.syms {
		s := &b.syms[i]
		s.list = part(s.globals)
	}
}
