package value

import (
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

// maxParts bounds the parts of an origin, maxLeaves the leaves under them and maxDeep the depth; beyond them only the leaves are kept, so that
// loops end and joins stay cheap.
const (
	maxParts  = 12
	maxLeaves = 48
	maxDeep   = 8
)

// String writes an origin as people read it: `KEYS[1] .. ":ts"`, `reply of HGET`.
func (o *Origin) String() string {
	if o == nil {
		return "an unknown value"
	}
	switch o.Kind {
	case FromKeys:
		return "KEYS" + index(o.Index)
	case FromArgv:
		return "ARGV" + index(o.Index)
	case FromKeysList:
		return "KEYS"
	case FromArgvList:
		return "ARGV"
	case FromLiteral:
		return strconv.Quote(o.Text)
	case FromReply:
		return "the reply of " + o.Call.Label()
	case FromDecoded:
		return "decoded data"
	case FromTime:
		return "the clock"
	case FromRandom:
		return "a random number"
	case FromHole:
		return "text that Go puts in"
	case FromConcat:
		return joinOrigins(o.Parts, " .. ")
	case FromOneOf:
		return joinOrigins(o.Parts, " or ")
	case FromComputed:
		return "a computed value"
	case FromParam:
		return "a parameter"
	case FromNumber:
		return "a number"
	}
	return "an unknown value"
}

func index(i int) string {
	const digits = "[0][1][2][3][4][5][6][7][8][9]"
	switch {
	case i == 0:
		return "[…]"
	case i >= 1 && i <= 9:
		return digits[3*i : 3*i+3]
	}
	return "[" + strconv.Itoa(i) + "]"
}

func joinOrigins(parts []*Origin, sep string) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = p.String()
	}
	return strings.Join(words, sep)
}

// Label is the command in upper case with a blank for the subcommand, or "a command".
func (c *Call) Label() string {
	if c == nil || c.Name == "" {
		return "a command"
	}
	return strings.ToUpper(strings.ReplaceAll(c.Name, "|", " "))
}

// Leaves calls visit for each origin that o is made of, o itself where it is plain.
func (o *Origin) Leaves(visit func(*Origin)) {
	if o == nil {
		return
	}
	switch o.Kind {
	case FromConcat, FromOneOf, FromComputed:
		for _, p := range o.Parts {
			if p == nil {
				visit(&Origin{})
				continue
			}
			p.Leaves(visit)
		}
	default:
		visit(o)
	}
}

// same compares origins by meaning, not by place.
func (o *Origin) same(p *Origin) bool {
	if o == p {
		return true
	}
	if o == nil || p == nil || o.Kind != p.Kind || o.Index != p.Index || o.Text != p.Text || o.Path != p.Path || len(o.Parts) != len(p.Parts) {
		return false
	}
	if o.Call != p.Call && (o.Call == nil || p.Call == nil || o.Call.Node != p.Call.Node) {
		return false
	}
	for i := range o.Parts {
		if !o.Parts[i].same(p.Parts[i]) {
			return false
		}
	}
	return true
}

// Same reports whether two origins surely name the same text: same leaves in the same order, and none of them unknown.
func (o *Origin) Same(p *Origin) bool { return o.same(p) && o.definite() }

func (o *Origin) definite() bool {
	if o == nil {
		return false
	}
	switch o.Kind {
	case FromKeys, FromArgv:
		return o.Index > 0
	case FromLiteral:
		return true
	case FromReply:
		return !strings.Contains(o.Path, "[]")
	case FromConcat:
		for _, p := range o.Parts {
			if !p.definite() {
				return false
			}
		}
		return true
	}
	return false
}

func (m *Scratch) literal(text string, at syntax.Span) *Origin {
	return m.origin(Origin{Kind: FromLiteral, Text: text, At: at})
}

// partOf is the origin of a part of what o is the origin of.
func (m *Scratch) partOf(o *Origin, path string) *Origin {
	c := *o
	c.Path, c.key = path, ""
	return m.origin(c)
}

// decoded is the origin of what a decoder made of a text.
func (m *Scratch) decoded(by string, from *Origin, at syntax.Span) *Origin {
	o := m.origin(Origin{Kind: FromDecoded, Parts: []*Origin{from}, Text: by, At: at})
	if o.measure(); from != nil {
		o.leaves = max(from.leaves, 1)
	}
	return o
}

// concat joins origins of texts; neighbouring literals become one.
func (m *Scratch) concat(parts []*Origin, at syntax.Span) *Origin {
	n := 0
	for _, p := range parts {
		n++
		if p != nil && p.Kind == FromConcat {
			n += len(p.Parts) - 1
		}
	}
	kept := m.origins(n)[:0]
	for _, p := range parts {
		if p != nil && p.Kind == FromConcat {
			for _, q := range p.Parts {
				kept = m.appendText(kept, q)
			}
		} else {
			kept = m.appendText(kept, p)
		}
	}
	if len(kept) == 1 {
		return kept[0]
	}
	return m.bounded(m.origin(Origin{Kind: FromConcat, Parts: kept, At: at}))
}

// appendText puts a part behind others; neighbouring literals become one.
func (m *Scratch) appendText(kept []*Origin, p *Origin) []*Origin {
	n := len(kept)
	if n > 0 && p != nil && p.Kind == FromLiteral && kept[n-1] != nil && kept[n-1].Kind == FromLiteral {
		kept[n-1] = m.literal(kept[n-1].Text+p.Text, syntax.Span{Start: kept[n-1].At.Start, End: p.At.End})
		return kept
	}
	return append(kept, p)
}

// computed is the origin of what is worked out from several values.
func (m *Scratch) computed(at syntax.Span, parts ...*Origin) *Origin {
	kept := m.origins(len(parts))[:0]
	for _, p := range parts {
		if p != nil && p.Kind != FromLiteral && p.Kind != FromNumber {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return madeNumber
	}
	return m.bounded(m.origin(Origin{Kind: FromComputed, Parts: kept, At: at}))
}

// bounded cuts an origin that has grown too large to plain leaves, so that what it depends on stays known.
func (m *Scratch) bounded(o *Origin) *Origin {
	if o.measure(); len(o.Parts) <= maxParts && o.deep <= maxDeep && o.leaves <= maxLeaves {
		return o
	}
	c := m.origin(Origin{Kind: FromComputed, Parts: o.distinct(), At: o.At})
	c.measure()
	return c
}

// measure counts the leaves and the depth.
func (o *Origin) measure() {
	o.leaves, o.deep = 0, 0
	for _, p := range o.Parts {
		o.leaves++
		if p != nil {
			o.leaves += max(p.leaves, 1) - 1
			o.deep = max(o.deep, p.deep)
		}
	}
	o.deep++
}

// oneOf joins what two paths bring.
func (m *Scratch) oneOf(a, b *Origin) *Origin {
	if a.same(b) {
		return a
	}
	if a == nil || b == nil {
		return nil
	}
	if a.Kind == b.Kind && (a.Kind == FromKeys || a.Kind == FromArgv) {
		return m.origin(Origin{Kind: a.Kind, At: a.At}) // some element
	}
	var parts []*Origin
	for _, o := range []*Origin{a, b} {
		list := []*Origin{o}
		if o.Kind == FromOneOf {
			list = o.Parts
		}
		for _, p := range list {
			parts = m.addOrigin(parts, p)
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return m.bounded(m.origin(Origin{Kind: FromOneOf, Parts: parts, At: a.At}))
}

// widenFrom is the origin at the head of a loop, j for the two that met there. What is made of nothing but what the old one is made of says
// nothing new; else a sum over a loop would grow with each turn. Nor does anything once there are too many to tell.
func (m *Scratch) widenFrom(old, v, j *Origin) *Origin {
	switch {
	case old != nil && old.full:
		return old
	case j == nil || old == nil || j == old || v == nil || len(old.Parts) == 0:
		return j
	}
	if !v.madeOf(old) {
		if parts := j.distinct(); len(parts) >= maxParts {
			return m.origin(Origin{Kind: FromComputed, Parts: parts, At: old.At, full: true})
		}
		return j
	}
	if old.Kind == FromComputed || !v.joins() {
		return old
	}
	return m.bounded(m.origin(Origin{Kind: FromComputed, Parts: old.distinct(), At: old.At}))
}

// madeOf reports whether each leaf of o is one of p.
func (o *Origin) madeOf(p *Origin) bool {
	all := true
	o.Leaves(func(l *Origin) {
		found := false
		if all {
			p.Leaves(func(m *Origin) { found = found || l.same(m) })
		}
		all = all && found
	})
	return all
}

// joins reports whether texts are joined in it.
func (o *Origin) joins() bool {
	if o == nil || o.Kind == FromConcat {
		return o != nil
	}
	return slices.ContainsFunc(o.Parts, (*Origin).joins)
}

// distinct are the leaves, each once.
func (o *Origin) distinct() []*Origin {
	var parts []*Origin
	o.Leaves(func(l *Origin) {
		if !slices.ContainsFunc(parts, l.same) && len(parts) < maxParts {
			parts = append(parts, l)
		}
	})
	return parts
}

func (m *Scratch) addOrigin(parts []*Origin, p *Origin) []*Origin {
	for i, q := range parts {
		if q.same(p) {
			return parts
		}
		if q.Kind == p.Kind && (q.Kind == FromKeys || q.Kind == FromArgv) {
			out := append([]*Origin(nil), parts...)
			out[i] = m.origin(Origin{Kind: q.Kind, At: q.At})
			return out
		}
	}
	if m == nil {
		return append(parts, p)
	}
	return m.originLists.Append(parts, p)
}
