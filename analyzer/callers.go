package analyzer

import (
	"go/ast"
	"go/types"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/rules"
)

// Keys that a function takes one by one: func move(from, to string) { script.Run(ctx, c, []string{from, to}) }. The call of the client stays the
// site. What its callers pass is added to it, since only they tell whether the keys share a slot.

// maxCallers bounds the callers that are looked at for one site.
const maxCallers = 64

// callers adds to a site the keys that the callers of the functions around it pass one by one, and notes those functions for other packages.
func (a *packageRun) callers(rec *siteRecord, m *match, targets []target, path []step) {
	if !m.row.mode.Runs() || len(rec.site.Keys.Items) < 2 || rules.SlotsSure(rec.site.Keys.Templates()) {
		return
	}
	var t *target
	if len(targets) > 0 {
		t = &targets[0]
	}
	rec.site.CallersKnown = true
	a.bindCallers(rec, m, t, rec.keyItems, path, len(path))
}

// bindCallers goes on from the outermost call of a path, at which the keys are known as far as it tells.
func (a *packageRun) bindCallers(rec *siteRecord, m *match, t *target, keys []source.Bound, path []step, base int) {
	owner := a.keyOwner(keys, path)
	if owner == nil || len(path) >= maxPath {
		a.addCaller(rec, keys, path, base)
		return
	}
	if fn, ok := owner.Obj.(*types.Func); ok && fn.Exported() {
		rec.site.CallersKnown = false
		if !rules.SlotsTold(a.templates(keys)) {
			a.noteKeys(fn, owner, m, t, keys)
		}
	}
	found := false
	for _, c := range a.callersOf(owner) {
		if onPath(path, c) || len(rec.callers) >= maxCallers {
			rec.site.CallersKnown = false
			continue
		}
		found = true
		longer := append(path[:len(path):len(path)], step{c, owner})
		ls := a.lists(m, t, a.envOf(longer), callNodes(longer))
		a.bindCallers(rec, m, t, ls.keys.items, longer, base)
	}
	if !found {
		a.addCaller(rec, keys, path, base)
	}
}

func callNodes(path []step) []ast.Node {
	nodes := make([]ast.Node, len(path))
	for i, s := range path {
		nodes[i] = s.call.Expr
	}
	return nodes
}

// addCaller files the keys as the last call of a path passes them.
func (a *packageRun) addCaller(rec *siteRecord, keys []source.Bound, path []step, base int) {
	if len(path) == base {
		return
	}
	outer := path[len(path)-1].call
	c := callerRecord{call: spanOf(outer.Expr)}
	for _, k := range keys {
		c.keys = append(c.keys, a.spanAtCall(k, outer))
	}
	rec.site.Callers = append(rec.site.Callers, luacheck.Caller{Keys: a.templates(keys)})
	rec.callers = append(rec.callers, c)
}

func (a *packageRun) templates(list []source.Bound) []luacheck.Template {
	all := make([]luacheck.Template, len(list))
	for i, b := range list {
		all[i] = a.template(b)
	}
	return all
}

// callerRecord is where a caller passes the keys of a site.
type callerRecord struct {
	call span
	keys []span
}

// keyOwner is the function around the outermost call of a path whose parameters, other than its receiver, decide what the keys are.
func (a *packageRun) keyOwner(keys []source.Bound, path []step) *source.Func {
	for _, k := range keys {
		for _, v := range a.paramsOf(k) {
			if fn, i := a.around(v, path); fn != nil && i >= 0 {
				return fn
			}
		}
	}
	return nil
}

// paramsOf are the parameters, bound by no call, in what is not known of a text.
func (a *packageRun) paramsOf(b source.Bound) []*types.Var {
	var all []*types.Var
	for _, h := range a.textOf(b).Holes() {
		if h.Param != nil {
			all = append(all, h.Param)
			continue
		}
		if h.Expr == nil {
			continue
		}
		ast.Inspect(h.Expr, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v := a.x.ParamIn(source.At(id, h.Env)); v != nil {
					all = append(all, v)
				}
			}
			return true
		})
	}
	return all
}

func (a *packageRun) textOf(b source.Bound) *source.Text {
	if b.Expr == nil && b.Made == nil {
		return &source.Text{}
	}
	return a.x.Value(b)
}

// spanAtCall is the place of a key or argument as the function around a call has it: itself where it is written there, else the first part of
// it that is, else the call.
func (a *packageRun) spanAtCall(b source.Bound, outer source.Call) span {
	around := spanOf(outer.Expr)
	for c := range outer.Cur.Enclosing((*ast.FuncDecl)(nil)) {
		around = spanOf(c.Node())
	}
	in := func(s span) bool { return s.pos.IsValid() && around.pos <= s.pos && s.end <= around.end }
	if b.Made != nil {
		if s := a.madeSpan(b); in(s) {
			return s
		}
		return spanOf(outer.Expr)
	}
	if b.Expr == nil {
		return spanOf(outer.Expr)
	}
	if s := a.passedSpan(b.Expr, b.Env); in(s) {
		return s
	}
	var first span
	ast.Inspect(b.Expr, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if s := a.passedSpan(id, b.Env); in(s) && (!first.pos.IsValid() || s.pos < first.pos) {
				first = s
			}
		}
		return true
	})
	if in(first) {
		return first
	}
	return spanOf(outer.Expr)
}

// madeSpan is the first argument of a call that a text of another package's function is made of.
func (a *packageRun) madeSpan(b source.Bound) span {
	for _, p := range b.Made.Parts {
		if p.Param >= 0 && p.Param < len(b.Call.Args) {
			return a.passedSpan(b.Call.Args[p.Param], b.Env)
		}
	}
	return spanOf(b.Call)
}

// noteKeys remembers, for packages that call an exported function, what keys it makes of its parameters. Two of them must be made of nothing
// else.
func (a *packageRun) noteKeys(fn *types.Func, owner *source.Func, m *match, t *target, keys []source.Bound) {
	w := WrapperSite{Script: -1, Function: -1, Keys: ListFact{Param: -1}, Args: ListFact{Param: -1}, KeysOnly: true, Flattens: m.lib.flattens}
	w.Site = luacheck.Site{Mode: eval, Library: m.lib.name, Callee: m.callee, Fallback: true}
	w.Fixed = &ScriptFact{Label: fn.Name(), Library: m.lib.name}
	if t != nil {
		if f := a.scriptFact(*t); f != nil {
			w.Fixed = f
		}
	}
	known := 0
	for _, k := range keys {
		text := a.x.FactOf(a.textOf(k), owner)
		if text.Complete() {
			known++
		}
		w.KeyTexts = append(w.KeyTexts, *text)
		w.Site.Keys.Items = append(w.Site.Keys.Items, luacheck.Element{})
	}
	if known < 2 {
		return
	}
	f := a.wrappers[fn]
	if f == nil {
		f = &WrapperFact{}
		a.wrappers[fn] = f
	}
	for _, old := range f.Sites {
		if old.same(&w) {
			return
		}
	}
	f.Sites = append(f.Sites, w)
}

// same reports whether two sites of a function pass the same keys.
func (w *WrapperSite) same(o *WrapperSite) bool {
	if !w.KeysOnly || len(w.KeyTexts) != len(o.KeyTexts) {
		return false
	}
	for i := range w.KeyTexts {
		if w.KeyTexts[i].String() != o.KeyTexts[i].String() {
			return false
		}
	}
	return true
}
