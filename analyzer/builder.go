package analyzer

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

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
	if cur == (inspector.Cursor{}) { // the call was met without its place
		var ok bool
		if cur, ok = a.x.At(c.Expr.Pos(), c.Expr.End()); !ok || cur.Node() != ast.Node(c.Expr) {
			return
		}
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

// chainWords adds to the words of B().Arbitrary("EVAL") those of the .Args(script, "1") behind it, up to the count of keys, and says how many
// calls of the chain were taken.
func (a *packageRun) chainWords(m *match, words []ast.Expr, env *source.Env) ([]ast.Expr, int) {
	name, used := a.commandName(words, env)
	want := used + len(strings.Fields(strings.TrimSuffix(commands[name].roles, " vars...")))
	steps, open := 0, true
	a.chain(m.call, func(name string, c *ast.CallExpr) {
		if open = open && name == "Args" && !c.Ellipsis.IsValid() && len(words) < want; open {
			words = append(words[:len(words):len(words)], c.Args...)
			steps++
		}
	})
	return words, steps
}

// arbitraryLists finds the words of B().Arbitrary("EVAL", script, "1").Keys(k).Args(a...). The server tells keys from arguments by the count
// alone.
func (a *packageRun) arbitraryLists(m *match, env *source.Env, l *lister) lists {
	var r lists
	if c := first(m.roles["count"]); c != nil {
		a.countOf(&r, source.At(c, env), m)
	}
	r.keys, r.args = l.args(m.roles["vars"], m.spread, env), exactly(nil)
	words, skip := r.keys, m.steps
	a.chain(m.call, func(name string, c *ast.CallExpr) {
		if skip--; skip >= 0 || name != "Keys" && name != "Args" {
			return
		}
		more := l.args(c.Args, c.Ellipsis.IsValid(), env)
		words = words.then(more)
		switch name {
		case "Keys":
			r.keys, r.keysAt = r.keys.then(more), spanOf2(c.Args)
		case "Args":
			r.args, r.argsAt = r.args.then(more), spanOf2(c.Args)
		}
	})
	if r.count.Known && r.count.Value >= 0 && words.exact {
		r.keys, r.args = words.head(r.count.Value), words.tail(r.count.Value)
	}
	return r
}

// runItems are the runs that a call may be given, each once: those that are listed, or those that a local slice is filled with, however often.
// It gives nil where some are not known.
func (a *packageRun) runItems(m *match, env *source.Env, l *lister) []source.Bound {
	all := l.args(m.roles["runs"], m.spread, env)
	if all.exact {
		return all.items
	}
	if !m.spread || len(m.roles["runs"]) != 1 {
		return nil
	}
	id, ok := ast.Unparen(m.roles["runs"][0]).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	if fn, _ := a.x.ParamOf(v); !ok || fn != nil || v.Parent() == a.x.Types.Scope() {
		return nil
	}
	defs, elems, taken := a.x.Defs(v)
	if taken || a.fieldsAssigned(v) {
		return nil
	}
	var items []source.Bound
	for _, d := range defs {
		c, isCall := d.Expr.(*ast.CallExpr)
		switch {
		case d.Kind == source.Zero:
		case d.Kind != source.Plain:
			return nil
		case l.appendsTo(v, d) && !c.Ellipsis.IsValid():
			for _, e := range c.Args[1:] {
				items = append(items, source.At(e, env))
			}
		case isCall && isMake(a.x.Info, c):
		default:
			one := l.of(source.At(d.Expr, env))
			if !one.exact {
				return nil
			}
			items = append(items, one.items...)
		}
	}
	for _, d := range elems {
		if d.Kind != source.Plain || d.Expr == nil {
			return nil
		}
		items = append(items, source.At(d.Expr, env))
	}
	return items
}

// changed reports whether an expression is a variable of which fields are assigned: its first value is not what it holds later.
func (a *packageRun) changed(b source.Bound) bool {
	if b.Expr == nil {
		return false
	}
	id, ok := ast.Unparen(b.Expr).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	return ok && a.fieldsAssigned(v)
}

// fieldsAssigned reports whether v.f or v[i].f is assigned somewhere.
func (a *packageRun) fieldsAssigned(v *types.Var) bool {
	found := false
	for _, f := range a.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok {
				return !found
			}
			for _, to := range as.Lhs {
				if sel, ok := ast.Unparen(to).(*ast.SelectorExpr); ok {
					x := ast.Unparen(sel.X)
					if ix, ok := x.(*ast.IndexExpr); ok {
						x = ast.Unparen(ix.X)
					}
					id, ok := x.(*ast.Ident)
					found = found || ok && a.x.Info.ObjectOf(id) == v
				}
			}
			return !found
		})
	}
	return found
}

func isMake(info *types.Info, c *ast.CallExpr) bool {
	id, ok := c.Fun.(*ast.Ident)
	if !ok || id.Name != "make" {
		return false
	}
	_, builtin := info.ObjectOf(id).(*types.Builtin)
	return builtin
}

// runs joins the keys and arguments of several runs in one call: structs with the fields Keys and Args.
func (a *packageRun) runs(r *lists, m *match, env *source.Env, l *lister) {
	r.keys, r.args = unknownList(), unknownList()
	for i, it := range a.runItems(m, env, l) {
		keys, args := unknownList(), unknownList()
		if tos := a.x.Follow(it, true); len(tos) == 1 && !a.changed(it) {
			if lit, ok := tos[0].Expr.(*ast.CompositeLit); ok {
				keys, args = a.fieldList(lit, "Keys", tos[0].Env, l), a.fieldList(lit, "Args", tos[0].Env, l)
			}
		}
		if i > 0 {
			keys, args = r.keys.or(keys), r.args.or(args)
		}
		r.keys, r.args = keys, args
	}
}

func (a *packageRun) fieldList(lit *ast.CompositeLit, name string, env *source.Env, l *lister) list {
	st := structUnder(a.x.Info.TypeOf(lit))
	if st == nil {
		return unknownList()
	}
	for f := range st.Fields() {
		if f.Name() == name {
			if value := a.x.FieldValue(lit, f); value != nil {
				return l.of(source.At(value, env))
			}
			return exactly(nil)
		}
	}
	return unknownList()
}

// options reads the keys and arguments out of an options value: a struct literal, or a chain of setters behind a constructor, as in
// *options.NewScriptOptions().WithKeys(k).WithArgs(a).
func (a *packageRun) options(r *lists, m *match, env *source.Env, l *lister) {
	r.keys, r.args = unknownList(), unknownList()
	keys, args := exactly(nil), exactly(nil)
	ok := a.optionChain(source.At(first(m.roles["options"]), env), func(name string, value ast.Expr, at *source.Env) {
		switch name {
		case "WithKeys", "Keys":
			keys, r.keysAt = l.of(source.At(value, at)), spanOf(value)
		case "WithArgs", "Args":
			args, r.argsAt = l.of(source.At(value, at)), spanOf(value)
		}
	})
	if ok {
		r.keys, r.args = keys, args
	}
}

// maxOptions bounds how deep options are nested and chained.
const maxOptions = 20

// optionChain visits what an options value is given; it is false where that is not all known.
func (a *packageRun) optionChain(b source.Bound, visit func(name string, value ast.Expr, at *source.Env)) bool {
	for range maxOptions {
		tos := a.x.Follow(b, true)
		if len(tos) != 1 || tos[0].Expr == nil || a.changed(b) {
			return false
		}
		at := tos[0].Env
		switch e := ast.Unparen(tos[0].Expr).(type) {
		case *ast.StarExpr:
			b = source.At(e.X, at)
		case *ast.UnaryExpr:
			b = source.At(e.X, at)
		case *ast.CompositeLit:
			return a.optionFields(e, at, visit)
		case *ast.CallExpr:
			sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
			if !ok || a.x.Func(a.x.Callee(e)) != nil || len(e.Args) > 1 {
				return false
			}
			if len(e.Args) == 0 {
				return true // the constructor
			}
			if sel.Sel.Name == "WithScriptArgOptions" {
				if !a.optionChain(source.At(e.Args[0], at), visit) {
					return false
				}
			}
			visit(sel.Sel.Name, e.Args[0], at)
			b = source.At(sel.X, at)
		default:
			return false
		}
	}
	return false
}

// optionFields visits the fields of a struct literal, which must be named.
func (a *packageRun) optionFields(lit *ast.CompositeLit, at *source.Env, visit func(name string, value ast.Expr, at *source.Env)) bool {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		name, ok := kv.Key.(*ast.Ident)
		if !ok || name.Name == "ScriptArgOptions" && !a.optionChain(source.At(kv.Value, at), visit) {
			return false
		}
		visit(name.Name, kv.Value, at)
	}
	return true
}
