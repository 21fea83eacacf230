package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// complete reports whether the sites of a script are surely all that run it: its text, and the object made of it, stand in the calls
// themselves or in names that no other package sees and that are used in these calls alone.
func (a *packageRun) complete(s *script) bool {
	if s.text == nil || len(s.sites) == 0 || !s.text.Written() || a.x.Foreign(s.text.Pos()) {
		return false
	}
	var calls []span
	for _, rec := range s.sites {
		if rec.open || rec.site.Mode == load && !(len(rec.path) == 1 && a.keepsDigest(rec.path[0].call.Cur, 0)) {
			return false // the digest may go anywhere
		}
		for _, st := range rec.path {
			calls = append(calls, spanOf(st.call.Expr))
		}
	}
	for _, rec := range s.sites {
		if len(rec.path) == 0 || rec.site.Mode == define && !a.confined(rec.path[0].call.Expr.Pos(), rec.path[0].call.Expr, calls) {
			return false
		}
	}
	return a.confined(a.goPos(s.text.Pos()), nil, calls)
}

// keepsDigest reports whether what SCRIPT LOAD returns goes to a variable or field that no other package sees, or to nobody.
func (a *packageRun) keepsDigest(cur inspector.Cursor, depth int) bool {
	var from ast.Node = cur.Node()
	if depth == 0 {
		cur = cur.Parent() // the call of SCRIPT LOAD itself
	}
	for cur.Node() != nil {
		switch n := cur.Node().(type) {
		case *ast.ExprStmt:
			return true
		case *ast.CallExpr:
			if fn, ok := a.x.Callee(n).(*types.Func); n.Fun != from && (!ok || a.table.library(fn.Pkg()) == nil) {
				return false // an argument
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if (i == 0 || len(n.Rhs) > 1) && !a.hidden(l, depth) {
					return false
				}
			}
			return true
		case ast.Stmt, *ast.CompositeLit, *ast.ValueSpec:
			return false
		}
		from, cur = cur.Node(), cur.Parent()
	}
	return false
}

// hidden reports whether what an assignment gives to l stays within the package.
func (a *packageRun) hidden(l ast.Expr, depth int) bool {
	var v *types.Var
	switch l := ast.Unparen(l).(type) {
	case *ast.SelectorExpr:
		v, _ = a.x.Info.ObjectOf(l.Sel).(*types.Var)
	case *ast.Ident:
		if l.Name == "_" {
			return true
		}
		v, _ = a.x.Info.ObjectOf(l).(*types.Var)
	}
	if v == nil {
		return false
	}
	if isError(v.Type()) {
		return true
	}
	if v.IsField() || v.Parent() == a.pass.Pkg.Scope() {
		return !v.Exported()
	}
	for _, use := range a.uses(v) {
		to, ok := a.x.At(use, use)
		if !ok || depth >= maxHandings || !a.keepsDigest(to, depth+1) {
			return false
		}
	}
	return true
}

// goPos is where a text stands in Go: for an embedded file, the variable that embeds it.
func (a *packageRun) goPos(pos token.Pos) token.Pos {
	if at := a.x.EmbeddedAt(pos); at.IsValid() {
		return at
	}
	return pos
}

// confined reports whether what stands at pos is held by a name whose every use is inside one of the calls, or stands in a call itself.
// self is a call that does not count: the constructor at pos.
func (a *packageRun) confined(pos token.Pos, self *ast.CallExpr, calls []span) bool {
	obj, held := a.holderOf(pos, self, calls)
	if !held {
		return false
	}
	return obj == nil || a.onlyIn(obj, calls, 0)
}

// maxHandings bounds how often a script may be handed from one local variable to the next.
const maxHandings = 4

// onlyIn reports whether a name is used in the calls alone, or handed to local variables of which the same holds.
func (a *packageRun) onlyIn(obj types.Object, calls []span, depth int) bool {
	if obj.Exported() && obj.Parent() == a.pass.Pkg.Scope() && a.pass.Pkg.Name() != "main" {
		return false
	}
	for _, use := range a.uses(obj) {
		if inside(calls, use, nil) {
			continue
		}
		to := a.handedTo(use)
		if to == nil || depth >= maxHandings || !a.onlyIn(to, calls, depth+1) {
			return false
		}
	}
	return true
}

// handedTo is the local variable that gets just the name used at pos: script = removeCmd.
func (a *packageRun) handedTo(pos token.Pos) types.Object {
	cur, ok := a.x.At(pos, pos)
	if !ok {
		return nil
	}
	var to *ast.Ident
	switch n := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && len(n.Rhs) == 1 && n.Rhs[0] == cur.Node() {
			to, _ = n.Lhs[0].(*ast.Ident)
		}
	case *ast.ValueSpec:
		if len(n.Names) == 1 && len(n.Values) == 1 && n.Values[0] == cur.Node() {
			to = n.Names[0]
		}
	}
	if to == nil {
		return nil
	}
	v, ok := a.x.Info.ObjectOf(to).(*types.Var)
	if !ok || v.IsField() || v.Parent() == a.pass.Pkg.Scope() {
		return nil
	}
	return v
}

func inside(calls []span, pos token.Pos, self *ast.CallExpr) bool {
	for _, c := range calls {
		if c.pos <= pos && pos < c.end && (self == nil || c.pos != self.Pos() || c.end != self.End()) {
			return true
		}
	}
	return false
}

// holderOf finds the variable or constant whose value holds pos. It is nil and true where the value stands in one of the calls, nil and
// false where something else holds it: a field, a map, a result.
func (a *packageRun) holderOf(pos token.Pos, self *ast.CallExpr, calls []span) (types.Object, bool) {
	cur, ok := a.x.At(pos, pos)
	if !ok {
		return nil, false
	}
	for c := range cur.Enclosing() {
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			if n != self && inside(calls, n.Pos(), self) && inside(calls, n.End()-1, self) {
				return nil, true
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if name.Pos() <= pos && pos < name.End() || i < len(n.Values) && encloses(n.Values[i], pos) {
					return a.x.Info.Defs[name], true
				}
			}
			return nil, false
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 {
				return nil, false
			}
			id, ok := n.Lhs[0].(*ast.Ident)
			if !ok {
				return nil, false
			}
			v, ok := a.x.Info.ObjectOf(id).(*types.Var)
			return v, ok
		case *ast.CompositeLit, *ast.FuncLit, *ast.FuncDecl, *ast.ReturnStmt:
			return nil, false
		}
	}
	return nil, false
}

func encloses(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// uses returns where a name of this package is used, beside assignments to it.
func (a *packageRun) uses(obj types.Object) []token.Pos {
	if a.usePos == nil {
		a.usePos = map[types.Object][]token.Pos{}
		for id, o := range a.x.Info.Uses {
			if o.Pkg() == a.pass.Pkg {
				a.usePos[o] = append(a.usePos[o], id.Pos())
			}
		}
		for _, f := range a.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if as, ok := n.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
					for _, l := range as.Lhs {
						if id, ok := l.(*ast.Ident); ok {
							a.dropUse(a.x.Info.Uses[id], id.Pos())
						}
					}
				}
				return true
			})
		}
	}
	return a.usePos[obj]
}

func (a *packageRun) dropUse(obj types.Object, pos token.Pos) {
	all := a.usePos[obj]
	for i, p := range all {
		if p == pos {
			all[i] = all[len(all)-1]
			a.usePos[obj] = all[:len(all)-1]
			return
		}
	}
}
