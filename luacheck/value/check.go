package value

import (
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
)

// check is a test whose outcome a local holds: local known = v ~= false. A later test of the local is then one of what the test looked at.
type check struct {
	by   *scope.Local
	expr syntax.Expr
	// vars are the locals that the test looked at, as they were. Where one of them is another value now, the outcome tells nothing.
	vars [maxChecked]checked
	// calls are the values of the calls in it; what they said of the data holds as long as the epoch lasts.
	calls *callValue
	epoch uint32
	next  *check
	size  int
}

type checked struct {
	l *scope.Local
	v *Value
}

const (
	maxChecked = 3
	maxChecks  = 8
	maxReplay  = 3
)

func (c checked) same(d checked) bool { return c.l == d.l && (c.l == nil || sameOne(c.v, d.v)) }

// sameOne reports whether two values are surely one at run time.
func sameOne(v, w *Value) bool { return v == w || v.gen == w.gen && v.gen != 0 }

// check notes that a local was given the outcome of a test.
func (ip *interp) check(st *state, name *syntax.Name, e syntax.Expr) {
	l := ip.in.Scope.Ref(name)
	if l == nil || l.CapturedWrite || !isTest(e, true) || st.checks != nil && st.checks.size >= maxChecks {
		return
	}
	c := check{by: l, expr: e, calls: st.calls, epoch: st.epoch, next: st.checks, size: 1}
	if st.checks != nil {
		c.size += st.checks.size
	}
	n, ok := 0, true
	syntax.Walk(e, func(x syntax.Node) bool {
		switch x := x.(type) {
		case *syntax.Function, *syntax.Table:
			ok = false
		case *syntax.Index:
			base, known := ip.peek(st, x.X)
			ok = ok && known && (isList(base) || base.Reply != nil || base.Lib() != "")
		case *syntax.Name:
			v := ip.in.Scope.Ref(x)
			if v == nil {
				break
			}
			ok = ok && n < maxChecked && !v.CapturedWrite && st.local(v).Obj == nil
			if ok {
				c.vars[n] = checked{v, st.local(v)}
				n++
			}
		}
		return ok
	})
	if ok {
		st.checks = ip.mem.checks.Put(c)
	}
}

// isTest reports whether an expression is a test: a comparison, a negation, or several of them; with all also values that and leaves.
func isTest(e syntax.Expr, all bool) bool {
	switch x := unparen(e).(type) {
	case *syntax.Unary:
		return x.Op == syntax.OpNot
	case *syntax.Binary:
		switch x.Op {
		case syntax.OpAnd, syntax.OpOr:
			if !all {
				return false
			}
			var room [8]syntax.Expr
			for _, y := range chain(x, room[:0]) {
				if !isTest(y, false) && (x.Op == syntax.OpOr || !isPlain(y)) {
					return false
				}
			}
			return true
		}
		return x.Op >= syntax.OpLess && x.Op <= syntax.OpEq
	}
	return false
}

func isPlain(e syntax.Expr) bool {
	_, ok := unparen(e).(*syntax.Name)
	return ok
}

// uncheck forgets what a local held the outcome of.
func (s *state) uncheck(l *scope.Local) {
	for c := s.checks; c != nil; c = c.next {
		if c.by == l {
			s.checks = s.checks.filter(s.mem, func(c *check) (*check, bool) { return c, c.by != l })
			return
		}
	}
}

// filter keeps the checks that keep gives, in their order.
func (c *check) filter(m *Scratch, keep func(*check) (*check, bool)) *check {
	if c == nil {
		return nil
	}
	rest := c.next.filter(m, keep)
	k, ok := keep(c)
	if !ok {
		return rest
	}
	if k == c && rest == c.next {
		return c
	}
	n := *k
	n.next, n.size = rest, 1
	if rest != nil {
		n.size += rest.size
	}
	return m.checks.Put(n)
}

// mergeChecks keeps the checks that two states agree on; it reports whether s had more.
func (s *state) mergeChecks(t *state) bool {
	changed := false
	if s.epoch != t.epoch && s.epoch != 0 {
		s.epoch, changed = 0, s.checks != nil
	}
	if s.checks == t.checks {
		return changed
	}
	s.checks = s.checks.filter(s.mem, func(c *check) (*check, bool) {
		for d := t.checks; d != nil; d = d.next {
			if d.by != c.by {
				continue
			}
			if d.expr != c.expr || !sameVars(c, d) {
				break
			}
			if c.calls == nil || c.calls == d.calls && c.epoch == d.epoch {
				return c, true
			}
			n := *c
			n.calls, changed = nil, true
			return &n, true
		}
		changed = true
		return nil, false
	})
	return changed
}

func sameVars(c, d *check) bool {
	for i := range c.vars {
		if !c.vars[i].same(d.vars[i]) {
			return false
		}
	}
	return true
}

// replay narrows what a test looked at whose outcome a local holds, now that the local is known to be v.
func (ip *interp) replay(st *state, l *scope.Local, v *Value) {
	when := v.Kinds&Falsy == 0
	if st.checks == nil || ip.replays >= maxReplay || !when && !v.Only(Falsy) {
		return
	}
	for c := st.checks; c != nil; c = c.next {
		if c.by != l {
			continue
		}
		for _, x := range c.vars {
			if x.l != nil && !sameOne(st.local(x.l), x.v) {
				return
			}
		}
		calls := st.calls
		st.calls = nil
		if c.epoch == st.epoch {
			st.calls = c.calls
		}
		ip.replays++
		ip.narrow(st, c.expr, when)
		ip.replays--
		st.calls = calls
		return
	}
}
