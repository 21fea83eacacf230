package value

import (
	"math"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

// binary walks the left spine of an operator chain by a loop.
func (ip *interp) binary(x *syntax.Binary, st *state) *Value {
	if x.Op == syntax.OpAnd || x.Op == syntax.OpOr {
		return pick(ip.gather(ip.logicOutcomes(x, st), st), 0)
	}
	var room [8]*syntax.Binary
	spine := append(room[:0], x)
	e := x.X
	for {
		b, ok := e.(*syntax.Binary)
		if !ok || b.Op == syntax.OpAnd || b.Op == syntax.OpOr {
			break
		}
		spine = append(spine, b)
		e = b.X
	}
	if len(spine) > maxSpine {
		ip.giveUp()
		return anyValue
	}
	v := ip.eval(e, st)
	for i := len(spine) - 1; i >= 0; i-- {
		v = ip.binaryWith(spine[i], v, st)
	}
	return v
}

// binaryWith evaluates the right side of an operation and the operation.
func (ip *interp) binaryWith(x *syntax.Binary, l *Value, st *state) *Value {
	r := ip.eval(x.Y, st)
	if st.dead {
		return anyValue
	}
	var res *Value
	ip.watch(x, st, func() { res = ip.operate(x, l, r, st) })
	if ip.frame.record {
		ip.rec.op(x, x.Op, l, r, res, ip.frame)
	}
	return res
}

func (ip *interp) operate(x *syntax.Binary, l, r *Value, st *state) *Value {
	switch x.Op {
	case syntax.OpEq, syntax.OpNotEq:
		return compareEqual(x.Op, l, r)
	case syntax.OpLess, syntax.OpGreater, syntax.OpLessEq, syntax.OpGreaterEq:
		ip.order(x, l, r, st)
		return boolValue
	case syntax.OpConcat:
		ip.operand(st, x.X, l, String|Number, FailConcat, "attempt to concatenate a %s value")
		ip.operand(st, x.Y, r, String|Number, FailConcat, "attempt to concatenate a %s value")
		return ip.mem.concatenate(l, r, x.Span)
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpPow:
		ip.operand(st, x.X, l, String|Number, FailArith, "attempt to perform arithmetic on a %s value")
		ip.operand(st, x.Y, r, String|Number, FailArith, "attempt to perform arithmetic on a %s value")
		ip.numericText(st, x.X, l)
		ip.numericText(st, x.Y, r)
		v := ip.mem.arithmetic(x.Op, l, r, x.Span)
		if x.Op == syntax.OpDiv && v.Frac == Fractional && !v.Const && ip.evenDivision(x, l) {
			c := ip.copyOf(v)
			c.Frac = FracUnknown
			return c
		}
		return v
	}
	return anyValue
}

// evenDivision: (a - a % b) / b, and #list / 2, where the list holds pairs: nobody can say that there is a fraction.
func (ip *interp) evenDivision(x *syntax.Binary, l *Value) bool {
	if n, ok := unparen(x.X).(*syntax.Unary); ok && n.Op == syntax.OpLen || l.Of != nil && l.Of.How == "len" {
		return true
	}
	if ip.strides(x.X) {
		return true // (i - 1) / 2 in a loop over every second index
	}
	sub, ok := unparen(x.X).(*syntax.Binary)
	if !ok || sub.Op != syntax.OpSub {
		return false
	}
	mod, ok := unparen(sub.Y).(*syntax.Binary)
	return ok && mod.Op == syntax.OpMod && ip.sameText(mod.X, sub.X) && ip.sameText(mod.Y, x.Y)
}

// strides: the variable of a loop that has a step of its own, perhaps with a number added.
func (ip *interp) strides(e syntax.Expr) bool {
	e = unparen(e)
	if b, ok := e.(*syntax.Binary); ok && (b.Op == syntax.OpAdd || b.Op == syntax.OpSub) {
		if _, ok := unparen(b.Y).(*syntax.Number); !ok {
			return false
		}
		e = unparen(b.X)
	}
	n, ok := e.(*syntax.Name)
	return ok && ip.frame.strides[ip.in.Scope.Ref(n)]
}

// sameText reports whether two expressions are written alike.
func (ip *interp) sameText(a, b syntax.Expr) bool {
	text, x, y := ip.in.Chunk.Source.Text, unparen(a).Bounds(), unparen(b).Bounds()
	return text[x.Start:x.End] == text[y.Start:y.End]
}

// numericText: arithmetic on a text that is surely no number fails.
func (ip *interp) numericText(st *state, e syntax.Expr, v *Value) {
	if v.Only(String) && v.Numeric == No {
		ip.fail(st, ip.mem.fails.Put(Failure{At: e.Bounds(), Class: FailArith, Sure: true, Value: v, Why: "attempt to perform arithmetic on a string value"}))
	}
}

// order checks < <= > >=: two numbers or two texts. Where no form of the one can be ordered with any form of the other, it always fails.
func (ip *interp) order(x *syntax.Binary, l, r *Value, st *state) {
	const ordered = Number | String
	if !l.IsUnknown() && !r.IsUnknown() && l.Kinds&r.Kinds&(ordered|Tables) == 0 && l.Kinds&ordered != 0 && r.Kinds&ordered != 0 {
		ip.fail(st, ip.mem.fails.Put(Failure{At: x.Span, Class: FailOrder, Sure: true, Value: l,
			Why: "attempt to compare " + kindWord(l.Kinds&ordered) + " with " + kindWord(r.Kinds&ordered)}))
		return
	}
	if l.Kinds&^(ordered|Table) != 0 {
		ip.operand(st, x.X, l, ordered|Table, FailOrder, "attempt to compare %s with "+kindWord(r.Kinds))
	}
	if r.Kinds&^(ordered|Table) != 0 {
		ip.operand(st, x.Y, r, ordered|Table, FailOrder, "attempt to compare "+kindWord(l.Kinds)+" with %s")
	}
}

// compareEqual is what == or ~= gives; constant only where both sides leave no doubt.
func compareEqual(op syntax.Op, l, r *Value) *Value {
	eq := boolValue
	switch {
	case l.Const && r.Const && l.Kinds == r.Kinds && l.Kinds != Number:
		eq = truth(l.Text == r.Text)
	case l.Const && r.Const && l.Kinds == Number && r.Kinds == Number:
		eq = truth(l.Num == r.Num)
	case !l.IsUnknown() && !r.IsUnknown() && l.Kinds&r.Kinds == 0 && !mayBeOneTable(l, r):
		eq = falseValue
	}
	if op == syntax.OpNotEq && eq.Const {
		return truth(eq == falseValue)
	}
	return eq
}

func mayBeOneTable(l, r *Value) bool { return l.Kinds&Tables != 0 && r.Kinds&Tables != 0 }

func truth(b bool) *Value {
	if b {
		return trueValue
	}
	return falseValue
}

func (m *Scratch) concatenate(l, r *Value, at syntax.Span) *Value {
	if ls, ok := constText(l); ok {
		if rs, ok := constText(r); ok {
			return m.madeText(ls+rs, m.concat([]*Origin{m.textOrigin(l), m.textOrigin(r)}, at), at)
		}
	}
	return m.text(m.concat([]*Origin{m.textOrigin(l), m.textOrigin(r)}, at))
}

// madeText is a constant text that was put together. A part that a caller passes keeps its origin, though what it is here is known.
func (m *Scratch) madeText(s string, from *Origin, at syntax.Span) *Value {
	v := m.textValue(s, at)
	if from != nil && from.Kind != FromLiteral {
		c := *v
		c.From = from
		return &c
	}
	return v
}

// constText is the text of a constant text or number.
func constText(v *Value) (string, bool) {
	switch {
	case !v.Const:
	case v.Kinds == String:
		return v.Text, true
	case v.Kinds == Number:
		return FormatNumber(v.Num), true
	}
	return "", false
}

// textOrigin is where the text of v comes from once it is joined.
func (m *Scratch) textOrigin(v *Value) *Origin {
	if s, ok := constText(v); ok && v.Kinds == Number {
		return m.literal(s, syntax.Span{})
	}
	return v.From
}

// arithmetic is the result of an operation that does not fail.
func (m *Scratch) arithmetic(op syntax.Op, l, r *Value, at syntax.Span) *Value {
	if l.Const && r.Const {
		if a, ok := constNumber(l); ok {
			if b, ok := constNumber(r); ok {
				return m.numberValue(apply(op, a, b))
			}
		}
	}
	lo, hi := bounds(op, l, r)
	return m.number(lo, hi, fraction(op, l, r), m.computed(at, l.From, r.From))
}

func constNumber(v *Value) (float64, bool) {
	if v.Kinds == Number {
		return v.Num, true
	}
	if v.Kinds == String {
		return ToNumber(v.Text)
	}
	return 0, false
}

func apply(op syntax.Op, a, b float64) float64 {
	switch op {
	case syntax.OpAdd:
		return a + b
	case syntax.OpSub:
		return a - b
	case syntax.OpMul:
		return a * b
	case syntax.OpDiv:
		return a / b
	case syntax.OpMod:
		return a - math.Floor(a/b)*b
	}
	return math.Pow(a, b)
}

// fraction says whether the result may have one. A division gives one unless both sides are constant; other operations keep whole numbers
// whole.
func fraction(op syntax.Op, l, r *Value) Frac {
	switch op {
	case syntax.OpDiv:
		return Fractional
	case syntax.OpPow:
		if l.Frac == Whole && r.Const && r.Num >= 0 && r.Frac == Whole {
			return Whole
		}
		return FracUnknown
	case syntax.OpMod:
		if l.Frac == Whole && r.Frac == Whole {
			return Whole
		}
	}
	switch {
	case l.Frac == Whole && r.Frac == Whole:
		return Whole
	case l.Frac == Fractional || r.Frac == Fractional:
		return Fractional
	}
	return FracUnknown
}

// bounds of a result; NaN (inf-inf, 0*inf) becomes no bound.
func bounds(op syntax.Op, l, r *Value) (lo, hi float64) {
	switch op {
	case syntax.OpAdd:
		lo, hi = l.Lo+r.Lo, l.Hi+r.Hi
	case syntax.OpSub:
		lo, hi = l.Lo-r.Hi, l.Hi-r.Lo
	case syntax.OpMul:
		lo, hi = corners(l, r, func(a, b float64) float64 { return a * b })
	case syntax.OpDiv:
		if r.Lo > 0 || r.Hi < 0 {
			lo, hi = corners(l, r, func(a, b float64) float64 { return a / b })
		} else {
			lo, hi = -inf, inf
		}
	case syntax.OpMod:
		lo, hi = -inf, inf
		if r.Lo > 0 {
			lo, hi = 0, r.Hi
			if l.Frac == Whole && r.Frac == Whole {
				hi-- // the divisor itself is never reached
			}
		}
	default:
		lo, hi = -inf, inf
	}
	if math.IsNaN(lo) {
		lo = -inf
	}
	if math.IsNaN(hi) {
		hi = inf
	}
	return lo, hi
}

func corners(l, r *Value, f func(a, b float64) float64) (lo, hi float64) {
	lo, hi = inf, -inf
	for _, a := range [2]float64{l.Lo, l.Hi} {
		for _, b := range [2]float64{r.Lo, r.Hi} {
			x := f(a, b)
			if math.IsNaN(x) {
				return -inf, inf
			}
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
	}
	return lo, hi
}

func (ip *interp) unaryWith(x *syntax.Unary, v *Value, st *state) *Value {
	if st.dead {
		return anyValue
	}
	res := ip.unary(x, v, st)
	if ip.frame.record {
		if x.Op == syntax.OpNot {
			ip.rec.cond(x.X, v, CondNot)
		} else {
			ip.rec.op(x, x.Op, v, nil, res, ip.frame)
		}
	}
	return res
}

func (ip *interp) unary(x *syntax.Unary, v *Value, st *state) *Value {
	switch x.Op {
	case syntax.OpNot:
		switch {
		case v.IsUnknown():
			return boolValue
		case v.Only(Falsy):
			return trueValue
		case v.Only(Truthy):
			return falseValue
		}
		return boolValue
	case syntax.OpNeg:
		ip.watch(x, st, func() {
			ip.operand(st, x.X, v, String|Number, FailArith, "attempt to perform arithmetic on a %s value")
		})
		if n, ok := constNumber(v); ok && v.Const {
			return ip.mem.numberValue(-n)
		}
		return ip.mem.number(-v.Hi, -v.Lo, v.Frac, ip.mem.computed(x.Span, v.From))
	case syntax.OpLen:
		ip.watch(x, st, func() { ip.operand(st, x.X, v, String|Tables, FailLen, "attempt to get length of a %s value") })
		ip.useElements(v, x.Span)
		n := ip.length(st, x, v)
		ip.keep(st, x, n)
		return n
	}
	return anyValue
}

// length is #v, with a relation to v's place so that a test of it tells whether v is empty.
func (ip *interp) length(st *state, x *syntax.Unary, v *Value) *Value {
	if v.Const && v.Kinds == String {
		return ip.mem.numberValue(float64(len(v.Text)))
	}
	if isList(v) {
		return ip.listLengthValue(v, x.Span)
	}
	lo, hi := 0.0, ip.maxLength(v)
	if o := ip.object(st, v); o != nil && v.Only(Table) {
		lo, hi = o.length()
	} else if v.NonEmpty {
		lo = 1
	}
	n := ip.mem.number(lo, hi, Whole, ip.mem.computed(x.Span, v.From))
	if p, ok := ip.place(st, x.X); ok {
		c := ip.copyOf(n)
		c.Of = ip.mem.relations.Put(Relation{How: "len", Place: p, gen: ip.placeValue(st, p).gen})
		return c
	}
	return n
}

func (ip *interp) maxLength(v *Value) float64 {
	if v.Reply != nil && v.Reply.MaxLen > 0 && v.Only(Table) {
		return float64(v.Reply.MaxLen)
	}
	return inf
}

// kindWord is how the server's messages call a value.
func kindWord(k Kinds) string {
	switch {
	case k&^Nil == 0:
		return "nil"
	case k&^(True|False) == 0:
		return "boolean"
	case k&^Number == 0:
		return "number"
	case k&^String == 0:
		return "string"
	case k&^Tables == 0:
		return "table"
	case k&^Function == 0:
		return "function"
	case k&^Userdata == 0:
		return "userdata"
	}
	var words []string
	for _, w := range []struct {
		k Kinds
		s string
	}{{Nil, "nil"}, {True | False, "boolean"}, {Number, "number"}, {String, "string"}, {Tables, "table"}, {Function, "function"}} {
		if k&w.k != 0 {
			words = append(words, w.s)
		}
	}
	return strings.Join(words, " or ")
}

// KindWord names kinds as the servers' messages do.
func KindWord(k Kinds) string { return kindWord(k) }
