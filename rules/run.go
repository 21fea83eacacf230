package rules

import (
	"sort"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Check runs the rules over one program and returns the findings sorted by position, each once. Package checks are not run.
func Check(p *luacheck.Program, rules []*Rule) []Finding {
	var found []Finding
	passes := make([]Pass, len(rules))
	once := &shared{chunk: p.Chunk}
	for i, r := range rules {
		passes[i] = Pass{Program: p, rule: r, shared: once, report: func(f Finding) { found = append(found, f) }}
	}
	for i := range passes {
		runRule(&passes[i])
	}
	return unique(withoutTorn(p, found))
}

// runRule hands a rule every fact that it subscribes to. The facts were collected by one walk; a rule makes none of its own.
func runRule(ps *Pass) {
	r, f := ps.rule, ps.Facts
	if r.Program != nil {
		r.Program(ps)
	}
	feed(ps, r.Call, f.Calls)
	feed(ps, r.Lib, f.Libs)
	feed(ps, r.Op, f.Ops)
	feed(ps, r.Cond, f.Conds)
	feed(ps, r.Access, f.Accesses)
	feed(ps, r.Return, f.Returns)
	feed(ps, r.Global, f.Globals)
	feed(ps, r.Failure, f.Failures)
	if r.Site != nil {
		for i := range ps.Sites {
			r.Site(ps, i, &ps.Sites[i])
		}
	}
}

func feed[T any](ps *Pass, check func(*Pass, T), facts []T) {
	if check == nil {
		return
	}
	for _, fact := range facts {
		check(ps, fact)
	}
}

// Joins reports whether CheckPackage looks at the facts of a program. Others may be cut to their outline once they were checked, and
// suppression applied: they get no more findings in their text.
func Joins(p *luacheck.Program, rules []*Rule) bool {
	for _, r := range rules {
		if r.Joins != nil && r.Joins(p) {
			return true
		}
	}
	return false
}

// CheckPackage runs the package checks over all programs of a package. Findings come by program index, sorted as Check does.
func CheckPackage(programs []*luacheck.Program, rules []*Rule) [][]Finding {
	found := make([][]Finding, len(programs))
	for _, r := range rules {
		if r.Package != nil {
			r.Package(&PackagePass{Programs: programs, rule: r, report: func(i int, f Finding) { found[i] = append(found[i], f) }})
		}
	}
	for i := range found {
		found[i] = unique(found[i])
	}
	return found
}

// unique sorts findings and drops what is said twice about the same place: a call in a local function is recorded once a context.
func unique(found []Finding) []Finding {
	sort.SliceStable(found, func(i, j int) bool { return before(&found[i], &found[j]) })
	type key struct {
		rule                *Rule
		span                syntax.Span
		part                SitePart
		site, index, caller int
	}
	seen := make(map[key]bool, len(found))
	kept := found[:0]
	for _, f := range found {
		k := key{f.Rule, f.Span, f.SitePart, f.Site, f.Index, f.Caller}
		if !seen[k] {
			seen[k] = true
			kept = append(kept, f)
		}
	}
	return kept
}

// before orders findings: text first by position, then sites; the worse first at one place.
func before(a, b *Finding) bool {
	switch {
	case a.Site != b.Site:
		return a.Site < b.Site
	case a.SitePart != b.SitePart:
		return a.SitePart < b.SitePart
	case a.Index != b.Index:
		return a.Index < b.Index
	case a.Caller != b.Caller:
		return a.Caller < b.Caller
	case a.Span.Start != b.Span.Start:
		return a.Span.Start < b.Span.Start
	case a.Span.End != b.Span.End:
		return a.Span.End < b.Span.End
	case a.Rule.Name != b.Rule.Name:
		return a.Rule.Name < b.Rule.Name
	case a.Severity != b.Severity:
		return a.Severity > b.Severity
	}
	return a.Message < b.Message
}
