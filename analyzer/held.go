package analyzer

import (
	"go/ast"
	"go/types"

	"github.com/redislint/redislint/analyzer/source"
)

// Functions that are called through what holds them: a closure that a maker returns, q.push = newCall(client, text), a function in a field or in
// a table.

// heldCalls are the calls of such functions in this package, each with what the closure was made with.
func (a *packageRun) heldCalls(fn *source.Func) []source.Call {
	if a.held == nil {
		a.held = map[*source.Func][]source.Call{}
		for _, c := range a.x.Calls {
			if to, made := a.holds(c); to != nil {
				c.Made = made
				a.held[to] = append(a.held[to], c)
			}
		}
	}
	return a.held[fn]
}

// holds returns the one function of this package that a call reaches through a variable, a field, an element or a result, and what binds the
// parameters of the function that made it. It is nil where that is not known, and for methods, whose receiver is not at the call.
func (a *packageRun) holds(c source.Call) (*source.Func, *source.Env) {
	switch fn := c.Fn.(type) {
	case nil:
		switch ast.Unparen(c.Expr.Fun).(type) {
		case *ast.CallExpr, *ast.IndexExpr:
		default:
			return nil, nil
		}
	case *types.Var:
		if a.x.Func(fn) != nil {
			return nil, nil // its callers are known
		}
	default:
		return nil, nil
	}
	tos := a.x.Follow(source.At(c.Expr.Fun, nil), false)
	if len(tos) != 1 {
		return nil, nil
	}
	switch e := tos[0].Expr.(type) {
	case *ast.FuncLit:
		return a.x.Lit(e), tos[0].Env
	case *ast.Ident:
		if fn, ok := a.x.Info.ObjectOf(e).(*types.Func); ok {
			return a.x.Func(fn), nil
		}
	}
	return nil, nil
}

// closureOwner is the closure around the reported call, where it is called through what holds it and its parameters decide what the keys and
// arguments are. Those of its maker, which decide on the script, are bound with them.
func (a *packageRun) closureOwner(m *match, t *target, path []step) *source.Func {
	fn := a.x.Enclosing(path[len(path)-1].call.Cur)
	if fn == nil || len(a.heldCalls(fn)) == 0 {
		return nil
	}
	ls := a.lists(m, t, a.envOf(path), callNodes(path))
	for _, p := range append(ls.keys.params[:len(ls.keys.params):len(ls.keys.params)], ls.args.params...) {
		if owner, i := a.x.ParamOf(p); owner == fn && i >= 0 {
			return fn
		}
	}
	return nil
}
