package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// packageRun is the work on one package.
type packageRun struct {
	functions []ast.Node // every function of the package, once atStart asks
	pass      *analysis.Pass
	cfg       Config
	table     *table
	x         *source.Index
	scripts   map[string]*script
	order     []*script
	wrappers  map[types.Object]*WrapperFact // of this package, as they are found
	errorUses map[ast.Node]*errorUse
	callsOf   map[*source.Func][]source.Call // see callersOf
	byName    map[string][]*methodCalls      // calls of methods of interfaces of this package
	look      map[looking]bool               // see callersLook
	lifted    int                            // sites that were recorded at callers
	// nilCallers holds the answers of callersSeeNil.
	nilCallers map[*source.Func]bool
	usePos     map[types.Object][]token.Pos   // see uses
	compared   map[types.Object]bool          // see bounded; nil until it is asked for
	methods    map[string][]*ownMethod        // see indexMethods; nil until it is asked for
	held       map[*source.Func][]source.Call // see heldCalls; nil until it is asked for
	// decorations holds the answers of decorationOf.
	decorations map[*types.Func]decoration
	handing     map[*source.Func]wordsOf // see handsWords; nil until it is asked for
}

// script is a script with the sites that name or run it, or the sites of one whose text is not known.
type script struct {
	text    *source.Text // nil where it is not known
	fact    *ScriptFact
	label   string
	library string
	reason  string
	at      token.Pos
	sites   []*siteRecord
	// wrapper: the site stands in a function that hands its caller's script on, which its callers know by a fact.
	wrapper bool
}

func newRun(pass *analysis.Pass, t *table, cfg Config) *packageRun {
	a := &packageRun{pass: pass, cfg: cfg, table: t, scripts: map[string]*script{}, wrappers: map[types.Object]*WrapperFact{},
		errorUses: map[ast.Node]*errorUse{}, nilCallers: map[*source.Func]bool{}, callsOf: map[*source.Func][]source.Call{},
		look: map[looking]bool{}}
	a.x = source.NewIndex(pass.Fset, pass.Files, pass.TypesInfo, pass.Pkg, pass.ReadFile)
	a.x.Imported, a.x.ImportedEmbed = a.importedString, a.importedEmbed
	return a
}

// collect finds every site of the package.
func (a *packageRun) collect() {
	for _, c := range a.x.Calls {
		if m := a.matchCall(c); m != nil {
			a.expand(m, []step{{call: c}})
			continue
		}
		if fn, ok := c.Fn.(*types.Func); ok && fn.Pkg() != a.pass.Pkg {
			if w := a.wrapper(fn); w != nil {
				a.fromWrapper(w, fn, c)
			}
		}
	}
	a.marked()
	a.leftOver()
	sort.SliceStable(a.order, func(i, j int) bool { return a.order[i].at < a.order[j].at })
}

const maxPath = 6 // calls from the reported one to the client

// expand records the site of a call, at the calls of the function around it where that function only hands things on.
func (a *packageRun) expand(m *match, path []step) {
	env := a.envOf(path)
	if len(path) == 1 {
		if m = a.unpackRaw(m, env); m == nil {
			return
		}
	}
	if m.row.mode == luacheck.ModeUnknown || m.row.mode == load && m.row.note&object != 0 {
		return
	}
	targets := a.targets(m, env)
	if m.row.mode.Runs() && m.row.mode != fcall && m.row.mode != fcallRO && len(targets) == 0 {
		return
	}
	if a.narrow(m, targets, path) {
		return
	}
	targets = a.closed(targets, path)
	rec := a.record(m, targets, path)
	rec.wrapper = a.insideShape(path) || len(targets) == 1 && targets[0].handed
	if owner := a.dependsOn(m, targets, path); owner != nil {
		noted := a.noteWrapper(owner, m, targets, path)
		rec.wrapper = rec.wrapper || noted
		if a.lift(m, owner, path) {
			return
		}
	}
	rec.site.HandsOn = rec.wrapper && (len(targets) == 0 || targets[0].param != nil || targets[0].handed || a.insideShape(path))
	a.callers(rec, m, targets, path)
	a.file(rec, m)
}

// insideShape reports whether the call stands in a method that has the shape of a client's: its callers are sites of their own.
func (a *packageRun) insideShape(path []step) bool {
	for c := range path[len(path)-1].call.Cur.Enclosing((*ast.FuncDecl)(nil)) {
		if fn, ok := a.x.Info.Defs[c.Node().(*ast.FuncDecl).Name].(*types.Func); ok {
			return shape(fn) != nil
		}
	}
	return false
}

// closed replaces scripts that are parameters of other functions than those around the call, such as a constructor's, by what their
// callers in this package pass.
func (a *packageRun) closed(targets []target, path []step) []target {
	var all []target
	for _, t := range targets {
		if !a.foreign(&t, path) {
			all = append(all, t)
			continue
		}
		found := a.passed(t.param)
		if found == nil {
			t.param = nil
			found = []target{t}
		}
		all = append(all, found...)
	}
	return all
}

// foreign reports whether a script is the parameter of a function that is not around the reported call.
func (a *packageRun) foreign(t *target, path []step) bool {
	if t.param == nil {
		return false
	}
	owner, i := a.x.ParamOf(t.param)
	if owner == nil || i < 0 {
		return true
	}
	body, at := owner.Body, path[len(path)-1].call.Expr
	return body == nil || at.Pos() < body.Pos() || body.End() < at.End()
}

// passed returns the scripts that callers pass for a parameter; nil where one of them is not known.
func (a *packageRun) passed(p *types.Var) []target {
	owner, i := a.x.ParamOf(p)
	if owner == nil || i < 0 {
		return nil
	}
	var all []target
	for _, c := range owner.Callers {
		if i >= len(c.Expr.Args) {
			return nil
		}
		b := source.At(c.Expr.Args[i], nil)
		var more []target
		if isText(p.Type()) {
			more = a.texts(b, c.Expr)
		} else {
			more = a.objects(b)
		}
		for _, t := range more {
			if t.text == nil && t.fact == nil {
				return nil
			}
		}
		all = append(all, more...)
	}
	return all
}

func isText(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok || isBasicString(t)
}

// maxLifted bounds the sites that a package's callers make beyond one for each call: methods behind interfaces and helpers of helpers multiply.
const maxLifted = 10000

// lift records the site at each caller of the function whose parameters it depends on; false where there is none.
func (a *packageRun) lift(m *match, owner *source.Func, path []step) bool {
	if len(path) >= maxPath || a.lifted > maxLifted+len(a.x.Calls) {
		return false
	}
	found := false
	for _, c := range a.callersOf(owner) {
		if onPath(path, c) || a.lifted > maxLifted+len(a.x.Calls) {
			continue
		}
		found = true
		a.lifted++
		a.expand(m, append(path[:len(path):len(path)], step{c, owner}))
	}
	return found
}

func onPath(path []step, c source.Call) bool {
	for _, s := range path {
		if s.call.Expr == c.Expr {
			return true
		}
	}
	return false
}

// callersOf returns the calls of a function in this package, also through an interface of this package that a method implements.
func (a *packageRun) callersOf(fn *source.Func) []source.Call {
	method, ok := fn.Obj.(*types.Func)
	if !ok || fn.Recv == nil {
		return append(slices.Clip(fn.Callers), a.heldCalls(fn)...)
	}
	callers, known := a.callsOf[fn]
	if !known {
		callers = a.interfaceCallers(fn, method)
		a.callsOf[fn] = callers
	}
	return callers
}

// methodCalls are the calls of one method of an interface.
type methodCalls struct {
	method *types.Func
	calls  []source.Call
}

// interfaceCallers adds to the callers of a method those that call it through an interface. Types that implement one interface share its list.
func (a *packageRun) interfaceCallers(fn *source.Func, method *types.Func) []source.Call {
	if a.byName == nil {
		a.indexInterfaceCalls()
	}
	callers := slices.Clip(fn.Callers)
	recv := method.Type().(*types.Signature).Recv().Type()
	for _, m := range a.byName[method.Name()] {
		iface, ok := m.method.Signature().Recv().Type().Underlying().(*types.Interface)
		switch {
		case !ok || m.method == method || !types.Implements(recv, iface):
		case len(callers) == 0:
			callers = slices.Clip(m.calls)
		default:
			callers = append(callers, m.calls...)
		}
	}
	return callers
}

func (a *packageRun) indexInterfaceCalls() {
	a.byName = map[string][]*methodCalls{}
	known := map[*types.Func]*methodCalls{}
	for _, c := range a.x.Calls {
		f, ok := c.Fn.(*types.Func)
		if !ok || f.Pkg() != a.pass.Pkg || !onInterface(f) {
			continue
		}
		if d := a.decorationOf(f); d.changed || shape(f) != nil && !d.reshaped {
			continue
		}
		if known[f] == nil {
			known[f] = &methodCalls{method: f}
			a.byName[f.Name()] = append(a.byName[f.Name()], known[f])
		}
		known[f].calls = append(known[f].calls, c)
	}
}

// onInterface reports whether a function is a method of an interface.
func onInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// dependsOn returns the function whose parameters hold the script or a list of the call: its callers know more.
func (a *packageRun) dependsOn(m *match, targets []target, path []step) *source.Func {
	var t *target
	if len(targets) > 0 {
		t = &targets[0]
	}
	if fn := a.closureOwner(m, t, path); fn != nil && m.row.mode.Runs() {
		return fn
	}
	for i := range targets {
		for _, p := range targets[i].params() {
			if fn, i := a.around(p, path); fn != nil && i >= 0 {
				return fn
			}
		}
	}
	if fn := first(m.roles["function"]); fn != nil {
		if p := a.x.ParamIn(source.At(fn, a.envOf(path))); p != nil {
			if fn, i := a.around(p, path); fn != nil && i >= 0 {
				return fn
			}
		}
	}
	if !m.row.mode.Runs() {
		return nil
	}
	ls := a.lists(m, t, a.envOf(path), callNodes(path))
	for _, p := range append(ls.keys.params[:len(ls.keys.params):len(ls.keys.params)], ls.args.params...) {
		if fn, i := a.around(p, path); fn != nil && i >= 0 {
			return fn
		}
	}
	return nil
}

// params are the parameters that a script's text depends on.
func (t *target) params() []*types.Var {
	if t.param != nil {
		return []*types.Var{t.param}
	}
	var all []*types.Var
	if t.text != nil {
		for _, h := range t.text.Holes() {
			if h.Param != nil {
				all = append(all, h.Param)
			}
		}
	}
	return all
}

// around returns the function of a parameter where the reported call stands in it.
func (a *packageRun) around(p *types.Var, path []step) (*source.Func, int) {
	if a.foreign(&target{param: p}, path) {
		return nil, 0
	}
	return a.x.ParamOf(p)
}

// narrow records a site at the callers of the function around it, where that tells which of several scripts each one runs, or which one
// the receiver holds.
func (a *packageRun) narrow(m *match, targets []target, path []step) bool {
	unknown := false
	for i := range targets {
		unknown = unknown || a.foreign(&targets[i], path)
	}
	if len(targets) < 2 && !unknown || len(path) >= maxPath {
		return false
	}
	fn := a.x.Enclosing(path[len(path)-1].call.Cur)
	if fn == nil || fn.Obj == nil {
		return false
	}
	callers := a.callersOf(fn)
	if len(callers) == 0 {
		return false
	}
	for _, c := range callers {
		if onPath(path, c) {
			return false
		}
		found := a.targets(m, a.envOf(append(path[:len(path):len(path)], step{c, fn})))
		if !unknown && len(found) >= len(targets) {
			return false
		}
		for _, t := range found {
			if t.text == nil && t.fact == nil {
				return false
			}
		}
	}
	return a.lift(m, fn, path)
}

// file puts a site under the scripts that it may run.
func (a *packageRun) file(rec *siteRecord, m *match) {
	if len(rec.targets) == 0 { // FCALL: no script of its own
		s := &script{at: rec.call.pos, library: m.lib.name, label: rec.site.Function, reason: "the function is in a library on the server", wrapper: rec.wrapper}
		if rec.called != nil {
			s.fact = &ScriptFact{Label: rec.called.Function, Known: true, Interface: rec.called.Interface}
		}
		s.sites = append(s.sites, rec)
		a.order = append(a.order, s)
		return
	}
	for _, t := range rec.targets {
		s := a.scriptOf(t, rec)
		one := *rec
		one.site.Label = s.label
		one.site.Mode = a.mode(m, rec.path)
		if t.readOnly && one.site.Mode == eval {
			one.site.Mode = evalRO // each of several scripts has a constructor of its own
		}
		s.sites = append(s.sites, &one)
		s.wrapper = s.wrapper || rec.wrapper
	}
}

// writable is the mode that may write in place of one that may not.
var writable = map[luacheck.Mode]luacheck.Mode{evalRO: eval, shaRO: sha, fcallRO: fcall}

// mode is how the call at the end of a path runs its script. A function that runs what it is given read-only or not, by something that is not
// followed here, does not tell its callers that they may not write.
func (a *packageRun) mode(m *match, path []step) luacheck.Mode {
	mode, readOnly := writable[m.row.mode]
	fn := a.x.Enclosing(path[0].call.Cur)
	if !readOnly || len(path) == 1 || fn == nil || fn.Body == nil {
		return m.row.mode
	}
	first, _ := slices.BinarySearchFunc(a.x.Calls, fn.Body.Pos(), func(c source.Call, pos token.Pos) int { return int(c.Expr.Pos() - pos) })
	for _, c := range a.x.Calls[first:] {
		if c.Expr.Pos() >= fn.Body.End() {
			break
		}
		if other := a.matchCall(c); other != nil && other.row.mode == mode {
			return mode
		}
	}
	return m.row.mode
}

// scriptOf returns the entry of a target, new where it is the first of its text.
func (a *packageRun) scriptOf(t target, rec *siteRecord) *script {
	key := "at " + strconv.Itoa(int(rec.call.pos)) + t.reason
	at := rec.call.pos
	switch {
	case t.text != nil:
		key, at = t.text.Key(), t.text.Pos()
	case t.at.IsValid():
		key, at = "at "+strconv.Itoa(int(t.at)), t.at
	case t.fact != nil:
		key = "fact " + t.fact.Library + " " + t.fact.Label
	}
	s := a.scripts[key]
	if s == nil {
		s = &script{text: t.text, fact: t.fact, label: t.label, library: t.library, reason: t.reason, at: at}
		a.scripts[key] = s
		a.order = append(a.order, s)
	}
	if s.label == "" {
		s.label = t.label
	}
	return s
}

// asItStands is a text that something may change before it runs, as far as it tells: with unknown code in front where it uses a global that no
// server has, and nil where it is no Lua.
func (a *packageRun) asItStands(t *source.Text) *source.Text {
	chunk := syntax.Parse(t.Source(), syntax.Lua51)
	if len(chunk.Errors) > 0 {
		if chunk = syntax.Parse(t.Source(), syntax.Lua54); len(chunk.Errors) > 0 {
			return nil
		}
	}
	for name := range scope.Bind(chunk).Globals {
		if a.cfg.Target.Global(name, server.InScript).Nowhere {
			return t.Continued()
		}
	}
	return t
}

// leftOver adds the embedded .lua files that nothing was seen to read, where the package runs scripts that it takes from somewhere: a walk
// over the files that is too dynamic to follow. Others may be put in front of each, and one that is no Lua as it stands is changed first.
func (a *packageRun) leftOver() {
	unknown := false
	for _, s := range a.order {
		unknown = unknown || s.text == nil && s.fact == nil && len(s.sites) > 0 && s.sites[0].targets != nil
	}
	if !unknown {
		return
	}
	known := map[string]bool{}
	for _, s := range a.order {
		if s.text != nil {
			known[a.pass.Fset.Position(s.text.Pos()).Filename] = true
		}
	}
	for _, f := range a.x.LuaFiles() {
		if known[f.Path] {
			continue
		}
		s := &script{text: f.Text, label: f.Name, at: f.Text.Pos()}
		if s.refused() == "" {
			if s.text = a.asItStands(f.Text); s.text == nil {
				s.reason = "what is made of the file at run time is not known"
			}
		}
		a.scripts[f.Text.Key()] = s
		a.order = append(a.order, s)
	}
}
