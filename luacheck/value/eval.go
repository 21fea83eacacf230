package value

import (
	"slices"

	"github.com/redislint/redislint/luacheck/syntax"
)

// maxSpine bounds how far an expression reaches to the left before the engine gives up on it.
const maxSpine = 4000

// outcomes evaluates an expression into the ways in which it may end. Calls of script functions and the two sides of and/or end apart, so
// that a helper that writes on one path and returns nothing on the other is not blurred into one.
func (ip *interp) outcomes(e syntax.Expr, st *state) []outcome {
	switch x := e.(type) {
	case *syntax.Paren:
		outs := ip.outcomes(x.X, st)
		for i := range outs {
			outs[i].vals = []Arg{{At: e.Bounds(), Node: e, Value: pick(outs[i].vals, 0)}}
		}
		return outs
	case *syntax.Call:
		return ip.callOutcomes(x, st, false)
	case *syntax.Binary:
		if x.Op == syntax.OpAnd || x.Op == syntax.OpOr {
			return ip.logicOutcomes(x, st)
		}
		if _, ok := unparen(x.X).(*syntax.Call); ok {
			return ip.mapOutcomes(x.X, st, func(s *state, v *Value) Arg { return ip.arg(e, ip.binaryWith(x, v, s)) })
		}
	case *syntax.Unary:
		if _, ok := unparen(x.X).(*syntax.Call); ok {
			return ip.mapOutcomes(x.X, st, func(s *state, v *Value) Arg { return ip.arg(e, ip.unaryWith(x, v, s)) })
		}
	}
	return ip.ends(st, ip.args1(ip.arg(e, ip.eval(e, st))))
}

func (ip *interp) arg(e syntax.Expr, v *Value) Arg { return Arg{At: e.Bounds(), Node: e, Value: v} }

func (ip *interp) mapOutcomes(inner syntax.Expr, st *state, f func(*state, *Value) Arg) []outcome {
	outs := ip.outcomes(inner, st)
	for i := range outs {
		if !outs[i].st.dead {
			outs[i].vals = ip.args1(f(outs[i].st, pick(outs[i].vals, 0)))
		}
	}
	return outs
}

// maxOutcomes bounds the ways in which a chain of and/or is said to end; more are joined.
const maxOutcomes = 8

// logicOutcomes evaluates a chain of one operator, and or or, which may be as long as the text: for each operand what ends there, and what
// goes on to the next.
func (ip *interp) logicOutcomes(x *syntax.Binary, st *state) []outcome {
	var room [8]*syntax.Binary
	spine := append(room[:0], x)
	for {
		b, ok := spine[len(spine)-1].X.(*syntax.Binary)
		if !ok || b.Op != x.Op {
			break
		}
		spine = append(spine, b)
	}
	slices.Reverse(spine)
	var ended []outcome
	on := ip.outcomes(spine[0].X, st)
	for i, b := range spine {
		test := b.X
		if i > 0 {
			test = spine[i-1].Y
		}
		ended, on = ip.logicStep(b, test, ended, on)
		if len(on) == 0 {
			break
		}
	}
	return ip.append(ended, on)
}

// append puts outcomes together.
func (ip *interp) append(a, b []outcome) []outcome {
	if len(a) == 0 {
		return b
	}
	for _, o := range b {
		a = ip.mem.outs.Append(a, o)
	}
	return a
}

// logicStep decides at b, of which test was evaluated last: ended are the ways that ended before, on those that reach it.
func (ip *interp) logicStep(b *syntax.Binary, test syntax.Expr, ended, on []outcome) (_, next []outcome) {
	and := b.Op == syntax.OpAnd
	role, keep, goOn := CondOr, Truthy, Falsy
	if and {
		role, keep, goOn = CondAnd, Falsy, Truthy
	}
	if ip.frame.record {
		for _, o := range ended {
			ip.rec.cond(b.X, pick(o.vals, 0), role)
		}
	}
	for _, o := range on {
		if o.st.dead {
			continue
		}
		v := pick(o.vals, 0)
		if ip.frame.record {
			ip.rec.cond(b.X, v, role)
		}
		short := ip.fork(o.st)
		short.cond, o.st.cond = v, v
		if left := ip.with(v, keep); left != nil && ip.take(short, test, !and) {
			ended = ip.mem.outs.Append(ended, outcome{short, ip.args1(ip.arg(b.X, left))})
		}
		if ip.with(v, goOn) != nil && ip.take(o.st, test, and) {
			next = ip.append(next, ip.outcomes(b.Y, o.st))
		}
	}
	for i := range next {
		if len(next[i].vals) != 1 || next[i].vals[0].Many {
			next[i].vals = ip.args1(ip.arg(b, pick(next[i].vals, 0)))
		}
	}
	return ip.fewer(ended), ip.fewer(next)
}

// fewer joins outcomes where there are too many of them.
func (ip *interp) fewer(outs []outcome) []outcome {
	if len(outs) <= maxOutcomes {
		return outs
	}
	st := outs[0].st
	return ip.ends(st, ip.gather(outs, st))
}

// gather joins outcomes into st and gives the joined values.
func (ip *interp) gather(outs []outcome, st *state) []Arg {
	var all *state
	var vals []Arg
	for _, o := range outs {
		if o.st.dead {
			continue
		}
		if all == nil {
			all, vals = o.st, o.vals
			continue
		}
		calls := all.calls
		all.merge(o.st, false)
		all.calls = calls
		vals = ip.mem.joinVals(vals, o.vals)
	}
	if all == nil {
		st.dead = true
		return nil
	}
	if all != st {
		*st = *all
	}
	return vals
}

func (m *Scratch) joinVals(a, b []Arg) []Arg {
	n := max(len(a), len(b))
	var out []Arg
	if m == nil {
		out = make([]Arg, n)
	} else {
		out = m.args.List(n)
	}
	for i := range out {
		src := a
		if i >= len(a) {
			src = b
		}
		out[i] = src[i]
		out[i].Value = m.join(pick(a, i), pick(b, i))
		out[i].Many = i < len(a) && a[i].Many || i < len(b) && b[i].Many
	}
	return out
}

// listOutcomes evaluates an expression list; the last expression may give several values.
func (ip *interp) listOutcomes(list []syntax.Expr, st *state) []outcome {
	switch len(list) {
	case 0:
		return ip.ends(st, nil)
	case 1:
		if v, ok := list[0].(*syntax.Vararg); ok {
			return ip.ends(st, ip.varargs(v))
		}
		return ip.outcomes(list[0], st)
	}
	return ip.ends(st, ip.list(list, st))
}

// list evaluates an expression list into its values.
func (ip *interp) list(list []syntax.Expr, st *state) []Arg {
	return ip.listBehind(nil, list, st)
}

// listBehind is list with room for what comes first.
func (ip *interp) listBehind(before []Arg, list []syntax.Expr, st *state) []Arg {
	n := len(before)
	vals := ip.mem.args.List(n + len(list))
	copy(vals, before)
	for i, e := range list {
		if i < len(list)-1 || !several(e) {
			vals[n+i] = ip.arg(e, ip.eval(e, st))
			continue
		}
		vals = append(vals[:n+i], ip.multi(e, st)...)
		if c, ok := e.(*syntax.Call); ok {
			placed(vals[n+i:], c)
		}
	}
	return vals
}

// placed puts the results of a function of the script where it is called, as a lone result among others is.
func placed(vals []Arg, c *syntax.Call) {
	for i := range vals {
		if a := &vals[i]; !c.Span.Contains(a.At) {
			a.At, a.Node = c.Span, c
		}
	}
}

// several reports whether an expression may give another number of values than one.
func several(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.Vararg, *syntax.Call:
		return true
	}
	return false
}

// multi evaluates an expression that may give several values.
func (ip *interp) multi(e syntax.Expr, st *state) []Arg {
	switch x := e.(type) {
	case *syntax.Vararg:
		return ip.varargs(x)
	case *syntax.Call:
		return ip.gather(ip.callOutcomes(x, st, false), st)
	}
	return ip.args1(ip.arg(e, ip.eval(e, st)))
}

// varargs are the values of `...`. They keep where the caller wrote them, so that a finding points there.
func (ip *interp) varargs(v *syntax.Vararg) []Arg {
	fr := ip.frame
	if fr.fn == nil {
		return nil // the chunk is called without arguments (fact 17)
	}
	if len(fr.varargs) == 1 && fr.varargs[0].Node == nil && fr.varargs[0].Many {
		return []Arg{{At: v.Span, Node: v, Value: anyValue, Many: true}}
	}
	return fr.varargs
}

// eval evaluates an expression to one value.
func (ip *interp) eval(e syntax.Expr, st *state) *Value {
	if st.dead || ip.spent() || ip.tooDeep() {
		return anyValue
	}
	ip.nested++
	v := ip.evalNode(e, st)
	ip.nested--
	return v
}

// maxNested bounds the expressions that are evaluated inside one another. The parser bounds what nests to the right; a chain of calls and
// indexes nests to the left, and each inlined function starts again.
const maxNested = 10000

// tooDeep gives up on an expression that would need too much stack.
func (ip *interp) tooDeep() bool {
	if ip.nested < maxNested {
		return false
	}
	ip.giveUp()
	return true
}

func (ip *interp) evalNode(e syntax.Expr, st *state) *Value {
	switch x := e.(type) {
	case *syntax.Nil:
		return nilValue
	case *syntax.Bool:
		if x.Value {
			return trueValue
		}
		return falseValue
	case *syntax.Number:
		return ip.numeral(x)
	case *syntax.String:
		return ip.literal(x)
	case *syntax.Name:
		return ip.sibling(st, ip.name(x, st))
	case *syntax.Vararg:
		return pick(ip.varargs(x), 0)
	case *syntax.Function:
		return ip.function(x)
	case *syntax.Paren:
		return ip.eval(x.X, st)
	case *syntax.Index:
		return ip.index(x, st)
	case *syntax.Call:
		return pick(ip.gather(ip.callOutcomes(x, st, false), st), 0)
	case *syntax.Table:
		return ip.table(x, st)
	case *syntax.Unary:
		return ip.unaryWith(x, ip.eval(x.X, st), st)
	case *syntax.Binary:
		return ip.binary(x, st)
	case *syntax.Hole:
		return ip.mem.vals.Put(Value{Kinds: Any, Weak: Any, Lo: -inf, Hi: inf, From: ip.mem.words.Put(Origin{Kind: FromHole, At: x.Span})})
	}
	return anyValue
}

// literal is a string as written; holes in it are parts of which the text is not known.
func (ip *interp) literal(x *syntax.String) *Value {
	if !x.Holed {
		v := &ip.mem.literals[x.ID()]
		if *v == nil {
			*v = ip.text(x.Value, x.Span)
		}
		return *v
	}
	var parts []*Origin
	src, at := ip.in.Chunk.Source.Text, x.Start+1
	for _, h := range ip.in.Chunk.HolesIn(x) {
		if h.Start > at {
			parts = append(parts, ip.mem.literal(src[at:h.Start], syntax.Span{Start: at, End: h.Start}))
		}
		parts = append(parts, ip.mem.words.Put(Origin{Kind: FromHole, At: h, Text: src[h.Start:h.End]}))
		at = h.End
	}
	if end := x.End - 1; end > at {
		parts = append(parts, ip.mem.literal(src[at:end], syntax.Span{Start: at, End: end}))
	}
	return ip.mem.text(ip.mem.concat(parts, x.Span))
}
