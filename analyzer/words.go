package analyzer

import (
	"go/ast"
	"go/types"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// Functions of this package that hand the words of a command on to a client: func (s *Store) do(cmd string, args ...any) { conn.Do(cmd, args...) }.
// Their calls are raw commands, as those of the client are.

// wordsOf is what a function hands on: its words start at a parameter, and a call of a client takes them.
type wordsOf struct {
	first int
	lib   *library
	note  note
}

// ownRaw matches a call of a function of this package that hands its words on; nil for any other.
func (a *packageRun) ownRaw(fn *types.Func, c source.Call) *match {
	w, ok := a.handsWords()[a.x.Func(fn)]
	if !ok || len(c.Expr.Args) < w.first {
		return nil
	}
	r := &row{"*", fn.Name(), "raw...", luacheck.ModeUnknown, w.note}
	m := &match{lib: w.lib, row: r, call: c, spread: c.Expr.Ellipsis.IsValid(), callee: fn.Name(),
		roles: map[string][]ast.Expr{"raw": c.Expr.Args[w.first:]}}
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		m.recv = sel.X
	}
	return m
}

// boundRaw turns a raw command whose words the function around it gets from one call, which env binds, into the match of what it does there; nil
// where that is not how it gets them.
func (a *packageRun) boundRaw(m *match, env *source.Env) (*match, *source.Env) {
	written := m.roles["raw"]
	if fn, _ := a.wordsParams(written); fn == nil || !m.spread {
		return nil, nil
	}
	var words []ast.Expr
	var at *source.Env
	for i, it := range newLister(a.x, m.call.Expr).args(written, true, env).items {
		if i == 0 && len(written) == 2 {
			it, _ = env.Lookup(a.unchangedParam(it.Expr))
		}
		if i == 0 {
			at = it.Env
		}
		if it.Expr == nil || it.Env != at {
			return nil, nil
		}
		words = append(words, it.Expr)
	}
	return a.rawMatch(m, words, false, at), at
}

// handsWords finds the functions that hand words on, directly and then through those that are known: each call is looked at once a round.
func (a *packageRun) handsWords() map[*source.Func]wordsOf {
	if a.handing != nil {
		return a.handing
	}
	a.handing = map[*source.Func]wordsOf{}
	var open []source.Call
	for _, c := range a.x.Calls {
		if !c.Expr.Ellipsis.IsValid() {
			continue
		}
		if fn, _ := a.restParam(c.Expr.Args[len(c.Expr.Args)-1]); fn != nil {
			open = append(open, c)
		}
	}
	for range maxPath {
		found := false
		for _, c := range open {
			m := a.clientWords(c)
			if m == nil {
				continue
			}
			fn, first := a.wordsParams(m.roles["raw"])
			if fn == nil || fn.Obj == nil {
				continue
			}
			if _, known := a.handing[fn]; !known {
				a.handing[fn] = wordsOf{first: first, lib: m.lib, note: m.row.note & sends}
				found = true
			}
		}
		if !found {
			break
		}
	}
	return a.handing
}

// clientWords matches a call that takes a command as words: a client's, or that of a function which is known to hand them on.
func (a *packageRun) clientWords(c source.Call) *match {
	fn, ok := c.Fn.(*types.Func)
	if !ok {
		return nil
	}
	if a.x.Func(fn) != nil {
		return a.ownRaw(fn, c)
	}
	l, r := a.table.row(fn)
	if r == nil || r.note&builder != 0 {
		return nil
	}
	roles := roleArgs(r, c.Expr.Args, hasContext(c.Expr.Fun, a.x.Info))
	if roles["raw"] == nil {
		return nil
	}
	return &match{lib: l, row: r, call: c, roles: roles}
}

// wordsParams returns the function whose last parameters are the words of a call: (args...) or (cmd, args...), with the index of the first one;
// nil where the words are something else, or are changed before.
func (a *packageRun) wordsParams(words []ast.Expr) (*source.Func, int) {
	n := len(words)
	if n == 0 || n > 2 {
		return nil, 0
	}
	fn, last := a.restParam(words[n-1])
	if fn == nil || n == 1 {
		return fn, last
	}
	owner, i := a.x.ParamOf(a.unchangedParam(words[0]))
	if owner != fn || i != last-1 {
		return nil, 0
	}
	return fn, i
}

// restParam returns the function whose variadic parameter of any type an expression is, with its index; nil for others.
func (a *packageRun) restParam(e ast.Expr) (*source.Func, int) {
	v := a.unchangedParam(e)
	if v == nil || !a.x.Variadic(v) || !isAnys(v.Type()) {
		return nil, 0
	}
	return a.x.ParamOf(v)
}

// unchangedParam is the parameter that a name stands for, where nothing is assigned to it; nil for any other expression.
func (a *packageRun) unchangedParam(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	if defs, elems, taken := a.x.Defs(v); len(defs)+len(elems) > 0 || taken {
		return nil
	}
	return v
}
