package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// decoders are the methods and functions of clients that decode a reply.
var decoders = map[string]luacheck.Decode{
	// go-redis
	"Result": luacheck.DecodeAny, "Val": luacheck.DecodeAny, "Err": luacheck.DecodeNone, "Int": luacheck.DecodeInt, "Int64": luacheck.DecodeInt,
	"Uint64": luacheck.DecodeInt, "Float32": luacheck.DecodeFloat, "Float64": luacheck.DecodeFloat, "Bool": luacheck.DecodeBool,
	"Text": luacheck.DecodeText, "Slice": luacheck.DecodeSlice, "StringSlice": luacheck.DecodeTextSlice, "Int64Slice": luacheck.DecodeIntSlice,
	"Uint64Slice": luacheck.DecodeIntSlice, "Float32Slice": luacheck.DecodeFloatSlice, "Float64Slice": luacheck.DecodeFloatSlice,
	"BoolSlice": luacheck.DecodeBoolSlice,
	// redigo
	"String": luacheck.DecodeText, "Bytes": luacheck.DecodeText, "Values": luacheck.DecodeSlice, "Strings": luacheck.DecodeTextSlice,
	"Ints": luacheck.DecodeIntSlice, "Int64s": luacheck.DecodeIntSlice, "Float64s": luacheck.DecodeFloatSlice,
	"ByteSlices": luacheck.DecodeTextSlice, "StringMap": luacheck.DecodeTextSlice, "IntMap": luacheck.DecodeSlice, "Int64Map": luacheck.DecodeSlice,
	// rueidis, valkey-go
	"Error": luacheck.DecodeNone, "NonRedisError": luacheck.DecodeNone, "ToString": luacheck.DecodeText, "AsBytes": luacheck.DecodeText,
	"AsReader": luacheck.DecodeText, "ToInt64": luacheck.DecodeInt, "AsInt64": luacheck.DecodeInt, "AsUint64": luacheck.DecodeInt,
	"ToBool": luacheck.DecodeBool, "AsBool": luacheck.DecodeBool, "ToFloat64": luacheck.DecodeFloat, "AsFloat64": luacheck.DecodeFloat,
	"ToArray": luacheck.DecodeSlice, "AsStrSlice": luacheck.DecodeTextSlice, "AsIntSlice": luacheck.DecodeIntSlice,
	"AsFloatSlice": luacheck.DecodeFloatSlice, "AsBoolSlice": luacheck.DecodeBoolSlice, "ToAny": luacheck.DecodeAny, "ToMessage": luacheck.DecodeAny,
}

// use says what the calls on a path do with the reply: the innermost one that decodes it, and who looks at the error.
func (a *packageRun) use(path []step) (luacheck.Use, span) {
	var u luacheck.Use
	var at span
	for _, s := range path {
		w := &watcher{a: a, use: &u, at: &at}
		if s.call.Cur.Node() == nil {
			break
		}
		returned := w.follow(s.call.Cur, 0)
		a.handling(&u, s.call.Cur, w.errVar, returned)
		u.Returned = returned || w.errVar != nil && a.returns(s.call.Cur, w.errVar)
		if !returned {
			break
		}
	}
	return u, at
}

// watcher follows one result to what is done with it.
type watcher struct {
	a      *packageRun
	use    *luacheck.Use
	at     *span
	errVar types.Object
}

// follow looks at the parents of an expression. It reports whether the value goes to the function's caller.
func (w *watcher) follow(cur inspector.Cursor, depth int) (returned bool) {
	if depth > 24 {
		return false
	}
	parent := cur.Parent()
	switch p := parent.Node().(type) {
	case *ast.ParenExpr:
		return w.follow(parent, depth+1)
	case *ast.SelectorExpr:
		if call := parent.Parent(); isCallOf(call, p) {
			w.decode(p.Sel.Name, call.Node())
			return w.follow(call, depth+1)
		}
	case *ast.CallExpr:
		if p.Fun != cur.Node() {
			return w.argument(p, parent, depth)
		}
	case *ast.AssignStmt:
		w.assigned(p.Lhs, p.Rhs, cur, depth)
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(p.Names))
		for i, n := range p.Names {
			lhs[i] = n
		}
		w.assigned(lhs, p.Values, cur, depth)
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		if w.use.Decode == luacheck.DecodeUnknown {
			w.use.Decode = luacheck.DecodeNone
		}
		w.use.NilHandled = true
	}
	return false
}

func isCallOf(c inspector.Cursor, fun ast.Expr) bool {
	call, ok := c.Node().(*ast.CallExpr)
	return ok && call.Fun == fun
}

// decode notes a decoding method. One that decodes to something else than any wins over Result.
func (w *watcher) decode(name string, at ast.Node) {
	d, ok := decoders[name]
	if !ok {
		return
	}
	if w.use.Method == "" || w.use.Decode == luacheck.DecodeAny {
		w.use.Decode, w.use.Method = d, name
		*w.at = spanOf(at)
	}
}

// argument follows a result that is handed to a function: a decoder of the client, or a client that runs a built command.
func (w *watcher) argument(call *ast.CallExpr, cur inspector.Cursor, depth int) bool {
	fn, ok := w.a.x.Callee(call).(*types.Func)
	if !ok {
		return false
	}
	if w.a.table.library(fn.Pkg()) == nil {
		return false
	}
	if receiverName(fn) == "" {
		w.decode(fn.Name(), call)
	}
	return w.follow(cur, depth+1)
}

// assigned looks at the variables that hold the result.
func (w *watcher) assigned(lhs, rhs []ast.Expr, cur inspector.Cursor, depth int) {
	if len(rhs) != 1 || rhs[0] != cur.Node() {
		for i, r := range rhs {
			if r == cur.Node() && i < len(lhs) {
				w.variable(lhs[i], cur)
			}
		}
		return
	}
	for _, l := range lhs {
		w.variable(l, cur)
	}
}

func (w *watcher) variable(l ast.Expr, cur inspector.Cursor) {
	id, ok := l.(*ast.Ident)
	if !ok {
		return
	}
	info := w.a.x.Info
	if id.Name == "_" {
		if tv := info.TypeOf(cur.Node().(ast.Expr)); tv != nil && lastIsError(tv) && isLast(id, cur) {
			w.use.NilHandled = true
		}
		return
	}
	obj := info.ObjectOf(id)
	if obj == nil {
		return
	}
	if isError(obj.Type()) {
		w.errVar = obj
		return
	}
	fn := enclosingDecl(cur)
	if fn == nil {
		return
	}
	// What is called on the variable, or asserted of it, in the rest of the function.
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && isUse(info, sel.X, obj) {
				w.decode(sel.Sel.Name, n)
			}
		case *ast.TypeAssertExpr:
			if n.Type != nil && isUse(info, n.X, obj) {
				w.asserted(info.TypeOf(n.Type), n)
			}
		}
		return true
	})
}

func (w *watcher) asserted(t types.Type, at ast.Node) {
	if t == nil || w.use.Decode != luacheck.DecodeAny && w.use.Decode != luacheck.DecodeUnknown {
		return
	}
	switch argType(t) {
	case luacheck.TypeInt:
		w.use.Decode = luacheck.DecodeInt
	case luacheck.TypeString:
		w.use.Decode = luacheck.DecodeText
	case luacheck.TypeSlice:
		w.use.Decode = luacheck.DecodeSlice
	default:
		return
	}
	w.use.Method = "." + "(" + types.TypeString(t, types.RelativeTo(w.a.x.Types)) + ")"
	*w.at = spanOf(at)
}

func isUse(info *types.Info, e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && info.ObjectOf(id) == obj
}

func isError(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == nil && n.Obj().Name() == "error"
}

func lastIsError(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		return isError(tuple.At(tuple.Len() - 1).Type())
	}
	return isError(t)
}

func isLast(id *ast.Ident, cur inspector.Cursor) bool {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	return ok && assign.Lhs[len(assign.Lhs)-1] == ast.Expr(id)
}

// enclosingDecl is the function declaration around a node, else the outermost function literal.
func enclosingDecl(cur inspector.Cursor) ast.Node {
	var outer ast.Node
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		outer = c.Node()
	}
	return outer
}

// handling looks for what the function around a call does with errors: redis.Nil, and texts that it compares with. Where the error goes on
// to the callers, those of this package are looked at too.
func (a *packageRun) handling(u *luacheck.Use, cur inspector.Cursor, errVar types.Object, returned bool) {
	fn := enclosingDecl(cur)
	if fn == nil {
		return
	}
	h := a.errorsIn(fn)
	u.NilHandled = u.NilHandled || h.nilSeen
	for _, t := range h.texts {
		if errVar == nil || t.of == nil || t.of == errVar {
			u.ErrTexts = appendNew(u.ErrTexts, t.text)
		}
	}
	decl, ok := fn.(*ast.FuncDecl)
	if !ok {
		return
	}
	f := a.x.Func(a.x.Info.Defs[decl.Name])
	if f == nil {
		return
	}
	u.NilHandled = u.NilHandled || a.callersSeeNil(f)
}

// returns reports whether the function around a call returns an error variable, as it is or wrapped.
func (a *packageRun) returns(cur inspector.Cursor, err types.Object) bool {
	fn := enclosingDecl(cur)
	if fn == nil {
		return false
	}
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok || found {
			return !found
		}
		bare := len(r.Results) == 0 && a.isResult(fn, err)
		found = bare || slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return a.mentions(e, err) })
		return !found
	})
	return found
}

// isResult reports whether a variable is a named result of a function.
func (a *packageRun) isResult(fn ast.Node, v types.Object) bool {
	d, ok := fn.(*ast.FuncDecl)
	if !ok || d.Type.Results == nil {
		return false
	}
	return encloses(d.Type.Results, v.Pos())
}

func (a *packageRun) mentions(e ast.Expr, v types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && a.x.Info.ObjectOf(id) == v
		return !found
	})
	return found
}

// callersSeeNil reports whether a caller of a function looks for redis.Nil.
func (a *packageRun) callersSeeNil(f *source.Func) bool {
	seen, known := a.nilCallers[f]
	if !known {
		seen = slices.ContainsFunc(f.Callers, func(c source.Call) bool {
			outer := enclosingDecl(c.Cur)
			return outer != nil && a.errorsIn(outer).nilSeen
		})
		a.nilCallers[f] = seen
	}
	return seen
}

func appendNew(all []string, s string) []string {
	if contains(all, s) {
		return all
	}
	return append(all, s)
}

// errorUse is what a function does with errors.
type errorUse struct {
	nilSeen  bool
	noScript bool // it looks for NOSCRIPT
	looked   bool // looks is known: it, or a function that it calls, looks for NOSCRIPT
	looks    bool
	texts    []errorText
}

type errorText struct {
	text string
	of   types.Object // the error variable
}

func (a *packageRun) errorsIn(fn ast.Node) *errorUse {
	if h := a.errorUses[fn]; h != nil {
		return h
	}
	h := &errorUse{}
	a.errorUses[fn] = h
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			h.name(n.Name, a.x.Info.ObjectOf(n), a.table)
		case *ast.BasicLit:
			h.noScript = h.noScript || n.Kind == token.STRING && strings.Contains(n.Value, "NOSCRIPT")
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				a.errorText(h, n.X, n.Y)
				a.errorText(h, n.Y, n.X)
			}
		case *ast.SwitchStmt:
			a.errorSwitch(h, n)
		case *ast.CallExpr:
			a.errorCall(h, n)
		}
		return true
	})
	return h
}

func (h *errorUse) name(name string, obj types.Object, t *table) {
	if obj == nil || obj.Pkg() == nil {
		return
	}
	lower := strings.ToLower(name)
	switch {
	case name == "Nil" || name == "ErrNil" || name == "IsRedisNil" || name == "IsValkeyNil" || strings.HasSuffix(lower, "isnil") ||
		strings.HasSuffix(lower, "redisnil") || strings.HasSuffix(lower, "errnil"):
		h.nilSeen = true
	case strings.Contains(lower, "noscript"):
		h.noScript = true
	}
}

// errorText notes err.Error() == "text".
func (a *packageRun) errorText(h *errorUse, e, with ast.Expr) {
	of, ok := a.errorOf(e)
	if !ok {
		return
	}
	if s, ok := a.constText(with, nil); ok {
		h.texts = append(h.texts, errorText{s, of})
	}
}

// errorOf returns the variable of err.Error().
func (a *packageRun) errorOf(e ast.Expr) (types.Object, bool) {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(c.Args) != 0 {
		return nil, false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Error" {
		return nil, false
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
		return a.x.Info.ObjectOf(id), true
	}
	return nil, true
}

func (a *packageRun) errorSwitch(h *errorUse, n *ast.SwitchStmt) {
	if n.Tag == nil {
		return
	}
	for _, s := range n.Body.List {
		if c, ok := s.(*ast.CaseClause); ok {
			for _, e := range c.List {
				a.errorText(h, n.Tag, e)
			}
		}
	}
}

// errorCall notes strings.Contains(err.Error(), "text") and redis.HasErrorPrefix(err, "text").
func (a *packageRun) errorCall(h *errorUse, c *ast.CallExpr) {
	fn, ok := a.x.Callee(c).(*types.Func)
	if !ok || fn.Pkg() == nil || len(c.Args) != 2 {
		return
	}
	switch {
	case fn.Pkg().Path() == "strings":
		switch fn.Name() {
		case "Contains", "HasPrefix", "HasSuffix", "EqualFold":
			a.errorText(h, c.Args[0], c.Args[1])
		}
	case fn.Name() == "HasErrorPrefix":
		if s, ok := a.constText(c.Args[1], nil); ok {
			var of types.Object
			if id, ok := ast.Unparen(c.Args[0]).(*ast.Ident); ok {
				of = a.x.Info.ObjectOf(id)
			}
			h.texts = append(h.texts, errorText{s, of})
		}
	}
}
