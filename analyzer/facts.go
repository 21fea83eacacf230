package analyzer

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// WrapperFact is what other packages must know of a function that hands parameters on to a client.
type WrapperFact struct {
	Sites []WrapperSite
}

// AFact marks the type as a fact of go/analysis.
func (*WrapperFact) AFact() {}

// String shows the fact for tests.
func (f *WrapperFact) String() string {
	s := "runs"
	for _, w := range f.Sites {
		s += " " + w.Site.Callee + "(" + w.role("script", w.Script) + w.role("function", w.Function) + front(w.KeyTexts) + w.role("keys", w.Keys.Param) + w.role("args", w.Args.Param) + ")"
	}
	return s
}

// front writes the keys that a wrapper makes of its parameters.
func front(texts []source.StringFact) string {
	s := ""
	for i := range texts {
		t := &texts[i]
		if len(t.Parts) == 0 {
			s += " ?"
			continue
		}
		s += " " + strings.TrimPrefix(t.String(), "text ")
	}
	return s
}

func (w *WrapperSite) role(name string, i int) string {
	if i < 0 {
		return ""
	}
	return " " + name + "=" + string(rune('0'+i))
}

// WrapperSite is one call of the client in a wrapper, in terms of the wrapper's parameters.
type WrapperSite struct {
	Site luacheck.Site // its fixed parts; Keys and Args hold the elements in front of the parameters
	// Script is the parameter that holds the text, digest or script object, -1 where Fixed says which it is.
	Script int
	// Function is the parameter that holds the name of FCALL's function, -1 for none.
	Function int
	Kind     ScriptKind
	Fixed    *ScriptFact
	// Keys and Args say which parameters hold the rest of each list.
	Keys, Args ListFact
	// KeyTexts and ArgTexts are the elements in front, in terms of the wrapper's parameters; an element of which nothing is known has no part.
	KeyTexts, ArgTexts []source.StringFact
	Flattens           bool
	// KeysOnly: nothing else of the call is for its callers to know, the wrapper's own package has seen to that.
	KeysOnly bool
	// Words: keys and arguments come in one list.
	Words bool
}

// ScriptKind is what a parameter holds.
type ScriptKind uint8

const (
	KindText ScriptKind = iota
	KindSha
	KindObject
)

// ListFact says which parameter holds a list, -1 for none. Before counts the elements in front of it.
type ListFact struct {
	Param    int
	Variadic bool
}

// wrapper returns the fact of a function of another package; nil where there is none.
func (a *packageRun) wrapper(fn *types.Func) *WrapperFact {
	if fn.Pkg() == nil || fn.Pkg() == a.pass.Pkg {
		return nil
	}
	var f WrapperFact
	if a.pass.ImportObjectFact == nil || !a.pass.ImportObjectFact(fn, &f) {
		return nil
	}
	return &f
}

func (a *packageRun) importedString(obj types.Object) *source.StringFact {
	var f source.StringFact
	if a.pass.ImportObjectFact == nil || !a.pass.ImportObjectFact(obj, &f) {
		return nil
	}
	return &f
}

func (a *packageRun) importedEmbed(v *types.Var) *source.EmbedFact {
	var f source.EmbedFact
	if a.pass.ImportObjectFact == nil || !a.pass.ImportObjectFact(v, &f) {
		return nil
	}
	return &f
}

// importedScript returns the fact of a variable or function of another package that gives a script.
func (a *packageRun) importedScript(e ast.Expr) *ScriptFact {
	var obj types.Object
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		obj = a.x.Info.ObjectOf(e.Sel)
	case *ast.Ident:
		obj = a.x.Info.ObjectOf(e)
	case *ast.CallExpr:
		obj = a.x.Callee(e)
	}
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == a.pass.Pkg {
		return nil
	}
	var f ScriptFact
	if a.pass.ImportObjectFact == nil || !a.pass.ImportObjectFact(obj, &f) {
		return nil
	}
	return &f
}

// noteWrapper remembers that a function hands parameters on, for packages that call it.
func (a *packageRun) noteWrapper(owner *source.Func, m *match, targets []target, path []step) bool {
	fn, ok := owner.Obj.(*types.Func)
	if !ok || !fn.Exported() || len(targets) > 1 {
		return false
	}
	env := a.envOf(path)
	var t *target
	w := WrapperSite{Script: -1, Function: a.functionParam(m, env, owner), Keys: ListFact{Param: -1}, Args: ListFact{Param: -1}, Flattens: m.lib.flattens}
	if len(targets) == 1 {
		t = &targets[0]
		if !a.scriptRole(&w, owner, t, m) {
			return false
		}
	}
	ls := a.lists(m, t, env, []ast.Node{path[0].call.Expr})
	if !a.listRole(&w.Keys, owner, ls.keys) || !a.listRole(&w.Args, owner, ls.args) {
		return false
	}
	w.Words = w.Keys.Param >= 0 && w.Keys.Param == w.Args.Param
	rec := a.record(m, targets, path)
	w.Site = rec.site
	w.KeyTexts, w.ArgTexts = a.frontTexts(ls.keys, owner), a.frontTexts(ls.args, owner)
	f := a.wrappers[fn]
	if f == nil {
		f = &WrapperFact{}
		a.wrappers[fn] = f
	}
	f.Sites = append(f.Sites, w)
	return true
}

// frontTexts are the elements of a list that a function puts in front, in terms of its parameters.
func (a *packageRun) frontTexts(l list, owner *source.Func) []source.StringFact {
	var all []source.StringFact
	for _, it := range l.items {
		text := a.x.FactOf(a.textOf(it), owner)
		if len(text.Parts) == 0 || len(text.Parts) == 1 && text.Parts[0].Param < 0 && text.Parts[0].Name != "" {
			text.Parts = nil
		}
		all = append(all, *text)
	}
	return all
}

func (a *packageRun) scriptRole(w *WrapperSite, owner *source.Func, t *target, m *match) bool {
	switch {
	case t.param != nil:
		fn, i := a.x.ParamOf(t.param)
		if fn != owner || i < 0 {
			return false
		}
		w.Script = i
		switch {
		case len(m.roles["sha"]) > 0:
			w.Kind = KindSha
		case len(m.roles["text"]) == 0:
			w.Kind = KindObject
		}
		return true
	case t.fact != nil:
		w.Fixed = t.fact
		return true
	case t.text != nil:
		w.Fixed = a.scriptFact(*t)
		return w.Fixed != nil
	}
	return false
}

// listRole notes the one parameter that holds the rest of a list.
func (a *packageRun) listRole(f *ListFact, owner *source.Func, l list) bool {
	if len(l.params) == 0 {
		return true
	}
	fn, i := a.x.ParamOf(l.params[0])
	if len(l.params) > 1 || fn != owner || i < 0 {
		return false
	}
	f.Param, f.Variadic = i, a.x.Variadic(l.params[0])
	return true
}

// scriptFact is what other packages must know of a script of this package.
func (a *packageRun) scriptFact(t target) *ScriptFact {
	if t.text == nil || len(t.text.Holes()) > 0 || t.text.Refused != "" {
		return nil
	}
	f := &ScriptFact{Label: t.label, Library: t.library, ReadOnly: t.readOnly, Counted: t.counted, Known: true}
	if t.counted {
		v := a.x.Const(t.count.Expr, t.count.Env)
		if v == nil {
			return nil
		}
		f.KeyCount = constInt(v)
	}
	opt := luacheck.Options{Target: a.cfg.Target}
	p := luacheck.Analyze(t.text.Source(), nil, opt)
	f.Interface = p.Interface
	f.Interface.Require(p, opt)
	return f
}

// fromWrapper records the sites of a call of another package's wrapper.
func (a *packageRun) fromWrapper(f *WrapperFact, fn *types.Func, c source.Call) {
	for _, w := range f.Sites {
		a.wrapperSite(&w, fn, c)
	}
}

func (a *packageRun) wrapperSite(w *WrapperSite, fn *types.Func, c source.Call) {
	m := &match{lib: a.libraryNamed(w.Site.Library), row: &row{name: fn.Name(), mode: w.Site.Mode}, call: c, callee: fn.Name(),
		roles: map[string][]ast.Expr{}, spread: c.Expr.Ellipsis.IsValid()}
	role := map[ScriptKind]string{KindText: "text", KindSha: "sha", KindObject: "script"}[w.Kind]
	if w.Script >= 0 {
		if w.Script >= len(c.Expr.Args) {
			return
		}
		m.roles[role] = c.Expr.Args[w.Script : w.Script+1]
	}
	if w.Function >= 0 && w.Function < len(c.Expr.Args) {
		m.roles["function"] = c.Expr.Args[w.Function : w.Function+1]
	}
	m.wrapper = w
	a.expand(m, []step{{call: c}})
}

func (a *packageRun) libraryNamed(name string) *library {
	for i := range a.table.libs {
		if a.table.libs[i].name == name {
			return &a.table.libs[i]
		}
	}
	return &ownLibrary
}

// wrapperLists joins the elements that a wrapper puts in front with the list that its caller passes.
func (a *packageRun) wrapperLists(m *match, t *target, env *source.Env, l *lister) lists {
	w := m.wrapper
	part := func(own luacheck.List, texts []source.StringFact, f ListFact) (list, span) {
		before := list{exact: own.Exact, min: own.Min, max: own.Max, grows: own.Grows, items: frontItems(texts, len(own.Items), m, env)}
		if f.Param < 0 {
			return before, span{}
		}
		args := m.call.Expr.Args
		if f.Param > len(args) {
			return before, span{}
		}
		before.exact, before.min, before.max, before.grows = true, len(before.items), len(before.items), false
		at := spanOf2(args[f.Param:])
		if !f.Variadic {
			if f.Param == len(args) {
				return before, span{}
			}
			return before.then(l.of(source.At(args[f.Param], env))), spanOf(args[f.Param])
		}
		rest := args[f.Param:]
		all := before.then(l.args(rest, m.spread, env))
		if all.exact && len(all.items) == 1 && all.items[0].Expr != nil {
			all = a.flattened(all, l, w.Flattens)
		}
		return all, at
	}
	var r lists
	if w.KeysOnly {
		r.keys = list{items: frontItems(w.KeyTexts, len(w.KeyTexts), m, env), max: -1}
		r.args = unknownList()
		return r
	}
	if w.Words {
		words, at := part(w.Site.Keys, w.KeyTexts, w.Keys)
		r.keysAt, r.argsAt, r.count = at, at, w.Site.NumKeys
		a.splitVars(&r, words, t, m, l)
		return r
	}
	r.keys, r.keysAt = part(w.Site.Keys, w.KeyTexts, w.Keys)
	r.args, r.argsAt = part(w.Site.Args, w.ArgTexts, w.Args)
	r.count = w.Site.NumKeys
	return r
}

// frontItems are the elements that a wrapper puts in front, made of the arguments of the call.
func frontItems(texts []source.StringFact, n int, m *match, env *source.Env) []source.Bound {
	items := make([]source.Bound, n)
	for i := range items {
		items[i].Index = -1
		if i >= len(texts) || len(texts[i].Parts) == 0 {
			continue
		}
		if p := texts[i].Parts; len(p) == 1 && p[0].Param >= 0 && p[0].Param < len(m.call.Expr.Args) {
			items[i] = source.At(m.call.Expr.Args[p[0].Param], env)
			continue
		}
		items[i].Made, items[i].Call, items[i].Env = &texts[i], m.call.Expr, env
	}
	return items
}
