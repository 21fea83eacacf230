package analyzer

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/redislint/redislint/analyzer/source"
)

// list is the elements that an expression of a slice holds, as far as they are known.
type list struct {
	items    []source.Bound // a Bound without Expr is an element that is not known
	exact    bool
	min, max int // max -1: no bound
	grows    bool
	params   []*types.Var   // parameters that hold the rest, which nothing binds
	behind   []source.Bound // elements that may stand behind the items: appended in a loop or on a condition
	leads    []lead         // the first list of unknown length in it, under each name that it has
}

// lead is a list of unknown length that stands behind the first items of another one, and what surely stands behind it.
type lead struct {
	of   source.Bound
	at   int
	rest list
}

// moved puts lists of unknown length at other places, as far as these are in the list.
func moved(leads []lead, by int) []lead {
	var all []lead
	for _, l := range leads {
		if l.at += by; l.at >= 0 {
			all = append(all, l)
		}
	}
	return all
}

// leading notes which list it is whose elements are added where its length is not known.
func leading(l list, of source.Bound) list {
	if !l.exact {
		l.leads = append(slices.Clip(l.leads), lead{of: of, rest: exactly(nil)})
	}
	return l
}

func exactly(items []source.Bound) list {
	return list{items: items, exact: true, min: len(items), max: len(items)}
}

func unknownList() list { return list{max: -1} }

// then appends another list.
func (l list) then(m list) list {
	l.items, l.params = slices.Clip(l.items), slices.Clip(l.params)
	return l.with(m)
}

// with appends another list to one whose items and params nobody else holds.
func (l list) with(m list) list {
	r := list{min: l.min + m.min, max: -1, exact: l.exact && m.exact, grows: l.grows || m.grows,
		items: l.items, params: append(l.params, m.params...)}
	if l.max >= 0 && m.max >= 0 {
		r.max = l.max + m.max
	}
	if l.exact {
		r.leads = moved(m.leads, len(r.items))
		r.items = append(r.items, m.items...)
		r.behind = m.behind
		return r
	}
	for _, first := range l.leads {
		r.leads = append(r.leads, lead{of: first.of, at: first.at, rest: first.rest.then(m)})
	}
	r.behind = slices.Concat(l.behind, m.items, m.behind)
	return r
}

// or joins two lists of which one is passed.
func (l list) or(m list) list {
	r := list{min: min(l.min, m.min), max: max(l.max, m.max), grows: l.grows || m.grows,
		params: append(slices.Clone(l.params), m.params...)}
	if l.max < 0 || m.max < 0 {
		r.max = -1
	}
	r.exact = l.exact && m.exact && l.min == m.min
	r.behind = slices.Concat(l.behind, m.behind)
	for i := range min(len(l.items), len(m.items)) {
		item := source.Bound{Index: -1}
		if l.items[i].Expr == m.items[i].Expr && l.items[i].Env == m.items[i].Env && l.items[i].Made == m.items[i].Made {
			item = l.items[i]
		}
		r.items = append(r.items, item)
	}
	return r
}

// head and tail split off the first n elements.
func (l list) head(n int) list {
	if len(l.items) >= n {
		return exactly(l.items[:n])
	}
	r := l
	r.min, r.exact, r.leads = min(l.min, n), l.exact, nil
	if l.max < 0 || l.max > n {
		r.max = n
	}
	return r
}

func (l list) tail(n int) list {
	r := l
	r.items = l.items[min(n, len(l.items)):]
	r.min = max(l.min-n, 0)
	if l.max >= 0 {
		r.max = max(l.max-n, 0)
	}
	r.leads = moved(l.leads, -n)
	return r
}

// lister finds the elements of slices.
type lister struct {
	x      *source.Index
	uses   []ast.Node // the calls that pass the list on: what is appended behind them does not count
	active map[types.Object]bool
	depth  int
}

func newLister(x *source.Index, uses ...ast.Node) *lister {
	return &lister{x: x, uses: uses, active: map[types.Object]bool{}}
}

// args returns the elements of a list of arguments, spread or not.
func (l *lister) args(exprs []ast.Expr, spread bool, env *source.Env) list {
	items := make([]source.Bound, 0, len(exprs))
	for i, e := range exprs {
		if spread && i == len(exprs)-1 {
			last := source.At(e, env)
			return exactly(items).then(leading(l.of(last), last))
		}
		items = append(items, source.At(e, env))
	}
	return exactly(items)
}

// of returns the elements of a slice.
func (l *lister) of(b source.Bound) list {
	l.depth++
	defer func() { l.depth-- }()
	if l.depth > 20 {
		return unknownList()
	}
	if b.Variadic {
		return l.args(b.Rest, false, b.Env)
	}
	if b.Expr == nil {
		return exactly(nil)
	}
	switch e := ast.Unparen(b.Expr).(type) {
	case *ast.Ident:
		return l.name(e, b)
	case *ast.CompositeLit:
		return l.literal(e, b)
	case *ast.CallExpr:
		return l.call(e, b)
	case *ast.SelectorExpr, *ast.IndexExpr:
		return l.followed(b)
	case *ast.SliceExpr:
		return l.sliced(e, b)
	}
	return unknownList()
}

func (l *lister) literal(lit *ast.CompositeLit, b source.Bound) list {
	if !isListType(l.x.Info.TypeOf(lit)) {
		return unknownList()
	}
	var items []source.Bound
	for _, e := range lit.Elts {
		if _, keyed := e.(*ast.KeyValueExpr); keyed {
			return unknownList()
		}
		items = append(items, source.At(e, b.Env))
	}
	if arr, ok := l.x.Info.TypeOf(lit).Underlying().(*types.Array); ok && int(arr.Len()) > len(items) {
		rest := int(arr.Len()) - len(items)
		return exactly(items).then(unset(min(rest, maxArray), rest))
	}
	return exactly(items)
}

// emptyOf is what a variable of a type holds that nothing was assigned to: nothing, or the elements of an array.
func emptyOf(t types.Type) list {
	arr, ok := t.Underlying().(*types.Array)
	if !ok {
		return exactly(nil)
	}
	return unset(int(min(arr.Len(), maxArray)), int(arr.Len()))
}

// maxArray bounds the elements of an array that are looked at one by one.
const maxArray = 64

// unset is a list of n elements of which nothing is known, the first ones being listed.
func unset(listed, n int) list {
	items := make([]source.Bound, listed)
	for i := range items {
		items[i].Index = -1
	}
	return list{items: items, exact: listed == n, min: n, max: n}
}

func isListType(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	}
	return false
}

func (l *lister) name(id *ast.Ident, b source.Bound) list {
	obj := l.x.Info.ObjectOf(id)
	if _, ok := obj.(*types.Nil); ok {
		return exactly(nil)
	}
	v, ok := obj.(*types.Var)
	if !ok {
		return unknownList()
	}
	fn, _ := l.x.ParamOf(v)
	_, bound := b.Env.Lookup(v)
	defs, elems, _ := l.x.Defs(v)
	if len(defs)+len(elems) == 0 && (bound || fn != nil) {
		return l.start(v, b)
	}
	return l.variable(v, b)
}

// start is the list that a parameter holds when its function is called.
func (l *lister) start(v *types.Var, b source.Bound) list {
	if to, ok := b.Env.Lookup(v); ok {
		return l.of(to)
	}
	return list{max: -1, params: []*types.Var{v}, grows: l.x.Variadic(v)}
}

// followed joins what a field or an element is defined as.
func (l *lister) followed(b source.Bound) list {
	tos := l.x.FollowAll(b)
	var r list
	for i, to := range tos {
		if to.Expr == b.Expr && to.Env == b.Env {
			return unknownList()
		}
		one := exactly(nil)
		if !to.Zero {
			one = l.of(to)
		}
		if i == 0 {
			r = one
			continue
		}
		r = r.or(one)
	}
	return r
}

func (l *lister) sliced(e *ast.SliceExpr, b source.Bound) list {
	whole := l.of(source.At(e.X, b.Env))
	low, high := 0, -1
	if e.Low != nil {
		v := l.x.Const(e.Low, b.Env)
		if v == nil {
			return list{max: whole.max}
		}
		low = constInt(v)
	}
	if e.High != nil {
		v := l.x.Const(e.High, b.Env)
		if v == nil {
			return list{max: whole.max}
		}
		high = constInt(v)
	}
	if high >= 0 {
		whole = whole.head(high)
		whole.exact, whole.min, whole.max = true, high, high
		for len(whole.items) < min(high, 64) {
			whole.items = append(whole.items, source.Bound{Index: -1})
		}
		whole.params = nil
	}
	return whole.tail(low)
}

func constInt(v constant.Value) int {
	n, _ := constant.Int64Val(constant.ToInt(v))
	return int(n)
}

// call finds the elements of what a call returns.
func (l *lister) call(c *ast.CallExpr, b source.Bound) list {
	if tv, ok := l.x.Info.Types[c.Fun]; ok && tv.IsType() && len(c.Args) == 1 {
		return l.of(source.At(c.Args[0], b.Env))
	}
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if _, builtin := l.x.Info.ObjectOf(id).(*types.Builtin); builtin {
			return l.builtin(id.Name, c, b)
		}
	}
	fn, _ := l.x.Callee(c).(*types.Func)
	if fn != nil && fn.Pkg() != nil {
		switch fn.Pkg().Path() + "." + fn.Name() {
		case "slices.Concat":
			r := exactly(nil)
			for _, a := range c.Args {
				r = r.then(l.of(source.At(a, b.Env)))
			}
			return r
		case "slices.Clone":
			return l.of(source.At(c.Args[0], b.Env))
		}
		if receiverName(fn) == "Args" && basePath(fn.Pkg().Path()) == "github.com/gomodule/redigo/redis" {
			return l.redigoArgs(fn.Name(), c, b)
		}
	}
	return l.returned(c, b)
}

// redigoArgs follows redis.Args{}.Add(x).AddFlat(y).
func (l *lister) redigoArgs(name string, c *ast.CallExpr, b source.Bound) list {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return unknownList()
	}
	before := l.of(source.At(sel.X, b.Env))
	if name == "Add" {
		return before.then(l.args(c.Args, c.Ellipsis.IsValid(), b.Env))
	}
	if len(c.Args) == 1 && isListType(l.x.Info.TypeOf(c.Args[0])) {
		flat := source.At(c.Args[0], b.Env)
		return before.then(leading(l.of(flat), flat))
	}
	return before.then(list{max: -1})
}

func (l *lister) builtin(name string, c *ast.CallExpr, b source.Bound) list {
	switch {
	case name == "append" && len(c.Args) > 0:
		return l.of(source.At(c.Args[0], b.Env)).then(l.args(c.Args[1:], c.Ellipsis.IsValid(), b.Env))
	case name == "make" && len(c.Args) > 1:
		n := l.x.Const(c.Args[1], b.Env)
		if n == nil {
			if counted := lenArg(l.x, source.At(c.Args[1], b.Env)); counted.Expr != nil || counted.Variadic {
				if of := l.of(counted); of.exact {
					return unset(min(len(of.items), maxArray), len(of.items)) // out := make([]any, len(in))
				}
			}
			return list{max: -1, grows: true}
		}
		size := max(constInt(n), 0)
		return unset(min(size, maxArray), size)
	}
	return unknownList()
}

// returned joins what a function of this package returns.
func (l *lister) returned(c *ast.CallExpr, b source.Bound) list {
	callee := l.x.Callee(c)
	fn := l.x.Func(callee)
	if callee == nil || fn == nil || len(fn.Returns) == 0 || l.active[callee] {
		return unknownList()
	}
	l.active[callee] = true
	defer func() { l.active[callee] = false }()
	env := l.x.Bind(fn, c, b.Env)
	inner := *l
	var r list
	found := false
	for _, ret := range fn.Returns {
		i := max(b.Index, 0)
		if i >= len(ret.Results) {
			return unknownList()
		}
		if id, ok := ret.Results[i].(*ast.Ident); ok && id.Name == "nil" && len(ret.Results) > 1 {
			continue // an error path
		}
		inner.uses = append([]ast.Node{ret}, l.uses...)
		one := inner.of(source.At(ret.Results[i], env))
		if found {
			one = r.or(one)
		}
		r, found = one, true
	}
	if !found {
		return unknownList()
	}
	return r
}
