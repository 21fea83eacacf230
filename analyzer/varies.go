package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/redislint/redislint/analyzer/source"
)

// varies names what is put into a text at run time, "" where it is constant. What a package-level variable is made of when the program
// starts makes one text. unsafe: one of them may hold a quote.
func (a *packageRun) varies(t *source.Text) (what string, unsafe bool) {
	var names []string
	for _, h := range t.Holes() {
		if h.Front || h.Expr != nil && (a.atStart(h.Expr) || a.isForeignVar(h.Expr)) {
			continue
		}
		name := h.Name
		if name == "" {
			name = "a value"
		}
		names = appendNew(names, name)
		unsafe = unsafe || h.Expr == nil || !a.isNumber(h.Expr)
	}
	return strings.Join(names, ", "), unsafe
}

// isForeignVar reports whether an expression is a package-level variable of another package: a setting, most of the time one value.
func (a *packageRun) isForeignVar(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := a.x.Info.ObjectOf(sel.Sel).(*types.Var)
	return ok && !v.IsField() && v.Pkg() != a.pass.Pkg
}

// atStart reports whether an expression stands outside of every function, or in functions alone that run once, when the program starts. It
// compares with the places of all functions: to look for the expression itself takes long in a file with a sum of thousands of texts.
func (a *packageRun) atStart(e ast.Expr) bool {
	pos := e.Pos()
	if !slices.ContainsFunc(a.pass.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos < f.FileEnd }) {
		return false
	}
	if a.functions == nil {
		a.functions = []ast.Node{}
		for cur := range a.x.Root.Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			if !runsOnce(cur) {
				a.functions = append(a.functions, cur.Node())
			}
		}
	}
	return !slices.ContainsFunc(a.functions, func(f ast.Node) bool { return f.Pos() <= pos && pos < f.End() })
}

// madeAtStart reports whether a text stands outside of every function, or is a package-level variable that gets its value there and no other.
func (a *packageRun) madeAtStart(e ast.Expr) bool {
	if e == nil {
		return false
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		v, ok := a.x.Info.ObjectOf(id).(*types.Var)
		if !ok || v.Parent() != a.pass.Pkg.Scope() {
			return false
		}
		defs, _, taken := a.x.Defs(v)
		return len(defs) == 1 && !taken && defs[0].Expr != nil && a.atStart(defs[0].Expr)
	}
	return a.atStart(e)
}

// isFieldValue reports whether a call is the value of a field: &Store{get: redis.NewScript(…)}, or s.get = redis.NewScript(…).
func (a *packageRun) isFieldValue(c *ast.CallExpr) bool {
	if c == nil {
		return false
	}
	cur, ok := a.x.At(c.Pos(), c.End())
	if !ok {
		return false
	}
	switch n := cur.Parent().Node().(type) {
	case *ast.KeyValueExpr:
		return true
	case *ast.AssignStmt:
		if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && len(n.Lhs) == 1 {
			v, ok := a.x.Info.ObjectOf(sel.Sel).(*types.Var)
			return ok && v.IsField()
		}
	}
	return false
}

// runsOnce reports whether a function runs as often as the code around it, or once: init, and a function literal that is called where it stands.
func runsOnce(fn inspector.Cursor) bool {
	switch n := fn.Node().(type) {
	case *ast.FuncDecl:
		return n.Recv == nil && n.Name.Name == "init"
	case *ast.FuncLit:
		return isCallOf(fn.Parent(), n)
	}
	return false
}

// buffers are the types that texts are written to, piece by piece.
var buffers = map[string]bool{"strings.Builder": true, "bytes.Buffer": true}

// written names what is put into a text that is not known because the function that runs it writes it to a buffer or joins it in a loop; ""
// where nothing says that it varies.
func (a *packageRun) written(h *source.Hole) (what string, unsafe bool) {
	if h == nil || h.Expr == nil || a.atStart(h.Expr) {
		return "", false
	}
	var id *ast.Ident
	switch e := ast.Unparen(h.Expr).(type) {
	case *ast.Ident:
		id = e
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && len(e.Args) == 0 && sel.Sel.Name == "String" {
			id, _ = ast.Unparen(sel.X).(*ast.Ident)
		}
	}
	if id == nil {
		return "", false
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Parent() == a.x.Types.Scope() {
		return "", false
	}
	cur, ok := a.x.At(id.Pos(), id.End())
	if !ok {
		return "", false
	}
	w := &writes{a: a, to: v}
	if fn := enclosingDecl(cur); fn != nil {
		ast.Inspect(fn, w.visit)
	}
	return strings.Join(w.names, ", "), w.unsafe
}

// maxNames bounds the names in a message.
const maxNames = 3

// writes collects what is put into one variable.
type writes struct {
	a      *packageRun
	to     *types.Var
	names  []string
	unsafe bool
}

func (w *writes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN && isUse(w.a.x.Info, n.Lhs[0], w.to) {
			w.put(n.Rhs[0])
		}
	case *ast.CallExpr:
		if !buffers[types.TypeString(w.to.Type(), nil)] {
			return true
		}
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && isUse(w.a.x.Info, sel.X, w.to) {
			w.all(n.Args)
			return true
		}
		for i, arg := range n.Args { // fmt.Fprintf(&b, format, v), t.Execute(&b, v)
			if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && isUse(w.a.x.Info, u.X, w.to) {
				w.all(n.Args[i+1:])
			}
		}
	}
	return true
}

func (w *writes) all(args []ast.Expr) {
	for _, e := range args {
		w.put(e)
	}
}

// put looks at the variables of an expression that is no constant.
func (w *writes) put(e ast.Expr) {
	if w.a.x.Const(e, nil) != nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if v, ok := w.a.x.Info.ObjectOf(n.Sel).(*types.Var); ok && w.a.x.Info.Types[n].Value == nil {
				w.note(v, n)
			}
			return false
		case *ast.Ident:
			if v, ok := w.a.x.Info.ObjectOf(n).(*types.Var); ok && v.Parent() != w.a.x.Types.Scope() && v != w.to {
				w.note(v, n)
			}
		}
		return true
	})
}

func (w *writes) note(v *types.Var, e ast.Expr) {
	if w.a.alwaysConst(v) {
		return
	}
	if len(w.names) < maxNames {
		w.names = appendNew(w.names, types.ExprString(e))
	}
	w.unsafe = w.unsafe || !w.a.isNumber(e)
}

// alwaysConst reports whether a variable is the parameter of a closure that is only ever given constants.
func (a *packageRun) alwaysConst(v *types.Var) bool {
	fn, i := a.x.ParamOf(v)
	if fn == nil || i < 0 || len(fn.Callers) == 0 {
		return false
	}
	if _, closure := fn.Obj.(*types.Var); !closure {
		return false
	}
	for _, c := range fn.Callers {
		if i >= len(c.Expr.Args) || a.x.Const(c.Expr.Args[i], nil) == nil {
			return false
		}
	}
	return true
}

func (a *packageRun) isNumber(e ast.Expr) bool {
	t := a.x.Info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 && !hasMethod(t, "String", "Error", "Format")
}
