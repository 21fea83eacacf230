package analyzer

import (
	"fmt"
	"go/token"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// report runs the rules over the scripts and sites of the package, and reports what is left after suppression.
func (a *packageRun) report() *Result {
	cfg := a.cfg
	programs := make([]*luacheck.Program, len(a.order))
	found := make([][]rules.Finding, len(a.order))
	joined := make([]bool, len(a.order))
	scratch := &luacheck.Scratch{}
	for i, s := range a.order {
		programs[i] = a.program(s, scratch)
		found[i] = rules.Check(programs[i], cfg.Rules)
		if joined[i] = rules.Joins(programs[i], cfg.Rules); joined[i] {
			scratch = &luacheck.Scratch{} // the facts are needed to the end
		} else {
			found[i] = rules.Suppress(programs[i], found[i], cfg.Rules)
			programs[i] = programs[i].Outline() // or the texts and facts of all scripts would be kept to the end
		}
	}
	for i, more := range rules.CheckPackage(programs, cfg.Rules) {
		switch {
		case joined[i]:
			found[i] = rules.Suppress(programs[i], append(found[i], more...), cfg.Rules)
		default:
			found[i] = append(found[i], more...)
		}
	}
	r := &Result{}
	for i, s := range a.order {
		c := converter{a: a, script: s, program: programs[i]}
		if s.text != nil {
			c.places = s.text.Map()
		}
		for _, f := range found[i] {
			r.Findings = append(r.Findings, c.finding(&f))
		}
	}
	r.Findings = a.suppress(r.Findings, cfg)
	r.Findings = a.shown(r.Findings, cfg)
	for i := range r.Findings {
		a.diagnose(&r.Findings[i], cfg)
	}
	r.Scripts = a.list(programs)
	if cfg.ReportFailed {
		a.reportFailed(r.Scripts)
	}
	return r
}

// reportFailed says in the host's findings which scripts were not analysed, or not to the end, at the Go line that holds or embeds them.
func (a *packageRun) reportFailed(all []Script) {
	for _, s := range all {
		if s.Failed {
			a.pass.Report(analysis.Diagnostic{Pos: a.goPos(s.Pos), Category: "not-analysed",
				Message: fmt.Sprintf("not-analysed: %s: %s, findings may be missing", s.Name, s.Reason)})
		}
	}
}

// refused says why a script whose text is known is not analysed, "" where it is.
func (s *script) refused() string {
	switch {
	case s.text == nil:
		return ""
	case len(s.text.String()) > source.MaxScript:
		return source.TooLong
	}
	return s.text.Refused
}

// program analyses a script with its sites.
func (a *packageRun) program(s *script, scratch *luacheck.Scratch) *luacheck.Program {
	sites := make([]luacheck.Site, len(s.sites))
	for i, rec := range s.sites {
		sites[i] = rec.site
	}
	opt := luacheck.Options{Target: a.cfg.Target, SitesComplete: a.complete(s), Scratch: scratch}
	if s.text != nil && s.refused() == "" {
		return luacheck.Analyze(s.text.Source(), sites, opt)
	}
	p := luacheck.Unknown(sites, opt)
	if s.fact != nil {
		p.Interface = s.fact.Interface
	}
	return p
}

// converter turns findings of one script into findings with places.
type converter struct {
	a       *packageRun
	script  *script
	program *luacheck.Program
	places  *source.Map
}

func (c *converter) finding(f *rules.Finding) Finding {
	at := c.place(f.Site, f.SitePart, f.Index, f.Span)
	if f.Caller > 0 {
		at = c.callerPlace(f)
	}
	out := Finding{Rule: f.Rule, Severity: f.Severity, Pos: at.pos, End: at.end, Message: f.Message, Script: c.script.label}
	if f.Site < 0 && c.script.text != nil {
		out.Line = lineAt(c.program.Source.Text, int(f.Span.Start))
	}
	for _, rel := range f.Related {
		r := c.place(rel.Site, rel.Part, 0, rel.Span)
		if r.pos.IsValid() {
			out.Related = append(out.Related, analysis.RelatedInformation{Pos: r.pos, End: r.end, Message: rel.Message})
		}
	}
	if f.Site >= 0 && c.script.text != nil && len(out.Related) == 0 {
		out.Related = append(out.Related, analysis.RelatedInformation{Pos: c.places.Pos(0), End: c.places.Pos(0),
			Message: "the script " + c.script.label + " is here"})
	}
	for _, fix := range f.Fixes {
		if sf, ok := c.fix(&fix); ok {
			out.Fixes = append(out.Fixes, sf)
		}
	}
	return out
}

func (c *converter) place(site int, part rules.SitePart, index int, s syntax.Span) span {
	if site >= 0 && site < len(c.script.sites) {
		return c.script.sites[site].place(part, index)
	}
	if c.places != nil {
		if pos, end := c.places.Range(s); pos.IsValid() {
			return span{pos, end}
		}
	}
	return span{c.script.at, c.script.at}
}

// callerPlace is where a caller passes a key of a site.
func (c *converter) callerPlace(f *rules.Finding) span {
	from := &c.script.sites[f.Site].callers[f.Caller-1]
	return indexed(from.keys, f.Index, from.call)
}

// fix translates a fix; it is left out whole where one of its edits is refused.
func (c *converter) fix(f *rules.Fix) (analysis.SuggestedFix, bool) {
	out := analysis.SuggestedFix{Message: f.Title}
	if c.places == nil {
		return out, false
	}
	for _, e := range f.Edits {
		pos, end, text, err := c.places.Edit(e.Span, e.New)
		if file := c.a.pass.Fset.File(pos); err != nil || file == nil || source.GoFile(c.a.pass.Fset, pos) != file.Name() {
			return out, false // also where cgo made the file: the change would be lost
		}
		out.TextEdits = append(out.TextEdits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
	}
	return out, len(out.TextEdits) > 0
}

func lineAt(text string, off int) string {
	off = min(max(off, 0), len(text))
	start := strings.LastIndexByte(text[:off], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return strings.TrimRight(line, "\r")
}

// shown leaves out what the configuration does not want, sorts by place, and drops what is said twice.
func (a *packageRun) shown(all []Finding, cfg Config) []Finding {
	skip := map[string]bool{}
	for _, f := range a.pass.Files {
		name := source.GoFile(a.pass.Fset, f.Package)
		if cfg.SkipTests && strings.HasSuffix(name, "_test.go") || cfg.SkipGenerated && source.IsGenerated(f) {
			skip[name] = true
		}
	}
	var kept []Finding
	type key struct {
		pos  token.Pos
		rule string
		text string
	}
	seen := map[key]bool{}
	for _, f := range all {
		k := key{f.Pos, f.Rule.Name, f.Message}
		if f.Severity < cfg.Severity || seen[k] || skip[a.goFile(f.Pos)] || !f.Pos.IsValid() {
			continue
		}
		seen[k] = true
		kept = append(kept, f)
	}
	sort.SliceStable(kept, func(i, j int) bool {
		p, q := a.pass.Fset.Position(kept[i].Pos), a.pass.Fset.Position(kept[j].Pos)
		if p.Filename != q.Filename {
			return p.Filename < q.Filename
		}
		if p.Offset != q.Offset {
			return p.Offset < q.Offset
		}
		return kept[i].Rule.Name < kept[j].Rule.Name
	})
	return kept
}

// goFile is the name of the Go file that a position belongs to: for an embedded file, that of the variable which embeds it.
func (a *packageRun) goFile(pos token.Pos) string {
	if at := a.x.EmbeddedAt(pos); at.IsValid() {
		pos = at
	}
	return source.GoFile(a.pass.Fset, pos)
}

// diagnose reports a finding to the driver.
func (a *packageRun) diagnose(f *Finding, cfg Config) {
	d := analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Rule.Name, Message: f.Rule.Name + ": " + f.Message,
		URL: RuleURL(f.Rule.Name), Related: f.Related, SuggestedFixes: f.Fixes}
	if len(d.SuggestedFixes) > 1 {
		d.SuggestedFixes = d.SuggestedFixes[:1] // some drivers apply all of them
	}
	if at := a.x.EmbeddedAt(f.Pos); cfg.GoLinesOnly && at.IsValid() {
		p := a.pass.Fset.Position(f.Pos)
		name := p.Filename
		if rel, err := filepath.Rel(filepath.Dir(a.goFile(f.Pos)), name); err == nil {
			name = filepath.ToSlash(rel) // as the embed directive has it
		}
		d.Message = fmt.Sprintf("%s: %s:%d:%d: %s", f.Rule.Name, name, p.Line, p.Column, f.Message)
		d.Pos, d.End, d.Related, d.SuggestedFixes = at, at, nil, nil
	}
	a.pass.Report(d)
}

// RuleURL is where a rule is documented.
func RuleURL(name string) string {
	return "https://github.com/redislint/redislint/blob/main/docs/rules.md#" + name
}

// list describes the scripts that were found, and the places that run one which is not known.
func (a *packageRun) list(programs []*luacheck.Program) []Script {
	functions := map[string]bool{}
	for _, p := range programs {
		for _, name := range p.Interface.Functions {
			functions[name] = true
		}
	}
	var all []Script
	for i, s := range a.order {
		if s.text == nil && len(s.sites) > 0 && functions[s.sites[0].site.Function] {
			continue
		}
		out := Script{Name: s.label, Pos: s.at, Library: s.library, Reason: s.reason, Analysed: s.text != nil,
			Keys: programs[i].Interface.Keys, Args: programs[i].Interface.Args}
		if s.fact != nil || s.wrapper && s.text == nil {
			continue // listed in its own package, or at the callers
		}
		for _, rec := range s.sites {
			if rec.site.Mode.Runs() {
				out.Calls++
				if rec.site.Keys.Exact || rec.site.NumKeys.Known {
					out.Counted++
				}
			}
		}
		if out.Analysed {
			out.Reason = ""
		}
		if programs[i].OverBudget {
			out.Analysed, out.Failed, out.Reason = false, true, BudgetReason
		}
		if why := s.refused(); why != "" {
			out.Analysed, out.Failed, out.Reason = false, true, why
		}
		all = append(all, out)
	}
	return all
}
