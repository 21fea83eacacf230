package value

import (
	"math"
	"slices"

	"github.com/redislint/redislint/luacheck/syntax"
)

// take narrows a state by a condition's truth; false where the condition cannot be so.
func (ip *interp) take(st *state, e syntax.Expr, when bool) bool {
	if v := st.cond; v != nil {
		if !possible(v, when) {
			return false
		}
		kinds := Truthy
		if !when {
			kinds = Falsy
		}
		st.tell(condGuard, ip.with(v, kinds))
	}
	ok := ip.narrow(st, e, when)
	st.cond = nil
	return ok && !st.dead
}

// possible reports whether a value may count as true, or as false.
func possible(v *Value, when bool) bool {
	if when {
		return v.Kinds&Truthy != 0
	}
	return v.Kinds&Falsy != 0
}

func (ip *interp) narrow(st *state, e syntax.Expr, when bool) bool {
	switch x := e.(type) {
	case *syntax.Paren:
		return ip.narrow(st, x.X, when)
	case *syntax.Unary:
		if x.Op == syntax.OpNot {
			return ip.narrow(st, x.X, !when)
		}
	case *syntax.Binary:
		switch x.Op {
		case syntax.OpAnd, syntax.OpOr:
			return ip.narrowLogic(st, x, when)
		case syntax.OpEq, syntax.OpNotEq:
			return ip.narrowEqual(st, x, (x.Op == syntax.OpEq) == when)
		case syntax.OpLess, syntax.OpGreater, syntax.OpLessEq, syntax.OpGreaterEq:
			return ip.narrowOrder(st, x, when)
		}
		return true
	case *syntax.Call:
		return ip.narrowCall(st, x, when)
	case *syntax.Index:
		if !ip.cutField(st, x, when) {
			return false
		}
	}
	kinds := Truthy
	if !when {
		kinds = Falsy
	}
	return ip.cut(st, e, kinds)
}

// chain lists the operands of a chain of one operator, and or or, first to last; it may be as long as the text. They go to list, which is empty.
func chain(x *syntax.Binary, list []syntax.Expr) []syntax.Expr {
	list = append(list, x.Y)
	for {
		e := x.X
		b, ok := unparen(e).(*syntax.Binary)
		if !ok || b.Op != x.Op {
			list = append(list, e)
			break
		}
		list = append(list, b.Y)
		x = b
	}
	slices.Reverse(list)
	return list
}

// narrowLogic: all operands hold, or one of them does not.
func (ip *interp) narrowLogic(st *state, x *syntax.Binary, when bool) bool {
	var room [8]syntax.Expr
	list := chain(x, room[:0])
	if (x.Op == syntax.OpAnd) == when {
		for _, e := range list {
			if !ip.narrow(st, e, when) {
				return false
			}
		}
		return true
	}
	// One operand decides, after those before it have let it.
	var decided *state
	goesOn := true
	for i, e := range list {
		if ip.spent() {
			return true
		}
		here := st
		if i < len(list)-1 {
			here = ip.fork(st)
		}
		if ip.narrow(here, e, when) {
			if decided != nil {
				calls := here.calls
				here.merge(decided, false)
				here.calls = calls
			}
			decided = here
		}
		if i < len(list)-1 {
			goesOn = ip.narrow(st, e, !when)
		}
		if !goesOn {
			break
		}
	}
	if decided == nil {
		return false
	}
	if decided != st {
		*st = *decided
	}
	return true
}

// cut narrows what e names to the kinds; false where nothing is left.
func (ip *interp) cut(st *state, e syntax.Expr, kinds Kinds) bool {
	v, known := ip.peek(st, e)
	if !known {
		return true
	}
	w := ip.with(v, kinds)
	if w == nil {
		return false
	}
	ip.settle(st, e, v, w)
	return true
}

// settle puts a narrowed value in its place and draws what follows from it.
func (ip *interp) settle(st *state, e syntax.Expr, old, v *Value) {
	if old == v {
		return
	}
	if p, ok := ip.place(st, e); ok {
		ip.setPlace(st, p, v)
		ip.follow(st, p, v)
		ip.holds(st, e, v)
	} else {
		ip.keep(st, unparen(e), v)
	}
	ip.first(st, e, v)
	ip.implied(st, v)
	ip.undone(st, v)
	if n, ok := unparen(e).(*syntax.Name); ok {
		if l := ip.in.Scope.Ref(n); l != nil {
			ip.replay(st, l, v)
		}
	}
}

// first: a table whose element 1 is there is not empty.
func (ip *interp) first(st *state, e syntax.Expr, v *Value) {
	x, ok := unparen(e).(*syntax.Index)
	if !ok || v.Kinds&Falsy != 0 {
		return
	}
	if n, ok := x.Key.(*syntax.Number); !ok || n.Value != 1 {
		return
	}
	t, known := ip.peek(st, x.X)
	if !known || t.NonEmpty || !t.Only(Table) || isList(t) {
		return
	}
	if p, ok := ip.place(st, x.X); ok {
		ip.fill(st, p, t)
	}
}

// fill notes that the table at a place has an element. A table of the script keeps that for itself, since it has other names, and may be
// emptied through them.
func (ip *interp) fill(st *state, p Place, t *Value) {
	if t.Obj != nil {
		ip.change(st, t, (*object).filled)
		return
	}
	c := ip.copyOf(t)
	c.NonEmpty = true
	ip.setPlace(st, p, c)
}

// implied narrows the place that a value tells of: tonumber(x) is a number only if x spells one; # is 0 only if x is empty.
func (ip *interp) implied(st *state, v *Value) {
	r := v.Of
	if r == nil {
		return
	}
	x := ip.placeValue(st, r.Place)
	if x.gen != r.gen || r.gen == 0 {
		return
	}
	switch r.How {
	case "tonumber":
		if v.Only(Number) {
			if w := ip.with(x, Number|String); w != nil {
				c := ip.copyOf(w)
				if c.Kinds&String != 0 {
					c.Numeric = Yes
				}
				c.Lo, c.Hi = math.Max(c.Lo, v.Lo), math.Min(c.Hi, v.Hi)
				ip.setPlace(st, r.Place, c)
				ip.implied(st, c)
			}
		}
	case "len":
		if x.Obj != nil {
			st.tell(lengthGuard(x.Obj), v)
		}
		if v.Lo >= 1 && !x.NonEmpty && x.Kinds&Table != 0 {
			ip.fill(st, r.Place, x)
		}
	case "next":
		if v.Kinds&Nil == 0 && !x.NonEmpty && x.Kinds&Table != 0 && !isList(x) && ip.onlyList(st, x) {
			ip.fill(st, r.Place, x)
		}
	}
}

// follow narrows the locals that were computed from a place: local n = tonumber(x); if not x then return end.
func (ip *interp) follow(st *state, p Place, v *Value) {
	for d := st.deps; d != nil; d = d.next {
		if d.on != p {
			continue
		}
		n := st.local(d.by)
		r := n.Of
		if r == nil || r.How != "tonumber" || r.gen != v.gen || r.gen == 0 {
			continue
		}
		switch {
		case v.Only(Number) || v.Only(String) && v.Numeric == Yes:
			if w := ip.with(n, Number); w != nil {
				st.setLocal(d.by, w)
				st.tell(localGuard(d.by), w)
			}
		case v.Kinds&Falsy == 0 && n.Kinds&Nil != 0 && n.Weak&Nil == 0:
			c := ip.copyOf(n)
			c.Weak |= Nil // only text that is no number is left as a reason
			st.setLocal(d.by, c)
		}
	}
}

// onlyList: a table without string keys, as far as is known: what next finds in it is an element.
func (ip *interp) onlyList(st *state, v *Value) bool {
	o := ip.object(st, v)
	if o == nil {
		return v.Reply != nil // not so what was decoded, nor one of several tables
	}
	return len(o.fields) == 0 && !o.open
}

// undone takes a write out of what may have been written where its reply says that it changed nothing: DEL gave 0, SET NX gave false.
func (ip *interp) undone(st *state, v *Value) {
	if v.From == nil || v.From.Kind != FromReply || v.From.Call == nil || v.From.Call.Command == nil {
		return
	}
	c := v.From.Call
	if v.From.Path != "" {
		if c.Name == "hmget" && v.Only(Truthy) {
			st.learn(recordFound(c))
		}
		return
	}
	ip.learn(st, c, v)
	none := false
	switch c.noEffect {
	case "0":
		none = v.Only(Number) && v.Lo == 0 && v.Hi == 0
	case "null":
		none = v.Only(Falsy)
	}
	if !none {
		return
	}
	st.drop(func(w *Call) bool { return w.Node == c.Node })
}

// drop takes writes back.
func (st *state) drop(gone func(*Call) bool) {
	at := slices.IndexFunc(st.writes, gone)
	if at < 0 {
		return
	}
	kept := st.mem.callLists.List(len(st.writes) - 1)[:0]
	kept = append(kept, st.writes[:at]...)
	for _, w := range st.writes[at+1:] {
		if !gone(w) {
			kept = append(kept, w)
		}
	}
	st.writes = kept[:len(kept):len(kept)]
	if len(kept) == 0 {
		st.mixed = false
	}
}

func (ip *interp) narrowEqual(st *state, x *syntax.Binary, eq bool) bool {
	for _, side := range [2][2]syntax.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		if !ip.narrowTo(st, side[0], side[1], eq) {
			return false
		}
	}
	return true
}

// narrowTo narrows e by e == other (or ~=).
func (ip *interp) narrowTo(st *state, e, other syntax.Expr, eq bool) bool {
	o, known := ip.peek(st, other)
	if !known {
		return true
	}
	if call, ok := unparen(e).(*syntax.Call); ok && o.Const && o.Kinds == String {
		if done, ok := ip.narrowType(st, call, o.Text, eq); done {
			return ok
		}
	}
	v, known := ip.peek(st, e)
	if !known {
		return true
	}
	w := v
	switch {
	case o.Const && eq:
		w = ip.equalTo(v, o)
	case o.Const && o.Kinds&(Nil|False|True) != 0:
		w = ip.with(v, Any&^o.Kinds)
	case o.Const && o.Kinds == Number && v.Only(Number):
		w = ip.mem.unequalTo(v, o.Num)
	case o.Const && o.Kinds == String && !eq:
		w = ip.mem.withoutText(v, o.Text)
	case eq && !o.IsUnknown():
		w = ip.with(v, o.Kinds)
		if w != nil && o.Weak&w.Kinds&^w.Weak != 0 {
			c := ip.copyOf(w)
			c.Weak |= o.Weak & w.Kinds // nil only where the other is, which nobody can vouch for
			w = c
		}
		if w != nil && o.From != nil && o.From.Kind == FromKeys && w.Kinds&String != 0 {
			c := ip.copyOf(w)
			c.From = o.From // the same text as an element of KEYS
			w = c
		}
	}
	if w == nil {
		return mayBeOneTable(v, o)
	}
	ip.settle(st, e, v, w)
	if v.Of != nil && v.Of.How == "type" && o.Const && o.Kinds == String {
		return ip.narrowTypeOf(st, v.Of, o.Text, eq)
	}
	return true
}

// equalTo is v once it equals the constant o.
func (ip *interp) equalTo(v, o *Value) *Value {
	w := ip.with(v, o.Kinds)
	if w == nil {
		return nil
	}
	if o.Kinds == Number && (o.Num < w.Lo || o.Num > w.Hi) && w.Kinds == Number {
		return nil
	}
	if w.Const {
		if w.Kinds == String && w.Text != o.Text || w.Kinds == Number && w.Num != o.Num {
			return nil
		}
		return w
	}
	c := ip.copyOf(o)
	c.From, c.Of, c.gen, c.Reply = w.From, w.Of, w.gen, w.Reply
	if c.From == nil {
		c.From = o.From
	}
	return c
}

// withoutText is v once it is known not to be a text: one of several origins that is just that text falls away.
func (m *Scratch) withoutText(v *Value, text string) *Value {
	if v.IsText(text) {
		return nil
	}
	if v.From == nil || v.From.Kind != FromOneOf {
		return v
	}
	var parts []*Origin
	for _, p := range v.From.Parts {
		if p == nil || p.Kind != FromLiteral || p.Text != text {
			parts = append(parts, p)
		}
	}
	if len(parts) == len(v.From.Parts) || len(parts) == 0 {
		return v
	}
	c := *v
	c.From = parts[0]
	for _, p := range parts[1:] {
		c.From = m.oneOf(c.From, p)
	}
	return &c
}

// unequalTo cuts a bound off.
func (m *Scratch) unequalTo(v *Value, n float64) *Value {
	if v.Const && v.Num == n {
		return nil
	}
	if v.Frac != Whole || n != v.Lo && n != v.Hi {
		return v
	}
	c := m.newValue()
	*c = *v
	if n == v.Lo {
		c.Lo = n + 1
	} else {
		c.Hi = n - 1
	}
	return pinned(c)
}

// pinned makes a number constant whose bounds have met.
func pinned(c *Value) *Value {
	if c.Lo > c.Hi {
		return nil
	}
	if c.Lo == c.Hi && c.Kinds == Number {
		c.Const, c.Num = true, c.Lo
	}
	return c
}

func (ip *interp) narrowOrder(st *state, x *syntax.Binary, when bool) bool {
	op := x.Op
	if !when {
		op = op.Opposite()
	}
	return ip.narrowBound(st, x.X, x.Y, op) && ip.narrowBound(st, x.Y, x.X, op.Turned())
}

// narrowBound narrows e by e op other, where both are numbers.
func (ip *interp) narrowBound(st *state, e, other syntax.Expr, op syntax.Op) bool {
	o, known := ip.peek(st, other)
	if !known || !o.Only(Number) {
		return true
	}
	v, known := ip.peek(st, e)
	if !known || v.IsUnknown() {
		return true
	}
	w := ip.with(v, Number)
	if w == nil {
		return true // the comparison raises, which is noted elsewhere
	}
	c := ip.copyOf(w)
	step := 0.0
	if c.Frac == Whole && o.Frac == Whole {
		step = 1
	}
	switch op {
	case syntax.OpLess:
		c.Hi = math.Min(c.Hi, o.Hi-step)
	case syntax.OpLessEq:
		c.Hi = math.Min(c.Hi, o.Hi)
	case syntax.OpGreater:
		c.Lo = math.Max(c.Lo, o.Lo+step)
	case syntax.OpGreaterEq:
		c.Lo = math.Max(c.Lo, o.Lo)
	}
	p := pinned(c)
	if p == nil {
		return false
	}
	ip.settle(st, e, v, p)
	return true
}

// narrowCall narrows by a call used as a condition: tonumber(x), next(t), type tests are elsewhere.
func (ip *interp) narrowCall(st *state, x *syntax.Call, when bool) bool {
	fn, known := ip.peek(st, x.Fn)
	if known && x.Method == nil && len(x.Args) > 0 {
		switch fn.Builtin() {
		case "tonumber":
			if v, ok := ip.peek(st, x.Args[0]); ok && when && len(x.Args) == 1 {
				if w := ip.with(v, Number|String); w != nil {
					c := ip.copyOf(w)
					c.Numeric = Yes
					ip.settle(st, x.Args[0], v, c)
				}
			}
		case "next":
			if v, ok := ip.peek(st, x.Args[0]); ok && when && v.Kinds&Table != 0 && ip.onlyList(st, v) {
				if p, ok := ip.place(st, x.Args[0]); ok {
					ip.fill(st, p, v)
				}
			}
		}
	}
	kinds := Truthy
	if !when {
		kinds = Falsy
	}
	return ip.cut(st, x, kinds)
}

// narrowType narrows by type(x) == "…".
func (ip *interp) narrowType(st *state, call *syntax.Call, name string, eq bool) (done, ok bool) {
	fn, known := ip.peek(st, call.Fn)
	if !known || fn.Builtin() != "type" || len(call.Args) == 0 {
		return false, true
	}
	kinds := typeKinds(name)
	if !eq {
		kinds = Any &^ kinds
	}
	return true, ip.cut(st, call.Args[0], kinds)
}

// narrowTypeOf narrows by a local that holds type(x).
func (ip *interp) narrowTypeOf(st *state, r *Relation, name string, eq bool) bool {
	x := ip.placeValue(st, r.Place)
	if x.gen != r.gen || r.gen == 0 {
		return true
	}
	kinds := typeKinds(name)
	if !eq {
		kinds = Any &^ kinds
	}
	w := ip.with(x, kinds)
	if w == nil {
		return false
	}
	ip.setPlace(st, r.Place, w)
	return true
}

// typeKinds are the kinds for which type gives the name.
func typeKinds(name string) Kinds {
	switch name {
	case "nil":
		return Nil
	case "boolean":
		return True | False
	case "number":
		return Number
	case "string":
		return String
	case "table":
		return Tables
	case "function":
		return Function
	case "userdata":
		return Userdata
	case "thread":
		return Thread
	}
	return 0
}
