package value

import "github.com/redislint/redislint/luacheck/scope"

// guard ties a write that may have happened to what a place held where it did: local done = false … SET … done = true. Where a test
// finds the place to hold something else, the write has not happened on the way there.
type guard struct {
	write *Call
	key   int // of the place, see localGuard and listGuard
	// v is what the place holds behind the write; with not, it is what the place held on the way without it, and holds no more.
	v    *Value
	not  bool
	next *guard
}

// maxGuards bounds what is kept at a point.
const maxGuards = 16

func localGuard(l *scope.Local) int { return 2 * l.Index }

func listGuard(key int) int { return 2*key + 1 }

// lengthGuard is for the length of a table that the script made.
func lengthGuard(o *Object) int { return -2*o.ID - 3 }

// condGuard is the condition that was evaluated last: a helper that writes may tell by what it returns.
const condGuard = -2

// guarded is the value of the place that a guard looks at.
func (s *state) guarded(key int) *Value {
	if key == condGuard {
		if s.cond != nil {
			return s.cond
		}
		return anyValue
	}
	if key < condGuard && key&1 == 0 {
		p := &s.mem.fieldPlaces[(-4-key)/2]
		if v := s.objs.get(p.id).tells(p.name); v != nil {
			return v
		}
		return anyValue
	}
	if key < 0 {
		if o := s.objs.get((-3 - key) / 2); o != nil {
			lo, hi := o.length()
			return s.mem.number(lo, hi, Whole, nil)
		}
		return anyValue
	}
	t := &s.locals
	if key&1 == 1 {
		t = &s.lists
	}
	if v := t.get(key >> 1); v != nil {
		return v
	}
	return anyValue
}

// give assigns a local: what earlier guards said of it was said of its last value.
func (s *state) give(l *scope.Local, v *Value) {
	s.release(localGuard(l))
	s.uncheck(l)
	s.unsplit(localGuard(l))
	s.setLocal(l, v)
}

// release drops the guards that look at a place, which gets another value.
func (s *state) release(key int) { s.loosen(func(g *guard) bool { return g.key == key }) }

// repeat drops the guards of a write: it happens here, whatever the places hold.
func (s *state) repeat(c *Call) { s.loosen(func(g *guard) bool { return g.write.Node == c.Node }) }

func (s *state) loosen(gone func(*guard) bool) {
	var kept *guard
	for g := s.guards; g != nil; g = g.next {
		if gone(g) {
			for g = s.guards; g != nil; g = g.next {
				if !gone(g) {
					kept = s.mem.guards.Put(guard{g.write, g.key, g.v, g.not, kept})
				}
			}
			s.guards = kept
			return
		}
	}
}

// tell takes back the writes that cannot have happened where a place holds v.
func (s *state) tell(key int, v *Value) {
	for g := s.guards; g != nil; g = g.next {
		if g.key == key && g.excludes(v) {
			s.drop(func(w *Call) bool { return w.Node == g.write.Node && w.At == g.write.At })
		}
	}
	s.choose(key, v)
}

// holds reports whether a place that holds v is as the guard says.
func (g *guard) holds(v *Value) bool {
	if g.not {
		return apart(v, g.v)
	}
	return covers(g.v, v)
}

// excludes reports whether a place that holds v says that the write has not happened.
func (g *guard) excludes(v *Value) bool {
	if g.not {
		return covers(g.v, v)
	}
	return apart(v, g.v)
}

func (g *guard) is(h *guard) bool {
	return g.key == h.key && g.not == h.not && g.write.Node == h.write.Node && g.write.At == h.write.At && (g.v == h.v || equal(g.v, h.v))
}

func (g *guard) in(list *guard) bool {
	for ; list != nil; list = list.next {
		if g.is(list) {
			return true
		}
	}
	return false
}

// apart reports whether no value is possible for both. What is possible only on data that nobody can vouch for does not count in v.
func apart(v, w *Value) bool {
	if s := v.Strong(); s != 0 {
		return unalike(s&w.Kinds, v, w)
	}
	return disjoint(v, w)
}

// disjoint reports whether no value is possible for both, on whatever data.
func disjoint(v, w *Value) bool { return unalike(v.Kinds&w.Kinds, v, w) }

// unalike reports whether two values of the kinds that both may be are surely not the same.
func unalike(both Kinds, v, w *Value) bool {
	switch both {
	case 0:
		return true
	case Number:
		return v.Hi < w.Lo || v.Lo > w.Hi
	case String:
		return v.Const && w.Const && v.Text != w.Text
	}
	return false
}

// covers reports whether all that is possible for v is possible for w.
func covers(w, v *Value) bool {
	switch {
	case v.Kinds&^w.Kinds != 0:
		return false
	case v.Kinds&Number != 0 && !(w.Lo <= v.Lo && v.Hi <= w.Hi):
		return false
	case v.Kinds&String != 0 && w.Const:
		return v.Const && v.Text == w.Text
	}
	return true
}

// mergeGuards gives the guards that hold on either way to a point, before the rest of the states is merged; it reports whether s had more.
// With wide nothing is added of the writes that s has, so that every chain of results is finite.
func (s *state) mergeGuards(t *state, wide bool) bool {
	alike := sameCalls(s.writes, t.writes)
	if alike && s.guards == t.guards {
		return false
	}
	m := guardMerge{mem: s.mem}
	lost := false
	for g := s.guards; g != nil; g = g.next {
		if !hasCall(t.writes, g.write) || g.in(t.guards) || g.holds(t.guarded(g.key)) {
			m.add(g)
		} else {
			lost = true
		}
	}
	for g := t.guards; g != nil; g = g.next {
		if !hasCall(s.writes, g.write) || !wide && g.holds(s.guarded(g.key)) {
			m.add(g)
		}
	}
	if !alike {
		m.part(s, t)
		m.part(t, s)
	}
	s.guards = m.list
	return lost
}

func sameCalls(a, b []*Call) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if b[i] != c {
			return false
		}
	}
	return true
}

var noLength = heap.numberValue(0)

type guardMerge struct {
	mem  *Scratch
	list *guard
	n    int
}

func (m *guardMerge) add(g *guard) {
	if m.n < maxGuards && !g.in(m.list) {
		m.list = m.mem.guards.Put(guard{g.write, g.key, g.v, g.not, m.list})
		m.n++
	}
}

// part finds the places that tell the way with a write from the way without it.
func (m *guardMerge) part(with, without *state) {
	for _, w := range with.writes {
		if hasCall(without.writes, w) {
			continue
		}
		with.locals.differ(without.locals, func(i int, v, other *Value) {
			if v != nil && other != nil {
				m.tells(w, 2*i, v, other)
			}
		})
		if with.cond != nil && without.cond != nil {
			m.tells(w, condGuard, with.cond, without.cond)
		}
		with.objs.differ(without.objs, func(id int, o, other *object) {
			if o == nil || other == nil {
				return
			}
			m.fields(w, id, o, other)
			lo, _ := o.length()
			if _, most := other.length(); lo >= 1 && most == 0 {
				m.add(&guard{write: w, key: lengthGuard(&Object{ID: id}), v: noLength, not: true})
			}
		})
		with.lists.differ(without.lists, func(i int, v, other *Value) {
			if v != nil {
				m.tells(w, 2*i+1, v, other)
			}
		})
	}
}

func (m *guardMerge) tells(w *Call, key int, v, other *Value) {
	switch {
	case v.IsUnknown():
	case other != nil && !other.IsUnknown() && apart(v, other):
		m.add(&guard{write: w, key: key, v: other, not: true})
	case v.Const && v.Kinds == String:
		m.add(&guard{write: w, key: key, v: v})
	}
}
