package value

// split remembers two ways that have met by what locals held on each: local ok, why = true, nil … ok, why = false, 'short'. A later test of
// one of them tells which way it was, and so what the others hold.
type split struct {
	n    int
	keys [maxSplit]int // of locals, see localGuard
	// one and two are what they held on the two ways, met what they hold where these have met.
	one, two, met [maxSplit]*Value
	next          *split
	size          int
}

const (
	maxSplit  = 3
	maxSplits = 6
)

// ways finds the locals that tell the ways of s and t apart.
func (s *state) ways(t *state) (p split) {
	s.locals.differ(t.locals, func(i int, v, w *Value) {
		if p.n < maxSplit && v != nil && w != nil && !v.IsUnknown() && !w.IsUnknown() && apart(v, w) && apart(w, v) {
			p.keys[p.n], p.one[p.n], p.two[p.n] = 2*i, v, w
			p.n++
		}
	})
	return p
}

// split keeps what tells the ways apart that have met in s, and of the older ones those that t has too.
func (s *state) split(t *state, p *split) {
	s.splits = commonSplits(s.splits, t.splits)
	if p.n < 2 || s.splits != nil && s.splits.size >= maxSplits {
		return
	}
	for i := range p.n {
		p.met[i] = s.locals.get(p.keys[i] >> 1)
	}
	p.next, p.size = s.splits, 1
	if p.next != nil {
		p.size += p.next.size
	}
	s.splits = s.mem.splits.Put(*p)
}

func commonSplits(a, b *split) *split {
	for a != b {
		switch {
		case a == nil || b == nil:
			return nil
		case a.size >= b.size:
			a = a.next
		default:
			b = b.next
		}
	}
	return a
}

// unsplit drops what a local told that is assigned.
func (s *state) unsplit(key int) {
	for p := s.splits; p != nil; p = p.next {
		if p.at(key) >= 0 {
			s.splits = s.splits.without(s.mem, key)
			return
		}
	}
}

func (p *split) without(m *Scratch, key int) *split {
	if p == nil {
		return nil
	}
	rest := p.next.without(m, key)
	switch {
	case p.at(key) >= 0:
		return rest
	case rest == p.next:
		return p
	}
	c := *p
	c.next, c.size = rest, 1
	if rest != nil {
		c.size += rest.size
	}
	return m.splits.Put(c)
}

// at is the place of a key, -1 for none.
func (p *split) at(key int) int {
	for i := range p.n {
		if p.keys[i] == key {
			return i
		}
	}
	return -1
}

// choose narrows the locals that a test of another tells of: key holds v.
func (s *state) choose(key int, v *Value) {
	for p := s.splits; p != nil; p = p.next {
		i := p.at(key)
		if i < 0 {
			continue
		}
		way := &p.one
		switch {
		case covers(p.one[i], v) && disjoint(v, p.two[i]):
		case covers(p.two[i], v) && disjoint(v, p.one[i]):
			way = &p.two
		default:
			continue
		}
		for j := range p.n {
			if l := p.keys[j] >> 1; j != i && s.locals.get(l) == p.met[j] && p.met[j] != way[j] {
				s.locals.set(l, way[j])
				s.tell(p.keys[j], way[j])
			}
		}
	}
}
