package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// fallsBack reports whether somebody deals with the NOSCRIPT answer of a call by digest: the client, the function around the call, one that
// it calls, or one that calls it. When in doubt somebody does.
func (a *packageRun) fallsBack(m *match, path []step, pipelined bool) bool {
	switch {
	case m.row.note&falls != 0 && !(pipelined && m.lib.flattens):
		return true
	case m.wrapper != nil && m.wrapper.Site.Fallback:
		return true
	case a.handlesNoScript(path):
		return true
	case m.row.mode != sha && m.row.mode != shaRO && m.row.note&falls == 0:
		return false // it sends the text
	}
	for _, s := range path {
		fn := enclosingDecl(s.call.Cur)
		if fn != nil && (a.repeats(fn, s.call.Cur) || a.loadsBefore(fn, s.call.Expr, pipelined)) {
			return true
		}
	}
	return false
}

// handlesNoScript reports whether a function on the path looks for NOSCRIPT, itself or through a function that it calls, or one of its
// callers does.
func (a *packageRun) handlesNoScript(path []step) bool {
	for _, s := range path {
		if a.looksForNoScript(enclosingDecl(s.call.Cur)) {
			return true
		}
	}
	return a.callersLook(path[len(path)-1].call.Cur, 2)
}

func (a *packageRun) callersLook(cur inspector.Cursor, levels int) bool {
	fn := a.x.Enclosing(cur)
	if fn == nil || levels == 0 {
		return false
	}
	key := looking{fn, levels}
	look, known := a.look[key]
	if !known {
		callers := a.callersOf(fn)
		look = len(callers) > maxLooked || slices.ContainsFunc(callers, func(c source.Call) bool {
			return a.looksForNoScript(enclosingDecl(c.Cur)) || a.callersLook(c.Cur, levels-1)
		})
		a.look[key] = look
	}
	return look
}

// maxLooked bounds the callers of one function that are looked at; beyond, somebody is taken to look for NOSCRIPT.
const maxLooked = 500

// looking asks whether the callers of a function look for NOSCRIPT, up to some levels of calls.
type looking struct {
	fn     *source.Func
	levels int
}

func (a *packageRun) looksForNoScript(fn ast.Node) bool {
	if fn == nil {
		return false
	}
	h := a.errorsIn(fn)
	if h.looked {
		return h.looks
	}
	found := h.noScript
	ast.Inspect(fn, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && !found {
			if f := a.x.Func(a.x.Callee(c)); f != nil && f.Body != nil {
				found = a.errorsIn(f.Body).noScript
			}
		}
		return !found
	})
	h.looked, h.looks = true, found
	return found
}

// repeats reports whether the function loads or runs a script behind the call: where it looks at the error, or on the next turn of a loop.
func (a *packageRun) repeats(fn ast.Node, call inspector.Cursor) bool {
	for c := range call.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if a.runsText(c.Node(), call.Node(), true) {
			return true
		}
	}
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil || found || n.End() <= call.Node().Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			found = n.Body.Pos() > call.Node().Pos() && a.testsError(n.Cond) && (a.runsText(n.Body, nil, true) ||
				n.Else != nil && a.runsText(n.Else, nil, true) || isNilTest(n.Cond) && leavesFunc(n.Body) && a.runsBehind(fn, n.End()))
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					found = found || n.Pos() > call.Node().Pos() && a.testsError(e) && a.runsText(n.Body, nil, true)
				}
			}
		}
		return !found
	})
	return found
}

func leavesFunc(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}

// isNilTest reports whether a condition is `err == nil`.
func isNilTest(cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == token.EQL
}

// runsBehind reports whether a function sends a script's text behind a place.
func (a *packageRun) runsBehind(fn ast.Node, pos token.Pos) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Pos() > pos && a.sendsText(c) {
			found = true
		}
		return !found
	})
	return found
}

// loadsBefore reports whether the function, or one that it calls, asks in front of the call whether the server has the script, or, for a call
// on a pipeline, loads it there: no answer can be looked at later.
func (a *packageRun) loadsBefore(fn ast.Node, call *ast.CallExpr, pipelined bool) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found || c.Pos() >= call.Pos() {
			return !found
		}
		found = a.prepares(c, pipelined)
		if f := a.x.Func(a.x.Callee(c)); f != nil && f.Body != nil && !found {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				inner, ok := n.(*ast.CallExpr)
				found = found || ok && a.prepares(inner, pipelined)
				return !found
			})
		}
		return !found
	})
	return found
}

func (a *packageRun) prepares(c *ast.CallExpr, pipelined bool) bool {
	return a.asksForScript(c) || pipelined && a.loadsText(c)
}

// asksForScript: SCRIPT EXISTS, as the clients call it.
func (a *packageRun) asksForScript(c *ast.CallExpr) bool {
	fn, ok := a.x.Callee(c).(*types.Func)
	return ok && (fn.Name() == "ScriptExists" || fn.Name() == "Exists" && receiverName(fn) == "Script")
}

// sendsText reports whether a call sends a script's text: EVAL, SCRIPT LOAD, or a script object that falls back.
func (a *packageRun) sendsText(c *ast.CallExpr) bool {
	m := a.match(c)
	if m != nil {
		m = a.unpackRaw(m, nil)
	}
	if m == nil {
		return false
	}
	switch m.row.mode {
	case luacheck.ModeEval, luacheck.ModeEvalRO, luacheck.ModeLoad:
		return true
	}
	return false
}

func (a *packageRun) loadsText(c *ast.CallExpr) bool {
	m := a.match(c)
	if m != nil {
		m = a.unpackRaw(m, nil)
	}
	return m != nil && m.row.mode == luacheck.ModeLoad
}

// runsText reports whether a piece of code sends a script's text in another call than one, itself or (follow) in a function that it calls.
func (a *packageRun) runsText(n, but ast.Node, follow bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found || n == but {
			return !found
		}
		if found = a.sendsText(c); !found && follow {
			if f := a.x.Func(a.x.Callee(c)); f != nil && f.Body != nil {
				found = a.runsText(f.Body, nil, false)
			}
		}
		return !found
	})
	return found
}

// testsError reports whether a condition looks at an error.
func (a *packageRun) testsError(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := a.x.Info.ObjectOf(id); obj != nil && obj.Type() != nil && isError(obj.Type()) {
				found = true
			}
		}
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			if t := a.x.Info.TypeOf(b.X); t != nil && isError(t) {
				found = true
			}
		}
		return !found
	})
	return found
}
