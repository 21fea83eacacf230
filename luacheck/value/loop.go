package value

import "github.com/redislint/redislint/luacheck/syntax"

// counted reports whether an ordering (< > <= >=) has a say in leaving a loop: in its own condition, or in the test around a break or return.
// Then something is counted, and the loop has a bound that its iteration does not show.
func counted(loop syntax.Stmt) bool {
	found := false
	switch l := loop.(type) {
	case *syntax.While:
		found = orders(l.Cond)
	case *syntax.Repeat:
		found = orders(l.Cond)
	}
	syntax.Walk(loop, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Function:
			return false
		case *syntax.If:
			for i := range n.Clauses {
				if c := &n.Clauses[i]; c.Cond != nil && leaves(c.Body) && orders(c.Cond) {
					found = true
				}
			}
		}
		return !found
	})
	return found
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
