package rules

import (
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// guard is how a second call hangs on the reply of the first.
type guard uint8

const (
	guardNone    guard = iota // it is always made
	guardPresent              // where the reply is neither false nor nil
	guardMissing              // where it is
	guardEqual                // where the reply equals a value that is not made of it
	guardDiffers              // where it does not
	guardZero                 // where the reply is 0
	guardOne                  // where the reply is 1
	guardOther                // something else that looks at nothing but the reply and constants
)

var anyGuard = []guard{guardNone, guardPresent, guardOther}

// guardOf finds out how b hangs on a's reply, in a script of plain statements with one if at most; ok is false for any other.
func guardOf(p *Pass, a, b *value.Call) (g guard, ok bool) {
	cond, holds, ok := branchOf(p.Chunk.Body, b.Node.Span)
	switch {
	case !ok:
		return 0, false
	case cond == nil:
		return guardNone, true
	}
	for {
		if paren, ok := cond.(*syntax.Paren); ok {
			cond = paren.X
		} else if not, ok := cond.(*syntax.Unary); ok && not.Op == syntax.OpNot {
			cond, holds = not.X, !holds
		} else {
			break
		}
	}
	if eq, ok := cond.(*syntax.Binary); ok {
		return replyComparison(p, a, eq, holds)
	}
	for _, c := range p.Facts.Conds {
		if c.Node == cond && isReply(c.Value, a) {
			return presence(holds), true
		}
	}
	return 0, false
}

// branchOf finds the condition that a call in the script's main block stands under, and whether it must hold: that of the if around it, or
// of one in front of it that returns.
func branchOf(body *syntax.Block, call syntax.Span) (cond syntax.Expr, holds, ok bool) {
	for _, s := range body.Stmts {
		branch, isIf := s.(*syntax.If)
		if s.Bounds().Contains(call) {
			if !isIf {
				return cond, false, plainStmt(s)
			}
			if cond != nil || len(branch.Clauses) != 1 {
				return nil, false, false
			}
			c := &branch.Clauses[0]
			switch {
			case plainBlock(c.Body) && c.Body.Contains(call):
				return c.Cond, true, branch.Else == nil || plainBlock(branch.Else)
			case branch.Else != nil && plainBlock(branch.Else) && branch.Else.Contains(call):
				return c.Cond, false, true
			}
			return nil, false, false
		}
		if !isIf {
			if !plainStmt(s) {
				return nil, false, false
			}
			continue
		}
		if cond != nil || len(branch.Clauses) != 1 || branch.Else != nil || !leaves(branch.Clauses[0].Body) {
			return nil, false, false
		}
		cond = branch.Clauses[0].Cond
	}
	return nil, false, false
}

func plainStmt(s syntax.Stmt) bool {
	switch s.(type) {
	case *syntax.Local, *syntax.Assign, *syntax.CallStmt, *syntax.Return:
		return true
	}
	return false
}

func plainBlock(b *syntax.Block) bool {
	for _, s := range b.Stmts {
		if !plainStmt(s) {
			return false
		}
	}
	return true
}

// leaves reports whether a block only returns.
func leaves(b *syntax.Block) bool {
	if len(b.Stmts) != 1 {
		return false
	}
	_, ok := b.Stmts[0].(*syntax.Return)
	return ok
}

func isReply(v *value.Value, c *value.Call) bool {
	return v != nil && v.From != nil && v.From.Kind == value.FromReply && v.From.Call != nil && v.From.Call.Node == c.Node && v.From.Path == ""
}

func presence(holds bool) guard {
	if holds {
		return guardPresent
	}
	return guardMissing
}

// replyComparison reads `reply == x`, `reply ~= x`, and orderings of what is made of the reply.
func replyComparison(p *Pass, a *value.Call, eq *syntax.Binary, holds bool) (guard, bool) {
	for _, o := range p.Facts.Ops {
		if o.Node != syntax.Expr(eq) {
			continue
		}
		x, y := o.X, o.Y
		if !madeOf(x.From, a) {
			x, y = y, x
		}
		if !madeOf(x.From, a) || madeOf(y.From, a) {
			return 0, false
		}
		if o.Op != syntax.OpEq && o.Op != syntax.OpNotEq || !isReply(x, a) {
			return guardOther, y.Const
		}
		if o.Op == syntax.OpNotEq {
			holds = !holds
		}
		return comparedWith(y, holds), true
	}
	return 0, false
}

func comparedWith(y *value.Value, holds bool) guard {
	one := y.Const && y.Only(value.Number) && y.Num == 1
	zero := y.Const && y.Only(value.Number) && y.Num == 0
	switch {
	case y.Only(value.Falsy):
		return presence(!holds)
	case one && holds, zero && !holds:
		return guardOne
	case zero && holds, one && !holds:
		return guardZero
	case holds:
		return guardEqual
	}
	return guardDiffers
}
