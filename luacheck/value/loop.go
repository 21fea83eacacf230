package value

import (
	"slices"

	"github.com/redislint/redislint/luacheck/syntax"
)

// counted reports whether an ordering (< > <= >=) has a say in leaving a loop: in its own condition, or in the test around a break or return;
// or whether a counter is found equal to its limit there (n == 10), or a test in it looks at a length, as those do that work in chunks.
// Then the loop has a bound that its iteration does not show.
//
// leaves is the part of it that looks at the body.
func (ip *interp) counted(loop syntax.Stmt) (is, leaves bool) {
	k := keyOf(loop.ID(), 0)
	if shape, known := ip.mem.shapes.get(k); known {
		return shape&1 != 0, shape&2 != 0
	}
	var cond syntax.Expr
	var body *syntax.Block
	switch l := loop.(type) {
	case *syntax.While:
		cond, body = l.Cond, l.Body
	case *syntax.Repeat:
		cond, body = l.Cond, l.Body
	case *syntax.NumFor:
		body = l.Body
	case *syntax.GenFor:
		body = l.Body
	}
	leaves = leavesCounted(body)
	is = leaves || cond != nil && orders(cond)
	shape := 0
	if is {
		shape |= 1
	}
	if leaves {
		shape |= 2
	}
	ip.mem.shapes.set(k, shape)
	return is, leaves
}

// leavesCounted looks at the statements of a block, functions apart.
func leavesCounted(b *syntax.Block) bool {
	if b == nil {
		return false
	}
	return slices.ContainsFunc(b.Stmts, func(s syntax.Stmt) bool {
		switch s := s.(type) {
		case *syntax.If:
			for i := range s.Clauses {
				c := &s.Clauses[i]
				if c.Cond != nil && (leaves(c.Body) && (orders(c.Cond) || meets(c.Cond)) || measures(c.Cond)) || leavesCounted(c.Body) {
					return true
				}
			}
			return leavesCounted(s.Else)
		case *syntax.Do:
			return leavesCounted(s.Body)
		case *syntax.While:
			return leavesCounted(s.Body)
		case *syntax.Repeat:
			return leavesCounted(s.Body)
		case *syntax.NumFor:
			return leavesCounted(s.Body)
		case *syntax.GenFor:
			return leavesCounted(s.Body)
		}
		return false
	})
}

// leaves reports whether a block ends in a break or a return.
func leaves(b *syntax.Block) bool {
	if b == nil || len(b.Stmts) == 0 {
		return false
	}
	switch b.Stmts[len(b.Stmts)-1].(type) {
	case *syntax.Break, *syntax.Return:
		return true
	}
	return false
}

// orders reports whether an expression orders two values.
func orders(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Binary); ok && b.Op >= syntax.OpLess && b.Op <= syntax.OpGreaterEq {
			found = true
		}
		return !found
	})
	return found
}

// meets reports whether an expression asks if a counter has come to its end: n == 100, n == limit.
func meets(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		b, ok := n.(*syntax.Binary)
		if !ok || b.Op != syntax.OpEq {
			return !found
		}
		_, x := unparen(b.X).(*syntax.Name)
		_, y := unparen(b.Y).(*syntax.Name)
		limit, is := unparen(b.Y).(*syntax.Number)
		found = found || x && (y || is && limit.Value != 0)
		return !found
	})
	return found
}

// measures reports whether an expression takes a length.
func measures(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if u, ok := n.(*syntax.Unary); ok && u.Op == syntax.OpLen {
			found = true
		}
		return !found
	})
	return found
}

// mayRaise reports whether error or assert may leave a loop: one that is called in it, or in a function of the script that is called there.
func (ip *interp) mayRaise(loop syntax.Stmt) bool {
	own, calls := ip.raises(loop)
	if own || !calls {
		return own
	}
	all, _ := ip.raises(ip.in.Chunk.Body)
	return all
}

// raises looks for calls of error and assert, and for calls of what the script holds in locals.
func (ip *interp) raises(n syntax.Node) (raises, calls bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		c, ok := n.(*syntax.Call)
		if !ok {
			return true
		}
		name, ok := c.Fn.(*syntax.Name)
		switch {
		case !ok:
		case ip.in.Scope.Ref(name) != nil:
			calls = true
		case name.Text == "error" || name.Text == "assert":
			raises = true
		}
		return true
	})
	return raises, calls
}

// grow notes what a table is filled from inside a loop.
func (ip *interp) grow(o *object, v *Value) *object {
	l := ip.innermost(ip.frame)
	if l == nil || l.Counted {
		return o
	}
	by := l.All
	if by == nil && l.Over == nil && popped(v) {
		by = v
	} else if by == nil && l.Over != nil && elementCount(l.Over) {
		by = l.Over
	}
	if by == nil {
		return o
	}
	c := o.clone()
	c.grows = by
	return c
}

// popped reports whether a value is one element that a command took out of a collection.
func popped(v *Value) bool {
	if v.From == nil || v.From.Kind != FromReply || v.From.Path != "" || v.From.Call == nil {
		return false
	}
	switch v.From.Call.Name {
	case "lpop", "rpop", "spop", "rpoplpush", "lmove":
		return v.Kinds&Tables == 0
	}
	return false
}

// elementCount reports whether a value is the number of elements that a collection has, without a bound.
func elementCount(v *Value) bool {
	if v.From == nil || v.From.Kind != FromReply || v.From.Path != "" || v.From.Call == nil || v.Hi < 1<<53 {
		return false
	}
	switch v.From.Call.Name {
	case "llen", "scard", "zcard", "hlen", "xlen":
		return true
	}
	return false
}
