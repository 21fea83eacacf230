package analyzer

import (
	"go/ast"

	"github.com/redislint/redislint/analyzer/source"
)

// Appends in branches of which one surely runs: if ttl > 0 { args = append(args, ttl) } else { args = append(args, 0) }.

// choice is an if statement with what its branches append.
type choice struct {
	stmt    *ast.IfStmt
	appends []source.Def
}

// choiceOf returns the if statement of the block home in one of whose branches an append stands, with all appends in it; nil for none.
func (l *lister) choiceOf(d source.Def, appends []source.Def, home ast.Node) *choice {
	var top *ast.IfStmt
	for c := range d.Cur.Enclosing((*ast.IfStmt)(nil)) {
		if stmtBlock(c.Parent()) == home {
			top = c.Node().(*ast.IfStmt)
			break
		}
	}
	if top == nil {
		return nil
	}
	all := &choice{stmt: top}
	for _, other := range appends {
		if encloses(top, other.Cur.Node().Pos()) {
			all.appends = append(all.appends, other)
		}
	}
	return all
}

// joined is what the branches append, one or the other; ok is false where a branch is missing or something in one is not known.
func (l *lister) joined(c *choice, b source.Bound) (r list, ok bool) {
	blocks := branches(c.stmt)
	each := map[ast.Node]list{}
	for _, d := range c.appends {
		at := stmtBlock(d.Cur)
		call := d.Expr.(*ast.CallExpr)
		before, known := each[at]
		if !known {
			before = exactly(nil)
		}
		each[at] = before.then(l.args(call.Args[1:], call.Ellipsis.IsValid(), b.Env))
	}
	if len(blocks) == 0 || len(each) != len(blocks) {
		return r, false
	}
	for i, block := range blocks {
		one, known := each[block]
		if !known || !one.exact {
			return r, false
		}
		if i > 0 {
			one = r.or(one)
		}
		r = one
	}
	return r, true
}

// branches are the blocks of an if statement, else if, and else; nil where it has no last else.
func branches(s *ast.IfStmt) []ast.Node {
	all := []ast.Node{s.Body}
	switch other := s.Else.(type) {
	case *ast.BlockStmt:
		return append(all, other)
	case *ast.IfStmt:
		if more := branches(other); more != nil {
			return append(all, more...)
		}
	}
	return nil
}
