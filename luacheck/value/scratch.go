package value

import (
	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Scratch is memory that one analysis after another uses, so that each finds it warm and leaves nothing to clear away. The facts of an analysis
// are void once the next one begins. The zero Scratch is ready; it is for one goroutine.
type Scratch struct {
	// Stale is for tests, see arena.Stale.
	Stale arena.Stale

	ip    interp
	facts []Facts // of one
	tests testIndex
	flow  flow.Scratch
	room  flow.Room[parts]

	vals    arena.Slab[Value]
	args    arena.Slab[Arg]
	outs    arena.Slab[outcome]
	states  arena.Slab[state]
	calls   arena.Slab[Call]
	cached  arena.Slab[callValue]
	words   arena.Slab[Origin]
	replies arena.Slab[server.Reply]
	nodes   nodes[Value]
	objects nodes[object]
	made    arena.Slab[object]

	graphs    arena.Slab[graph]
	decided   arena.Slab[decided]
	decisions arena.Slab[decision]
	spots     arena.Slab[spot]

	callLists   arena.Slab[*Call]
	originLists arena.Slab[*Origin]
	fails       arena.Slab[Failure]
	libs        arena.Slab[LibCall]
	relations   arena.Slab[Relation]
	loops       arena.Slab[Loop]
	deps        arena.Slab[dep]
	guards      arena.Slab[guard]
	fieldPlaces []fieldPlace // that guards look at
	flagged     arena.Slab[flagged]
	checks      arena.Slab[check]
	splits      arena.Slab[split]
	tables      arena.Slab[Object]
	typed       arena.Slab[typed]
	conflicts   arena.Slab[Conflict]
	frames      arena.Slab[frame]
	frameLoops  arena.Slab[pair[syntax.Stmt, *Loop]]
	loopVals    arena.Slab[pair[*scope.Local, **Value]]
	valLists    arena.Slab[*Value]
	traits      arena.Slab[traits]
	parts       arena.Slab[part]
	failLists   arena.Slab[*Failure]
	shapeLists  arena.Slab[*TableShape]
	hostCalls   arena.Slab[hostArgs]
	spans       []syntax.Span
	known       arena.Slab[known]
	returns     arena.Slab[Return]

	ops      arena.Slab[Op]
	conds    arena.Slab[Cond]
	accesses arena.Slab[Access]
	globals  arena.Slab[Global]

	filed, uses, replyOf, contexts, shapes nodeTable

	literals []*Value // of literals and of names of the host, by NodeID
	passed   []uint64
	own      []int32 // the fact of a node, see recorder.own: its place in its list plus one, 0 for none
}

// begin makes all of it free for a script.
func (m *Scratch) begin(in *Input) *interp {
	nodes, stale := in.Chunk.NumNodes, m.Stale
	m.flow.Stale = stale
	m.flow.Begin()
	m.resetValues()
	m.resetFacts()
	m.filed.reset(nodes/8, stale)
	m.own = arena.Cleared(m.own, nodes, stale)
	for _, t := range [...]*nodeTable{&m.uses, &m.replyOf, &m.contexts, &m.shapes} {
		t.reset(0, stale)
	}
	m.literals = arena.Cleared(m.literals, nodes, stale)
	m.passed = arena.Cleared(m.passed, (nodes+63)/64, stale)
	m.tests.reset(stale)
	return m.newInterp(in)
}

// resetValues makes the room of values, and of what is known of them at a point, free.
func (m *Scratch) resetValues() {
	stale := m.Stale
	m.vals.Reset(stale)
	m.args.Reset(stale)
	m.outs.Reset(stale)
	m.states.Reset(stale)
	m.cached.Reset(stale)
	m.words.Reset(stale)
	m.replies.Reset(stale)
	m.nodes.reset(stale)
	m.objects.reset(stale)
	m.made.Reset(stale)
	m.originLists.Reset(stale)
	m.relations.Reset(stale)
	m.deps.Reset(stale)
	m.guards.Reset(stale)
	m.fieldPlaces = arena.Empty(m.fieldPlaces, stale)
	m.flagged.Reset(stale)
	m.checks.Reset(stale)
	m.splits.Reset(stale)
	m.tables.Reset(stale)
	m.typed.Reset(stale)
	m.traits.Reset(stale)
	m.parts.Reset(stale)
	m.known.Reset(stale)
}

// resetFacts makes the room of facts, and of where they stand, free.
func (m *Scratch) resetFacts() {
	stale := m.Stale
	m.calls.Reset(stale)
	m.graphs.Reset(stale)
	m.decided.Reset(stale)
	m.decisions.Reset(stale)
	m.spots.Reset(stale)
	m.callLists.Reset(stale)
	m.fails.Reset(stale)
	m.libs.Reset(stale)
	m.loops.Reset(stale)
	m.conflicts.Reset(stale)
	m.frames.Reset(stale)
	m.frameLoops.Reset(stale)
	m.loopVals.Reset(stale)
	m.valLists.Reset(stale)
	m.failLists.Reset(stale)
	m.shapeLists.Reset(stale)
	m.hostCalls.Reset(stale)
	m.returns.Reset(stale)
	m.ops.Reset(stale)
	m.conds.Reset(stale)
	m.accesses.Reset(stale)
	m.globals.Reset(stale)
}

// newInterp is an interp that has all of its lists from the one before.
func (m *Scratch) newInterp(in *Input) *interp {
	ip, stale, funcs := &m.ip, m.Stale, in.Chunk.NumFuncs
	next := interp{in: *in, mem: m, quiet: ip.quiet, recorded: ip.recorded, graphs: arena.Cleared(ip.graphs, funcs+1, stale),
		seen: arena.Cleared(ip.seen, funcs, stale), stable: arena.Cleared(ip.stable, len(in.Scope.Locals), stale),
		flags: arena.Cleared(ip.flags, len(in.Scope.Locals), stale), fieldFlags: arena.Empty(ip.fieldFlags, stale),
		fnVals: arena.Cleared(ip.fnVals, funcs, stale), fresh: arena.Empty(ip.fresh, stale), words: arena.Empty(ip.words, stale),
		replies: arena.Empty(ip.replies, stale), objects: ip.objects.emptied(stale), names: ip.names.emptied(stale),
		elems: ip.elems.emptied(stale)}
	if m.facts == nil {
		m.facts = make([]Facts, 1)
	}
	was := m.facts[0]
	m.facts = arena.Cleared(m.facts, 1, stale)
	m.facts[0] = Facts{Complete: true, Scope: in.Scope, Calls: arena.Empty(was.Calls, stale), Libs: arena.Empty(was.Libs, stale),
		Ops: arena.Empty(was.Ops, stale), Conds: arena.Empty(was.Conds, stale), Accesses: arena.Empty(was.Accesses, stale),
		Returns: arena.Empty(was.Returns, stale), Globals: arena.Empty(was.Globals, stale), Failures: arena.Empty(was.Failures, stale),
		Loops: arena.Empty(was.Loops, stale), KeyUses: arena.Empty(was.KeyUses, stale), ArgUses: arena.Empty(was.ArgUses, stale)}
	next.facts = &m.facts[0]
	next.rec = recorder{f: next.facts, mem: m, names: arena.Empty(ip.rec.names, stale), fails: ip.rec.fails.emptied(stale)}
	*ip = next
	return ip
}

// heap makes what belongs to no analysis.
var heap *Scratch

func (m *Scratch) newValue() *Value {
	if m == nil {
		return new(Value)
	}
	return m.vals.One()
}

func (m *Scratch) origin(o Origin) *Origin {
	if m == nil {
		c := new(Origin)
		*c = o
		return c
	}
	return m.words.Put(o)
}

func (m *Scratch) origins(n int) []*Origin {
	if m == nil {
		return make([]*Origin, n)
	}
	return m.originLists.List(n)
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
	s.mem = m
	s.locals.room, s.lists.room, s.objs.room = &m.nodes, &m.nodes, &m.objects
	return s
}
