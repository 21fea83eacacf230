package value

import (
	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Scratch is memory that one analysis after another uses, so that each finds it warm and leaves nothing to clear away. The facts of an analysis
// are void once the next one begins. The zero Scratch is ready; it is for one goroutine.
type Scratch struct {
	// Stale is for tests, see arena.Stale.
	Stale arena.Stale

	flow flow.Scratch
	room flow.Room[parts]

	vals    arena.Slab[Value]
	args    arena.Slab[Arg]
	outs    arena.Slab[outcome]
	states  arena.Slab[state]
	calls   arena.Slab[Call]
	cached  arena.Slab[callValue]
	words   arena.Slab[Origin]
	replies arena.Slab[server.Reply]
	nodes   arena.Slab[node[Value]]
	objects arena.Slab[node[object]]

	graphs    arena.Slab[graph]
	decided   arena.Slab[decided]
	decisions arena.Slab[decision]
	spots     arena.Slab[spot]

	ops      arena.Slab[Op]
	conds    arena.Slab[Cond]
	accesses arena.Slab[Access]
	globals  arena.Slab[Global]

	filed, uses, replyOf, contexts, shapes nodeTable

	literals []*Value
	passed   []uint64
}

// begin makes all of it free for a script with so many nodes.
func (m *Scratch) begin(nodes int) {
	stale := m.Stale
	m.flow.Stale = stale
	m.flow.Begin()
	m.vals.Reset(stale)
	m.args.Reset(stale)
	m.outs.Reset(stale)
	m.states.Reset(stale)
	m.calls.Reset(stale)
	m.cached.Reset(stale)
	m.words.Reset(stale)
	m.replies.Reset(stale)
	m.nodes.Reset(stale)
	m.objects.Reset(stale)
	m.graphs.Reset(stale)
	m.decided.Reset(stale)
	m.decisions.Reset(stale)
	m.spots.Reset(stale)
	m.ops.Reset(stale)
	m.conds.Reset(stale)
	m.accesses.Reset(stale)
	m.globals.Reset(stale)
	m.filed.reset(nodes/3, stale)
	for _, t := range [...]*nodeTable{&m.uses, &m.replyOf, &m.contexts, &m.shapes} {
		t.reset(0, stale)
	}
	m.literals = arena.Cleared(m.literals, nodes, stale)
	m.passed = arena.Cleared(m.passed, (nodes+63)/64, stale)
}

// args1 is a list of one argument.
func (ip *interp) args1(a Arg) []Arg {
	l := ip.mem.args.List(1)
	l[0] = a
	return l
}

// ends is the one way in which something ends.
func (ip *interp) ends(st *state, vals []Arg) []outcome {
	l := ip.mem.outs.List(1)
	l[0] = outcome{st, vals}
	return l
}

// copyOf is a copy of v that may be changed before it is shared.
func (ip *interp) copyOf(v *Value) *Value {
	c := ip.mem.vals.One()
	*c = *v
	return c
}

// fork copies a state: from here on each of the two changes alone.
func (ip *interp) fork(s *state) *state {
	c := ip.mem.states.One()
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
	c := ip.mem.cached.One()
	*c = callValue{node: node, v: v, next: st.calls}
	st.calls = c
}

// text makes a constant text that is written at a place of the script.
func (ip *interp) text(s string, at syntax.Span) *Value {
	v, o := ip.mem.vals.One(), ip.mem.words.One()
	*o = Origin{Kind: FromLiteral, Text: s, At: at}
	fillText(v, s)
	v.From = o
	return v
}

// numeral is the number that a numeral spells.
func (ip *interp) numeral(x *syntax.Number) *Value {
	v := ip.mem.literals[x.ID()]
	if v == nil {
		v = ip.mem.vals.One()
		fillNumber(v, x.Value)
		ip.mem.literals[x.ID()] = v
	}
	return v
}

// state makes an empty state.
func (m *Scratch) state() *state {
	s := m.states.One()
	s.locals.room, s.lists.room, s.objs.room = &m.nodes, &m.nodes, &m.objects
	return s
}
