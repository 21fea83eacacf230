package value

import (
	"strconv"

	"github.com/redislint/redislint/luacheck/syntax"
)

// part is an element of a reply as it was read, and narrowed, on the way here: `if m[1] then use(m[1]) end`. Its base is told by the stamp of
// the reply, so that it holds under every name of it and for no other reply.
type part struct {
	place Place
	v     *Value
	next  *part
}

// partsKept bounds the elements that are kept at a point; the latest stay.
const partsKept = 16

// partPlace names an element of a reply: of a stamped table, with a constant key or a stamped one.
func partPlace(base, key *Value) (Place, bool) {
	if base.Reply == nil || base.gen == 0 || base.Kinds&Table == 0 {
		return Place{}, false
	}
	p := Place{Base: base.gen}
	switch {
	case key.Const && key.Kinds == String:
		p.Field = key.Text
	case key.Const && key.Kinds == Number:
		p.Field = numbered(key.Num)
	case key.gen != 0 && key.Only(Number):
		p.Index = int(key.gen)
	default:
		return Place{}, false
	}
	return p, true
}

// numbered is the field of a number as a key.
func numbered(n float64) string {
	const digits = "#0#1#2#3#4#5#6#7#8#9"
	if i := int(n); i >= 1 && i <= 9 && float64(i) == n {
		return digits[2*i : 2*i+2]
	}
	return "#" + strconv.FormatFloat(n, 'g', -1, 64)
}

// part is what is known of an element, nil where nothing is.
func (s *state) part(p Place) *Value {
	for x := s.parts; x != nil; x = x.next {
		if x.place == p {
			return x.v
		}
	}
	return nil
}

// keepParts keeps the parts for which keep holds, as keep gives them; the list itself is shared and never changed.
func (s *state) keepParts(keep func(*part) *Value) {
	var room [partsKept + 1]part
	kept := room[:0]
	same := true
	for x := s.parts; x != nil; x = x.next {
		v := keep(x)
		same = same && v == x.v
		if v != nil {
			kept = append(kept, part{place: x.place, v: v})
		}
	}
	if same {
		return
	}
	s.parts = nil
	for i := min(len(kept), partsKept) - 1; i >= 0; i-- {
		kept[i].next = s.parts
		s.parts = s.mem.parts.Put(kept[i])
	}
}

func (s *state) setPart(p Place, v *Value) {
	s.keepParts(func(x *part) *Value {
		if x.place == p {
			return nil
		}
		return x.v
	})
	s.parts = s.mem.parts.Put(part{place: p, v: v, next: s.parts})
	n := 0
	for x := s.parts; x != nil; x = x.next {
		if n++; n > partsKept {
			s.keepParts(func(x *part) *Value { return x.v })
			return
		}
	}
}

// dropParts forgets the elements of a reply that is changed.
func (s *state) dropParts(base uint32) {
	s.keepParts(func(x *part) *Value {
		if x.place.Base == base {
			return nil
		}
		return x.v
	})
}

// mergeParts keeps what holds on both paths.
func (s *state) mergeParts(t *state, joinValues func(a, b *Value) *Value) bool {
	if s.parts == t.parts {
		return false
	}
	before := s.parts
	s.keepParts(func(x *part) *Value {
		w := t.part(x.place)
		if w == nil {
			return nil
		}
		j := joinValues(x.v, w)
		if equal(j, x.v) && j.gen == x.v.gen {
			return x.v
		}
		return j
	})
	return s.parts != before
}

// readPart is the place of an element of a reply; what it holds is kept from now on, with a stamp, so that a later test can narrow it.
func (ip *interp) readPart(st *state, base, key *Value, at syntax.Span) (Place, bool) {
	p, ok := partPlace(base, key)
	if !ok {
		return p, false
	}
	if st.part(p) == nil {
		st.setPart(p, ip.stamped(ip.read(st, base, key, at)))
	}
	return p, true
}

// stampedIn is the value of a local with a stamp, which the local gets where paths with different stamps have met: from here on it is one
// value until it is assigned.
func (ip *interp) stampedIn(st *state, e syntax.Expr, v *Value) *Value {
	n, ok := unparen(e).(*syntax.Name)
	if !ok || v.gen != 0 || v.Const || v.Reply == nil && !v.Only(Number) {
		return v
	}
	l := ip.in.Scope.Ref(n)
	if l == nil {
		return v
	}
	w := ip.stamped(v)
	st.setLocal(l, w)
	return w
}

// shorten: an element is taken out of a reply, so the others move, and none may be left.
func (ip *interp) shorten(k *hostArgs, t *Value) {
	k.st.dropParts(t.gen)
	if len(k.args) == 0 || k.args[0].Node == nil {
		return
	}
	if p, ok := ip.place(k.st, k.args[0].Node); ok {
		c := ip.copyOf(t)
		c.NonEmpty, c.gen = false, ip.gen()
		ip.setPlace(k.st, p, c)
	}
}

// holds notes that a reply has elements, where one of them is known to be there.
func (ip *interp) holds(st *state, e syntax.Expr, v *Value) {
	x, ok := unparen(e).(*syntax.Index)
	if !ok || v.Kinds&Nil != 0 {
		return
	}
	base, ok := ip.peek(st, x.X)
	if !ok || base.Reply == nil || base.NonEmpty || base.Kinds&Table == 0 {
		return
	}
	key, ok := ip.peek(st, x.Key)
	if !ok || !key.Only(Number) {
		return
	}
	if p, ok := ip.place(st, x.X); ok {
		c := ip.copyOf(base)
		c.NonEmpty = true
		ip.setPlace(st, p, c)
	}
}
