package source

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// Reaching leaves out the definitions of a local variable that cannot be what a use at pos sees: those behind it that no loop leads back
// from, and those in front of one that surely runs in between. Where it cannot tell it keeps them.
func (x *Index) Reaching(obj types.Object, defs []Def, pos token.Pos) []Def {
	if len(defs) < 2 {
		return defs
	}
	live, _ := x.ReachingParam(obj, defs, pos)
	return live
}

// ReachingParam is Reaching for a variable that also has a value from the start, as parameters do. It reports whether one of the
// definitions surely runs before the use, so that the first value is gone.
func (x *Index) ReachingParam(obj types.Object, defs []Def, pos token.Pos) (live []Def, sure bool) {
	v, ok := obj.(*types.Var)
	if len(defs) == 0 || len(defs) > maxDefs || !ok || v.IsField() || v.Parent() == x.Types.Scope() {
		return defs, false
	}
	use, ok := x.At(pos, pos)
	if !ok {
		return defs, false
	}
	home := funcAround(use)
	var kept []Def
	branches := branchesOf(defs)
	last := token.NoPos // the last definition that every path to the use runs through
	for _, d := range defs {
		at := d.Cur.Node()
		if funcAround(d.Cur) != home {
			return defs, false // set in a closure
		}
		// The head of a loop defines its variables before the body: its own node reaches over the use.
		_, head := at.(*ast.RangeStmt)
		if at.End() > pos && !head && !inLoopWith(d.Cur, pos) {
			continue
		}
		kept = append(kept, d)
		if d.Kind == Plain && at.End() <= pos {
			last = max(last, surely(d, branches, pos))
		}
	}
	if !last.IsValid() {
		return kept, false
	}
	live = kept[:0]
	for _, d := range kept {
		if d.Cur.Node().Pos() >= last {
			live = append(live, d)
		}
	}
	return live, true
}

// maxDefs bounds the definitions of a variable that are told apart. Generated code has thousands, and each use looks at all of them.
const maxDefs = 256

// branchesOf are the blocks that hold a definition.
func branchesOf(defs []Def) map[ast.Node]bool {
	set := map[ast.Node]bool{}
	for _, d := range defs {
		if d.Kind == Plain {
			set[blockAround(d.Cur)] = true
		}
	}
	return set
}

// surely returns the start of the statement with which a definition, alone or with those in the other branches, is run on every path to
// pos; token.NoPos where it is not.
func surely(d Def, branches map[ast.Node]bool, pos token.Pos) token.Pos {
	if encloses(blockAround(d.Cur), pos) {
		return d.Cur.Node().Pos()
	}
	for c := range d.Cur.Enclosing((*ast.IfStmt)(nil), (*ast.SwitchStmt)(nil)) {
		if n := c.Node(); n.End() <= pos && encloses(blockAround(c), pos) && everyBranch(n, branches) {
			return n.Pos()
		}
	}
	return token.NoPos
}

// funcAround is the innermost function around a node.
func funcAround(cur inspector.Cursor) ast.Node {
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return c.Node()
	}
	return nil
}

// inLoopWith reports whether a loop holds both a node and a position.
func inLoopWith(cur inspector.Cursor, pos token.Pos) bool {
	for c := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.LabeledStmt)(nil)) {
		if encloses(c.Node(), pos) {
			return true
		}
	}
	return false
}

func encloses(n ast.Node, pos token.Pos) bool {
	return n != nil && n.Pos() <= pos && pos < n.End()
}

// everyBranch reports whether each branch of a statement is in the set.
func everyBranch(n ast.Node, set map[ast.Node]bool) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return set[n]
	case *ast.IfStmt:
		return n.Else != nil && set[n.Body] && everyBranch(n.Else, set)
	case *ast.SwitchStmt:
		all := false
		for _, c := range n.Body.List {
			clause := c.(*ast.CaseClause)
			if !set[clause] {
				return false
			}
			all = all || clause.List == nil
		}
		return all
	}
	return false
}

// blockAround is the innermost block around a statement, nil outside functions.
func blockAround(cur inspector.Cursor) ast.Node {
	for c := range cur.Enclosing((*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil)) {
		return c.Node()
	}
	return nil
}
