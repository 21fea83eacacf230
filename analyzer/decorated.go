package analyzer

import (
	"go/ast"
	"go/types"
	"slices"
)

// What is passed to a method of an interface need not be what arrives at the client: a decorator may put the time behind the arguments, and a
// client of the package's own a key in front of the keys.

// decoration is what the implementations that a package has of a method of an interface do with their parameters.
type decoration struct {
	implemented bool
	// changed: one of them calls what implements the interface with something else than its parameters, one for one. Nobody knows which of the
	// implementations a call of the interface reaches, so such a call tells nothing.
	changed bool
	// reshaped: one of them calls a client's method of the same name so. A call of the interface is then followed into it.
	reshaped bool
}

// decorationOf looks at the implementations of a method of an interface of this package, once.
func (a *packageRun) decorationOf(f *types.Func) decoration {
	if f.Pkg() != a.pass.Pkg || !onInterface(f) {
		return decoration{}
	}
	iface, ok := f.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return decoration{}
	}
	if d, known := a.decorations[f]; known {
		return d
	}
	if a.methods == nil {
		a.indexMethods()
	}
	var d decoration
	for _, m := range a.methods[f.Name()] {
		if !implements(m.fn.Signature().Recv().Type(), iface) {
			continue
		}
		d.implemented = true
		for _, inner := range m.changing {
			if implements(inner.Signature().Recv().Type(), iface) {
				d.changed = true
			} else if _, r := a.table.row(inner); r != nil || shape(inner) != nil {
				d.reshaped = true
			}
		}
	}
	a.decorations[f] = d
	return d
}

// reshapes reports whether a client that a script object is given is of a type of this package whose Eval or EvalSha hands on something else.
func (a *packageRun) reshapes(client ast.Expr) bool {
	if client == nil {
		return false
	}
	named := namedOf(a.x.Info.TypeOf(client))
	if named == nil || named.Obj().Pkg() != a.pass.Pkg || types.IsInterface(named) {
		return false
	}
	if a.methods == nil {
		a.indexMethods()
	}
	return slices.ContainsFunc(slices.Concat(a.methods["Eval"], a.methods["EvalSha"]), func(m *ownMethod) bool {
		on := namedOf(m.fn.Signature().Recv().Type())
		return on != nil && on.Obj() == named.Obj() && len(m.changing) > 0
	})
}

// namedOf is the named type that t is or points to; nil for others.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// implements reports whether a type or a pointer to it implements an interface.
func implements(t types.Type, iface *types.Interface) bool {
	return types.Implements(t, iface) || !types.IsInterface(t) && types.Implements(types.NewPointer(t), iface)
}

// ownMethod is a method of this package with a body, and the methods of its name that it calls with something else than its parameters.
type ownMethod struct {
	fn       *types.Func
	changing []*types.Func
}

// indexMethods lists the methods of this package by name, in one pass over its calls.
func (a *packageRun) indexMethods() {
	a.methods, a.decorations = map[string][]*ownMethod{}, map[*types.Func]decoration{}
	own := map[*types.Func]*ownMethod{}
	for _, obj := range a.x.Info.Defs {
		if m, ok := obj.(*types.Func); ok && m.Signature().Recv() != nil && a.x.Func(m) != nil {
			own[m] = &ownMethod{fn: m}
			a.methods[m.Name()] = append(a.methods[m.Name()], own[m])
		}
	}
	for _, c := range a.x.Calls {
		f, ok := c.Fn.(*types.Func)
		if !ok || f.Signature().Recv() == nil || a.methods[f.Name()] == nil {
			continue
		}
		for d := range c.Cur.Enclosing((*ast.FuncDecl)(nil)) {
			around, _ := a.x.Info.Defs[d.Node().(*ast.FuncDecl).Name].(*types.Func)
			if m := own[around]; m != nil && around.Name() == f.Name() && !a.handsAllOn(c.Expr, around) {
				m.changing = append(m.changing, f)
			}
		}
	}
}

// handsAllOn reports whether a call passes the parameters of the function around it as they are, but for contexts.
func (a *packageRun) handsAllOn(c *ast.CallExpr, around *types.Func) bool {
	var params []*types.Var
	for v := range around.Signature().Params().Variables() {
		if !isContext(v.Type()) {
			params = append(params, v)
		}
	}
	args := slices.DeleteFunc(slices.Clone(c.Args), func(e ast.Expr) bool {
		t := a.x.Info.TypeOf(e)
		return t != nil && isContext(t)
	})
	return slices.EqualFunc(args, params, func(e ast.Expr, v *types.Var) bool { return a.unchangedParam(e) == v })
}
