package source

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Texts returns the texts that an expression may have, at least one; what is not known is a hole.
func (x *Index) Texts(b Bound) []*Text {
	e := &evaluator{x: x, seen: map[ast.Expr]int{}}
	return e.eval(b)
}

// Text returns the one text of an expression: a variable with several definitions is a hole.
func (x *Index) Text(b Bound) *Text {
	e := &evaluator{x: x, single: true, seen: map[ast.Expr]int{}}
	texts := e.eval(b)
	if len(texts) != 1 {
		return x.holeAt(b, "")
	}
	return texts[0]
}

// evaluator folds expressions to texts.
type evaluator struct {
	x      *Index
	single bool
	seen   map[ast.Expr]int
	steps  int
	// filling are the embedded variables whose changes are looked at.
	filling map[types.Object]bool
}

// maxTexts bounds the texts that one expression may give, and maxFiles those that are files of an embed.FS: a folder may hold many.
const (
	maxTexts = 64
	maxFiles = 10000
)

func (e *evaluator) eval(b Bound) []*Text {
	e.steps++
	if b.Expr == nil || e.steps > maxSteps || e.seen[b.Expr] > 2 {
		return []*Text{e.x.holeAt(b, "")}
	}
	e.seen[b.Expr]++
	defer func() { e.seen[b.Expr]-- }()
	b.Expr = ast.Unparen(b.Expr)
	switch n := b.Expr.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			return []*Text{e.x.literalText(n)}
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD && e.isString(n) {
			return e.join(b, n)
		}
	case *ast.Ident:
		if t := e.constant(n, n); t != nil {
			return t
		}
		if t := e.embedded(n); t != nil {
			return e.rewrittenFile(e.x.Info.ObjectOf(n), t)
		}
		if t := e.grown(n, b); t != nil {
			return t
		}
	case *ast.SelectorExpr:
		if t := e.constant(n.Sel, n); t != nil {
			return t
		}
		if t := cmp.Or(e.embedded(n.Sel), e.importedVar(n)); t != nil {
			return []*Text{t}
		}
	case *ast.CallExpr:
		if t := e.call(n, b); t != nil {
			return t
		}
	}
	if tv, ok := e.x.Info.Types[b.Expr]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
		return []*Text{valueText(constant.StringVal(tv.Value), b.Expr)}
	}
	return e.followed(b)
}

func (e *evaluator) isString(n ast.Expr) bool {
	t := e.x.Info.TypeOf(n)
	return t != nil && isText(t)
}

// join concatenates the operands of a sum, every text of one with every text of the next. The sum leans to the left, thousands of operands
// deep where a program writes it, so that neither calls nor copies may grow with each operand.
func (e *evaluator) join(b Bound, sum *ast.BinaryExpr) []*Text {
	var operands []ast.Expr // from the last to the first
	var left ast.Expr = sum
	for {
		n, ok := ast.Unparen(left).(*ast.BinaryExpr)
		if !ok || n.Op != token.ADD {
			break
		}
		operands, left = append(operands, n.Y), n.X
	}
	var all []*Text // their pieces are held by nobody else
	for _, t := range e.term(Bound{Expr: left, Env: b.Env, Index: -1}) {
		all = append(all, concat(t))
	}
	for _, operand := range slices.Backward(operands) {
		more := e.term(Bound{Expr: operand, Env: b.Env, Index: -1})
		if len(all) == 1 && len(more) == 1 {
			all[0].pieces = append(all[0].pieces, more[0].pieces...)
			continue
		}
		all = product(all, more)
	}
	return all
}

// term is eval, at no step for a literal.
func (e *evaluator) term(b Bound) []*Text {
	if lit, ok := ast.Unparen(b.Expr).(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return []*Text{e.x.literalText(lit)}
	}
	return e.eval(b)
}

// bound is how many texts an expression may give that gives these.
func bound(texts []*Text) int {
	for _, t := range texts {
		if t.file == "" {
			return maxTexts
		}
	}
	return maxFiles
}

// product joins each text with each other one. Where they are too many it is one that is not known.
func product(lefts, rights []*Text) []*Text {
	if n := len(lefts) * len(rights); n > maxTexts && (n > maxFiles || min(len(lefts), len(rights)) > 1) {
		at := lefts[0].Pos()
		return []*Text{holeText(&Hole{ID: "?", Why: "it may be one of many texts"}, at, at)}
	}
	var all []*Text
	for _, l := range lefts {
		for _, r := range rights {
			all = append(all, concat(l, r))
		}
	}
	return all
}

// constant folds a named constant: from its literals where it is of this package, else from its value.
func (e *evaluator) constant(id *ast.Ident, use ast.Expr) []*Text {
	c, ok := e.x.Info.ObjectOf(id).(*types.Const)
	if !ok || c.Val().Kind() != constant.String {
		return nil
	}
	if expr := e.x.consts[c]; expr != nil {
		texts := e.eval(Bound{Expr: expr, Index: -1})
		if len(texts) == 1 {
			if s, ok := texts[0].Constant(); ok && s == constant.StringVal(c.Val()) {
				return texts
			}
		}
	}
	return []*Text{valueText(constant.StringVal(c.Val()), use)}
}

func (x *Index) literalText(n *ast.BasicLit) *Text {
	text, org := x.decode(n)
	t := &Text{}
	if text == "" {
		t.pieces = []piece{{org: org}}
		return t
	}
	t.add(piece{text: text, org: org})
	return t
}

// followed evaluates what a variable, field, element or call is defined as.
func (e *evaluator) followed(b Bound) []*Text {
	var all []*Text
	var first []bool
	for _, to := range e.x.Follow(b, e.single) {
		if to.Expr == nil || to.Expr == b.Expr && to.Env == b.Env && to.Index == b.Index {
			all, first = append(all, e.x.holeAt(b, "")), append(first, false)
			continue
		}
		texts := e.eval(to)
		if most := bound(texts); len(all)+len(texts) > most {
			if len(all) == 0 {
				all, first = []*Text{e.x.holeAt(b, "")}, []bool{false}
			}
			break
		}
		all = append(all, texts...)
		for range texts {
			first = append(first, to.first)
		}
	}
	return dropEmpty(mayChange(all, first))
}

// mayChange marks the known texts among those of a variable that also gets one made of itself, of which nothing is known: for k, v := range m {
// text = strings.ReplaceAll(text, k, v) }. As they stand they may never be used.
func mayChange(all []*Text, first []bool) []*Text {
	if !slices.Contains(first, true) || !slices.ContainsFunc(all, func(t *Text) bool { return t.Unknown() != nil }) {
		return all
	}
	for i, t := range all {
		if first[i] && t.Unknown() == nil {
			changed := *t
			changed.Changed = true
			all[i] = &changed
		}
	}
	return all
}

// madeOfItself reports whether a definition gives a variable a value that is made of its own.
func (x *Index) madeOfItself(obj types.Object, d Def) bool {
	found := false
	if d.Kind == Plain && d.Expr != nil {
		ast.Inspect(d.Expr, func(n ast.Node) bool {
			use, ok := n.(*ast.Ident)
			found = found || ok && x.Info.Uses[use] == obj
			return !found
		})
	}
	return found
}

// rewritten reports whether one of the definitions gives a text variable a value that is made of its own.
func (x *Index) rewritten(obj types.Object, defs []Def) bool {
	return isText(obj.Type()) && slices.ContainsFunc(defs, func(d Def) bool { return x.madeOfItself(obj, d) })
}

// firstValues marks the values that a variable has in front of one that is made of it.
func firstValues(all []Bound) []Bound {
	all = slices.Clone(all)
	for i := range all {
		all[i].first = true
	}
	return all
}

// dropEmpty leaves out the empty text where there is another one: the zero value before a choice is made.
func dropEmpty(all []*Text) []*Text {
	var kept []*Text
	for _, t := range all {
		if !t.empty() {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return all[:min(1, len(all))]
	}
	return kept
}

// call folds a call: a conversion, a known function of the standard library, an embedded file, or a helper.
func (e *evaluator) call(c *ast.CallExpr, b Bound) []*Text {
	if tv, ok := e.x.Info.Types[c.Fun]; ok && tv.IsType() {
		if len(c.Args) == 1 && isText(tv.Type) && e.isString(c.Args[0]) {
			return e.eval(Bound{Expr: c.Args[0], Env: b.Env, Index: -1})
		}
		return nil
	}
	fn, _ := e.x.Callee(c).(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	if t := e.fold(funcName(fn), c, b); t != nil {
		return t
	}
	if fn.Pkg() != e.x.Types {
		if fact := e.x.Imported(fn); fact != nil {
			return e.fromFact(fact, c, b)
		}
	}
	return nil
}

// funcName is the name that folders are listed under: "strings.TrimSpace", "strings.Replacer.Replace".
func funcName(fn *types.Func) string {
	name := fn.Name()
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil {
		t := types.Unalias(sig.Recv().Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return fn.Pkg().Path() + "." + name
}

// holeAt is a text that is not known.
func (x *Index) holeAt(b Bound, why string) *Text {
	h := &Hole{Expr: b.Expr, Env: b.Env, Why: why}
	pos, end := token.NoPos, token.NoPos
	if b.Expr != nil {
		h.ID, h.Name = x.identity(b.Expr, b.Env), x.nameOf(x.passed(b).Expr)
		pos, end = b.Expr.Pos(), b.Expr.End()
		h.Param = x.unboundParam(b)
	}
	if h.ID == "" {
		h.ID = "?"
	}
	return holeText(h, pos, end)
}

// unboundParam returns the parameter that an expression is, where nothing binds it.
func (x *Index) unboundParam(b Bound) *types.Var {
	to := x.Follow(b, true)
	if len(to) != 1 || to[0].Expr == nil {
		return nil
	}
	return x.ParamIn(to[0])
}

// passed is what the outermost call passes for a parameter.
func (x *Index) passed(b Bound) Bound {
	for range maxDepth {
		id, ok := ast.Unparen(b.Expr).(*ast.Ident)
		if !ok {
			break
		}
		to, ok := b.Env.Lookup(x.Info.ObjectOf(id))
		if !ok || to.Expr == nil {
			break
		}
		b = to
	}
	return b
}

// nameOf is an expression as people know it: the variable's name, or the source of something short.
func (x *Index) nameOf(e ast.Expr) string {
	s := types.ExprString(e)
	if len(s) > 40 || strings.Contains(s, "\n") {
		return "an expression"
	}
	return s
}

// Value returns the text that a value has when it is sent: a string itself, a number in digits.
func (x *Index) Value(b Bound) *Text {
	if b.Made != nil {
		e := &evaluator{x: x, single: true, seen: map[ast.Expr]int{}}
		return e.fromFact(b.Made, b.Call, b)[0]
	}
	if b.Expr == nil {
		return x.holeAt(b, "")
	}
	e := &evaluator{x: x, single: true, seen: map[ast.Expr]int{}}
	if e.isString(b.Expr) {
		return x.Text(b)
	}
	if to := x.Follow(b, true); len(to) == 1 && to[0].Expr != nil && types.IsInterface(x.typeOf(b.Expr)) && e.isString(to[0].Expr) {
		return x.Text(to[0])
	}
	return e.value(b.Expr, b.Env, 'v')
}

func (x *Index) typeOf(e ast.Expr) types.Type {
	if t := x.Info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// Identity is equal for two expressions that have the same value at one call.
func (x *Index) Identity(b Bound) string { return x.identity(b.Expr, b.Env) }
