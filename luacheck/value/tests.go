package value

import (
	"cmp"
	"slices"
	"sort"

	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/syntax"
)

// decision is a condition and the outcome that leads on.
type decision struct {
	cond syntax.Expr
	when bool
}

// decided are the conditions that decide whether a block is reached; known is false where nobody asked yet.
type decided struct {
	known       bool
	direct, all []decision
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
		fr.spot = &spot{fr.graph, fr.block, spotOf(fr.outer)}
	}
	return fr.spot
}

// decisions are the conditions that decide whether a spot is reached: direct are those right before it, all adds those that decide whether
// these are reached, and those of the calls that led there.
func (s *spot) decisions() (direct, all []decision) {
	for ; s != nil; s = s.outer {
		d := s.graph.decisions(s.block)
		if len(direct) == 0 {
			direct = d.direct
		}
		if all == nil {
			all = d.all
		} else {
			all = append(all[:len(all):len(all)], d.all...)
		}
	}
	return direct, all
}

func (g *graph) decisions(b *flow.Block) *decided {
	if g.decided == nil {
		g.control = flow.NewControl(g.Graph)
		g.decided = make([]decided, len(g.Blocks))
	}
	d := &g.decided[b.Index]
	if !d.known {
		near, far := g.control.Deciders(b)
		*d = decided{true, conditions(near), conditions(far)}
	}
	return d
}

func conditions(edges []flow.Edge) []decision {
	var list []decision
	for _, e := range edges {
		if e.Cond != nil {
			if list == nil {
				list = make([]decision, 0, len(edges))
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
	var tested *testIndex
	for _, f := range ip.facts.Failures {
		if len(f.Writes) == 0 {
			continue
		}
		if tested == nil {
			tested = newTestIndex(ip.facts)
		}
		direct, decided := f.spot.decisions()
		chosen := f.Class == FailReply || f.Class == FailRaise && f.Host == "error"
		for _, w := range f.Writes {
			// An error that is meant, behind a write under the very same conditions: the write is part of refusing.
			if d := w.decided(); !chosen || len(d) == 0 || !within(decided, d) {
				f.Early = append(f.Early, w)
			}
		}
		spans := []syntax.Span{}
		for _, d := range direct {
			spans = append(spans, d.cond.Bounds())
		}
		if f.Host == "assert" || f.Class == FailReply && f.Node != nil {
			spans = append(spans, f.Node.Bounds())
		}
		f.Needs = tested.calls(spans, f)
		spans = nil
		for _, d := range decided {
			spans = append(spans, d.cond.Bounds())
		}
		f.Passed = tested.calls(spans, nil)
	}
}

// test is an operation or a condition, with the values that it looks at.
type test struct {
	order int
	node  syntax.Expr
	x, y  *Value
}

// testIndex finds tests by where they are and by what they operate on.
type testIndex struct {
	byStart []test
	using   map[syntax.Expr][]test
}

func newTestIndex(f *Facts) *testIndex {
	t := &testIndex{using: map[syntax.Expr][]test{}}
	for i, op := range f.Ops {
		b, ok := op.Node.(*syntax.Binary)
		if !ok {
			continue
		}
		x := test{i, op.Node, op.X, op.Y}
		t.using[b.X] = append(t.using[b.X], x)
		t.using[b.Y] = append(t.using[b.Y], x)
		if b.Op != syntax.OpConcat {
			t.byStart = append(t.byStart, x)
		}
	}
	for i, c := range f.Conds {
		t.byStart = append(t.byStart, test{len(f.Ops) + i, c.Node, c.Value, nil})
	}
	slices.SortStableFunc(t.byStart, func(a, b test) int { return cmp.Compare(a.node.Bounds().Start, b.node.Bounds().Start) })
	return t
}

// calls are the calls whose replies the conditions with these spans look at, and with f the operation that fails.
func (t *testIndex) calls(spans []syntax.Span, f *Failure) []*Call {
	var found []test
	for _, s := range spans {
		first := sort.Search(len(t.byStart), func(i int) bool { return t.byStart[i].node.Bounds().Start >= s.Start })
		for _, x := range t.byStart[first:] {
			at := x.node.Bounds()
			if at.Start > s.End {
				break
			}
			if s.Contains(at) {
				found = append(found, x)
			}
		}
	}
	if f != nil && f.Node != nil && f.Class != FailReply {
		if e, ok := f.Node.(syntax.Expr); ok {
			found = append(found, t.using[e]...)
		}
	}
	slices.SortStableFunc(found, func(a, b test) int { return cmp.Compare(a.order, b.order) })
	var calls []*Call
	for _, x := range found {
		for _, v := range [2]*Value{x.x, x.y} {
			if v == nil {
				continue
			}
			v.From.Leaves(func(o *Origin) {
				if o.Call != nil && !hasCall(calls, o.Call) {
					calls = append(calls, o.Call)
				}
			})
		}
	}
	return calls
}

// Follows reports whether c, which stands behind the write w, is reached whenever w is: no condition decides about c alone.
func (c *Call) Follows(w *Call) bool { return within(c.decided(), w.decided()) }

// decided are the conditions that decide whether a write is reached.
func (c *Call) decided() []decision {
	_, all := c.spot.decisions()
	return all
}
