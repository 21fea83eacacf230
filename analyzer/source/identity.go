package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// identity is a name for the value of an expression: equal for two expressions that surely, or most likely, have the same value at one
// call. Calls are taken to be pure, so that equal calls of equal arguments are equal.
func (x *Index) identity(e ast.Expr, env *Env) string { return x.ident(e, env, 0) }

func (x *Index) ident(e ast.Expr, env *Env, depth int) string {
	if depth > 8 || e == nil {
		return "?"
	}
	if tv, ok := x.Info.Types[e]; ok && tv.Value != nil {
		return tv.Value.ExactString()
	}
	switch n := ast.Unparen(e).(type) {
	case *ast.Ident:
		return x.identOfName(n, env, depth)
	case *ast.SelectorExpr:
		if obj := x.Info.ObjectOf(n.Sel); obj != nil && obj.Parent() != nil && obj.Pkg() != nil {
			return obj.Pkg().Path() + "." + obj.Name()
		}
		return x.ident(n.X, env, depth+1) + "." + n.Sel.Name
	case *ast.CallExpr:
		return x.identOfCall(n, env, depth)
	case *ast.IndexExpr:
		return x.ident(n.X, env, depth+1) + "[" + x.ident(n.Index, env, depth+1) + "]"
	case *ast.StarExpr:
		return x.ident(n.X, env, depth+1)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "<-" + strconv.Itoa(int(n.Pos()))
		}
		return n.Op.String() + x.ident(n.X, env, depth+1)
	case *ast.BinaryExpr:
		return "(" + x.ident(n.X, env, depth+1) + n.Op.String() + x.ident(n.Y, env, depth+1) + ")"
	case *ast.SliceExpr:
		return x.ident(n.X, env, depth+1) + "[" + x.optional(n.Low, env, depth) + ":" + x.optional(n.High, env, depth) + "]"
	case *ast.TypeAssertExpr:
		return x.ident(n.X, env, depth+1)
	}
	return "@" + strconv.Itoa(int(e.Pos()))
}

func (x *Index) optional(e ast.Expr, env *Env, depth int) string {
	if e == nil {
		return ""
	}
	return x.ident(e, env, depth+1)
}

func (x *Index) identOfName(id *ast.Ident, env *Env, depth int) string {
	obj := x.Info.ObjectOf(id)
	if obj == nil {
		return id.Name
	}
	if to, ok := env.Lookup(obj); ok && to.Expr != nil {
		if live, _ := x.reassigned(obj.(*types.Var), to, id); len(live) == 0 {
			return x.ident(to.Expr, to.Env, depth+1)
		}
	}
	name := id.Name + "@" + strconv.Itoa(int(obj.Pos()))
	v := x.vars[obj]
	if v == nil {
		return name
	}
	defs := x.Reaching(obj, v.defs, id.Pos())
	if _, isParam := x.params[obj]; len(defs) == 1 && defs[0].Kind == Plain && !v.taken && !isParam {
		if d := defs[0]; d.Expr != nil {
			return x.ident(d.Expr, env, depth+1) + resultMark(d.Index)
		}
	}
	// With several definitions the last one before the use tells the values apart.
	last := token.NoPos
	for _, d := range v.defs {
		if at := d.Cur.Node().Pos(); at < id.Pos() && at > last && d.Kind != RangeKey && d.Kind != RangeValue {
			last = at
		}
	}
	_, isParam := x.params[obj]
	if last.IsValid() && (len(v.defs) > 1 || isParam) {
		name += "/" + strconv.Itoa(int(last))
	}
	return name
}

func resultMark(index int) string {
	if index <= 0 {
		return ""
	}
	return "#" + strconv.Itoa(index)
}

// sameText are functions whose text is that of their argument.
var sameText = map[string]bool{
	"strconv.Itoa": true, "strconv.FormatInt": true, "strconv.FormatUint": true, "fmt.Sprint": true,
}

func (x *Index) identOfCall(c *ast.CallExpr, env *Env, depth int) string {
	if tv, ok := x.Info.Types[c.Fun]; ok && tv.IsType() && len(c.Args) == 1 {
		return x.ident(c.Args[0], env, depth+1)
	}
	fn, _ := x.Callee(c).(*types.Func)
	if fn != nil && fn.Pkg() != nil {
		if sameText[funcName(fn)] && len(c.Args) > 0 {
			return x.ident(c.Args[0], env, depth+1)
		}
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && fn.Name() == "String" && len(c.Args) == 0 {
			return x.ident(sel.X, env, depth+1)
		}
	}
	var b strings.Builder
	b.WriteString(x.ident(c.Fun, env, depth+1))
	b.WriteByte('(')
	for i, a := range c.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(x.ident(a, env, depth+1))
	}
	b.WriteByte(')')
	return b.String()
}
