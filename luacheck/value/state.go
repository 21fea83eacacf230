package value

import (
	"strings"

	"github.com/redislint/redislint/luacheck/scope"
)

// state is what is known at one point on the paths that lead there. Copy it with fork only.
type state struct {
	mem    *Scratch
	locals tree[Value]
	lists  tree[Value] // narrowed elements of KEYS and ARGV, by listKey
	objs   tree[object]
	parts  *part // narrowed elements of replies
	// writes are the calls that may have written on the way here, earliest first on each path; see mixed.
	writes []*Call
	// mixed: a path without any of the writes leads here too, so a failure here need not come behind a write.
	mixed bool
	resp3 Tri
	known *known // facts about keys that hold
	// types are the keys that calls on every path took for a data type; random is a call whose reply differs from run to run.
	types  *typed
	random *Call
	deps   *dep
	guards *guard
	checks *check
	splits *split
	// epoch is another where what a call said of the data may not hold any more; 0 where paths of different ones have met.
	epoch uint32
	// cond is the value of the condition that was evaluated last; calls are the values of the calls in it.
	cond  *Value
	calls *callValue
	dead  bool
}

// callValue remembers what a call expression gave, for the test around it.
type callValue struct {
	node any
	v    *Value
	next *callValue
}

// dep says that the value of one local tells of a place: local n = tonumber(x).
type dep struct {
	on   Place
	by   *scope.Local
	next *dep
}

const elementsKept = 1 << 12

// listKey numbers the elements of KEYS and ARGV, small indexes first; -1 where the index is out of what is kept.
func listKey(k OriginKind, index int) int {
	if index <= 0 || index >= elementsKept {
		return -1
	}
	if k == FromArgvList {
		return 2*index - 1
	}
	return 2*index - 2
}

func (s *state) local(l *scope.Local) *Value {
	if v := s.locals.get(l.Index); v != nil {
		return v
	}
	return anyValue
}

func (s *state) setLocal(l *scope.Local, v *Value) { s.locals.set(l.Index, v) }

// merge puts t into s; it reports whether s says less than before.
func (s *state) merge(t *state, wide bool) bool {
	joinValues := s.mem.join
	if wide {
		joinValues = s.mem.widen
	}
	values := func(x, y *Value) (*Value, bool) {
		if x == nil || y == nil {
			return nil, x != nil // not bound on one path: not in sight here
		}
		v := joinValues(x, y)
		return v, v != x && !(equal(v, x) && v.gen == x.gen)
	}
	changed := s.mergeGuards(t, wide)
	var p split
	if !wide {
		p = s.ways(t)
	}
	changed = s.locals.merge(t.locals, values) || changed
	s.split(t, &p)
	changed = s.lists.merge(t.lists, values) || changed
	changed = s.objs.merge(t.objs, func(x, y *object) (*object, bool) { return joinObjects(x, y, joinValues) }) || changed
	changed = s.mergeParts(t, joinValues) || changed
	changed = s.mergeWrites(t) || changed
	if s.resp3 != t.resp3 && s.resp3 != Unknown {
		s.resp3, changed = Unknown, true
	}
	if kept := s.known.intersect(s.mem, t.known); kept != s.known {
		s.known, changed = kept, true
	}
	if kept := s.types.intersect(t.types); kept != s.types {
		s.types, changed = kept, true
	}
	if s.random != nil && (t.random == nil || t.random.Node != s.random.Node) {
		s.random, changed = nil, true
	}
	s.deps = commonDeps(s.deps, t.deps)
	changed = s.mergeChecks(t) || changed
	if s.cond != nil && t.cond != nil {
		s.cond = s.mem.join(s.cond, t.cond)
	} else {
		s.cond = nil
	}
	s.calls = nil
	return changed
}

func (s *state) mergeWrites(t *state) bool {
	changed := false
	mixed := s.mixed || t.mixed || (len(s.writes) == 0) != (len(t.writes) == 0)
	if mixed != s.mixed {
		s.mixed, changed = mixed, true
	}
	all := s.mem.union(s.writes, t.writes)
	changed = changed || len(all) != len(s.writes)
	s.writes = all
	return changed
}

// maxWrites bounds the writes that are kept at a point. The earliest are what findings name; the later ones matter only where the earlier
// turn out to have changed nothing.
const maxWrites = 8

// union adds the calls of b that a lacks, as far as there is room; a is not changed.
func (m *Scratch) union(a, b []*Call) []*Call {
	own := false
	for _, w := range b {
		if len(a) < maxWrites && !hasCall(a, w) {
			if !own {
				a, own = append(m.callLists.List(len(a) + len(b))[:0], a...), true
			}
			a = append(a, w)
		}
	}
	return a[:len(a):len(a)]
}

func hasCall(list []*Call, c *Call) bool {
	for _, w := range list {
		if w.Node == c.Node && w.At == c.At {
			return true
		}
	}
	return false
}

func commonDeps(a, b *dep) *dep {
	for a != nil && a != b {
		if b == nil || depth(a) >= depth(b) {
			a = a.next
		} else {
			b = b.next
		}
	}
	return a
}

func depth(d *dep) int {
	n := 0
	for ; d != nil; d = d.next {
		n++
	}
	return n
}

// fact says that something is there: a key, or what of names in it. Both are what factKey gives.
type fact struct {
	is      factOf
	key, of string
}

type factOf uint8

const (
	keyThere factOf = iota
	fieldThere
	memberThere
	recordThere // see recordFound
)

// mentions reports whether a word of the fact begins with a text: a fact about "K1" falls also with that about "K11", which is as well.
func (f fact) mentions(text string) bool {
	if strings.Contains(text, " ") {
		words := " " + f.key
		if f.is != keyThere {
			words += " " + f.of
		}
		return strings.Contains(words, " "+text)
	}
	return begins(f.key, text) || f.is != keyThere && begins(f.of, text)
}

// begins reports whether a word of s begins with a text without blanks.
func begins(s, text string) bool {
	return strings.HasPrefix(s, text) || strings.Contains(s, " ") && strings.Contains(s, " "+text)
}

// known is one fact about the data: a key exists, or a field of it does.
type known struct {
	fact fact
	next *known
	size int
}

const maxKnown = 24

func (k *known) has(f fact) bool {
	for ; k != nil; k = k.next {
		if k.fact == f {
			return true
		}
	}
	return false
}

func (k *known) add(m *Scratch, f fact) *known {
	if k.has(f) {
		return k
	}
	size := 1
	if k != nil {
		size = k.size + 1
	}
	if size > maxKnown {
		return k
	}
	return m.known.Put(known{fact: f, next: k, size: size})
}

// learn adds a fact to those that hold.
func (s *state) learn(f fact) { s.known = s.known.add(s.mem, f) }

// filter keeps the facts for which keep holds.
func (k *known) filter(m *Scratch, keep func(fact) bool) *known {
	if k == nil {
		return nil
	}
	rest := k.next.filter(m, keep)
	if !keep(k.fact) {
		return rest
	}
	if rest == k.next {
		return k
	}
	return rest.add(m, k.fact)
}

func (k *known) intersect(m *Scratch, o *known) *known {
	if k == o {
		return k
	}
	return k.filter(m, o.has)
}
