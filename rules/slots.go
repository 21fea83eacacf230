package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

// What is known of the slot of a key whose text has parts that are not known. Holes that Go fills are taken to hold no braces; those that
// only the run fills (replies, decoded data) may hold anything.

// runHole begins the ID of a hole that is filled while the script runs.
const runHole = "run:"

// slotPart is what decides the slot of a key: the hash tag, or the whole key.
type slotPart struct {
	known  bool
	tagged bool
	empty  bool // the first braces hold nothing, so the whole key counts
	parts  []luacheck.Part
}

// slotPartOf finds what decides the slot: what stands between the first { and the first } behind it, else everything.
func slotPartOf(t luacheck.Template) slotPart {
	parts := joined(t.Parts)
	whole := slotPart{known: len(parts) > 0, parts: parts}
	var tag []luacheck.Part
	open := false
	for _, p := range parts {
		if strings.HasPrefix(p.Hole, runHole) {
			return slotPart{} // it may hold a brace
		}
		if p.Hole != "" {
			if open {
				tag = append(tag, p)
			}
			continue
		}
		lit := p.Lit
		if !open {
			_, rest, found := strings.Cut(lit, "{")
			if !found {
				continue
			}
			open, lit = true, rest
		}
		inside, _, closed := strings.Cut(lit, "}")
		if inside != "" {
			tag = append(tag, luacheck.Part{Lit: inside})
		}
		if closed {
			if len(tag) == 0 {
				whole.empty = true
				return whole
			}
			return slotPart{known: true, tagged: true, parts: joined(tag)}
		}
	}
	return whole
}

// joined makes neighbouring literals one and drops empty ones.
func joined(parts []luacheck.Part) []luacheck.Part {
	var out []luacheck.Part
	for _, p := range parts {
		n := len(out)
		switch {
		case p.Hole == "" && p.Lit == "":
		case p.Hole == "" && n > 0 && out[n-1].Hole == "":
			out[n-1].Lit += p.Lit
		default:
			out = append(out, p)
		}
	}
	return out
}

func sameParts(a, b []luacheck.Part) bool {
	return slices.EqualFunc(a, b, func(p, q luacheck.Part) bool {
		return p.Hole == q.Hole && (p.Hole != "" || p.Lit == q.Lit)
	})
}

// slotRelation is how the slots of two keys relate.
type slotRelation uint8

const (
	slotsUnknown slotRelation = iota
	slotsSame
	slotsApart  // no common hash tag, so different for nearly all values of the holes
	slotsDiffer // proved: the texts that decide are constants
)

func slotsOf(a, b luacheck.Template) slotRelation {
	x, y := slotPartOf(a), slotPartOf(b)
	if !x.known || !y.known {
		return slotsUnknown
	}
	if sameParts(x.parts, y.parts) {
		return slotsSame
	}
	xs, xok := luacheck.Template{Parts: x.parts}.Constant()
	ys, yok := luacheck.Template{Parts: y.parts}.Constant()
	switch {
	case xok && yok && slotOfText(xs) == slotOfText(ys):
		return slotsSame
	case xok && yok:
		return slotsDiffer
	case evident(a, x) && evident(b, y) && !alike(x, y):
		return slotsApart
	}
	return slotsUnknown
}

// slotOfText is the slot of the text that decides, braces in it included.
func slotOfText(decides string) int {
	if strings.Contains(decides, "}") || !strings.Contains(decides, "{") {
		return server.Slot(decides)
	}
	return server.Slot("{" + decides + "}")
}

// evident: the key begins with a literal, so that it is plainly put together here, and no hole is one that may bring a tag along.
func evident(t luacheck.Template, s slotPart) bool {
	parts := joined(t.Parts)
	if len(parts) == 0 || parts[0].Hole != "" {
		return false
	}
	for _, p := range s.parts {
		name := strings.ToLower(p.Name)
		for _, word := range []string{"tag", "slot", "prefix"} {
			if p.Hole != "" && strings.Contains(name, word) {
				return false
			}
		}
	}
	return true
}

// alike: only holes of the same name differ, which may well hold the same text.
func alike(x, y slotPart) bool {
	return slices.EqualFunc(x.parts, y.parts, func(p, q luacheck.Part) bool {
		return p.Lit == q.Lit && (p.Hole == "") == (q.Hole == "") && p.Name == q.Name
	})
}

// templateWords writes a template for people: `cart:<id>:items`.
func templateWords(parts []luacheck.Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Hole == "":
			b.WriteString(p.Lit)
		case p.Name == "":
			b.WriteString("<…>")
		default:
			b.WriteString("<" + p.Name + ">")
		}
	}
	return b.String()
}

// namesAt writes the names that an origin gives at one site: nil where one of them cannot be told.
func namesAt(o *value.Origin, s *luacheck.Site) []luacheck.Template {
	if o == nil {
		return nil
	}
	switch o.Kind {
	case value.FromLiteral:
		return []luacheck.Template{{Parts: []luacheck.Part{{Lit: o.Text}}}}
	case value.FromKeys:
		return passedElement("KEYS", &s.Keys, o.Index)
	case value.FromArgv:
		return passedElement("ARGV", &s.Args, o.Index)
	case value.FromConcat:
		var t luacheck.Template
		for _, part := range o.Parts {
			names := namesAt(part, s)
			if len(names) != 1 {
				names = []luacheck.Template{{Parts: []luacheck.Part{{Hole: runHole}}}}
			}
			t.Parts = append(t.Parts, names[0].Parts...)
		}
		return []luacheck.Template{t}
	case value.FromOneOf:
		var all []luacheck.Template
		for _, part := range o.Parts {
			names := namesAt(part, s)
			if names == nil {
				return nil
			}
			all = append(all, names...)
		}
		return all
	}
	return nil
}

// passedElement is what a site passes as an element; a text of which nothing is known is a hole with a name of its own.
func passedElement(list string, l *luacheck.List, index int) []luacheck.Template {
	if index < 1 || index > len(l.Items) {
		return nil
	}
	t := l.Items[index-1].Text
	if len(t.Parts) == 0 {
		t = luacheck.Template{Parts: []luacheck.Part{{Hole: list + strconv.Itoa(index)}}}
	}
	return []luacheck.Template{t}
}

// keyTemplates are the keys of a site.
func keyTemplates(s *luacheck.Site) []luacheck.Template {
	var out []luacheck.Template
	for i := range s.Keys.Items {
		out = append(out, passedElement("KEYS", &s.Keys, i+1)...)
	}
	return out
}

// bringsTag: a key is passed of which only a variable is seen, and the name that is made has a hash tag: who writes tags gives them to both.
func bringsTag(key, name luacheck.Template) bool {
	parts := joined(key.Parts)
	return slotPartOf(name).tagged && len(parts) > 0 && parts[0].Hole != "" && !slotPartOf(key).tagged
}

// declaredSlot reports whether every call that runs the script shows that a key made from o has the slot of a key that is passed.
func declaredSlot(p *luacheck.Program, o *value.Origin) bool {
	runs := 0
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Mode.Runs() {
			continue
		}
		runs++
		names := namesAt(o, s)
		keys := keyTemplates(s)
		for _, name := range names {
			same := func(k luacheck.Template) bool { return slotsOf(name, k) == slotsSame || bringsTag(k, name) }
			if !slices.ContainsFunc(keys, same) {
				return false
			}
		}
		if len(names) == 0 {
			return false
		}
	}
	return runs > 0 && p.SitesComplete
}

// otherTag finds a call at which a key made from o surely has another hash tag than the key that is passed: their deciding parts.
func otherTag(p *luacheck.Program, o *value.Origin) (name, key slotPart, found bool) {
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Mode.Runs() {
			continue
		}
		for _, n := range namesAt(o, s) {
			for _, k := range keyTemplates(s) {
				x, y := slotPartOf(n), slotPartOf(k)
				if x.known && y.known && x.tagged && y.tagged && slotsOf(n, k) != slotsSame {
					return x, y, true
				}
			}
		}
	}
	return slotPart{}, slotPart{}, false
}
