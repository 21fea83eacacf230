package value

import (
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// slab hands out values of one type from larger pieces, since the engine makes very many small ones that all live as long as the facts. The
// first piece is small: most scripts are.
type slab[T any] struct {
	free []T
	next int // size of the next piece
}

const (
	firstPiece = 4
	lastPiece  = 128
)

func (s *slab[T]) grow(n int) {
	s.next = max(firstPiece, min(2*s.next, lastPiece))
	s.free = make([]T, max(n, s.next))
}

// one returns a zero T.
func (s *slab[T]) one() *T {
	if len(s.free) == 0 {
		s.grow(1)
	}
	p := &s.free[0]
	s.free = s.free[1:]
	return p
}

// list returns n zero Ts, with no room behind them.
func (s *slab[T]) list(n int) []T {
	if len(s.free) < n {
		s.grow(n)
	}
	l := s.free[:n:n]
	s.free = s.free[n:]
	return l
}

// slabs are the slabs of one analysis.
type slabs struct {
	vals   slab[Value]
	args   slab[Arg]
	outs   slab[outcome]
	states slab[state]
	ptrs   slab[*state]
	calls  slab[Call]
	cached slab[callValue]
	words  slab[Origin]

	replies slab[server.Reply]
}

// factSlabs are the slabs of the facts that scripts have many of.
type factSlabs struct {
	ops      slab[Op]
	conds    slab[Cond]
	accesses slab[Access]
	globals  slab[Global]
}

// put gives a fact a place in a slab.
func put[T any](s *slab[T], fact T) *T {
	p := s.one()
	*p = fact
	return p
}

// args1 is a list of one argument.
func (ip *interp) args1(a Arg) []Arg {
	l := ip.mem.args.list(1)
	l[0] = a
	return l
}

// ends is the one way in which something ends.
func (ip *interp) ends(st *state, vals []Arg) []outcome {
	l := ip.mem.outs.list(1)
	l[0] = outcome{st, vals}
	return l
}

// copyOf is a copy of v that may be changed before it is shared.
func (ip *interp) copyOf(v *Value) *Value {
	c := ip.mem.vals.one()
	*c = *v
	return c
}

// fork copies a state: from here on each of the two changes alone.
func (ip *interp) fork(s *state) *state {
	c := ip.mem.states.one()
	*c = *s
	for _, x := range [2]*state{s, c} {
		ip.owners++
		x.locals.owned(ip.owners)
		x.lists.owned(ip.owners)
		x.objs.owned(ip.owners)
	}
	return c
}

// remember keeps what a call expression gave, for the test around it.
func (ip *interp) keep(st *state, node any, v *Value) {
	c := ip.mem.cached.one()
	*c = callValue{node: node, v: v, next: st.calls}
	st.calls = c
}

// text makes a constant text that is written at a place of the script.
func (ip *interp) text(s string, at syntax.Span) *Value {
	v, o := ip.mem.vals.one(), ip.mem.words.one()
	*o = Origin{Kind: FromLiteral, Text: s, At: at}
	fillText(v, s)
	v.From = o
	return v
}

// numeral is the number that a numeral spells.
func (ip *interp) numeral(x *syntax.Number) *Value {
	v := ip.literals[x.ID()]
	if v == nil {
		v = ip.mem.vals.one()
		fillNumber(v, x.Value)
		ip.literals[x.ID()] = v
	}
	return v
}
