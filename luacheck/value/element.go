package value

import (
	"math"

	"github.com/redislint/redislint/luacheck/syntax"
)

// Element is what one caller passes as an element of KEYS or ARGV.
type Element struct {
	// Missing: surely not passed. Optional: may not be passed, or nothing is known.
	Missing, Optional bool
	Const             bool
	Text              string
	// Numeric: always the text of a number; Whole: of an integer; Fraction: of a float.
	Numeric, Whole, Fraction bool
	Lo, Hi                   float64
}

// ElementValue joins what several callers pass. An element that some caller leaves out is nil there, which is certain where the caller's
// list is known.
func ElementValue(list []Element) *Value {
	var v *Value
	for _, e := range list {
		v = join(v, e.value())
	}
	if v == nil {
		return &Value{Kinds: String | Nil, Weak: Nil, Lo: -inf, Hi: inf}
	}
	return v
}

func (e Element) value() *Value {
	switch {
	case e.Missing:
		return nilValue
	case e.Optional:
		return &Value{Kinds: String | Nil, Weak: Nil, Lo: -inf, Hi: inf}
	case e.Const:
		c := *textValue(e.Text, syntax.Span{})
		c.From = nil
		return &c
	}
	v := &Value{Kinds: String, Lo: e.Lo, Hi: e.Hi}
	if math.IsNaN(v.Lo) || math.IsNaN(v.Hi) || v.Lo == 0 && v.Hi == 0 && !e.Numeric {
		v.Lo, v.Hi = -inf, inf
	}
	if e.Numeric {
		v.Numeric = Yes
	}
	switch {
	case e.Whole:
		v.Frac = Whole
	case e.Fraction:
		v.Frac = Fractional
	}
	return v
}
