package value

import (
	"math"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

var (
	inf = math.Inf(1)

	anyValue   = &Value{Kinds: Any, Weak: Any, Lo: -inf, Hi: inf}
	nilValue   = &Value{Kinds: Nil, Const: true, Lo: -inf, Hi: inf}
	trueValue  = &Value{Kinds: True, Const: true, Lo: -inf, Hi: inf}
	falseValue = &Value{Kinds: False, Const: true, Lo: -inf, Hi: inf}
	boolValue  = &Value{Kinds: True | False, Lo: -inf, Hi: inf}
	tableValue = &Value{Kinds: Table, Lo: -inf, Hi: inf}
)

// madeNumber is the origin of numbers that the script makes.
var madeNumber = &Origin{Kind: FromNumber}

// AnyValue is the value of which nothing is known.
func AnyValue() *Value { return anyValue }

// IsUnknown reports whether nothing is known of the forms that v may take.
func (v *Value) IsUnknown() bool { return v == nil || v.Kinds == Any && v.Weak == Any }

// Strong are the kinds that do not depend on data that nobody can vouch for.
func (v *Value) Strong() Kinds { return v.Kinds &^ v.Weak }

// Only reports whether v is surely of one of the kinds.
func (v *Value) Only(k Kinds) bool { return v.Kinds != 0 && v.Kinds&^k == 0 }

// May reports whether v may be of one of the kinds, going by what is known and not by lack of knowledge.
func (v *Value) May(k Kinds) bool { return !v.IsUnknown() && v.Strong()&k != 0 }

// IsElementPast reports whether v is nil as an element of KEYS or ARGV behind the first ones, which alone are passed.
func (v *Value) IsElementPast(list OriginKind, passed int) bool {
	return v != nil && v.Only(Nil) && v.From != nil && v.From.Kind == list && v.From.Index > passed
}

// IsText reports whether v is the constant text.
func (v *Value) IsText(s string) bool { return v.Const && v.Kinds == String && v.Text == s }

func (m *Scratch) numberValue(n float64) *Value {
	v := m.newValue()
	fillNumber(v, n)
	return v
}

func fillNumber(v *Value, n float64) {
	if n != n { // 0/0 equals nothing, not even itself
		v.Kinds, v.Lo, v.Hi, v.From = Number, -inf, inf, madeNumber
		return
	}
	v.Kinds, v.Const, v.Num, v.Lo, v.Hi, v.Frac, v.From = Number, true, n, n, n, Whole, madeNumber
	switch {
	case math.IsInf(n, 0):
		v.Frac = FracUnknown
	case n != math.Floor(n):
		v.Frac = Fractional
	}
}

func (m *Scratch) textValue(s string, at syntax.Span) *Value {
	v := m.newValue()
	v.From = m.literal(s, at)
	fillText(v, s)
	return v
}

func fillText(v *Value, s string) {
	v.Kinds, v.Const, v.Text, v.Lo, v.Hi, v.Numeric = String, true, s, -inf, inf, No
	if n, ok := ToNumber(s); ok {
		v.Numeric = Yes
		if n == n {
			v.Lo, v.Hi, v.Frac = n, n, Whole
		}
		if n != math.Floor(n) {
			v.Frac = Fractional
		}
	}
}

// number makes a number that is not constant.
func (m *Scratch) number(lo, hi float64, f Frac, from *Origin) *Value {
	if lo == hi && !math.IsInf(lo, 0) {
		v := m.numberValue(lo)
		v.From = from
		return v
	}
	v := m.newValue()
	v.Kinds, v.Lo, v.Hi, v.Frac, v.From = Number, lo, hi, f, from
	return v
}

func (m *Scratch) text(from *Origin) *Value {
	v := m.newValue()
	v.Kinds, v.Lo, v.Hi, v.From = String, -inf, inf, from
	return v
}

// builtin makes a host function or table.
func (m *Scratch) builtinValue(name string) *Value {
	return m.vals.Put(Value{Kinds: Function, Lo: -inf, Hi: inf, traits: m.traits.Put(traits{builtin: name})})
}

func (m *Scratch) libValue(name string) *Value {
	return m.vals.Put(Value{Kinds: Table, Lo: -inf, Hi: inf, traits: m.traits.Put(traits{lib: name})})
}

// with returns a copy of v cut to the kinds, nil where none is left.
func (ip *interp) with(v *Value, k Kinds) *Value {
	kinds := v.Kinds & k
	if kinds == v.Kinds {
		return v
	}
	if kinds == 0 {
		return nil
	}
	c := ip.copyOf(v)
	c.Kinds = kinds
	c.Weak = v.Weak & kinds
	if v.IsUnknown() {
		c.Weak = kinds // still only for want of knowledge
	}
	if kinds == Nil || kinds == False || kinds == True {
		c.Const = true
		c.Weak = 0
	}
	if kinds&String == 0 {
		c.Numeric = Unknown
	}
	if kinds&Tables == 0 {
		c.Obj, c.Reply, c.traits = nil, nil, c.traits.cut()
	}
	return c
}

// join is what v or w may be.
func (m *Scratch) join(v, w *Value) *Value {
	if v == w || w == nil {
		return v
	}
	if v == nil {
		return w
	}
	if v.IsUnknown() && w.IsUnknown() && v.From.same(w.From) {
		return v
	}
	if equal(v, w) {
		if v.gen == w.gen {
			return v
		}
		c := m.newValue()
		*c = *v
		c.gen = 0
		return c
	}
	return m.joinDifferent(v, w)
}

func (m *Scratch) joinDifferent(v, w *Value) *Value {
	j := m.newValue()
	j.Kinds, j.Weak, j.From = v.Kinds|w.Kinds, v.Weak&^w.Strong()|w.Weak&^v.Strong(), m.joinFrom(v, w)
	if v.gen == w.gen {
		j.gen = v.gen // the same value, of which one path knows more
	}
	j.Const = v.Const && w.Const && v.Kinds == w.Kinds && v.Text == w.Text && v.Num == w.Num
	if j.Const {
		j.Text, j.Num = v.Text, v.Num
	}
	joinNumbers(j, v, w)
	if v.Obj == w.Obj {
		j.Obj = v.Obj
	} else if v.Kinds&Table == 0 {
		j.Obj = w.Obj
	} else if w.Kinds&Table == 0 {
		j.Obj = v.Obj
	}
	if v.Fn == w.Fn {
		j.Fn = v.Fn
	}
	j.traits = v.traits.join(w.traits)
	switch {
	case v.Reply == w.Reply || w.Kinds&Tables == 0:
		j.Reply = v.Reply
	case v.Kinds&Tables == 0:
		j.Reply = w.Reply
	}
	j.Present = v.Present && w.Present
	j.NonEmpty = (v.NonEmpty || v.Kinds&Table == 0) && (w.NonEmpty || w.Kinds&Table == 0)
	return j
}

// joinFrom keeps the origin of the side that has something to say: nil and false do not count beside a text or number.
func (m *Scratch) joinFrom(v, w *Value) *Origin {
	switch {
	case w.Kinds&^Falsy == 0 && w.Const:
		return v.From
	case v.Kinds&^Falsy == 0 && v.Const:
		return w.From
	}
	return m.oneOf(v.From, w.From)
}

func joinNumbers(j, v, w *Value) {
	const num = Number | String
	switch {
	case w.Kinds&num == 0:
		j.Lo, j.Hi, j.Frac, j.Numeric = v.Lo, v.Hi, v.Frac, v.Numeric
	case v.Kinds&num == 0:
		j.Lo, j.Hi, j.Frac, j.Numeric = w.Lo, w.Hi, w.Frac, w.Numeric
	default:
		j.Lo, j.Hi = math.Min(v.Lo, w.Lo), math.Max(v.Hi, w.Hi)
		switch {
		case v.Frac == w.Frac:
			j.Frac = v.Frac
		case v.Frac == Fractional || w.Frac == Fractional:
			j.Frac = Fractional
		}
		switch {
		case v.Kinds&String == 0:
			j.Numeric = w.Numeric
		case w.Kinds&String == 0 || v.Numeric == w.Numeric:
			j.Numeric = v.Numeric
		}
	}
}

// widen is join with bounds that give way at once, so that loops end.
func (m *Scratch) widen(old, v *Value) *Value {
	j := m.join(old, v)
	if j == old || old == nil || j == nil {
		return j
	}
	if j.Lo < old.Lo || j.Hi > old.Hi {
		c := m.newValue()
		*c = *j
		if j.Lo < old.Lo {
			c.Lo = widerLo(j.Lo)
		}
		if j.Hi > old.Hi {
			c.Hi = inf
		}
		j = c
	}
	if from := m.widenFrom(old.From, v.From, j.From); from != j.From {
		c := m.newValue()
		*c = *j
		c.From = from
		j = c
	}
	return j
}

// widerLo keeps the two lower bounds that matter (counts from 0, positions from 1) and gives up on others.
func widerLo(lo float64) float64 {
	switch {
	case lo >= 1:
		return 1
	case lo >= 0:
		return 0
	}
	return -inf
}

// equal compares what is known, without when it was computed.
func equal(v, w *Value) bool {
	return v.Kinds == w.Kinds && v.Weak == w.Weak && v.Const == w.Const && v.Text == w.Text && sameNum(v.Num, w.Num) && v.Lo == w.Lo &&
		v.Hi == w.Hi && v.Frac == w.Frac && v.Numeric == w.Numeric && v.Obj == w.Obj && v.Fn == w.Fn && v.Reply == w.Reply &&
		v.NonEmpty == w.NonEmpty && v.Present == w.Present && v.Of == w.Of && v.traits.same(w.traits) && v.From.same(w.From)
}

func sameNum(a, b float64) bool { return a == b || a != a && b != b }

// replyValue is the value in Lua of a reply.
func (ip *interp) replyValue(r *server.Reply, from *Origin, resp3 bool) *Value {
	if r == nil || r.Kinds == 0 || r.Kinds&server.ReplyUnknown != 0 {
		c := ip.copyOf(anyValue)
		c.From = from
		return c
	}
	v := ip.mem.vals.One()
	v.Lo, v.Hi, v.From, v.Reply = -inf, inf, from, r
	has := func(k server.ReplyKind) bool { return r.Kinds&k != 0 }
	if has(server.ReplyInt) {
		v.Kinds |= Number
		v.Frac = Whole
		if r.Lo <= r.Hi {
			v.Lo, v.Hi = float64(r.Lo), float64(r.Hi)
		}
	}
	if has(server.ReplyBulk) || has(server.ReplyVerbatim) && !resp3 || has(server.ReplyDouble) && !resp3 {
		v.Kinds |= String
		textFacts(v, r)
	}
	if has(server.ReplyStatus) {
		v.Kinds |= Status
	}
	if has(server.ReplyNull) {
		v.Kinds |= False
		if resp3 {
			v.Kinds = v.Kinds&^False | Nil
		}
	}
	if has(server.ReplyBool) {
		v.Kinds |= True | False
	}
	if has(server.ReplyArray | server.ReplyMap | server.ReplySet) {
		v.Kinds |= Table
		v.NonEmpty = r.NonEmpty
	}
	if resp3 && has(server.ReplyDouble|server.ReplyVerbatim) {
		v.Kinds |= Table
	}
	return v
}

func textFacts(v *Value, r *server.Reply) {
	if !r.Numeric && !r.Integer {
		return
	}
	v.Numeric = Yes
	if r.Integer {
		v.Frac = Whole
	}
	if r.Lo <= r.Hi && v.Kinds&Number == 0 && (r.Lo != 0 || r.Hi != 0) {
		v.Lo, v.Hi = float64(r.Lo), float64(r.Hi)
	}
}
