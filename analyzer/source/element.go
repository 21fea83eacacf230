package source

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// Elements of maps, slices and arrays: what literals and statements x[key] = value give them.

func (f *follower) element(e *ast.IndexExpr, b Bound) []Bound {
	if _, ok := f.x.Info.TypeOf(e.X).(*types.Signature); ok {
		return nil
	}
	key := f.x.constOf(e.Index, b.Env)
	return f.elements(Bound{Expr: e.X, Env: b.Env, Index: -1}, key)
}

// elements returns the elements of a map, slice or array: the one with that key, or all.
func (f *follower) elements(of Bound, key constant.Value) []Bound {
	bases := f.follow(of)
	var all []Bound
	for _, base := range bases {
		lit := compositeOf(base.Expr)
		if lit == nil {
			if !f.isMade(base.Expr) && !f.isEmpty(base) {
				return nil
			}
			continue
		}
		for i, e := range lit.Elts {
			value, at := e, constant.Value(constant.MakeInt64(int64(i)))
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				value, at = kv.Value, f.x.constOf(kv.Key, nil)
			}
			if key == nil || at == nil || sameConst(key, at) {
				all = f.merge(all, f.follow(Bound{Expr: value, Env: base.Env, Index: -1}))
			}
		}
	}
	return f.merge(all, f.assigned(of, key))
}

// isMade reports whether an expression is an empty container: make(…) or nil.
func (f *follower) isMade(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "make"
	case *ast.Ident:
		return e.Name == "nil"
	}
	return false
}

// isEmpty reports whether an expression is a variable or field of an array that is nowhere given a value as a whole.
func (f *follower) isEmpty(b Bound) bool {
	v, ok := f.x.object(b.Expr).(*types.Var)
	if !ok || f.x.vars[v] == nil || !f.x.vars[v].unset() || f.x.vars[v].taken || v.Pkg() != f.x.Types {
		return false
	}
	_, isParam := f.x.params[v]
	_, isArray := v.Type().Underlying().(*types.Array)
	return isArray && !isParam
}

// assigned returns the elements that statements x[key] = value put in.
func (f *follower) assigned(of Bound, key constant.Value) []Bound {
	obj := f.x.object(of.Expr)
	if obj == nil || f.x.vars[obj] == nil {
		return nil
	}
	if f.active[obj] > 1 {
		return nil
	}
	f.active[obj]++
	defer func() { f.active[obj]-- }()
	var all []Bound
	for _, d := range f.x.vars[obj].elems {
		for _, env := range f.x.registrations(d, key) {
			all = f.merge(all, f.follow(Bound{Expr: d.Expr, Index: d.Index, Env: env}))
		}
	}
	return all
}

// keys returns the keys of the composite literals of a map.
func (f *follower) keys(of Bound) []Bound {
	var all []Bound
	for _, base := range f.follow(of) {
		lit := compositeOf(base.Expr)
		if lit == nil {
			return nil
		}
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return nil
			}
			all = f.merge(all, f.follow(Bound{Expr: kv.Key, Env: base.Env, Index: -1}))
		}
	}
	return all
}
