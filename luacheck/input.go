package luacheck

import (
	"math"
	"slices"

	"github.com/redislint/redislint/luacheck/value"
)

// lists says what the elements of KEYS and ARGV may be, joined over all sites that run the script. Without a site, or where other sites may
// exist, an element may be missing, though nobody says so.
func lists(sites []Site, complete bool) (keys, args value.List) {
	var running []*Site
	for i := range sites {
		if sites[i].Mode.Runs() {
			running = append(running, &sites[i])
		}
	}
	if len(running) == 0 {
		return value.List{}, value.List{}
	}
	unknown := &List{Max: -1}
	pick := func(s *Site, l *List) *List {
		if s.OneOf {
			return unknown
		}
		return l
	}
	return join(running, complete, func(s *Site) *List { return pick(s, &s.Keys) }), join(running, complete, func(s *Site) *List { return pick(s, &s.Args) })
}

// maxElems bounds the elements that are described one by one.
const maxElems = 64

func join(sites []*Site, complete bool, pick func(*Site) *List) value.List {
	n := 0
	for _, s := range sites {
		n = max(n, min(maxElems, len(pick(s).Items)))
	}
	l := value.List{Elems: make([]*value.Value, n)}
	for i := range l.Elems {
		var kinds []value.Element
		for _, s := range sites {
			kinds = append(kinds, element(pick(s), i))
		}
		l.Elems[i] = value.ElementValue(kinds, complete)
	}
	l.Counted, l.Min = complete, -1
	if complete && !slices.ContainsFunc(sites, func(s *Site) bool { return !pick(s).Exact }) {
		l.Rest = value.ElementValue([]value.Element{{Missing: true}}, true)
	}
	for _, s := range sites {
		x := pick(s)
		l.Grows = l.Grows || x.Grows
		least, most := x.counts()
		if l.Min < 0 || least < l.Min {
			l.Min = least
		}
		if l.Max >= 0 && most >= 0 {
			l.Max = max(l.Max, most)
		} else {
			l.Max = -1
		}
	}
	return l
}

// element describes one element as one site passes it.
func element(l *List, i int) value.Element {
	e := value.Element{Lo: math.Inf(-1), Hi: math.Inf(1)}
	if i >= len(l.Items) || i >= l.Min && !l.Exact {
		e.Missing = l.Exact
		e.Optional = !l.Exact
		return e
	}
	it := l.Items[i]
	if text, ok := it.Text.Constant(); ok && it.Kind.Type == TypeString {
		e.Const, e.Text = true, text
	}
	switch it.Kind.Type {
	case TypeInt, TypeDuration, TypeBool:
		e.Numeric, e.Whole = true, true
	case TypeFloat:
		e.Numeric, e.Whole, e.Fraction = true, it.Kind.Whole, !it.Kind.Whole
	}
	if it.Kind.Numeral {
		e.Numeric, e.Whole = true, it.Kind.Whole
	}
	if it.Kind.HasRange {
		e.Lo, e.Hi = it.Kind.Lo, it.Kind.Hi
	}
	return e
}
