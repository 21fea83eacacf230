package source

import (
	"go/ast"
	"go/constant"
	"strings"
	"unicode"
)

// fold evaluates a call of a known function of the standard library; nil means that it cannot.
func (e *evaluator) fold(name string, c *ast.CallExpr, b Bound) []*Text {
	switch strings.Replace(name, "bytes.", "strings.", 1) {
	case "fmt.Sprintf":
		return e.sprintf(c, b)
	case "fmt.Sprint", "strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint":
		return e.sprint(c, b)
	case "strings.Join":
		return e.joinList(c, b)
	case "strings.Repeat":
		return e.repeat(c, b)
	case "strings.Replace", "strings.ReplaceAll":
		return e.replace(c, b)
	case "strings.Replacer.Replace":
		return e.replacer(c, b)
	case "strings.TrimSpace":
		return e.trim(c, b, unicode.IsSpace, true, true)
	case "strings.Trim":
		return e.trimSet(c, b, true, true)
	case "strings.TrimLeft":
		return e.trimSet(c, b, true, false)
	case "strings.TrimRight":
		return e.trimSet(c, b, false, true)
	case "strings.TrimPrefix":
		return e.cut(c, b, true)
	case "strings.TrimSuffix":
		return e.cut(c, b, false)
	case "strings.Clone":
		return e.arg(c, 0, b)
	case "strings.Builder.String", "strings.Buffer.String", "strings.Buffer.Bytes":
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			return e.built(sel.X, sel.X, b)
		}
	case "embed.FS.ReadFile":
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && len(c.Args) == 1 {
			return e.readFile(sel.X, c.Args[0], c, b)
		}
	case "io/fs.ReadFile":
		if len(c.Args) == 2 {
			return e.readFile(c.Args[0], c.Args[1], c, b)
		}
	}
	return nil
}

// arg evaluates the i-th argument.
func (e *evaluator) arg(c *ast.CallExpr, i int, b Bound) []*Text {
	if i >= len(c.Args) {
		return []*Text{e.x.holeAt(b, "")}
	}
	return e.eval(Bound{Expr: c.Args[i], Env: b.Env, Index: -1})
}

// constArg is the constant text of the i-th argument.
func (e *evaluator) constArg(c *ast.CallExpr, i int, b Bound) (string, bool) {
	if i >= len(c.Args) {
		return "", false
	}
	texts := e.arg(c, i, b)
	if len(texts) != 1 {
		return "", false
	}
	return texts[0].Constant()
}

// each applies a change to every text of the first argument.
func (e *evaluator) each(c *ast.CallExpr, b Bound, change func(*Text) *Text) []*Text {
	if len(c.Args) == 0 {
		return nil
	}
	var all []*Text
	for _, t := range e.arg(c, 0, b) {
		changed := change(t)
		if changed == nil {
			return nil
		}
		all = append(all, changed)
	}
	return all
}

// trim cuts the ends that fit. It stops at a hole, whose ends are not known.
func (e *evaluator) trim(c *ast.CallExpr, b Bound, fits func(rune) bool, left, right bool) []*Text {
	return e.each(c, b, func(t *Text) *Text {
		from, to := 0, len(t.String())
		if left {
			from = t.leading(fits)
		}
		if right && from < to {
			to -= t.trailing(fits)
		}
		return t.slice(from, max(from, to))
	})
}

func (e *evaluator) trimSet(c *ast.CallExpr, b Bound, left, right bool) []*Text {
	set, ok := e.constArg(c, 1, b)
	if !ok {
		return nil
	}
	return e.trim(c, b, func(r rune) bool { return strings.ContainsRune(set, r) }, left, right)
}

// leading counts the bytes at the start that fit.
func (t *Text) leading(fits func(rune) bool) int {
	n := 0
	for _, p := range t.pieces {
		if p.hole != nil {
			return n
		}
		rest := strings.TrimLeftFunc(p.text, fits)
		n += len(p.text) - len(rest)
		if rest != "" {
			return n
		}
	}
	return n
}

// trailing counts the bytes at the end that fit.
func (t *Text) trailing(fits func(rune) bool) int {
	n := 0
	for i := len(t.pieces) - 1; i >= 0; i-- {
		p := t.pieces[i]
		if p.hole != nil {
			return n
		}
		rest := strings.TrimRightFunc(p.text, fits)
		n += len(p.text) - len(rest)
		if rest != "" {
			return n
		}
	}
	return n
}

// cut removes a constant prefix or suffix.
func (e *evaluator) cut(c *ast.CallExpr, b Bound, prefix bool) []*Text {
	fix, ok := e.constArg(c, 1, b)
	if !ok {
		return nil
	}
	return e.each(c, b, func(t *Text) *Text {
		s := t.String()
		switch {
		case prefix && strings.HasPrefix(s, fix):
			return t.slice(len(fix), len(s))
		case !prefix && strings.HasSuffix(s, fix):
			return t.slice(0, len(s)-len(fix))
		}
		return t
	})
}

// replace replaces a constant by a text.
func (e *evaluator) replace(c *ast.CallExpr, b Bound) []*Text {
	old, ok := e.constArg(c, 1, b)
	if !ok || old == "" || len(c.Args) < 3 {
		return nil
	}
	limit := -1
	if len(c.Args) == 4 {
		n := e.x.constOf(c.Args[3], b.Env)
		if n == nil {
			return nil
		}
		limit = intOf(n)
	}
	news := e.arg(c, 2, b)
	if len(news) != 1 {
		return nil
	}
	return e.each(c, b, func(t *Text) *Text { return t.replaced(old, news[0], limit) })
}

func intOf(v constant.Value) int {
	n, _ := constant.Int64Val(constant.ToInt(v))
	return int(n)
}

// maxReplaced bounds the bytes that replacements may make a text grow by: a chain of them doubles it with each.
const maxReplaced = 1 << 16

// replaced replaces old, which may lie over pieces but not over holes. The result refuses edits: they would go through the replacement. It is
// nil where it would be too long.
func (t *Text) replaced(old string, new *Text, limit int) *Text {
	s := t.masked()
	if grows := len(new.String()) - len(old); grows > 0 && strings.Count(s, old) > maxReplaced/grows {
		return nil
	}
	result := &Text{}
	at := 0
	for limit != 0 {
		i := strings.Index(s[at:], old)
		if i < 0 {
			break
		}
		result.pieces = append(result.pieces, t.slice(at, at+i).pieces...)
		result.pieces = append(result.pieces, new.pieces...)
		at += i + len(old)
		limit--
	}
	if at == 0 {
		return t
	}
	result.pieces = append(result.pieces, t.slice(at, len(s)).pieces...)
	return result.frozenCopy()
}

// masked is the text with holes as bytes that no UTF-8 text holds.
func (t *Text) masked() string {
	var b strings.Builder
	for _, p := range t.pieces {
		if p.hole != nil {
			b.WriteString(strings.Repeat("\xff", len(p.text)))
			continue
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// replacer evaluates strings.NewReplacer(old, new …).Replace(text), one pair after another where no old text occurs in a new one.
func (e *evaluator) replacer(c *ast.CallExpr, b Bound) []*Text {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	made := e.x.Follow(Bound{Expr: sel.X, Env: b.Env, Index: -1}, true)
	if len(made) != 1 {
		return nil
	}
	cons, ok := made[0].Expr.(*ast.CallExpr)
	if !ok || len(cons.Args)%2 != 0 || cons.Ellipsis.IsValid() {
		return nil
	}
	texts := e.arg(c, 0, b)
	for i := 0; i < len(cons.Args); i += 2 {
		old, ok := e.constArg(cons, i, made[0])
		news := e.arg(cons, i+1, made[0])
		if !ok || old == "" || len(news) != 1 {
			return nil
		}
		for n, t := range texts {
			if texts[n] = t.replaced(old, news[0], -1); texts[n] == nil {
				return nil
			}
		}
	}
	return texts
}

// joinList evaluates strings.Join of a list that is written out.
func (e *evaluator) joinList(c *ast.CallExpr, b Bound) []*Text {
	if len(c.Args) != 2 {
		return nil
	}
	lists := e.x.Follow(Bound{Expr: c.Args[0], Env: b.Env, Index: -1}, true)
	seps := e.arg(c, 1, b)
	if len(lists) != 1 || len(seps) != 1 || e.x.elementsChange(c.Args[0]) {
		return nil
	}
	var items []ast.Expr
	switch lit := compositeOf(lists[0].Expr); {
	case lit != nil:
		items = lit.Elts
	case lists[0].Variadic:
		items = lists[0].Rest
	default:
		return nil
	}
	texts := []*Text{{}}
	for i, item := range items {
		if _, keyed := item.(*ast.KeyValueExpr); keyed {
			return nil
		}
		if i > 0 {
			texts = product(texts, seps)
		}
		texts = product(texts, e.eval(Bound{Expr: item, Env: lists[0].Env, Index: -1}))
	}
	return texts
}

// elementsChange reports whether a statement x[i] = value changes an element of a list that was written out.
func (x *Index) elementsChange(list ast.Expr) bool {
	v := x.vars[x.object(list)]
	return v != nil && len(v.elems) > 0
}

const maxRepeat = 1000

func (e *evaluator) repeat(c *ast.CallExpr, b Bound) []*Text {
	if len(c.Args) != 2 {
		return nil
	}
	n := e.x.constOf(c.Args[1], b.Env)
	if n == nil || intOf(n) < 0 || intOf(n) > maxRepeat {
		return nil
	}
	return e.each(c, b, func(t *Text) *Text {
		if intOf(n)*len(t.String()) > MaxScript {
			return nil
		}
		r := &Text{}
		for range intOf(n) {
			r.pieces = append(r.pieces, t.pieces...)
		}
		return r.frozenCopy()
	})
}

// sprint evaluates functions that write one value as text.
func (e *evaluator) sprint(c *ast.CallExpr, b Bound) []*Text {
	if len(c.Args) == 0 {
		return nil
	}
	if len(c.Args) > 1 {
		// FormatInt and FormatUint have a base; Sprint puts blanks between some operands.
		if base := e.x.constOf(c.Args[1], b.Env); base == nil || base.Kind() != constant.Int || intOf(base) != 10 || len(c.Args) > 2 {
			return nil
		}
	}
	return []*Text{e.value(c.Args[0], b.Env, 'v')}
}

// value is the text of one operand of a formatting function: a constant, a text, or a hole.
func (e *evaluator) value(arg ast.Expr, env *Env, verb rune) *Text {
	if v := e.x.constOf(arg, env); v != nil && v.Kind() == constant.Int && verb != 's' {
		return valueText(v.ExactString(), arg)
	}
	if e.isString(arg) {
		texts := e.eval(Bound{Expr: arg, Env: env, Index: -1})
		if len(texts) == 1 {
			return texts[0]
		}
	}
	t := e.x.holeAt(Bound{Expr: arg, Env: env, Index: -1}, "")
	if verb == 'd' {
		t.pieces[0].text = "0"
	}
	return t
}
