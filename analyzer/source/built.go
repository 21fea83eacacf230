package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode/utf8"
)

// Texts that statements put together, one after another: a strings.Builder or bytes.Buffer that is written to, a variable that += grows. Only
// what stands in the block that declares the variable is followed: what loops and conditions add is not known.

// built is the text of a buffer where buf.String() is called; nil where it is not known.
func (e *evaluator) built(buf ast.Expr, at ast.Node, b Bound) []*Text {
	v, stmts := e.statements(buf, at)
	if v == nil {
		return nil
	}
	t, ok := e.fresh(v, b)
	if !ok {
		return nil
	}
	for _, s := range stmts {
		if encloses(s, at.Pos()) {
			if e.mentions(s, v) > 1 {
				return nil
			}
			return []*Text{t}
		}
		if e.mentions(s, v) == 0 {
			continue
		}
		piece, ok := e.write(s, v, b)
		if !ok {
			return nil
		}
		if piece == nil { // Reset
			t = &Text{}
			continue
		}
		t = concat(t, piece)
	}
	return nil
}

// fresh is the text of a buffer where it is declared.
func (e *evaluator) fresh(v *types.Var, b Bound) (*Text, bool) {
	vr := e.x.vars[v]
	if vr == nil || len(vr.defs) != 1 {
		return nil, false
	}
	d := vr.defs[0]
	if d.Kind == Zero {
		return &Text{}, true
	}
	if lit := compositeOf(d.Expr); lit != nil {
		return &Text{}, len(lit.Elts) == 0
	}
	c, ok := d.Expr.(*ast.CallExpr)
	if !ok || d.Kind != Plain {
		return nil, false
	}
	if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "new" {
		return &Text{}, true
	}
	if fn, _ := e.x.Callee(c).(*types.Func); fn != nil && fn.Pkg() != nil && funcName(fn) == "bytes.NewBufferString" {
		return only(e.arg(c, 0, b))
	}
	return nil, false
}

// statements returns the local variable that an expression names and the statements behind its declaration in the same block, where the use
// stands in the same function.
func (e *evaluator) statements(name ast.Expr, use ast.Node) (*types.Var, []ast.Stmt) {
	id, ok := ast.Unparen(name).(*ast.Ident)
	if !ok {
		return nil, nil
	}
	v, ok := e.x.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Parent() == e.x.Types.Scope() || e.x.params[v].fn != nil {
		return nil, nil
	}
	decl, ok := e.x.Root.FindByPos(v.Pos(), v.Pos())
	used, ok2 := e.x.Root.FindByPos(use.Pos(), use.Pos())
	if !ok || !ok2 || funcAround(decl) != funcAround(used) {
		return nil, nil
	}
	block, ok := blockAround(decl).(*ast.BlockStmt)
	if !ok {
		return nil, nil
	}
	if jumps(block.List) {
		return nil, nil
	}
	for i, s := range block.List {
		if encloses(s, v.Pos()) {
			return v, block.List[i+1:]
		}
	}
	return nil, nil
}

// jumps reports whether a label stands among statements, so that some of them may be left out.
func jumps(list []ast.Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*ast.LabeledStmt); ok {
			return true
		}
	}
	return false
}

// mentions counts the uses of a variable in a statement.
func (e *evaluator) mentions(s ast.Node, v *types.Var) int {
	n := 0
	ast.Inspect(s, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && e.x.Info.Uses[id] == types.Object(v) {
			n++
		}
		return true
	})
	return n
}

// write is the text that a statement writes to a buffer, nil for one that empties it; ok is false where it does something else.
func (e *evaluator) write(s ast.Stmt, v *types.Var, b Bound) (piece *Text, ok bool) {
	c := callIn(s)
	if c == nil || e.mentions(s, v) != 1 {
		return nil, false
	}
	fn, _ := e.x.Callee(c).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return nil, false
	}
	switch name := strings.Replace(funcName(fn), "bytes.Buffer.", "strings.Builder.", 1); name {
	case "strings.Builder.Reset":
		return nil, true
	case "strings.Builder.Grow":
		return &Text{}, true
	case "strings.Builder.WriteString", "strings.Builder.Write":
		return only(e.arg(c, 0, b))
	case "strings.Builder.WriteByte", "strings.Builder.WriteRune":
		return e.character(c.Args[0], name == "strings.Builder.WriteByte", b)
	case "io.WriteString":
		return only(e.arg(c, 1, b))
	case "fmt.Fprintf":
		return only(e.sprintf(&ast.CallExpr{Fun: c.Fun, Lparen: c.Lparen, Args: c.Args[1:], Ellipsis: c.Ellipsis, Rparen: c.Rparen}, b))
	case "fmt.Fprintln", "fmt.Fprint":
		return e.printed(c, name == "fmt.Fprintln", b)
	case "text/template.Template.Execute":
		return e.executed(c, b)
	}
	return nil, false
}

// only is the one text of a list.
func only(texts []*Text) (*Text, bool) {
	if len(texts) != 1 {
		return nil, false
	}
	return texts[0], true
}

// callIn is the call that a statement consists of, also with its error tested in an if statement that does nothing else to the buffer.
func callIn(s ast.Stmt) *ast.CallExpr {
	switch n := s.(type) {
	case *ast.ExprStmt:
		c, _ := ast.Unparen(n.X).(*ast.CallExpr)
		return c
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 {
			c, _ := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			return c
		}
	case *ast.IfStmt:
		if n.Init != nil {
			return callIn(n.Init)
		}
	}
	return nil
}

func (e *evaluator) character(arg ast.Expr, isByte bool, b Bound) (*Text, bool) {
	v := e.x.constOf(arg, b.Env)
	if v == nil || v.Kind() != constant.Int {
		return nil, false
	}
	n := intOf(v)
	if isByte && n < 256 {
		return valueText(string([]byte{byte(n)}), arg), true
	}
	return valueText(string(rune(n)), arg), utf8.ValidRune(rune(n))
}

// printed is what fmt.Fprint and Fprintln write: blanks between the operands of the one, and between those of the other that are no text, which
// is not followed.
func (e *evaluator) printed(c *ast.CallExpr, line bool, b Bound) (*Text, bool) {
	if c.Ellipsis.IsValid() {
		return nil, false
	}
	t := &Text{}
	for i, arg := range c.Args[1:] {
		if !e.isString(arg) && !line && len(c.Args) > 2 {
			return nil, false
		}
		if i > 0 && line {
			t = concat(t, valueText(" ", arg))
		}
		t = concat(t, e.value(arg, b.Env, 'v'))
	}
	if line {
		t = concat(t, valueText("\n", c))
	}
	return t, true
}

// grown is the text of a local variable that += adds to; nil where that is not how it gets its text.
func (e *evaluator) grown(id *ast.Ident, b Bound) []*Text {
	v, ok := e.x.Info.ObjectOf(id).(*types.Var)
	if !ok || e.x.vars[v] == nil || e.x.vars[v].taken || !e.adds(v) {
		return nil
	}
	var t *Text
	var stmts []ast.Stmt
	inBlock := 0
	if fn := e.x.params[v].fn; fn != nil {
		to, bound := b.Env.Lookup(v)
		if !bound || fn.Body == nil || jumps(fn.Body.List) {
			return nil
		}
		t, ok = only(e.eval(to))
		stmts = fn.Body.List
	} else if v, stmts = e.statements(id, id); v == nil {
		return nil
	}
	for _, d := range e.x.vars[v].defs {
		at := d.Cur.Node()
		if encloses(at, v.Pos()) { // the declaration
			t = &Text{}
			if d.Kind == Plain {
				t, ok = only(e.eval(Bound{Expr: d.Expr, Env: b.Env, Index: d.Index}))
			}
			inBlock++
			continue
		}
		for _, s := range stmts {
			if ast.Node(s) == at {
				inBlock++
			}
		}
	}
	if t == nil || !ok || inBlock != len(e.x.vars[v].defs) {
		return nil
	}
	for _, s := range stmts {
		if s.End() > id.Pos() {
			break
		}
		as, isAssign := s.(*ast.AssignStmt)
		if !isAssign || len(as.Lhs) != 1 || len(as.Rhs) != 1 || e.x.object(as.Lhs[0]) != types.Object(v) {
			continue
		}
		more, known := only(e.eval(Bound{Expr: as.Rhs[0], Env: b.Env, Index: -1}))
		if !known {
			return nil
		}
		if as.Tok == token.ADD_ASSIGN {
			more = concat(t, more)
		}
		t = more
	}
	return []*Text{t}
}

// adds reports whether some statement adds to a variable.
func (e *evaluator) adds(v *types.Var) bool {
	for _, d := range e.x.vars[v].defs {
		if as, ok := d.Cur.Node().(*ast.AssignStmt); ok && as.Tok == token.ADD_ASSIGN {
			return true
		}
	}
	return false
}
