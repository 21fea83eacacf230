package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
)

// label names a script for people: its file, the variable or constant that holds it, or the function that it stands in.
func (a *packageRun) label(e ast.Expr, t *source.Text, ctor *ast.CallExpr) string {
	if name := t.File(); name != "" {
		return path.Base(name)
	}
	if ctor != nil {
		if name := a.holder(ctor.Pos(), false); name != "" {
			return name
		}
	}
	var id *ast.Ident
	switch e := e.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		if v, ok := a.x.Info.ObjectOf(e.Sel).(*types.Var); !ok || !v.IsField() {
			id = e.Sel
		}
	case *ast.CallExpr: // a function puts it together of what stands elsewhere
		if fn := a.x.Func(a.x.Callee(e)); fn != nil && fn.Obj != nil && fn.Body != nil && !inside([]span{spanOf(fn.Body)}, t.Pos(), nil) {
			return fn.Obj.Name()
		}
	}
	if id != nil {
		obj := a.x.Info.ObjectOf(id)
		if fn, _ := a.x.ParamOf(obj); fn == nil {
			if v, ok := obj.(*types.Var); ok && v.Parent() != a.pass.Pkg.Scope() && v.Pkg() == a.pass.Pkg {
				if name := a.declared(t.Pos()); name != "" {
					return name
				}
				if a.x.Ranged(v) {
					return a.holder(t.Pos(), true) // the key in the table that a loop runs over
				}
			}
			return id.Name
		}
	}
	if a.x.EmbeddedAt(t.Pos()).IsValid() { // what is made of a file
		return path.Base(a.pass.Fset.Position(t.Pos()).Filename)
	}
	return a.holder(t.Pos(), true)
}

// declared is the name of the variable or constant of the package whose value holds pos; "" for none.
func (a *packageRun) declared(pos token.Pos) string {
	cur, ok := a.x.Root.FindByPos(pos, pos)
	if !ok || a.x.Enclosing(cur) != nil {
		return ""
	}
	return a.holder(pos, false)
}

// holder is the name of the variable, field or key whose value holds pos, else (with function) of the function around it. What holds the
// result of running a script is not its name.
func (a *packageRun) holder(pos token.Pos, function bool) string {
	cur, ok := a.x.At(pos, pos)
	if !ok {
		return ""
	}
	ran := false
	for c := range cur.Enclosing((*ast.ValueSpec)(nil), (*ast.AssignStmt)(nil), (*ast.KeyValueExpr)(nil), (*ast.FuncDecl)(nil),
		(*ast.CallExpr)(nil)) {
		name := ""
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			m := a.match(n)
			ran = ran || m != nil && m.row.mode != define
		case *ast.ValueSpec:
			name = a.nameOf(n.Names[0])
		case *ast.AssignStmt:
			name = a.nameOf(n.Lhs[0])
		case *ast.KeyValueExpr:
			name = a.nameOf(n.Key)
		case *ast.FuncDecl:
			if function {
				return n.Name.Name
			}
			return ""
		}
		if !ran && name != "" && name != "_" {
			return name
		}
	}
	return ""
}

// nameOf is the name of a variable, field or key; "" for an error variable.
func (a *packageRun) nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if obj := a.x.Info.ObjectOf(e); obj != nil && isError(obj.Type()) {
			return ""
		}
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.BasicLit:
		return strings.Trim(e.Value, "\"`")
	case *ast.IndexExpr: // scripts["push"] = …
		switch v := a.x.Info.Types[e.Index].Value; {
		case v == nil:
		case v.Kind() == constant.String:
			return constant.StringVal(v)
		default:
			return a.nameOf(e.X)
		}
	}
	return ""
}
