package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
)

// Check runs the rules over one program and returns the findings sorted by position, each once. Package checks are not run.
func Check(p *luacheck.Program, rules []*Rule) []Finding {
	ps := &Pass{Program: p}
	for _, r := range rules {
		ps.rule = r
		runRule(ps)
	}
	return unique(withoutTorn(p, ps.found))
}

// runRule hands a rule every fact that it subscribes to. The facts were collected by one walk; a rule makes none of its own.
func runRule(ps *Pass) {
	r, f := ps.rule, ps.Facts
	if r.Program != nil {
		r.Program(ps)
	}
	if r.Call != nil {
		feed(ps, r.Call, f.Calls)
	}
	if r.Lib != nil {
		feed(ps, r.Lib, f.Libs)
	}
	if r.Op != nil {
		feed(ps, r.Op, f.Ops)
	}
	if r.Cond != nil {
		feed(ps, r.Cond, f.Conds)
	}
	if r.Access != nil {
		feed(ps, r.Access, f.Accesses)
	}
	if r.Return != nil {
		feed(ps, r.Return, f.Returns)
	}
	if r.Global != nil {
		feed(ps, r.Global, f.Globals)
	}
	if r.Failure != nil {
		feed(ps, r.Failure, f.Failures)
	}
	if r.Site != nil {
		for i := range ps.Sites {
			r.Site(ps, i, &ps.Sites[i])
		}
	}
}

func feed[T any](ps *Pass, check func(*Pass, T), facts []T) {
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
	if len(found) < 2 {
		return found
	}
	slices.SortStableFunc(found, before)
	kept := found[:1]
	for _, f := range found[1:] {
		if last := &kept[len(kept)-1]; f.Rule != last.Rule || f.Span != last.Span || f.Site != last.Site || f.SitePart != last.SitePart || f.Index != last.Index ||
			f.Caller != last.Caller {
			kept = append(kept, f)
		}
	}
	return kept
}

// before orders findings: text first by position, then sites; the worse first at one place. Those about one place by one rule are neighbours.
func before(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.SitePart, b.SitePart), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Caller, b.Caller),
		cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), strings.Compare(a.Rule.Name, b.Rule.Name), cmp.Compare(b.Severity, a.Severity), strings.Compare(a.Message, b.Message))
}
