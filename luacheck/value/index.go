package value

import (
	"math"

	"github.com/redislint/redislint/luacheck/syntax"
)

// index reads x[k]. A chain of them is walked by a loop, since it may be as long as the text.
func (ip *interp) index(x *syntax.Index, st *state) *Value {
	var room [8]*syntax.Index
	spine := room[:0]
	var e syntax.Expr = x
	for {
		i, ok := e.(*syntax.Index)
		if !ok {
			break
		}
		spine = append(spine, i)
		e = i.X
	}
	if len(spine) > maxSpine {
		ip.giveUp()
		return anyValue
	}
	v := ip.eval(e, st)
	for i := len(spine) - 1; i >= 0; i-- {
		v = ip.indexWith(spine[i], v, st)
	}
	return v
}

func (ip *interp) indexWith(x *syntax.Index, v *Value, st *state) *Value {
	key := ip.eval(x.Key, st)
	if st.dead {
		return anyValue
	}
	ip.watch(x, st, func() {
		ip.operand(st, x.X, v, Tables|String|Userdata, FailIndex, "attempt to index a %s value")
	})
	res := ip.read(st, v, key, x.Span)
	if isList(v) && res.Kinds&Nil != 0 && ip.withinList(st, x) {
		res = ip.with(res, Any&^Nil)
		if res == nil {
			res = anyValue
		}
	}
	res = ip.sibling(st, res)
	if ip.frame.record {
		ip.rec.access(Access{Node: x, X: v, Key: key, Value: res, Func: ip.frame.fn})
	}
	return res
}

// read is what v[key] gives where it does not fail.
func (ip *interp) read(st *state, v, key *Value, at syntax.Span) *Value {
	switch {
	case v.Lib() != "":
		return ip.field(v.Lib(), key)
	case isList(v):
		return ip.element(st, v.From.Kind, key, at)
	case v.Only(String):
		if key.Const && key.Kinds == String {
			return ip.mem.builtinValue("string." + key.Text) // ("x").rep
		}
		return nilValue
	}
	if key.Const && key.Kinds == String && v.Kinds&(Status|Error) != 0 {
		if f := ip.mem.special(v, key.Text); f != nil {
			return f
		}
	}
	if o := ip.object(st, v); o != nil {
		return o.at(key)
	}
	if v.Reply != nil && v.Kinds&Table != 0 {
		if p, ok := partPlace(v, key); ok {
			if w := st.part(p); w != nil {
				return w
			}
		}
		return ip.replyPart(v, key)
	}
	if v.From != nil && v.From.Kind == FromDecoded {
		return ip.mem.decodedPart(v.From)
	}
	c := ip.copyOf(anyValue)
	c.From = ip.mem.derived(v.From)
	return c
}

// derived is the origin of a part of something: where that came from, as far as it matters.
func (m *Scratch) derived(o *Origin) *Origin {
	if o == nil {
		return nil
	}
	switch o.Kind {
	case FromReply:
		return &Origin{Kind: FromReply, Call: o.Call, Path: addPath(o.Path, "[]"), At: o.At}
	case FromDecoded, FromTime, FromRandom, FromParam:
		return o
	}
	return m.computed(o.At, o)
}

func addPath(p, q string) string {
	if len(p) > 24 {
		return p
	}
	return p + q
}

// special reads .ok and .err of replies that are tables with one field.
func (m *Scratch) special(v *Value, key string) *Value {
	var of Kinds
	switch key {
	case "err":
		of = Error
	case "ok":
		of = Status
	default:
		return nil
	}
	hit := v.Kinds & of
	f := m.text(m.derived(v.From))
	if key == "ok" && v.Reply != nil && len(v.Reply.Words) > 0 {
		f.From = v.From
	}
	if hit == 0 {
		if v.Kinds&Table != 0 {
			return nil // an open table may have it
		}
		return nilValue
	}
	if v.Kinds&^of != 0 {
		f.Kinds |= Nil
	}
	return f
}

// element reads KEYS[key] or ARGV[key].
func (ip *interp) element(st *state, list OriginKind, key *Value, at syntax.Span) *Value {
	i := 0
	if n, ok := constNumber(key); ok && key.Const && key.Kinds == Number {
		if n != math.Floor(n) || n < 1 || n >= elementsKept {
			ip.use(list, Use{At: at, Index: -1})
			return nilValue
		}
		i = int(n)
	} else if key.Const {
		return nilValue // KEYS.foo
	}
	v := ip.listElement(st, list, i)
	ip.use(list, Use{At: at, Index: i, Guarded: v.Kinds&Nil == 0})
	return v
}

// listElement is the value of one element, as narrowed on the way here.
func (ip *interp) listElement(st *state, list OriginKind, i int) *Value {
	if k := listKey(list, i); k >= 0 {
		if v := st.lists.get(k); v != nil {
			return v
		}
	}
	k := elemKey{list, i}
	v, known := ip.elems.get(k)
	if !known {
		v = ip.makeElement(list, i)
		ip.elems.add(nil, k, v)
	}
	return v
}

type elemKey struct {
	list  OriginKind
	index int
}

func (ip *interp) makeElement(list OriginKind, i int) *Value {
	known, from := ip.in.Keys, FromKeys
	if list == FromArgvList {
		known, from = ip.in.Args, FromArgv
	}
	origin := ip.mem.words.Put(Origin{Kind: from, Index: i})
	var v *Value
	switch {
	case i == 0:
		v = known.some()
	case i <= len(known.Elems):
		v = known.Elems[i-1]
	default:
		v = known.Rest
	}
	if v == nil {
		v = ip.mem.vals.Put(Value{Kinds: String | Nil, Weak: Nil, Lo: -inf, Hi: inf})
	}
	c := ip.copyOf(v)
	c.From = origin
	if i > 0 && c.gen == 0 {
		c.gen = elementGen(from, i)
	}
	return c
}

// elementGen stamps an element of KEYS or ARGV: it is the same value whenever it is read, until it is assigned.
func elementGen(from OriginKind, i int) uint32 {
	g := uint32(1<<31) | uint32(i)
	if from == FromArgv {
		g |= 1 << 30
	}
	return g
}

func (ip *interp) use(list OriginKind, u Use) {
	if ip.frame.record {
		ip.rec.use(list == FromKeysList, u)
	}
}

// useElements notes that all elements of KEYS or ARGV may be used: #KEYS, unpack, a loop.
func (ip *interp) useElements(v *Value, at syntax.Span) {
	if isList(v) {
		ip.use(v.From.Kind, Use{At: at, Index: 0})
	}
}

// at reads a key of a table made in the script.
func (o *object) at(key *Value) *Value {
	if key.Const && key.Kinds == String {
		if v, ok := o.fields[key.Text]; ok {
			return v
		}
		return o.missing()
	}
	if key.Const && key.Kinds == Number {
		i := key.Num
		if head, _ := o.parts(); i == math.Floor(i) && i >= 1 && i <= float64(len(head)) && (o.exact || !o.open && !o.lost) {
			return head[int(i)-1]
		}
		if o.exact && !o.open && !o.lost {
			return nilValue
		}
	}
	v := o.element()
	if o.open || o.lost {
		return anyValue
	}
	for _, name := range o.fieldNames() {
		if key.Kinds&String != 0 {
			v = heap.join(v, o.fields[name])
		}
	}
	if v == nil {
		return nilValue
	}
	if v.IsUnknown() {
		return v
	}
	c := *v
	c.Kinds |= Nil
	if v.Kinds&Nil == 0 {
		c.Weak |= Nil // the index may be past the end
	}
	c.Const = c.Kinds == Nil
	c.gen = 0
	return &c
}

// replyPart is an element of a reply.
func (ip *interp) replyPart(v, key *Value) *Value {
	r := v.Reply
	from := v.From
	n, num := constNumber(key)
	if key.Const && (!num || key.Kinds != Number || n < 1 || n != math.Floor(n)) {
		if r.FieldValue || r.Elem != nil || len(r.Tuple) > 0 {
			if v.Kinds&Table != 0 && !ip.resp3 {
				return nilValue // a flat list has no named fields (fact 80), and starts at 1
			}
		}
		return anyValue
	}
	part, path := r.Elem, "[]"
	if key.Const && n >= 1 && int(n) <= len(r.Tuple) {
		part, path = &r.Tuple[int(n)-1], index(int(n))
	} else if key.Const {
		path = index(int(n))
		if r.FieldValue {
			path = "[]"
		}
	} else if len(r.Tuple) > 0 {
		for i := range r.Tuple {
			if part == nil || part.Kinds != r.Tuple[i].Kinds {
				part = nil
				break
			}
		}
		if part == nil && r.Elem == nil {
			c := ip.copyOf(anyValue)
			c.From = ip.mem.derived(from)
			return c
		}
	}
	if part == nil {
		c := ip.copyOf(anyValue)
		c.From = ip.mem.derived(from)
		return c
	}
	var o *Origin
	if from != nil {
		o = ip.mem.partOf(from, addPath(from.Path, path))
	}
	e := ip.replyValue(part, o, ip.resp3)
	if v.Present {
		e = ip.mem.soften(e)
	}
	fixed := key.Const && (int(n) <= len(r.Tuple) || r.MaxLen > 0 && r.NonEmpty && int(n) <= r.MaxLen) || key.Const && n == 1 && v.NonEmpty
	if !fixed && !e.IsUnknown() {
		c := ip.copyOf(e)
		c.Kinds |= Nil
		// An empty reply is what happens; a shorter one than the script counts on, or one inside another, is not.
		if !key.Const || e.Kinds&False != 0 || v.NonEmpty || from == nil || from.Path != "" {
			c.Weak |= Nil
		}
		e = c
	}
	return e
}

// decodedPart is a part of decoded data: anything but a function.
func (m *Scratch) decodedPart(o *Origin) *Value {
	c := *anyValue
	c.From = o
	return &c
}

// elementOf is what any element of a table may be, from position skip+1 on.
func (ip *interp) elementOf(st *state, v *Value, _ int) *Value {
	switch {
	case isList(v):
		e := ip.listElement(st, v.From.Kind, 0)
		if w := ip.with(e, Any&^Nil); w != nil {
			return w
		}
		return e
	case v.Lib() != "":
		return anyValue
	}
	if o := ip.object(st, v); o != nil {
		if o.open || o.lost {
			return anyValue
		}
		if e := o.element(); e != nil {
			return e
		}
		return nilValue
	}
	if v.Reply != nil && v.Kinds&Table != 0 {
		e := ip.replyPart(v, anyValue)
		if w := ip.with(e, Any&^Nil); w != nil && !e.IsUnknown() {
			return w
		}
		return e
	}
	c := ip.copyOf(anyValue)
	c.From = ip.mem.derived(v.From)
	return c
}
