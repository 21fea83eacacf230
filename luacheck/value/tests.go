package value

import (
	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/syntax"
)

// decision is a condition and the outcome that leads on.
type decision struct {
	cond syntax.Expr
	when bool
}

// decisions are the conditions that decide whether the present code is reached, through the calls of functions of the script that led here:
// direct are those right before it, all adds those that decide whether these are reached.
func (ip *interp) decisions() (direct, all []decision) {
	for fr := ip.frame; fr != nil; fr = fr.outer {
		if fr.graph == nil || fr.block == nil {
			continue
		}
		c := ip.controls[fr.graph]
		if c == nil {
			c = flow.NewControl(fr.graph)
			ip.controls[fr.graph] = c
		}
		near, far := c.Deciders(fr.block)
		if len(direct) == 0 {
			direct = conditions(near)
		}
		all = append(all, conditions(far)...)
	}
	return direct, all
}

func conditions(edges []flow.Edge) []decision {
	var list []decision
	for _, e := range edges {
		if e.Cond != nil {
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
	for _, f := range ip.facts.Failures {
		if len(f.Writes) == 0 {
			continue
		}
		chosen := f.Class == FailReply || f.Class == FailRaise && f.Host == "error"
		for _, w := range f.Writes {
			// An error that is meant, behind a write under the very same conditions: the write is part of refusing.
			if !chosen || len(w.decided) == 0 || !within(f.decided, w.decided) {
				f.Early = append(f.Early, w)
			}
		}
		spans := []syntax.Span{}
		for _, d := range f.direct {
			spans = append(spans, d.cond.Bounds())
		}
		if f.Host == "assert" || f.Class == FailReply && f.Node != nil {
			spans = append(spans, f.Node.Bounds())
		}
		f.Needs = ip.callsTested(spans, f)
		spans = nil
		for _, d := range f.decided {
			spans = append(spans, d.cond.Bounds())
		}
		f.Passed = ip.callsTested(spans, nil)
	}
}

// callsTested are the calls whose replies the conditions with these spans look at, and with f the operation that fails.
func (ip *interp) callsTested(spans []syntax.Span, f *Failure) []*Call {
	var calls []*Call
	add := func(v *Value) {
		if v == nil {
			return
		}
		v.From.Leaves(func(o *Origin) {
			if o.Call != nil && !hasCall(calls, o.Call) {
				calls = append(calls, o.Call)
			}
		})
	}
	inside := func(n syntax.Node) bool {
		for _, s := range spans {
			if s.Contains(n.Bounds()) {
				return true
			}
		}
		return false
	}
	for _, op := range ip.facts.Ops {
		b, ok := op.Node.(*syntax.Binary)
		fails := f != nil && f.Node != nil && f.Class != FailReply && ok && (b.X == f.Node || b.Y == f.Node)
		if ok && b.Op != syntax.OpConcat && inside(op.Node) || fails {
			add(op.X)
			add(op.Y)
		}
	}
	for _, c := range ip.facts.Conds {
		if inside(c.Node) {
			add(c.Value)
		}
	}
	return calls
}

// Follows reports whether c, which stands behind the write w, is reached whenever w is: no condition decides about c alone.
func (c *Call) Follows(w *Call) bool { return within(c.decided, w.decided) }
