package value

import (
	"cmp"
	"slices"
	"sort"

	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/syntax"
)

// decision is a condition and the outcome that leads on.
type decision struct {
	cond syntax.Expr
	when bool
}

// decided are the conditions that decide whether a block is reached, as far as somebody asked.
type decided struct {
	nearKnown, farKnown bool
	near, far           []decision
}

// spot is a block in the calls of functions of the script that led to it.
type spot struct {
	graph *graph
	block *flow.Block
	outer *spot
}

// here is the present spot; nil where nothing was entered.
func (ip *interp) here() *spot { return spotOf(ip.frame) }

func spotOf(fr *frame) *spot {
	if fr == nil || fr.graph == nil || fr.block == nil {
		return nil
	}
	if fr.spot == nil || fr.spot.block != fr.block {
		fr.spot = fr.graph.mem.spots.Put(spot{fr.graph, fr.block, spotOf(fr.outer)})
	}
	return fr.spot
}

// direct are the conditions right before a spot that decide whether it is reached; where there are none, those before the call that led there.
func (s *spot) direct() []decision {
	for ; s != nil; s = s.outer {
		d := s.graph.decidedAt(s.block)
		if !d.nearKnown {
			d.nearKnown, d.near = true, s.graph.mem.conditions(s.graph.control.Direct(s.block))
		}
		if len(d.near) > 0 {
			return d.near
		}
	}
	return nil
}

// decisions are the conditions that decide whether a spot is reached: those right before it, those that decide whether these are reached, and
// those of the calls that led there.
func (s *spot) decisions() []decision {
	var all []decision
	for ; s != nil; s = s.outer {
		d := s.graph.decidedAt(s.block)
		if !d.farKnown {
			d.farKnown, d.far = true, s.graph.mem.conditions(s.graph.control.Deciders(s.block))
		}
		if all == nil {
			all = d.far
		} else {
			all = append(all[:len(all):len(all)], d.far...)
		}
	}
	return all
}

func (g *graph) decidedAt(b *flow.Block) *decided {
	if g.decided == nil {
		g.control = flow.NewControlIn(&g.mem.flow, g.Graph)
		g.decided = g.mem.decided.List(len(g.Blocks))
	}
	return &g.decided[b.Index]
}

func (m *Scratch) conditions(edges []flow.Edge) []decision {
	var list []decision
	for _, e := range edges {
		if e.Cond != nil {
			if list == nil {
				list = m.decisions.List(len(edges))[:0]
			}
			list = append(list, decision{e.Cond, e.When})
		}
	}
	return list
}

// within reports whether each of a is one of b.
func within(a, b []decision) bool {
	for _, d := range a {
		found := false
		for _, e := range b {
			found = found || d == e
		}
		if !found {
			return false
		}
	}
	return true
}

// settleFailures says of each failure behind writes which calls its tests look at, and which writes came before a test.
func (ip *interp) settleFailures() {
	indexed := false
	for _, f := range ip.facts.Failures {
		if len(f.Writes) == 0 {
			continue
		}
		if !indexed {
			ip.mem.indexTests(ip.facts)
			indexed = true
		}
		chosen := f.Class == FailReply || f.Class == FailRaise && f.Host == "error"
		for _, w := range f.Writes {
			// An error that is meant, behind a write under the very same conditions: the write is part of refusing.
			if chosen {
				if d := w.decided(); len(d) > 0 && within(f.spot.decisions(), d) {
					continue
				}
			}
			f.Early = ip.mem.callLists.Append(f.Early, w)
		}
		spans := ip.mem.spans[:0]
		for _, d := range f.spot.direct() {
			spans = ip.tested(spans, d.cond, true)
		}
		if f.Host == "assert" || f.Class == FailReply && f.Node != nil {
			spans = ip.tested(spans, f.Node, true)
		}
		f.Needs = ip.mem.testedCalls(spans, f)
		if slices.ContainsFunc(f.Needs, func(c *Call) bool { return c.Writes }) {
			spans = spans[:0]
			for _, d := range f.spot.decisions() {
				spans = append(spans, d.cond.Bounds())
			}
			f.Passed = ip.mem.testedCalls(spans, nil)
		}
		ip.mem.spans = spans
	}
}

// test is an operation or a condition, with the values that it looks at.
type test struct {
	node syntax.Expr
	x, y *Value
}

// testIndex finds tests by where they are and by what they operate on. Tests are told by their place in all.
type testIndex struct {
	all     []test
	byStart []int
	// using has the latest test of a node's value; before has, for the two sides of each test, the one before it.
	using  nodeTable
	before [][2]int
	found  []int // room for calls
}

// reset forgets all tests.
func (t *testIndex) reset(stale arena.Stale) {
	t.all, t.byStart, t.before = arena.Empty(t.all, stale), arena.Empty(t.byStart, stale), arena.Empty(t.before, stale)
	t.found = arena.Empty(t.found, stale)
	t.using.reset(0, stale)
}

func (m *Scratch) indexTests(f *Facts) {
	t := &m.tests
	for _, op := range f.Ops {
		b, ok := op.Node.(*syntax.Binary)
		if !ok {
			continue
		}
		i := len(t.all)
		t.all = append(t.all, test{op.Node, op.X, op.Y})
		t.before = append(t.before, [2]int{t.use(b.X, i, 0), t.use(b.Y, i, 1)})
		if b.Op != syntax.OpConcat {
			t.byStart = append(t.byStart, i)
		}
	}
	for _, c := range f.Conds {
		t.byStart = append(t.byStart, len(t.all))
		t.all = append(t.all, test{c.Node, c.Value, nil})
	}
	slices.SortStableFunc(t.byStart, func(a, b int) int { return cmp.Compare(t.start(a), t.start(b)) })
}

// use notes that a side of a test uses an expression; it gives the side that did so before, -1 for none.
func (t *testIndex) use(e syntax.Expr, test, side int) int {
	k := keyOf(e.ID(), 0)
	old, seen := t.using.get(k)
	if !seen {
		old = -1
	}
	t.using.set(k, 2*test+side)
	return old
}

func (t *testIndex) start(i int) syntax.Pos { return t.all[i].node.Bounds().Start }

// testedCalls are the calls whose replies the conditions with these spans look at, and with f the operation that fails.
func (m *Scratch) testedCalls(spans []syntax.Span, f *Failure) []*Call {
	t := &m.tests
	found := t.found[:0]
	for _, s := range spans {
		first := sort.Search(len(t.byStart), func(i int) bool { return t.start(t.byStart[i]) >= s.Start })
		for _, i := range t.byStart[first:] {
			at := t.all[i].node.Bounds()
			if at.Start > s.End {
				break
			}
			if s.Contains(at) {
				found = append(found, i)
			}
		}
	}
	if f != nil && f.Node != nil && f.Class != FailReply {
		side, seen := t.using.get(keyOf(f.Node.ID(), 0))
		for seen && side >= 0 {
			found = append(found, side/2)
			side = t.before[side/2][side%2]
		}
	}
	slices.Sort(found)
	t.found = found
	var calls []*Call
	for _, i := range found {
		for _, v := range [2]*Value{t.all[i].x, t.all[i].y} {
			if v == nil {
				continue
			}
			v.From.Leaves(func(o *Origin) {
				if o.Call != nil && !hasCall(calls, o.Call) {
					calls = m.callLists.Append(calls, o.Call)
				}
			})
		}
	}
	return calls
}

// Follows reports whether c, which stands behind the write w, is reached whenever w is: no condition decides about c alone.
func (c *Call) Follows(w *Call) bool { return within(c.decided(), w.decided()) }

// decided are the conditions that decide whether a write is reached.
func (c *Call) decided() []decision { return c.spot.decisions() }
