package analyzer

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// match is a call that a row of the API table describes.
type match struct {
	lib   *library
	row   *row
	call  source.Call
	roles map[string][]ast.Expr
	// spread: the last role is a slice with "...".
	spread bool
	callee string // as written: "Run", `Do("EVAL")`
	// words: a raw command, whose keys and arguments are one list behind the count.
	words bool
	// open: the end of the words behind the count is not known here. They are those of openOf, spread, from openFrom on.
	open     bool
	openOf   []ast.Expr
	openFrom int
	// steps: so many calls of the chain behind a command builder hold words of the command, up to its count of keys.
	steps int
	// wrapper: the call is one of a wrapper of another package.
	wrapper *WrapperSite
	// recv is the receiver of a method; nil for a function.
	recv ast.Expr
}

// script is the expression that says which script is run: an object, a text or a digest; nil for none.
func (m *match) script() ast.Expr {
	for _, role := range []string{"script", "text", "sha"} {
		if e := first(m.roles[role]); e != nil {
			return e
		}
	}
	return m.recv
}

// ownLibrary is what calls are listed under that match by their shape.
var ownLibrary = library{name: "own client"}

// named is the function that a qualified name means.
func (a *packageRun) named(sel *ast.SelectorExpr) (*types.Func, bool) {
	if sel == nil {
		return nil, false
	}
	fn, ok := a.x.Info.ObjectOf(sel.Sel).(*types.Func)
	return fn, ok
}

// ownLibrary is the library of a method that matches by its shape: the one whose replies it returns (an own interface for what a client does),
// else one of which nothing is known.
func (a *packageRun) ownLibrary(fn *types.Func) *library {
	results := fn.Type().(*types.Signature).Results()
	if results.Len() == 0 {
		return &ownLibrary
	}
	if l := a.libraryOf(results.At(0).Type()); l != nil {
		return l
	}
	return &ownLibrary
}

// libraryOf is the client library that declares a type or what it points to; nil for none.
func (a *packageRun) libraryOf(t types.Type) *library {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return a.table.library(n.Obj().Pkg())
	}
	return nil
}

// match finds the row of a call; nil where there is none.
func (a *packageRun) match(c *ast.CallExpr) *match {
	return a.matchCall(source.Call{Expr: c, Fn: a.x.Callee(c)})
}

func (a *packageRun) matchCall(c source.Call) *match {
	if v, ok := c.Fn.(*types.Var); ok {
		return a.matchValue(c, v)
	}
	fn, ok := c.Fn.(*types.Func)
	if !ok {
		return nil
	}
	if a.x.Func(fn) != nil {
		return a.ownRaw(fn, c) // of this package: what it hands to a client counts
	}
	l, r := a.table.row(fn)
	if r == nil && a.wrapper(fn) == nil {
		l, r = a.shapeOf(fn, c)
	}
	if r == nil {
		return nil
	}
	m := &match{lib: l, row: r, call: c, spread: c.Expr.Ellipsis.IsValid(), callee: calleeName(r)}
	args := c.Expr.Args
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		m.recv = sel.X
		if s := a.x.Info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr && len(args) > 0 { // (*redis.Script).Run(script, …)
			m.recv, args = args[0], args[1:]
		}
	}
	m.roles = roleArgs(r, args, hasContext(c.Expr.Fun, a.x.Info))
	return m
}

// shapeOf finds the row that a method matches by its shape alone. Where its interface is implemented in this package by one that changes what it
// hands on, or that takes a script object, that one counts.
func (a *packageRun) shapeOf(fn *types.Func, c source.Call) (*library, *row) {
	d := a.decorationOf(fn)
	if r := shape(fn); r != nil {
		if d.changed || d.reshaped {
			return nil, nil
		}
		return a.ownLibrary(fn), r
	}
	if r := rawShape(fn, c.Expr, a.x.Info); r != nil {
		return a.ownLibrary(fn), r
	}
	if l, r := a.table.objectShape(fn); r != nil && !d.implemented {
		return l, r
	}
	return nil, nil
}

// matchValue finds the row of a call of a variable that holds a method of a client, run := script.Run, or that has the shape of one: a function
// that takes a text, keys and arguments and returns a client's command.
func (a *packageRun) matchValue(c source.Call, v *types.Var) *match {
	if a.x.Func(v) != nil {
		return nil
	}
	if tos := a.x.Follow(source.At(c.Expr.Fun, nil), true); len(tos) == 1 {
		sel, ok := tos[0].Expr.(*ast.SelectorExpr)
		if fn, isFunc := a.named(sel); isFunc && fn.Signature().Recv() == nil {
			l, r := a.table.row(fn)
			if r == nil {
				return nil
			}
			return &match{lib: l, row: r, call: c, spread: c.Expr.Ellipsis.IsValid(), callee: calleeName(r),
				roles: roleArgs(r, c.Expr.Args, hasContext(c.Expr.Fun, a.x.Info))}
		}
		if s := a.x.Info.Selections[sel]; ok && s != nil && s.Kind() == types.MethodVal {
			fn, isFunc := s.Obj().(*types.Func)
			if !isFunc {
				return nil
			}
			l, r := a.table.row(fn.Origin())
			if r == nil {
				l, r = a.ownLibrary(fn), shape(fn)
			}
			if r == nil {
				return nil
			}
			return &match{lib: l, row: r, call: c, spread: c.Expr.Ellipsis.IsValid(), callee: calleeName(r), recv: sel.X,
				roles: roleArgs(r, c.Expr.Args, hasContext(c.Expr.Fun, a.x.Info))}
		}
	}
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 {
		return nil
	}
	l := a.libraryOf(sig.Results().At(0).Type())
	params := withoutContext(sig.Params())
	if l == nil || len(params) != 3 || !isBasicString(params[0]) || !isStrings(params[1]) || !isAnys(params[2]) || !sig.Variadic() {
		return nil
	}
	r := &row{"", v.Name(), "text keys args...", eval, 0}
	return &match{lib: l, row: r, call: c, spread: c.Expr.Ellipsis.IsValid(), callee: v.Name(), roles: roleArgs(r, c.Expr.Args, hasContext(c.Expr.Fun, a.x.Info))}
}

// calleeName is how people know a call: a step of a command builder is known by its command.
func calleeName(r *row) string {
	if r.note&builder != 0 && r.recv != "Builder" {
		return r.recv
	}
	return r.name
}

// commands are the raw commands that run, load or define scripts.
var commands = map[string]row{
	"EVAL":             {"", "EVAL", "text count vars...", eval, 0},
	"EVAL_RO":          {"", "EVAL_RO", "text count vars...", evalRO, 0},
	"EVALSHA":          {"", "EVALSHA", "sha count vars...", sha, 0},
	"EVALSHA_RO":       {"", "EVALSHA_RO", "sha count vars...", shaRO, 0},
	"FCALL":            {"", "FCALL", "function count vars...", fcall, 0},
	"FCALL_RO":         {"", "FCALL_RO", "function count vars...", fcallRO, 0},
	"SCRIPT LOAD":      {"", "SCRIPT LOAD", "text", load, returns},
	"FUNCTION LOAD":    {"", "FUNCTION LOAD", "text", lib, 0},
	"FUNCTION REPLACE": {"", "FUNCTION LOAD REPLACE", "text", lib, 0},
	"EVAL_READONLY":    {"", "EVAL_RO", "text count vars...", evalRO, 0},
}

// unpackRaw turns a raw command into the match of what it does; nil where it runs no script. Other matches are returned as they are.
func (a *packageRun) unpackRaw(m *match, env *source.Env) *match {
	words, raw := m.roles["raw"]
	if !raw {
		return m
	}
	spread := m.spread
	if !strings.Contains(m.row.roles, "raw...") && len(words) == 1 { // one slice
		lst := newLister(a.x, m.call.Expr).of(source.At(words[0], env))
		if !lst.exact {
			return nil
		}
		words, spread = nil, false
		for _, it := range lst.items {
			if it.Expr == nil || it.Env != env {
				return nil
			}
			words = append(words, it.Expr)
		}
	}
	if spread {
		if r := a.unpackSpread(m, words, env); r != nil || len(words) == 1 {
			return r
		}
	}
	if m.row.note&builder == 0 {
		return a.rawMatch(m, words, spread, env)
	}
	words, steps := a.chainWords(m, words, env)
	r := a.rawMatch(m, words, spread, env)
	if r != nil {
		r.steps = steps
	}
	return r
}

// unpackSpread looks into args... where the slice is written in this function: Do(words...), Do("EVAL", words...).
func (a *packageRun) unpackSpread(m *match, written []ast.Expr, env *source.Env) *match {
	lst := newLister(a.x, m.call.Expr).args(written, true, env)
	var words []ast.Expr
	for _, it := range lst.items {
		if it.Expr == nil || it.Env != env {
			break
		}
		words = append(words, it.Expr)
	}
	if len(words) < 3 {
		return nil
	}
	r := a.rawMatch(m, words, false, env)
	if r != nil && (!lst.exact || len(words) < len(lst.items)) {
		r.open, r.openOf, r.openFrom = true, written, len(words)-len(r.roles["vars"])
	}
	return r
}

func (a *packageRun) rawMatch(m *match, words []ast.Expr, spread bool, env *source.Env) *match {
	name, used := a.commandName(words, env)
	if name == "" {
		return nil
	}
	r, ok := commands[name]
	if !ok {
		return nil
	}
	roles := map[string][]ast.Expr{}
	rest := words[used:]
	for i, role := range strings.Fields(r.roles) {
		role, variadic := strings.CutSuffix(role, "...")
		switch {
		case variadic && i <= len(rest):
			roles[role] = rest[i:]
		case i < len(rest) && !(spread && i == len(rest)-1):
			roles[role] = rest[i : i+1]
		}
	}
	r.note |= m.row.note & (sends | builder)
	return &match{lib: m.lib, row: &r, call: m.call, recv: m.recv, roles: roles, spread: spread, words: true,
		callee: m.row.name + "(" + strconv.Quote(r.name) + ")"}
}

// commandName reads the command from the first words, and says how many words it takes.
func (a *packageRun) commandName(words []ast.Expr, env *source.Env) (string, int) {
	if len(words) == 0 {
		return "", 0
	}
	first, ok := a.constText(words[0], env)
	if !ok {
		return "", 0
	}
	name := strings.ToUpper(first)
	if name != "SCRIPT" && name != "FUNCTION" {
		return name, 1
	}
	if len(words) < 2 {
		return "", 0
	}
	second, _ := a.constText(words[1], env)
	name += " " + strings.ToUpper(second)
	if name == "FUNCTION LOAD" && len(words) > 2 {
		if third, _ := a.constText(words[2], env); strings.EqualFold(third, "REPLACE") {
			return "FUNCTION REPLACE", 3
		}
	}
	return name, 2
}

func (a *packageRun) constText(e ast.Expr, env *source.Env) (string, bool) {
	v := a.x.Const(e, env)
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// pipelineTypes are the static types of what queues commands.
var pipelineTypes = map[string]bool{"Pipeline": true, "Pipeliner": true, "ClusterBatch": true, "StandaloneBatch": true}

// client describes the connection that a call goes to.
func (a *packageRun) client(m *match, env *source.Env) (c luacheck.Client, pipelined bool) {
	var on ast.Expr
	switch {
	case len(m.roles["client"]) > 0:
		on = m.roles["client"][0]
	case m.row.note&object == 0:
		on = m.recv
	}
	if on == nil {
		return c, false
	}
	name := ""
	if t := a.x.Info.TypeOf(on); t != nil {
		name = typeName(t)
	}
	if name == "?" || !pipelineTypes[name] {
		for _, to := range a.x.Follow(source.At(on, env), true) {
			if to.Expr == nil {
				continue
			}
			if t := a.x.Info.TypeOf(to.Expr); t != nil && pipelineTypes[typeName(t)] {
				name = typeName(t)
			}
			c.Node, c.Each = a.isNode(to.Expr)
		}
	}
	c.Cluster = name == "ClusterClient"
	return c, pipelineTypes[name]
}

// isNode reports whether an expression is one node of a cluster, or each in turn.
func (a *packageRun) isNode(e ast.Expr) (node, each bool) {
	switch e := e.(type) {
	case *ast.CallExpr:
		fn, ok := a.x.Callee(e).(*types.Func)
		return ok && (fn.Name() == "MasterForKey" || fn.Name() == "SlaveForKey") && a.table.library(fn.Pkg()) != nil, false
	case *ast.Ident:
		each = a.inForEach(e)
		return each, each
	}
	return false, false
}

// inForEach reports whether a name is the client parameter of a function given to ForEachMaster, ForEachShard or ForEachSlave.
func (a *packageRun) inForEach(id *ast.Ident) bool {
	v := a.x.Info.ObjectOf(id)
	if fn, _ := a.x.ParamOf(v); fn == nil {
		return false
	}
	cur, ok := a.x.At(v.Pos(), v.Pos())
	if !ok {
		return false
	}
	for c := range cur.Enclosing((*ast.FuncLit)(nil)) {
		call, ok := c.Parent().Node().(*ast.CallExpr)
		if !ok {
			return false
		}
		fn, ok := a.x.Callee(call).(*types.Func)
		return ok && strings.HasPrefix(fn.Name(), "ForEach") && a.table.library(fn.Pkg()) != nil
	}
	return false
}
