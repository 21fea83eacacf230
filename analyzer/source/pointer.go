package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// unset reports whether no assignment names the variable.
func (v *variable) unset() bool {
	for _, d := range v.defs {
		if d.Kind != Zero {
			return false
		}
	}
	return true
}

// pointed follows a variable that is set through pointers alone: *p = x, where p is a parameter that gets &v, or runs over a map or slice
// that holds &v.
func (f *follower) pointed(obj types.Object) []Bound {
	var all []Bound
	for _, p := range f.x.pointers {
		v := f.x.vars[p]
		for _, store := range v.stores {
			for _, env := range f.pointing(p, v, store, obj) {
				all = f.merge(all, f.follow(Bound{Expr: store.Expr, Env: env, Index: store.Index}))
			}
		}
	}
	return all
}

// pointing returns what is bound where the pointer variable p holds the address of target.
func (f *follower) pointing(p types.Object, v *variable, store Def, target types.Object) []*Env {
	if fn, i := f.x.ParamOf(p); fn != nil {
		return f.callsWith(fn, i, target)
	}
	if sel, ok := ast.Unparen(store.Key).(*ast.SelectorExpr); ok {
		return f.fieldsWith(sel, v, target)
	}
	var all []*Env
	for _, d := range v.defs {
		loop, ok := d.Cur.Node().(*ast.RangeStmt)
		if d.Kind != RangeValue || !ok {
			continue
		}
		for _, base := range f.ranged(d.Expr) {
			lit := compositeOf(base.Expr)
			if lit == nil {
				continue
			}
			for _, e := range lit.Elts {
				kv, keyed := e.(*ast.KeyValueExpr)
				if keyed {
					e = kv.Value
				}
				if !f.x.isAddress(e, target) {
					continue
				}
				env := &Env{bind: map[types.Object]Bound{}, outer: base.Env}
				if base.Env != nil {
					env.depth = base.Env.depth
				}
				if id, ok := loop.Key.(*ast.Ident); ok && keyed {
					f.x.bindTurn(env, id, kv.Key, base.Env)
				}
				all = append(all, env)
			}
		}
	}
	return all
}

// fieldsWith returns what is bound where the field of a variable holds the address of target: for _, t := range []struct{ to **Script; src string }{
// {&target, "…"} } { *t.to = NewScript(t.src) }.
func (f *follower) fieldsWith(sel *ast.SelectorExpr, field *variable, target types.Object) []*Env {
	var all []*Env
	for _, d := range field.defs {
		lit, ok := d.Cur.Node().(*ast.CompositeLit)
		if !ok || d.Expr == nil || !f.x.isAddress(d.Expr, target) {
			continue
		}
		env := &Env{bind: map[types.Object]Bound{}}
		f.x.bindTurn(env, sel.X, lit, nil)
		all = append(all, env)
	}
	return all
}

// ranged follows what a loop runs over, also where the callers of the function pass it.
func (f *follower) ranged(e ast.Expr) []Bound {
	var all []Bound
	for _, to := range f.follow(Bound{Expr: e, Index: -1}) {
		p := f.x.ParamIn(to)
		if p == nil {
			all = append(all, to)
			continue
		}
		fn, _ := f.x.ParamOf(p)
		for _, c := range fn.Callers {
			all = append(all, f.follow(Bound{Expr: e, Env: f.x.Bind(fn, c.Expr, nil), Index: -1})...)
		}
	}
	return all
}

// callsWith returns the bindings of the calls of fn whose i-th argument is the address of target.
func (f *follower) callsWith(fn *Func, i int, target types.Object) []*Env {
	var all []*Env
	for _, c := range fn.Callers {
		if i >= 0 && i < len(c.Expr.Args) && f.x.isAddress(c.Expr.Args[i], target) {
			all = append(all, f.x.Bind(fn, c.Expr, nil))
		}
	}
	return all
}

func (x *Index) isAddress(e ast.Expr, of types.Object) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.AND && x.object(u.X) == of
}

// held follows a call of a parameter that holds a function: a function literal, a function or a method value of this package.
func (f *follower) held(to Bound, index int) []Bound {
	var fn *Func
	switch e := to.Expr.(type) {
	case *ast.FuncLit:
		fn = f.x.lits[e]
	case *ast.Ident:
		fn = f.x.funcs[f.x.Info.ObjectOf(e)]
	case *ast.SelectorExpr:
		fn = f.x.funcs[f.x.Info.ObjectOf(e.Sel)]
	}
	if fn == nil || f.steps > maxSteps {
		return nil
	}
	f.steps++
	var all []Bound
	for _, r := range fn.Returns {
		all = f.merge(all, f.result(r, max(index, 0), to.Env))
	}
	return all
}

// ParamIn returns the parameter that an expression is, or whose call it is; nil where it is neither or something binds it.
func (x *Index) ParamIn(b Bound) *types.Var {
	e := b.Expr
	if c, ok := e.(*ast.CallExpr); ok {
		e = ast.Unparen(c.Fun)
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := x.Info.ObjectOf(id).(*types.Var)
	if _, isParam := x.params[v]; !ok || !isParam {
		return nil
	}
	if _, bound := b.Env.Lookup(v); bound {
		return nil
	}
	if live, _ := x.assigned(v, id.Pos()); len(live) > 0 {
		return nil
	}
	return v
}

// once is the function whose results a variable gives that holds sync.OnceValue(function); nil for others.
func (f *follower) once(callee types.Object) ast.Expr {
	v, ok := callee.(*types.Var)
	if !ok || f.x.vars[v] == nil || len(f.x.vars[v].defs) != 1 || f.active[v] > 0 {
		return nil
	}
	c, ok := f.x.vars[v].defs[0].Expr.(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return nil
	}
	fn, _ := f.x.Callee(c).(*types.Func)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || !strings.HasPrefix(fn.Name(), "OnceValue") {
		return nil
	}
	return ast.Unparen(c.Args[0])
}
