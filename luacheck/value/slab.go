package value

import (
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// slab hands out values of one type from larger pieces, since the engine makes very many small ones that all live as long as the facts. The
// first piece is small: most scripts are.
type slab[T any] struct {
	piece []T // the present one
	used  int // of it
	next  int // size of the next piece
	full  int // values in the pieces before
}

const (
	firstPiece = 4
	lastPiece  = 128
	// keptPiece bounds what is kept for the next analysis.
	keptPiece = 1 << 13
)

func (s *slab[T]) grow(n int) {
	s.full += len(s.piece)
	s.next = max(firstPiece, min(2*s.next, lastPiece))
	s.piece, s.used = make([]T, max(n, s.next)), 0
}

// reset makes all room free again, in one piece that is as large as what was used.
func (s *slab[T]) reset() {
	switch all := s.full + s.used; {
	case all > keptPiece:
		s.piece, s.next = nil, 0
	case s.full > 0:
		s.piece = make([]T, all)
	default:
		clear(s.piece[:s.used])
	}
	s.used, s.full = 0, 0
}

// one returns a zero T.
func (s *slab[T]) one() *T {
	if s.used == len(s.piece) {
		s.grow(1)
	}
	p := &s.piece[s.used]
	s.used++
	return p
}

// list returns n zero Ts, with no room behind them.
func (s *slab[T]) list(n int) []T {
	if s.used+n > len(s.piece) {
		s.grow(n)
	}
	l := s.piece[s.used : s.used+n : s.used+n]
	s.used += n
	return l
}

// Scratch is memory that one analysis after another uses, so that each finds it warm and leaves nothing to clear away. The facts of an analysis
// are void once the next one begins. The zero Scratch is ready; it is for one goroutine.
type Scratch struct {
	vals    slab[Value]
	args    slab[Arg]
	outs    slab[outcome]
	states  slab[state]
	calls   slab[Call]
	cached  slab[callValue]
	words   slab[Origin]
	replies slab[server.Reply]
	nodes   slab[node[Value]]
	objects slab[node[object]]

	ops      slab[Op]
	conds    slab[Cond]
	accesses slab[Access]
	globals  slab[Global]

	filed, uses, replyOf, contexts, shapes nodeTable

	literals []*Value
	passed   []uint64
}

// begin makes all of it free for a script with so many nodes.
func (m *Scratch) begin(nodes int) {
	m.vals.reset()
	m.args.reset()
	m.outs.reset()
	m.states.reset()
	m.calls.reset()
	m.cached.reset()
	m.words.reset()
	m.replies.reset()
	m.nodes.reset()
	m.objects.reset()
	m.ops.reset()
	m.conds.reset()
	m.accesses.reset()
	m.globals.reset()
	m.filed.reset(nodes / 3)
	for _, t := range [...]*nodeTable{&m.uses, &m.replyOf, &m.contexts, &m.shapes} {
		t.reset(0)
	}
	m.literals = cleared(m.literals, nodes)
	m.passed = cleared(m.passed, (nodes+63)/64)
}

// cleared is a list of n zero values in the room of list, where that is enough.
func cleared[T any](list []T, n int) []T {
	if cap(list) < n || cap(list) > keptPiece && cap(list) > 2*n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
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
	v := ip.mem.literals[x.ID()]
	if v == nil {
		v = ip.mem.vals.one()
		fillNumber(v, x.Value)
		ip.mem.literals[x.ID()] = v
	}
	return v
}

// state makes an empty state.
func (m *Scratch) state() *state {
	s := m.states.one()
	s.locals.room, s.lists.room, s.objs.room = &m.nodes, &m.nodes, &m.objects
	return s
}
