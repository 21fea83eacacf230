package analyzer

import (
	"go/ast"

	"github.com/redislint/redislint/analyzer/source"
)

// builderLists finds the keys and arguments of a command builder: the calls that follow in the chain, up to Build.
func (a *packageRun) builderLists(m *match, env *source.Env, l *lister) lists {
	r := lists{keys: exactly(nil), args: exactly(nil)}
	if m.row.name == "Arbitrary" || m.words {
		return a.arbitraryLists(m, env, l)
	}
	end := false
	a.chain(m.call, func(name string, c *ast.CallExpr) {
		switch name {
		case "Numkeys":
			if len(c.Args) == 1 {
				a.countOf(&r, source.At(c.Args[0], env), m)
			}
		case "Key":
			r.keys = r.keys.then(l.args(c.Args, c.Ellipsis.IsValid(), env))
			r.keysAt = spanOf2(c.Args)
		case "Arg":
			r.args = r.args.then(l.args(c.Args, c.Ellipsis.IsValid(), env))
			r.argsAt = spanOf2(c.Args)
		case "Build", "Cache":
			end = true
		}
	})
	if !end { // the chain goes on in a variable
		r.keys.exact, r.args.exact, r.keys.max, r.args.max = false, false, -1, -1
	}
	return r
}

// chain visits the method calls that stand behind a call: B().Eval().Script(s).Numkeys(1).Key(k).Build().
func (a *packageRun) chain(c source.Call, visit func(name string, c *ast.CallExpr)) {
	cur := c.Cur
	if cur.Node() == nil {
		return
	}
	for {
		sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
		if !ok {
			return
		}
		next := cur.Parent().Parent()
		call, ok := next.Node().(*ast.CallExpr)
		if !ok || call.Fun != ast.Expr(sel) {
			return
		}
		visit(sel.Sel.Name, call)
		cur = next
	}
}

// arbitraryLists finds the words of B().Arbitrary("EVAL", script, "1").Keys(k).Args(a...).
func (a *packageRun) arbitraryLists(m *match, env *source.Env, l *lister) lists {
	var r lists
	if c := first(m.roles["count"]); c != nil {
		a.countOf(&r, source.At(c, env), m)
	}
	r.keys, r.args = l.args(m.roles["vars"], m.spread, env), exactly(nil)
	a.chain(m.call, func(name string, c *ast.CallExpr) {
		more := l.args(c.Args, c.Ellipsis.IsValid(), env)
		switch name {
		case "Keys":
			r.keys, r.keysAt = r.keys.then(more), spanOf2(c.Args)
		case "Args":
			r.args, r.argsAt = r.args.then(more), spanOf2(c.Args)
		}
	})
	return r
}
