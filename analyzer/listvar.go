package analyzer

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/redislint/redislint/analyzer/source"
)

// variable finds the elements of a slice variable: its one value, and what is appended to it before the use.
func (l *lister) variable(v *types.Var, b source.Bound) list {
	defs, elems, taken := l.x.Defs(v)
	if taken || l.active[v] {
		return unknownList()
	}
	l.active[v] = true
	defer func() { l.active[v] = false }()
	if v.Parent() == l.x.Types.Scope() {
		b.Env = nil
	}
	var bases, appends []source.Def
	for _, d := range defs {
		switch {
		case d.Kind == source.Zero:
			bases = append(bases, d)
		case d.Kind != source.Plain:
			return unknownList()
		case l.appendsTo(v, d):
			appends = append(appends, d)
		default:
			bases = append(bases, d)
		}
	}
	bases, sure := l.x.ReachingParam(v, bases, b.Expr.Pos())
	r, home := l.base(v, bases, b, sure)
	r.items, r.params = slices.Clip(r.items), slices.Clip(r.params) // others may hold them
	var chosen *choice
	for _, d := range appends {
		if len(bases) == 1 && d.Cur.Node().Pos() < bases[0].Cur.Node().Pos() || chosen != nil && encloses(chosen.stmt, d.Cur.Node().Pos()) {
			continue // to an earlier value, or with the other branch
		}
		if c := l.choiceOf(d, appends, home); c != nil && !l.behind(d.Cur) {
			if one, ok := l.joined(c, b); ok {
				r, chosen = r.with(one), c
				continue
			}
		}
		r = l.appended(r, d, home, b)
	}
	return l.overwritten(r, elems, b)
}

// appendsTo reports whether a definition is v = append(v, …).
func (l *lister) appendsTo(v *types.Var, d source.Def) bool {
	c, ok := d.Expr.(*ast.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	fun, ok := c.Fun.(*ast.Ident)
	if !ok || fun.Name != "append" {
		return false
	}
	first, ok := ast.Unparen(c.Args[0]).(*ast.Ident)
	return ok && l.x.Info.ObjectOf(first) == v
}

// base joins the values that a variable is given, and returns the block in which it gets the first one.
func (l *lister) base(v *types.Var, bases []source.Def, b source.Bound, sure bool) (list, ast.Node) {
	fn, _ := l.x.ParamOf(v)
	_, bound := b.Env.Lookup(v)
	if fn != nil && len(bases) > 0 && !sure || bound && fn == nil {
		return unknownList(), nil // its first value or another one
	}
	if len(bases) == 0 {
		if fn != nil {
			return l.start(v, b), fn.Body
		}
		if v.Parent() == l.x.Types.Scope() || v.IsField() {
			return unknownList(), nil
		}
		return emptyOf(v.Type()), l.blockOf(v) // var keys []string
	}
	var r list
	for i, d := range bases {
		one := emptyOf(v.Type())
		if d.Kind != source.Zero {
			one = l.of(source.Bound{Expr: d.Expr, Env: b.Env, Index: d.Index})
		}
		if i > 0 {
			one = r.or(one)
		}
		r = one
	}
	return r, stmtBlock(bases[0].Cur)
}

// blockOf returns the block that declares a local variable.
func (l *lister) blockOf(v *types.Var) ast.Node {
	cur, ok := l.x.At(v.Pos(), v.Pos())
	if !ok {
		return nil
	}
	return stmtBlock(cur)
}

// behind reports whether a statement stands behind the call that uses the list, in the same function.
func (l *lister) behind(at inspector.Cursor) bool {
	for fn := range at.Enclosing((*ast.FuncDecl)(nil)) {
		for _, use := range l.uses {
			if n := fn.Node(); n.Pos() <= use.Pos() && use.End() <= n.End() {
				return at.Node().Pos() > use.Pos()
			}
		}
	}
	return false
}

// after reports whether a statement stands behind the call that uses the list, and no loop leads back to the call.
func (l *lister) after(at inspector.Cursor) bool {
	if !l.behind(at) {
		return false
	}
	for c := range at.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.LabeledStmt)(nil)) {
		for _, use := range l.uses {
			if n := c.Node(); n.Pos() <= use.Pos() && use.End() <= n.End() {
				return false
			}
		}
	}
	return true
}

// stmtBlock is the innermost block around a statement.
func stmtBlock(cur inspector.Cursor) ast.Node {
	for c := range cur.Enclosing((*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil)) {
		return c.Node()
	}
	return nil
}

// appended adds what one append statement adds: for certain in the block where the variable got its value, perhaps below it, any number
// of times in a loop.
func (l *lister) appended(r list, d source.Def, home ast.Node, b source.Bound) list {
	if l.after(d.Cur) {
		return r
	}
	c := d.Expr.(*ast.CallExpr)
	more := l.args(c.Args[1:], c.Ellipsis.IsValid(), b.Env)
	always := true
	for at := range d.Cur.Enclosing() {
		n := at.Node()
		if n == home {
			break
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			if r.leads = nil; r.exact && stmtBlock(at) == home && !l.behind(d.Cur) {
				r.leads = moved(l.copied(n, d, more, b), len(r.items))
			}
			r.exact, r.max, r.grows = false, -1, true
			if !l.behind(d.Cur) {
				r.behind = slices.Concat(r.behind, more.items, more.behind)
			}
			return r
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			always = false
		case *ast.FuncDecl:
			return unknownList()
		}
	}
	if l.behind(d.Cur) {
		return r
	}
	if always {
		return r.with(more)
	}
	r.exact, r.leads = false, nil
	if r.max >= 0 && more.max >= 0 {
		r.max += more.max
	} else {
		r.max = -1
	}
	r.grows = r.grows || more.grows
	r.behind = slices.Concat(r.behind, more.items, more.behind)
	r.params = append(r.params, more.params...)
	return r
}

// copied is the list of which a loop appends each element, for _, k := range keys { args = append(args, k) }; nil where it does something else.
func (l *lister) copied(loop ast.Node, d source.Def, more list, b source.Bound) []lead {
	each, ok := loop.(*ast.RangeStmt)
	if !ok || len(each.Body.List) != 1 || each.Body.List[0] != d.Cur.Node() || !more.exact || len(more.items) != 1 {
		return nil
	}
	e := ast.Unparen(more.items[0].Expr)
	if c, isCall := e.(*ast.CallExpr); isCall && len(c.Args) == 1 && l.x.Info.Types[c.Fun].IsType() {
		e = ast.Unparen(c.Args[0])
	}
	value, isName := each.Value.(*ast.Ident)
	id, named := e.(*ast.Ident)
	if !isName || !named || l.x.Info.ObjectOf(id) != l.x.Info.ObjectOf(value) {
		return nil
	}
	return []lead{{of: source.At(each.X, b.Env), rest: exactly(nil)}}
}

// overwritten puts in what statements keys[i] = x set, or forgets what they may have set.
func (l *lister) overwritten(r list, elems []source.Def, b source.Bound) list {
	if len(elems) == 0 {
		return r
	}
	items := append([]source.Bound(nil), r.items...)
	r.leads = nil
	for _, d := range elems {
		at := l.x.Const(d.Key, nil)
		if at == nil {
			for i := range items {
				items[i] = source.Bound{Index: -1}
			}
			continue
		}
		i := constInt(at)
		if i < 0 || i >= len(items) {
			continue
		}
		known := items[i].Expr == nil
		items[i] = source.Bound{Index: -1}
		if known && d.Kind == source.Plain {
			items[i] = source.Bound{Expr: d.Expr, Env: b.Env, Index: d.Index}
		}
	}
	r.items = items
	return r
}
