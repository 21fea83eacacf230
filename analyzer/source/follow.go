package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Env is what the parameters of a function are bound to at one call.
type Env struct {
	bind  map[types.Object]Bound
	outer *Env
	depth int
}

// Bound is an expression together with what its names mean.
type Bound struct {
	Expr  ast.Expr
	Env   *Env
	Index int // which result of a call with several; -1 for the value itself
	// Rest holds the arguments that a variadic parameter collects, where Variadic is set.
	Rest     []ast.Expr
	Variadic bool
	// Zero: the zero value of its type, which no expression gives.
	Zero bool
	// Made is the text that a function of another package makes of the arguments of Call, where there is no expression for it.
	Made *StringFact
	Call *ast.CallExpr
	turn bool // the value of a loop's variable on one turn
	// first: the variable also gets a value that is made of this one.
	first bool
}

// At makes a Bound of an expression.
func At(e ast.Expr, env *Env) Bound { return Bound{Expr: e, Env: env, Index: -1} }

const (
	maxDepth = 6   // of calls that are followed into
	maxAlts  = 256 // alternatives that are kept
	maxSteps = 4000
)

// Bind returns the environment of a call of fn.
func (x *Index) Bind(fn *Func, call *ast.CallExpr, env *Env) *Env {
	e := &Env{bind: map[types.Object]Bound{}, outer: env, depth: 1}
	if env != nil {
		e.depth = env.depth + 1
	}
	if fn.Recv != nil {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			x.bindNames(e, fn.Recv.List, []ast.Expr{sel.X}, env, false)
		}
	}
	x.bindNames(e, fn.Type.Params.List, call.Args, env, call.Ellipsis.IsValid())
	return e
}

// BindCall returns the environment of a call, in which the names of a closure also mean what its maker was called with.
func (x *Index) BindCall(fn *Func, call Call, env *Env) *Env {
	e := x.Bind(fn, call.Expr, env)
	if call.Made == nil {
		return e
	}
	made := &Env{bind: map[types.Object]Bound{}, outer: env, depth: e.depth}
	for m := call.Made; m != nil; m = m.outer {
		for obj, b := range m.bind {
			if _, nearer := made.bind[obj]; !nearer {
				made.bind[obj] = b
			}
		}
	}
	e.outer = made
	return e
}

func (x *Index) bindNames(e *Env, fields []*ast.Field, args []ast.Expr, env *Env, spread bool) {
	i := 0
	for _, f := range fields {
		_, variadic := f.Type.(*ast.Ellipsis)
		for _, name := range f.Names {
			if i > len(args) || i == len(args) && !variadic {
				return
			}
			b := Bound{Env: env, Index: -1}
			if variadic && !spread {
				b.Rest, b.Variadic = args[i:], true
			} else if i < len(args) {
				b.Expr = args[i]
			}
			if obj := x.Info.Defs[name]; obj != nil {
				e.bind[obj] = b
			}
			i++
		}
		if len(f.Names) == 0 {
			i++
		}
	}
}

// Lookup returns what a parameter is bound to.
func (e *Env) Lookup(obj types.Object) (Bound, bool) {
	for ; e != nil; e = e.outer {
		if b, ok := e.bind[obj]; ok {
			return b, true
		}
	}
	return Bound{}, false
}

// follower follows expressions to what defines them.
type follower struct {
	x      *Index
	single bool // stop where there is more than one definition
	zero   bool // give zero values too, as a Bound with Zero
	steps  int
	active map[types.Object]int
	// running are the definitions of variables that are followed.
	running map[ast.Expr]int
}

// Follow returns what an expression may be: the expressions that define it, through variables, fields, elements and functions of this
// package. What cannot be followed further is returned as it is. With single, a variable with several definitions is not followed.
func (x *Index) Follow(b Bound, single bool) []Bound {
	f := &follower{x: x, single: single, active: map[types.Object]int{}, running: map[ast.Expr]int{}}
	return f.follow(b)
}

// FollowAll is Follow with the zero values that a variable or field may still have.
func (x *Index) FollowAll(b Bound) []Bound {
	f := &follower{x: x, zero: true, active: map[types.Object]int{}, running: map[ast.Expr]int{}}
	return f.follow(b)
}

func (f *follower) follow(b Bound) []Bound {
	if b.Expr == nil {
		return []Bound{b}
	}
	f.steps++
	if f.steps > maxSteps {
		return []Bound{b}
	}
	b.Expr = ast.Unparen(b.Expr)
	if _, isCall := b.Expr.(*ast.CallExpr); b.Index > 0 && !isCall {
		return []Bound{b} // the second value of a map index or type assertion
	}
	var to []Bound
	switch e := b.Expr.(type) {
	case *ast.Ident:
		to = f.name(e, b)
	case *ast.SelectorExpr:
		to = f.selector(e, b)
	case *ast.IndexExpr:
		to = f.element(e, b)
	case *ast.CallExpr:
		to = f.call(e, b)
	case *ast.StarExpr:
		to = f.star(e, b)
	case *ast.TypeAssertExpr:
		to = f.follow(Bound{Expr: e.X, Env: b.Env, Index: -1})
	}
	if len(to) == 0 || f.single && len(to) != 1 {
		return []Bound{b}
	}
	return to
}

func (f *follower) name(id *ast.Ident, b Bound) []Bound {
	obj := f.x.Info.ObjectOf(id)
	v, ok := obj.(*types.Var)
	if !ok {
		return nil
	}
	to, ok := b.Env.Lookup(v)
	if !ok {
		return f.variable(v, b)
	}
	live, sure := f.x.reassigned(v, to, id)
	if f.single && len(live) > 0 && (len(live) > 1 || !sure) {
		return nil
	}
	for _, d := range live {
		if d.Kind == Changed {
			return nil
		}
	}
	var all []Bound
	if !sure {
		switch {
		case to.Variadic:
			all = []Bound{to}
		case to.Expr == nil:
			return nil
		default:
			all = f.follow(to)
		}
	}
	if f.active[v] > 0 {
		return all
	}
	f.active[v]++
	defer func() { f.active[v]-- }()
	if f.x.rewritten(v, live) {
		all = firstValues(all)
	}
	for _, d := range live {
		all = f.merge(all, f.definition(d, b.Env, b))
	}
	return all
}

// assigned returns the assignments to a parameter that a use may see, and whether one of them surely ran.
func (x *Index) assigned(v *types.Var, pos token.Pos) ([]Def, bool) {
	vr := x.vars[v]
	if vr == nil || len(vr.defs) == 0 {
		return nil, false
	}
	return x.ReachingParam(v, vr.defs, pos)
}

// variable follows a variable or field to its definitions.
func (f *follower) variable(obj types.Object, b Bound) []Bound {
	v := f.x.vars[obj]
	if v != nil && v.taken && v.unset() && f.active[obj] == 0 {
		f.active[obj]++
		defer func() { f.active[obj]-- }()
		return f.pointed(obj)
	}
	if v == nil || len(v.defs) == 0 || f.active[obj] > 1 || f.active[obj] > 0 && f.single {
		return nil
	}
	defs := v.defs
	if b.Expr != nil {
		defs = f.x.Reaching(obj, defs, b.Expr.Pos())
	}
	if f.active[obj] > 0 { // another of its values, as of script in: if script, ok := cache[k]; ok { … }; script = New(…); cache[k] = script
		if defs = f.idle(defs); len(defs) > 1 {
			return nil
		}
	}
	if len(defs) == 0 || f.single && (len(defs) != 1 || v.taken || f.open(obj)) {
		return nil
	}
	if _, isParam := f.x.params[obj]; isParam && len(defs) == len(v.defs) {
		return nil // a parameter that is reassigned somewhere
	}
	f.active[obj]++
	defer func() { f.active[obj]-- }()
	env := b.Env
	if tv, ok := obj.(*types.Var); ok && (tv.IsField() || tv.Parent() == f.x.Types.Scope()) {
		env = nil
	}
	var all []Bound
	rewritten := len(defs) > 1 && f.x.rewritten(obj, defs)
	for _, d := range defs {
		_, assigned := d.Cur.Node().(*ast.AssignStmt)
		switch {
		case assigned && f.single && isField(obj):
			return nil // nobody knows whether it ran
		case d.Kind == Changed:
			return nil
		case d.Kind == Zero && f.zero:
			all = append(all, Bound{Index: -1, Zero: true})
		case d.Kind == Zero && f.single:
			return nil
		}
		if d.Kind == Zero {
			continue
		}
		more := f.run(d, env, b)
		if rewritten && !f.x.madeOfItself(obj, d) {
			more = firstValues(more)
		}
		all = f.merge(all, more)
	}
	return all
}

// run follows a definition, and knows meanwhile that it is followed.
func (f *follower) run(d Def, env *Env, use Bound) []Bound {
	f.running[d.Expr]++
	defer func() { f.running[d.Expr]-- }()
	return f.definition(d, env, use)
}

// idle leaves out the definitions that are followed already.
func (f *follower) idle(defs []Def) []Def {
	var kept []Def
	for _, d := range defs {
		if f.running[d.Expr] == 0 {
			kept = append(kept, d)
		}
	}
	return kept
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// open reports whether other packages can assign a variable or field: only its own package's definitions are known.
func (f *follower) open(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Exported() && (v.IsField() || v.Parent() == f.x.Types.Scope()) && f.x.Types.Name() != "main"
}

func (f *follower) merge(all, more []Bound) []Bound {
	if len(all)+len(more) > maxAlts {
		return all
	}
	return append(all, more...)
}

func (f *follower) definition(d Def, env *Env, use Bound) []Bound {
	switch d.Kind {
	case Plain:
		return f.follow(Bound{Expr: d.Expr, Env: env, Index: d.Index})
	case RangeValue:
		if f.single {
			return nil
		}
		return f.elements(Bound{Expr: d.Expr, Env: env, Index: -1}, nil)
	case RangeKey:
		if f.single {
			return nil
		}
		return f.keys(Bound{Expr: d.Expr, Env: env, Index: -1})
	}
	return []Bound{use}
}

func (f *follower) selector(sel *ast.SelectorExpr, b Bound) []Bound {
	obj, ok := f.x.Info.ObjectOf(sel.Sel).(*types.Var)
	if !ok {
		return nil
	}
	obj = obj.Origin()
	if !obj.IsField() {
		return f.variable(obj, b)
	}
	if to := f.fieldOf(sel, obj, b.Env); to != nil {
		return to
	}
	if obj.Pkg() != f.x.Types {
		return nil
	}
	return f.variable(obj, b)
}

// fieldOf follows x.field where x is known to be one or more composite literals and nothing else ever sets the field.
func (f *follower) fieldOf(sel *ast.SelectorExpr, field *types.Var, env *Env) []Bound {
	return f.fieldIn(f.follow(Bound{Expr: sel.X, Env: env, Index: -1}), field)
}

func (f *follower) fieldIn(bases []Bound, field *types.Var) []Bound {
	var all []Bound
	for _, base := range bases {
		lit := compositeOf(base.Expr)
		if lit == nil {
			return nil
		}
		value := f.x.FieldValue(lit, field)
		if value == nil {
			return nil
		}
		all = f.merge(all, f.follow(Bound{Expr: value, Env: base.Env, Index: -1}))
	}
	for _, d := range f.x.variable(field).defs {
		if _, isAssign := d.Cur.Node().(*ast.AssignStmt); isAssign {
			return nil
		}
	}
	return all
}

func compositeOf(e ast.Expr) *ast.CompositeLit {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// FieldValue returns what a literal gives a field.
func (x *Index) FieldValue(lit *ast.CompositeLit, field *types.Var) ast.Expr {
	st := structOf(x.Info.TypeOf(lit))
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && originVar(x.Info.ObjectOf(id)) == types.Object(field) {
				return kv.Value
			}
			continue
		}
		if st != nil && i < st.NumFields() && st.Field(i).Origin() == field {
			return e
		}
	}
	return nil
}

func sameConst(a, b constant.Value) bool {
	return a.Kind() == b.Kind() && constant.Compare(a, token.EQL, b)
}

// constOf returns the constant that an expression is, also through a bound parameter.
func (x *Index) constOf(e ast.Expr, env *Env) constant.Value {
	if e == nil {
		return nil
	}
	if tv, ok := x.Info.Types[e]; ok && tv.Value != nil {
		return tv.Value
	}
	to := x.Follow(At(e, env), true)
	if len(to) == 1 && to[0].Expr != nil {
		return x.Info.Types[to[0].Expr].Value
	}
	return nil
}

// Const returns the constant that an expression is, nil where it is none.
func (x *Index) Const(e ast.Expr, env *Env) constant.Value { return x.constOf(e, env) }

// call follows a conversion to its operand and a call to what the function returns.
func (f *follower) call(c *ast.CallExpr, b Bound) []Bound {
	if tv, ok := f.x.Info.Types[c.Fun]; ok && tv.IsType() {
		if len(c.Args) == 1 && sameShape(tv.Type, f.x.Info.TypeOf(c.Args[0])) {
			return f.follow(Bound{Expr: c.Args[0], Env: b.Env, Index: -1})
		}
		return nil
	}
	callee := f.x.Callee(c)
	if to, ok := b.Env.Lookup(callee); ok && callee != nil {
		return f.held(to, b.Index)
	}
	if made := f.once(callee); made != nil {
		return f.held(Bound{Expr: made, Env: b.Env, Index: -1}, b.Index)
	}
	if inner := passThrough(callee, c); inner != nil {
		return f.follow(Bound{Expr: inner, Env: b.Env, Index: b.Index})
	}
	fn := f.x.funcs[callee]
	if callee == nil || fn == nil || len(fn.Returns) == 0 || b.Env != nil && b.Env.depth >= maxDepth || f.active[callee] > 0 {
		return nil
	}
	if f.single && len(fn.Returns) != 1 {
		return nil
	}
	f.active[callee]++
	defer func() { f.active[callee]-- }()
	env := f.x.Bind(fn, c, b.Env)
	var all []Bound
	for _, r := range fn.Returns {
		all = f.merge(all, f.result(r, max(b.Index, 0), env))
	}
	return all
}

// result follows one result of a return statement; nil results (an error path) are left out.
func (f *follower) result(r *ast.ReturnStmt, index int, env *Env) []Bound {
	switch {
	case index < len(r.Results):
		if len(r.Results) > 1 || index > 0 {
			if id, ok := r.Results[index].(*ast.Ident); ok && id.Name == "nil" {
				return nil
			}
		}
		if lit, ok := r.Results[index].(*ast.BasicLit); ok && lit.Value == `""` && len(r.Results) > 1 {
			return nil
		}
		return f.follow(Bound{Expr: r.Results[index], Env: env, Index: -1})
	case len(r.Results) == 1:
		return f.follow(Bound{Expr: r.Results[0], Env: env, Index: index})
	}
	return nil
}

// sameShape reports whether a conversion keeps the value: string, []byte and types of the same underlying type.
func sameShape(to, from types.Type) bool {
	if to == nil || from == nil {
		return false
	}
	return isText(to) && isText(from) || types.Identical(to.Underlying(), from.Underlying()) || types.IsInterface(to)
}

func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	}
	return false
}

// passThrough returns the argument that a call gives back as it is: template.Must, sync.OnceValue and the like do not count.
func passThrough(callee types.Object, c *ast.CallExpr) ast.Expr {
	fn, ok := callee.(*types.Func)
	if !ok || fn.Pkg() == nil || len(c.Args) == 0 {
		return nil
	}
	switch fn.Pkg().Path() + "." + fn.Name() {
	case "strings.Clone", "bytes.Clone", "slices.Clone", "github.com/samber/lo.Must", "errors.Must":
		return c.Args[0]
	}
	return nil
}

func (f *follower) star(e *ast.StarExpr, b Bound) []Bound {
	var all []Bound
	for _, p := range f.follow(Bound{Expr: e.X, Env: b.Env, Index: -1}) {
		u, ok := p.Expr.(*ast.UnaryExpr)
		if !ok || u.Op != token.AND {
			return nil
		}
		all = f.merge(all, f.follow(Bound{Expr: u.X, Env: p.Env, Index: -1}))
	}
	return all
}

// Field follows a field of what an expression is.
func (x *Index) Field(b Bound, field *types.Var) []Bound {
	f := &follower{x: x, active: map[types.Object]int{}, running: map[ast.Expr]int{}}
	if to := f.fieldIn(f.follow(b), field.Origin()); to != nil {
		return to
	}
	if to := f.variable(field.Origin(), b); to != nil {
		return to
	}
	return []Bound{{Env: b.Env, Index: -1}}
}
