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
// list is known. Where there may be other callers they are taken to pass values of the same kind, though not the same values: nothing is
// claimed to be constant then, nor to be missing.
func ElementValue(list []Element, complete bool) *Value {
	var v *Value
	for _, e := range list {
		v = heap.join(v, e.value())
	}
	switch {
	case v == nil || !complete && v.Only(Nil):
		return &Value{Kinds: String | Nil, Weak: Nil, Lo: -inf, Hi: inf}
	case complete || !v.Const && v.Weak&Nil == v.Kinds&Nil:
		return v
	}
	c := *v
	c.Const, c.Text = false, ""
	c.Weak |= c.Kinds & Nil
	return &c
}

func (e Element) value() *Value {
	switch {
	case e.Missing:
		return nilValue
	case e.Optional:
		return &Value{Kinds: String | Nil, Weak: Nil, Lo: -inf, Hi: inf}
	case e.Const:
		c := *heap.textValue(e.Text, syntax.Span{})
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
