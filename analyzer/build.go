package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/rules"
)

// span is a range of source.
type span struct{ pos, end token.Pos }

func spanOf(n ast.Node) span {
	if n == nil {
		return span{}
	}
	return span{n.Pos(), n.End()}
}

// siteRecord is a site with the places of its parts.
type siteRecord struct {
	site                                          luacheck.Site
	call, count, keys, args, function, text, used span
	key, arg                                      []span
	keyItems                                      []source.Bound // what site.Keys.Items is made of
	targets                                       []target
	// wrapper: the function around it hands on what its callers pass, and a fact says so.
	wrapper bool
	// path are the calls from the client to the reported one; open: other packages can call a function on it.
	path []step
	open bool
	// called is what another package's fact says of the function that FCALL names.
	called *FunctionFact
	// callers are the places of site.Callers.
	callers []callerRecord
}

// place returns where a part of the site stands; the call where the part has no place of its own.
func (s *siteRecord) place(part rules.SitePart, index int) span {
	at := span{}
	switch part {
	case rules.PartNumKeys:
		at = s.count
	case rules.PartKeys:
		at = s.keys
	case rules.PartKey:
		at = indexed(s.key, index, s.keys)
	case rules.PartArgs:
		at = s.args
	case rules.PartArg:
		at = indexed(s.arg, index, s.args)
	case rules.PartName:
		at = s.function
	case rules.PartResult:
		at = s.used
	case rules.PartText:
		at = s.text
	}
	if !at.pos.IsValid() {
		return s.call
	}
	return at
}

func indexed(all []span, i int, whole span) span {
	if i >= 0 && i < len(all) && all[i].pos.IsValid() {
		return all[i]
	}
	return whole
}

// lists are the keys and arguments of a call, with its count of keys.
type lists struct {
	keys, args list
	count      luacheck.NumKeys
	counted    source.Bound // the list whose length the count is
	countAt    span
	keysAt     span
	argsAt     span
}

// lists finds the keys and arguments of a call that runs a script.
func (a *packageRun) lists(m *match, t *target, env *source.Env, uses []ast.Node) lists {
	l := newLister(a.x, uses...)
	var r lists
	switch {
	case m.wrapper != nil:
		return a.wrapperLists(m, t, env, l)
	case m.row.note&builder != 0:
		return a.builderLists(m, env, l)
	case m.roles["keys"] != nil || m.roles["args"] != nil:
		r.keys = l.of(source.At(first(m.roles["keys"]), env))
		r.keysAt = spanOf2(m.roles["keys"])
		r.args, r.argsAt = a.argList(m, l, env)
		if c := first(m.roles["count"]); c != nil {
			a.countOf(&r, source.At(c, env), m)
		}
	case m.roles["vars"] != nil || m.words:
		a.split(&r, m, t, env, l)
	case m.row.note&multi != 0:
		a.runs(&r, m, env, l)
	case m.roles["options"] != nil:
		a.options(&r, m, env, l)
	case m.row.note&bare != 0:
		r.keys, r.args = exactly(nil), exactly(nil)
	default:
		r.keys, r.args = unknownList(), unknownList()
	}
	return r
}

func first(es []ast.Expr) ast.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0]
}

func spanOf2(es []ast.Expr) span {
	if len(es) == 0 {
		return span{}
	}
	return span{es[0].Pos(), es[len(es)-1].End()}
}

// argList finds the arguments: one slice, or the variadic rest. A client that flattens spreads a slice that is the only one.
func (a *packageRun) argList(m *match, l *lister, env *source.Env) (list, span) {
	args := m.roles["args"]
	at := spanOf2(args)
	if !strings.HasSuffix(m.row.roles, "...") {
		return l.of(source.At(first(args), env)), at
	}
	r := l.args(args, m.spread, env)
	// A variadic parameter that was bound to one slice is flattened like one that stands at the call.
	if (m.lib.flattens || m.lib == &ownLibrary) && r.exact && len(r.items) == 1 && r.items[0].Expr != nil {
		r = a.flattened(r, l, m.lib.flattens)
	}
	return r, at
}

// flattened is what go-redis makes of the only argument: a []string or []any is spread, so is a map, and a struct gives its tagged fields.
// Other clients may do so (sure is false).
func (a *packageRun) flattened(one list, l *lister, sure bool) list {
	only := one.items[0]
	t := a.x.Info.TypeOf(only.Expr)
	if t != nil && types.IsInterface(t) {
		if to := a.x.Follow(only, true); len(to) == 1 && to[0].Expr != nil {
			only, t = to[0], a.x.Info.TypeOf(to[0].Expr)
		}
	}
	if t == nil || types.IsInterface(t) {
		return unknownList() // it may hold a slice
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return unknownList()
	}
	switch argType(t) {
	case luacheck.TypeSlice:
		u, plain := types.Unalias(t).(*types.Slice)
		if !sure {
			return unknownList()
		}
		if !plain {
			return one
		}
		if b, ok := types.Unalias(u.Elem()).(*types.Basic); ok && b.Kind() == types.String || isAnys(t) {
			return l.of(only)
		}
	case luacheck.TypeMap:
		if !sure || spreadMap(t) {
			return unknownList()
		}
	case luacheck.TypeStruct:
		return list{items: one.items, max: -1}
	}
	return one
}

// spreadMap: map[string]string and map[string]any, and no defined type of them.
func spreadMap(t types.Type) bool {
	u, ok := types.Unalias(t).(*types.Map)
	if !ok {
		return false
	}
	key, ok := types.Unalias(u.Key()).(*types.Basic)
	elem, text := types.Unalias(u.Elem()).(*types.Basic)
	return ok && key.Kind() == types.String && (text && elem.Kind() == types.String || isEmptyInterface(u.Elem()))
}

// countOf notes the key count that a call gives.
func (a *packageRun) countOf(r *lists, b source.Bound, m *match) {
	r.count.Given = true
	r.countAt = spanOf(b.Expr)
	r.count.Text = short(b.Expr)
	if v := a.x.Const(b.Expr, b.Env); v != nil {
		r.count.Value, r.count.Known = countValue(v)
	}
	if arg := lenArg(a.x, b); arg.Expr != nil {
		r.count.Length, r.counted = a.sameList(arg, m), arg
	}
}

// countValue reads a key count: a number, or its digits as text.
func countValue(v constant.Value) (int, bool) {
	if v.Kind() == constant.String {
		n, err := strconv.Atoi(constant.StringVal(v))
		return n, err == nil
	}
	return constInt(v), v.Kind() == constant.Int
}

// lenArg returns x of len(x).
func lenArg(x *source.Index, b source.Bound) source.Bound {
	for _, to := range x.Follow(b, true) {
		e := to.Expr
		for {
			c, ok := e.(*ast.CallExpr)
			if !ok || len(c.Args) != 1 {
				break
			}
			if tv, ok := x.Info.Types[c.Fun]; ok && tv.IsType() {
				e = ast.Unparen(c.Args[0])
				continue
			}
			if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && id.Name == "len" {
				return source.At(c.Args[0], to.Env)
			}
			break
		}
	}
	return source.Bound{}
}

// sameList reports whether the keys of the call are the list that was counted.
func (a *packageRun) sameList(arg source.Bound, m *match) bool {
	keys := first(m.roles["keys"])
	if keys == nil {
		return true // one list of words: what is counted is taken to be the keys
	}
	return a.x.Identity(arg) == a.x.Identity(source.At(keys, arg.Env))
}

// split divides the words behind a count into keys and arguments.
func (a *packageRun) split(r *lists, m *match, t *target, env *source.Env, l *lister) {
	vars := l.args(m.roles["vars"], m.spread, env)
	if m.open {
		vars = l.args(m.openOf, true, env).tail(m.openFrom) // with what the callers of the function around it pass
	}
	at := spanOf2(m.roles["vars"])
	r.keysAt, r.argsAt = at, at
	if c := first(m.roles["count"]); c != nil {
		a.countOf(r, source.At(c, env), m)
	}
	a.splitVars(r, vars, t, m, l)
	if words := m.roles["vars"]; !m.spread && !m.open && r.count.Known && len(r.keys.items)+len(r.args.items) == len(words) && 0 <= r.count.Value && r.count.Value < len(words) {
		r.argsAt = spanOf2(words[r.count.Value:])
		if r.count.Value > 0 {
			r.keysAt = spanOf2(words[:r.count.Value])
		}
	}
}

// splitVars divides a list of words by the count that the call or the script's constructor gives.
func (a *packageRun) splitVars(r *lists, vars list, t *target, m *match, l *lister) {
	switch {
	case r.count.Given:
	case t != nil && t.counted:
		a.countOf(r, t.count, m)
		if r.count.Known && r.count.Value < 0 { // the first word is the count
			r.count = luacheck.NumKeys{Given: true}
			if len(vars.items) > 0 && vars.items[0].Expr != nil {
				a.countOf(r, vars.items[0], m)
			}
			vars = vars.tail(1)
		}
	case t != nil && t.fact != nil && t.fact.Counted:
		r.count = luacheck.NumKeys{Given: true, Known: true, Value: t.fact.KeyCount}
	}
	if r.count.Length && !r.count.Known {
		if a.splitLength(r, vars, l) {
			return
		}
		if keys := l.of(r.counted); keys.exact {
			r.count.Known, r.count.Value = true, len(keys.items)
		}
	}
	if !r.count.Known || r.count.Value < 0 {
		r.keys, r.args = list{max: vars.max, items: vars.items}, list{max: vars.max}
		r.keys.params = vars.params
		if r.count.Length {
			r.keys.items = nil
		}
		return
	}
	r.keys, r.args = vars.head(r.count.Value), vars.tail(r.count.Value)
}

// splitLength divides a list of words behind the length of a list of keys, where these keys come first in it.
func (a *packageRun) splitLength(r *lists, vars list, l *lister) bool {
	if vars.exact {
		return false
	}
	counted := a.x.Identity(r.counted)
	for _, first := range vars.leads {
		if first.at == 0 && a.x.Identity(first.of) == counted {
			r.keys, r.args = l.of(r.counted), first.rest
			return true
		}
	}
	return false
}

// record makes the site of a call in one environment. at is the call that the finding is reported at: the outermost one.
func (a *packageRun) record(m *match, targets []target, path []step) *siteRecord {
	env := a.envOf(path)
	outer := path[len(path)-1].call
	var t *target
	if len(targets) > 0 {
		t = &targets[0]
	}
	ls := a.lists(m, t, env, callNodes(path))
	rec := &siteRecord{call: spanOf(outer.Expr), count: a.inCall(ls.countAt, outer, a.atCall(ls.keysAt, path, env)), keys: a.atCall(ls.keysAt, path, env),
		args: a.atCall(ls.argsAt, path, env), function: spanOf(first(m.roles["function"])), text: a.textSpan(m), targets: targets, path: path}
	for _, st := range path[1:] {
		rec.open = rec.open || st.fn.Obj != nil && st.fn.Obj.Exported()
	}
	s := &rec.site
	rec.keyItems = ls.keys.items
	s.Mode, s.Library, s.Callee = a.mode(m, path), m.lib.name, m.callee
	s.Keys, rec.key = a.export(ls.keys, outer, len(path) > 1)
	s.Args, rec.arg = a.export(ls.args, outer, len(path) > 1)
	if len(s.Args.Items) == 1 && !m.words && (s.Args.Exact || s.Args.Items[0].Kind.Type == luacheck.TypeStruct) {
		s.Args.Items[0].Kind.Alone = true
	}
	for _, l := range []*luacheck.List{&s.Keys, &s.Args} {
		refuse(l.Items, a.goRedisVersion(m))
		refuse(l.Behind, a.goRedisVersion(m))
	}
	s.NumKeys = ls.count
	if m.wrapper != nil && m.wrapper.KeysOnly {
		*s = luacheck.Site{Mode: eval, Library: m.lib.name, Callee: m.callee, Keys: s.Keys, Args: s.Args, Label: t.label, Fallback: true}
		return rec
	}
	if fn := first(m.roles["function"]); fn != nil {
		s.Function, _ = a.constText(fn, env)
		rec.called = a.importedFunction(source.At(fn, env))
	}
	if m.wrapper != nil && s.Function == "" {
		s.Function = m.wrapper.Site.Function
	}
	if t != nil {
		s.Label = t.label
		if t.readOnly && s.Mode == eval {
			s.Mode = evalRO
		}
		switch {
		case t.once || m.row.mode == lib: // a library is loaded under its name, in place of the one before
		case t.text != nil:
			s.TextVaries, s.TextUnsafe = a.varies(t.text)
			if t.kept && !s.TextUnsafe {
				s.TextVaries = "" // numbers of a configuration: few, and each script is used again and again
			}
		case t.made != nil && s.Mode.Runs() && len(m.roles["text"]) > 0:
			s.TextVaries, s.TextUnsafe = a.written(t.made)
		}
	}
	s.OneOf = s.Mode.Runs() && (len(targets) > 1 && !a.branches(m, env) || a.handedOut(m) || a.reshapes(first(m.roles["client"])))
	s.Client, s.Pipelined = a.client(m, env)
	s.Pipelined = s.Pipelined || m.row.note&sends != 0
	if m.wrapper != nil {
		s.Pipelined = s.Pipelined || m.wrapper.Site.Pipelined
		s.Client.Cluster = s.Client.Cluster || m.wrapper.Site.Client.Cluster
	}
	s.Fallback = a.fallsBack(m, path, s.Pipelined)
	s.Result, rec.used = a.use(path)
	return rec
}

// inCall is a place in the reported call, else another one: the count of keys may stand at the constructor.
func (a *packageRun) inCall(s span, outer source.Call, instead span) span {
	if s.pos.IsValid() && outer.Expr.Pos() <= s.pos && s.end <= outer.Expr.End() {
		return s
	}
	return instead
}

// within leaves out places that are not in the reported call's own file.
func (a *packageRun) within(s span, outer source.Call) span {
	if !s.pos.IsValid() || a.x.Fset.File(s.pos) != a.x.Fset.File(outer.Expr.Pos()) {
		return span{}
	}
	return s
}

// atCall is the place of a list at the reported call: where a function on the way takes it as a parameter, what the call passes there. It is
// empty where the call passes nothing that stands for it.
func (a *packageRun) atCall(s span, path []step, env *source.Env) span {
	outer := path[len(path)-1].call
	if len(path) == 1 || !s.pos.IsValid() {
		return a.within(s, outer)
	}
	for _, e := range path[0].call.Expr.Args {
		if e.Pos() == s.pos && e.End() == s.end {
			s = a.passedSpan(e, env)
			break
		}
	}
	if s.pos < outer.Expr.Pos() || outer.Expr.End() < s.end {
		return span{}
	}
	return s
}

// passedSpan is the place of what an expression stands for, through parameters that only hand it on.
func (a *packageRun) passedSpan(e ast.Expr, env *source.Env) span {
	for range maxPath {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			break
		}
		to, bound := env.Lookup(a.x.Info.ObjectOf(id))
		switch {
		case !bound:
			return spanOf(e)
		case to.Variadic && len(to.Rest) != 1:
			return spanOf2(to.Rest)
		case to.Variadic:
			e, env = to.Rest[0], to.Env
		case to.Expr == nil:
			return span{}
		default:
			e, env = to.Expr, to.Env
		}
	}
	return spanOf(e)
}

func (a *packageRun) textSpan(m *match) span {
	for _, role := range []string{"text", "sha", "script"} {
		if e := first(m.roles[role]); e != nil {
			return spanOf(e)
		}
	}
	return span{}
}

func contains(all []string, s string) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return false
}

// maxBehind bounds the elements of which no place is known.
const maxBehind = 32

// export turns a list into data without syntax. Where the reported call is not the client's own (lifted), the places are those at it.
func (a *packageRun) export(l list, outer source.Call, lifted bool) (luacheck.List, []span) {
	r := luacheck.List{Exact: l.exact, Min: l.min, Max: l.max, Grows: l.grows}
	var places []span
	for _, it := range l.items {
		r.Items = append(r.Items, luacheck.Element{Text: a.template(it), Kind: a.argKind(it)})
		at := span{}
		switch {
		case it.Made != nil || lifted && it.Expr != nil:
			at = a.spanAtCall(it, outer)
		case it.Expr != nil:
			at = a.within(a.passedSpan(it.Expr, it.Env), outer) // what a wrapper's caller passes stands there
		}
		places = append(places, at)
	}
	for _, it := range l.behind[:min(len(l.behind), maxBehind)] {
		r.Behind = append(r.Behind, luacheck.Element{Text: a.template(it), Kind: a.argKind(it)})
		at := span{}
		if it.Expr != nil {
			at = a.spanAtCall(it, outer)
		}
		places = append(places, at)
	}
	return r, places
}

// template is the text of a key or argument.
func (a *packageRun) template(b source.Bound) luacheck.Template {
	if b.Expr == nil && b.Made == nil {
		return luacheck.Template{}
	}
	var t luacheck.Template
	for _, p := range a.x.Value(b).Parts() {
		if p.Hole != nil {
			t.Parts = append(t.Parts, luacheck.Part{Hole: p.Hole.ID, Name: p.Hole.Name})
			continue
		}
		t.Parts = append(t.Parts, luacheck.Part{Lit: p.Lit})
	}
	return t
}

// branches reports whether the script of a call is a local variable that gets one script on each way to the call: each of them is run with the
// keys and arguments of the call.
func (a *packageRun) branches(m *match, env *source.Env) bool {
	e := m.script()
	return e != nil && a.eachWay(e, env)
}

// handedOut reports whether the script is a variable whose address something else has: it may be another one by now.
func (a *packageRun) handedOut(m *match) bool {
	id, ok := ast.Unparen(m.script()).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return false
	}
	if fn, _ := a.x.ParamOf(v); fn != nil {
		return false
	}
	_, _, taken := a.x.Defs(v)
	return taken && isText(v.Type())
}

// eachWay reports whether an expression is a local variable, or a concatenation of such, that gets one value on each way.
func (a *packageRun) eachWay(e ast.Expr, env *source.Env) bool {
	if sum, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		return a.eachWay(sum.X, env) && a.eachWay(sum.Y, env)
	}
	if tv := a.x.Info.Types[e]; tv.Value != nil {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Parent() == a.pass.Pkg.Scope() {
		return false
	}
	if fn, _ := a.x.ParamOf(v); fn != nil {
		return false
	}
	defs, _, _ := a.x.Defs(v)
	for _, d := range defs {
		if d.Kind == source.Plain && len(a.x.Follow(source.Bound{Expr: d.Expr, Env: env, Index: d.Index}, false)) > 1 {
			return false
		}
	}
	return true
}

// step is one call on the way from the call that is reported to the one that runs the script: the call, and the function that it calls.
type step struct {
	call source.Call
	fn   *source.Func // nil for the first one, which calls the client
}

// envOf binds the parameters along a path of calls, from the outermost to the one that runs the script.
func (a *packageRun) envOf(path []step) *source.Env {
	var env *source.Env
	for i := len(path) - 1; i > 0; i-- {
		env = a.x.BindCall(path[i].fn, path[i].call, env)
	}
	return env
}
