package value

// fieldPlace is a field of a table that the script made, as a guard looks at it: state.done = true beside a write.
type fieldPlace struct {
	id   int
	name string
}

const (
	// maxFieldPlaces bounds the fields that guards look at; of those that come later nothing is kept.
	maxFieldPlaces = 64
	// maxFlagFields bounds the fields of a table of flags; one with more holds data.
	maxFlagFields = 12
)

// fieldGuard is for a field, 0 where there is no room for it. It is even, as that of a length is odd; see condGuard.
func (m *Scratch) fieldGuard(id int, name string) int {
	for i, p := range m.fieldPlaces {
		if p.id == id && p.name == name {
			return -2*i - 4
		}
	}
	if len(m.fieldPlaces) == maxFieldPlaces {
		return 0
	}
	m.fieldPlaces = append(m.fieldPlaces, fieldPlace{id, name})
	return -2*len(m.fieldPlaces) - 2
}

// tells is what a field surely holds; nil where nothing is known, or where the table stands for several.
func (o *object) tells(name string) *Value {
	if o == nil || o.many || o.lost || o.open {
		return nil
	}
	if v := o.fields[name]; v != nil {
		return v
	}
	return nilValue
}

// fields finds the fields of a table that tell the way with a write from the way without it.
func (m *guardMerge) fields(w *Call, id int, o, other *object) {
	if len(o.fields)+len(other.fields) == 0 || len(o.fields) > maxFlagFields || len(other.fields) > maxFlagFields {
		return
	}
	tell := func(name string) {
		v, without := o.tells(name), other.tells(name)
		if v == nil || without == nil || v == without || v.IsUnknown() || !apart(v, without) && !(v.Const && v.Kinds == String) {
			return
		}
		if key := m.mem.fieldGuard(id, name); key != 0 {
			m.tells(w, key, v, without)
		}
	}
	for _, name := range o.fieldNames() {
		tell(name)
	}
	for _, name := range other.fieldNames() {
		if o.fields[name] == nil {
			tell(name)
		}
	}
}

// replace puts another state of a table in its place: what guards said of the fields that differ was said of the last one.
func (s *state) replace(id int, o *object) {
	old := s.objs.get(id)
	s.objs.set(id, o)
	for g := s.guards; g != nil; g = g.next {
		if g.key < condGuard && g.key&1 == 0 {
			s.loosen(func(g *guard) bool { return s.moved(g.key, id, old, o) })
			return
		}
	}
}

func (s *state) moved(key, id int, old, o *object) bool {
	if key >= condGuard || key&1 != 0 {
		return false
	}
	p := &s.mem.fieldPlaces[(-4-key)/2]
	if p.id != id {
		return false
	}
	v := o.tells(p.name)
	return v == nil || v != old.tells(p.name)
}
