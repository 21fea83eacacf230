package source

import (
	"fmt"
	"go/ast"
	"go/constant"
	"strconv"
	"strings"
)

// sprintf folds fmt.Sprintf with a constant format: constant operands become text, others holes.
func (e *evaluator) sprintf(c *ast.CallExpr, b Bound) []*Text {
	if c.Ellipsis.IsValid() || len(c.Args) == 0 {
		return nil
	}
	var all []*Text
	for _, format := range e.arg(c, 0, b) {
		s, ok := format.Constant()
		if !ok {
			return nil
		}
		texts, ok := e.format(format, s, c.Args[1:], b.Env)
		if !ok {
			return nil
		}
		all = append(all, texts...)
	}
	return all
}

// verb is one directive of a format.
type verb struct {
	at, end int // of the directive in the format
	flags   string
	letter  byte
	arg     int // index of the operand, -1 for %%
}

// verbs splits a format. It gives up on widths that are operands.
func verbs(s string) ([]verb, bool) {
	var all []verb
	next := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		v := verb{at: i}
		i++
		start := i
		for i < len(s) && strings.IndexByte("+-# 0123456789.", s[i]) >= 0 {
			i++
		}
		v.flags = s[start:i]
		if i < len(s) && s[i] == '[' {
			end := strings.IndexByte(s[i:], ']')
			if end < 0 {
				return nil, false
			}
			n, err := strconv.Atoi(s[i+1 : i+end])
			if err != nil || n < 1 {
				return nil, false
			}
			next = n - 1
			i += end + 1
		}
		if i >= len(s) || s[i] == '*' {
			return nil, false
		}
		v.letter, v.end, v.arg = s[i], i+1, -1
		if v.letter != '%' {
			v.arg = next
			next++
		}
		if len(all) == maxVerbs {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

// maxVerbs bounds the verbs of a format; a text with more is not followed.
const maxVerbs = 1000

func (e *evaluator) format(format *Text, s string, args []ast.Expr, env *Env) ([]*Text, bool) {
	vs, ok := verbs(s)
	if !ok {
		return nil, false
	}
	texts := []*Text{{}}
	at := 0
	for _, v := range vs {
		texts = product(texts, []*Text{format.slice(at, v.at).inFormat()})
		at = v.end
		if v.letter == '%' {
			texts = product(texts, []*Text{format.slice(v.at, v.at+1).inFormat().widened()})
			continue
		}
		if v.arg >= len(args) {
			return nil, false
		}
		texts = product(texts, e.operand(args[v.arg], v, env))
	}
	return product(texts, []*Text{format.slice(at, len(s)).inFormat()}), true
}

// operand evaluates one operand.
func (e *evaluator) operand(arg ast.Expr, v verb, env *Env) []*Text {
	plain := v.flags == "" && (v.letter == 's' || v.letter == 'v' || v.letter == 'd')
	if plain && v.letter != 'd' && e.isString(arg) {
		return e.eval(Bound{Expr: arg, Env: env, Index: -1})
	}
	if value := e.x.constOf(arg, env); value != nil {
		if s, ok := formatted(value, v); ok {
			return []*Text{valueText(s, arg)}
		}
	}
	t := e.x.holeAt(Bound{Expr: arg, Env: env, Index: -1}, "")
	if strings.IndexByte("dbox", v.letter) >= 0 {
		t.pieces[0].text = "0"
	}
	if !plain {
		t.pieces[0].hole.ID += "%" + v.flags + string(v.letter)
		t.pieces[0].hole.Param = nil
	}
	return []*Text{t}
}

// formatted writes a constant as the directive says.
func formatted(value constant.Value, v verb) (string, bool) {
	directive := "%" + v.flags + string(v.letter)
	switch value.Kind() {
	case constant.String:
		return fmt.Sprintf(directive, constant.StringVal(value)), true
	case constant.Bool:
		return fmt.Sprintf(directive, constant.BoolVal(value)), true
	case constant.Int:
		if n, exact := constant.Int64Val(value); exact {
			s := fmt.Sprintf(directive, n)
			return s, !strings.HasPrefix(s, "%!")
		}
	}
	return "", false
}

// inFormat marks the text as part of a format, where an edit must double each '%'.
func (t *Text) inFormat() *Text {
	c := &Text{pieces: append([]piece(nil), t.pieces...)}
	for i := range c.pieces {
		c.pieces[i].percent = true
	}
	return c
}

// widened marks the last byte as standing for two of the source.
func (t *Text) widened() *Text {
	for i := range t.pieces {
		t.pieces[i].wide = true
	}
	return t
}
