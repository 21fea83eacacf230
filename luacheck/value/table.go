package value

import (
	"math"

	"github.com/redislint/redislint/luacheck/syntax"
)

// object is the state of the table that v is, nil where v is none that the script made.
func (ip *interp) object(st *state, v *Value) *object {
	if v.Obj == nil {
		return nil
	}
	if o := st.objs.get(v.Obj.ID); o != nil {
		return o
	}
	return lostObject
}

// table evaluates a constructor.
func (ip *interp) table(x *syntax.Table, st *state) *Value {
	o := ip.mem.object(object{exact: true})
	for i := range x.Fields {
		f := &x.Fields[i]
		if f.Key == nil {
			o = ip.positional(o, f, i == len(x.Fields)-1, st)
			continue
		}
		key := ip.eval(f.Key, st)
		v := ip.eval(f.Value, st)
		ip.escapeInto(st, v)
		o = ip.assignKey(o, key, v)
	}
	id, known := ip.objects.get(x)
	if !known {
		id = ip.mem.tables.Put(Object{ID: ip.objects.len(), At: x.Span, Node: x})
		ip.objects.add(nil, x, id)
	}
	if old := st.objs.get(id.ID); old != nil && (old.many || ip.kept(st, id)) {
		o.many = true
		o, _ = joinObjects(o, old, ip.mem.join)
		o = o.clone()
		o.many = true
	}
	st.release(lengthGuard(id))
	st.replace(id.ID, o)
	v := ip.mem.vals.Put(Value{Kinds: Table, Obj: id, Lo: -inf, Hi: inf})
	switch {
	case o.fields["err"] != nil && o.fields["err"].Kinds&String != 0:
		v.Kinds, v.traits = Error, ip.mem.traits.Put(traits{made: x})
	case o.fields["ok"] != nil && o.fields["ok"].Kinds&String != 0:
		v.Kinds, v.traits = Status, ip.mem.traits.Put(traits{made: x})
	}
	return v
}

// kept reports whether a table that the same constructor made before may still be in use: it was put into another table, captured or handed
// on. Otherwise the new one takes its place.
func (ip *interp) kept(_ *state, id *Object) bool { return id.escaped }

func (ip *interp) positional(o *object, f *syntax.Field, last bool, st *state) *object {
	if !last {
		v := ip.eval(f.Value, st)
		ip.escapeInto(st, v)
		return o.push(v)
	}
	for _, a := range ip.multi(f.Value, st) {
		ip.escapeInto(st, a.Value)
		if a.Many {
			c := o.clone()
			c.append(a.Value)
			c.elem, c.least = ip.mem.join(o.element(), a.Value), o.atLeast()
			c.grows = a.Source
			return c
		}
		o = o.push(a.Value)
	}
	return o
}

// escapeInto marks a table that is put into another one.
func (ip *interp) escapeInto(_ *state, v *Value) {
	if v.Obj != nil {
		v.Obj.escaped = true
	}
}

func (ip *interp) assignKey(o *object, key, v *Value) *object {
	if key.Const && key.Kinds == String {
		return o.setField(key.Text, v)
	}
	if n, ok := constNumber(key); ok && key.Const && key.Kinds == Number && n == math.Floor(n) && n >= 1 && n < elementsKept {
		return o.setIndex(int(n), v)
	}
	if key.Only(Number) {
		return o.setIndex(0, v)
	}
	c := o.clone()
	c.open = true
	return c
}

// setIndex assigns x[k] = v.
func (ip *interp) setIndex(x *syntax.Index, v *Value, st *state) {
	base, key := ip.eval(x.X, st), ip.eval(x.Key, st)
	if st.dead {
		return
	}
	ip.escapeInto(st, v)
	ip.watch(x, st, func() { ip.operand(st, x.X, base, Tables, FailIndex, "attempt to index a %s value") })
	if ip.frame.record {
		ip.rec.access(Access{Node: x, X: base, Key: key, Value: v, Write: true, Func: ip.frame.fn, Skips: ip.skips(x, key)})
	}
	switch {
	case base.Lib() != "":
		ip.note(st, ip.mem.fails.Put(Failure{At: x.Span, Class: FailReadOnly, Sure: true, Why: "Attempt to modify a readonly table"}))
	case isList(base):
		ip.setElement(st, base.From.Kind, key, v)
	case base.Obj != nil:
		ip.change(st, base, func(o *object) *object { return ip.put(o, x, key, v) })
	default:
		ip.blur(st, x.X, base)
	}
}

// put assigns an element, knowing t[#t+1] for an append.
func (ip *interp) put(o *object, x *syntax.Index, key, v *Value) *object {
	if appends(x) {
		return ip.grow(o.add(v), v)
	}
	if key.Const {
		return ip.assignKey(o, key, v)
	}
	if key.Kinds&^Number != 0 {
		return ip.grow(ip.assignKey(o, key, v), v)
	}
	c := o.setFrom(lowest(key), v)
	if ip.skips(x, key) {
		c.holes = true
	}
	return ip.grow(c, v)
}

// lowest is the least index that a key may be, 0 where none is known.
func lowest(key *Value) int {
	if key.Kinds == Number && key.Lo >= 1 && key.Lo < elementsKept {
		return int(key.Lo)
	}
	return 0
}

// innermost is the loop around the present block.
func (ip *interp) innermost(fr *frame) *Loop {
	if fr.block == nil || fr.block.Loop == nil {
		return nil
	}
	return ip.loopOf(fr, fr.block.Loop)
}

// loopOf is the record of a loop of this function; while and repeat get one when something is in them.
func (ip *interp) loopOf(fr *frame, n syntax.Stmt) *Loop {
	if n == nil {
		return nil
	}
	if l, known := fr.loops.get(n); known {
		return l
	}
	l := ip.addLoop(fr, ip.mem.loops.Put(Loop{Node: n, Outer: ip.loopOf(fr, fr.graph.Outer[n])}))
	l.Counted, l.Leaves = ip.counted(n)
	return l
}

func (ip *interp) addLoop(fr *frame, l *Loop) *Loop {
	fr.loops.add(&ip.mem.frameLoops, l.Node, l)
	return l
}

// appends recognises t[#t + 1].
func appends(x *syntax.Index) bool {
	b, ok := unparen(x.Key).(*syntax.Binary)
	if !ok || b.Op != syntax.OpAdd {
		return false
	}
	one, ok := b.Y.(*syntax.Number)
	if !ok || one.Value != 1 {
		return false
	}
	l, ok := b.X.(*syntax.Unary)
	if !ok || l.Op != syntax.OpLen {
		return false
	}
	return sameName(l.X, x.X)
}

func sameName(a, b syntax.Expr) bool {
	switch a := unparen(a).(type) {
	case *syntax.Name:
		b, ok := unparen(b).(*syntax.Name)
		return ok && a.Text == b.Text
	case *syntax.Index:
		b, ok := unparen(b).(*syntax.Index)
		if !ok || !sameName(a.X, b.X) {
			return false
		}
		ak, aok := a.Key.(*syntax.String)
		bk, bok := b.Key.(*syntax.String)
		return aok && bok && ak.Value == bk.Value
	}
	return false
}

// change replaces the state of a table that the script made.
func (ip *interp) change(st *state, v *Value, f func(*object) *object) {
	o := st.objs.get(v.Obj.ID)
	if o == nil {
		return
	}
	st.release(lengthGuard(v.Obj))
	st.replace(v.Obj.ID, f(o))
}

// setElement assigns KEYS[k] or ARGV[k].
func (ip *interp) setElement(st *state, list OriginKind, key, v *Value) {
	if n, ok := constNumber(key); ok && key.Const {
		if k := listKey(list, int(n)); k >= 0 {
			st.release(listGuard(k))
			st.lists.set(k, v)
		}
		return
	}
	st.lists.drop() // some element: whatever was known of one is not known any more
	st.loosen(func(g *guard) bool { return g.key&1 == 1 })
}

// blur forgets what a reply or other table held, once an element is assigned.
func (ip *interp) blur(st *state, e syntax.Expr, v *Value) {
	defer ip.alter(st, v)
	if v.Reply == nil {
		if p, ok := ip.place(st, e); ok && v.NonEmpty {
			c := ip.copyOf(v)
			c.NonEmpty, c.gen = false, ip.gen() // what is assigned may be nil
			ip.setPlace(st, p, c)
		}
		return
	}
	st.dropParts(v.gen)
	if n, ok := unparen(e).(*syntax.Name); ok {
		if l := ip.in.Scope.Ref(n); l != nil {
			st.setLocal(l, ip.blurred(v, v.Kinds&Tables))
		}
	}
}
