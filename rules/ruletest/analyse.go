package ruletest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// Target reads a -target text; "" is the default.
func Target(text string, cluster bool) (server.Target, error) {
	if text == "" {
		text = server.DefaultTarget
	}
	return server.ParseTarget(text, cluster)
}

// Analyse returns what the rules find in an example's script, and its program.
func Analyse(e *rules.Example, src syntax.Source, list []*rules.Rule) ([]rules.Finding, *luacheck.Program, error) {
	target, err := Target(e.Target, !e.NoCluster)
	if err != nil {
		return nil, nil, err
	}
	opt := luacheck.Options{Target: target, SitesComplete: e.Sites != nil}
	programs := []*luacheck.Program{luacheck.Analyze(src, e.Calls(), opt)}
	for i := range e.With {
		programs = append(programs, luacheck.Analyze(syntax.Source{Text: e.With[i].Lua}, e.With[i].Calls(), opt))
	}
	found := rules.Check(programs[0], list)
	found = append(found, rules.CheckPackage(programs, list)[0]...)
	return rules.Suppress(programs[0], found, list), programs[0], nil
}

// active is what an example of r is checked against: every rule that is on, and r.
func active(r *rules.Rule, all []*rules.Rule) []*rules.Rule {
	var list []*rules.Rule
	for _, other := range all {
		if other == r || !other.OptIn {
			list = append(list, other)
		}
	}
	return list
}

// CheckExamples analyses the examples of r and returns how they are not what they say. all are the rules that are known.
func CheckExamples(r *rules.Rule, all []*rules.Rule) []string {
	var problems []string
	for i := range r.Bad {
		for _, p := range checkBad(r, &r.Bad[i], active(r, all)) {
			problems = append(problems, fmt.Sprintf("%s: bad %d: %s", r.Name, i+1, p))
		}
	}
	for i := range r.Good {
		for _, p := range checkGood(&r.Good[i], active(r, all)) {
			problems = append(problems, fmt.Sprintf("%s: good %d: %s", r.Name, i+1, p))
		}
	}
	return problems
}

func checkGood(e *rules.Example, list []*rules.Rule) []string {
	src, _, marked, err := e.Marked()
	if err == nil && (marked || e.AtSite || e.Say != "" || e.Fixed != "") {
		err = fmt.Errorf("a good example has no finding, so no marks, Say or Fixed")
	}
	if err != nil {
		return []string{err.Error()}
	}
	found, _, err := Analyse(e, src, list)
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	for i := range found {
		if !slices.Contains(e.Also, found[i].Rule.Name) {
			problems = append(problems, "unwanted finding: "+show(src.Text, &found[i]))
		}
	}
	return problems
}

func checkBad(r *rules.Rule, e *rules.Example, list []*rules.Rule) []string {
	src, span, marked, err := e.Marked()
	if err == nil && marked == e.AtSite {
		err = fmt.Errorf("a bad example has either one ⟦ ⟧ or AtSite")
	}
	if err != nil {
		return []string{err.Error()}
	}
	found, _, err := Analyse(e, src, list)
	if err != nil {
		return []string{err.Error()}
	}
	want := rules.In(span, e.Rank(r), e.Say)
	if e.AtSite {
		want = rules.At(0, e.Part, e.Index, e.Rank(r), e.Say)
		want.Caller = e.Caller
	}
	want.Rule = r
	mine, problems := compare(src.Text, &want, found, e.Also)
	if mine != nil {
		problems = append(problems, checkFix(r, e, src, mine, list)...)
	}
	return problems
}

// compare looks for the one finding that is wanted, and for others that are not.
func compare(text string, want *rules.Finding, found []rules.Finding, also []string) (mine *rules.Finding, problems []string) {
	missing := slices.Clone(also)
	for i := range found {
		f := &found[i]
		switch {
		case f.Rule != want.Rule && slices.Contains(also, f.Rule.Name):
			missing = slices.DeleteFunc(missing, func(n string) bool { return n == f.Rule.Name })
		case f.Rule == want.Rule && mine == nil:
			mine = f
		default:
			problems = append(problems, "unwanted finding: "+show(text, f))
		}
	}
	if mine == nil {
		return nil, append(problems, "no finding; wanted "+show(text, want))
	}
	if a, b := show(text, want), show(text, mine); a != b {
		problems = append(problems, "wanted "+a+"\n\tgot    "+b)
	}
	for _, name := range missing {
		problems = append(problems, "Also names "+name+", which finds nothing")
	}
	return mine, problems
}

// show writes all that is compared of a finding.
func show(text string, f *rules.Finding) string {
	where := fmt.Sprintf("site %d part %d index %d", f.Site, f.SitePart, f.Index)
	if f.Site < 0 {
		if f.Span.Start < 0 || int(f.Span.End) > len(text) || f.Span.Start > f.Span.End {
			return fmt.Sprintf("span %v outside the text: %s: %s", f.Span, f.Rule.Name, f.Message)
		}
		where = fmt.Sprintf("bytes %d-%d %q", f.Span.Start, f.Span.End, text[f.Span.Start:f.Span.End])
	}
	return fmt.Sprintf("%s: %s: %s: %s", where, f.Severity, f.Rule.Name, f.Message)
}

// checkFix applies the finding's fix: it must give Fixed, which must load, hold no finding, and offer nothing more to fix.
func checkFix(r *rules.Rule, e *rules.Example, src syntax.Source, f *rules.Finding, list []*rules.Rule) []string {
	if len(f.Fixes) == 0 {
		if e.Fixed != "" {
			return []string{"Fixed is promised, and the finding has no fix"}
		}
		return nil
	}
	if e.Fixed == "" {
		return []string{fmt.Sprintf("the finding has the fix %q, and the example no Fixed", f.Fixes[0].Title)}
	}
	fixed, err := Apply(src.Text, f.Fixes[0])
	if err != nil {
		return []string{err.Error()}
	}
	if fixed != e.Fixed {
		return []string{fmt.Sprintf("the fix gives\n%s\nwanted\n%s", fixed, e.Fixed)}
	}
	found, p, err := Analyse(e, syntax.Source{Text: fixed}, list)
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	for _, bad := range p.Chunk.Errors {
		problems = append(problems, "the fixed text does not load: "+bad.Message)
	}
	for i := range found {
		if found[i].Rule == r || !slices.Contains(e.Also, found[i].Rule.Name) {
			problems = append(problems, "the fixed text has a finding: "+show(fixed, &found[i]))
		}
	}
	return problems
}

// Apply makes the edits of a fix, or says why they cannot be made.
func Apply(text string, fix rules.Fix) (string, error) {
	var b strings.Builder
	at := 0
	for _, edit := range fix.Edits {
		if int(edit.Span.Start) < at || edit.Span.End < edit.Span.Start || int(edit.Span.End) > len(text) {
			return "", fmt.Errorf("fix %q: edit %v overlaps, is out of order or lies outside", fix.Title, edit.Span)
		}
		b.WriteString(text[at:edit.Span.Start])
		b.WriteString(edit.New)
		at = int(edit.Span.End)
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

// CutExamples analyses every beginning of every example; a panic is the caller's. It returns how many texts there were.
func CutExamples(r *rules.Rule, all []*rules.Rule) int {
	n := 0
	for _, list := range [][]rules.Example{r.Bad, r.Good} {
		for i := range list {
			src, _, _, err := list[i].Marked()
			if err != nil {
				continue // CheckExamples says so
			}
			for end := range len(src.Text) {
				cut := syntax.Source{Text: src.Text[:end]}
				for _, h := range src.Holes {
					if int(h.Start) < end {
						cut.Holes = append(cut.Holes, syntax.Span{Start: h.Start, End: min(h.End, syntax.Pos(end))})
					}
				}
				_, _, _ = Analyse(&list[i], cut, all) // only a bad target fails, which CheckExamples says
				n++
			}
		}
	}
	return n
}

// Groups are the headings of the documentation, in order.
var Groups = []string{"Keys and cluster", "Load time: syntax, globals, sandbox", "Commands", "Values and replies",
	"Atomicity, errors, expiry", "Time, randomness, cost", "The Go side"}

var (
	ruleName  = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	sinceText = regexp.MustCompile(`^\d+\.\d+(\.\d+)?$`)
)

// CheckShape says what is wrong with the rules as data: names, texts, and whether the examples prove what the rule claims.
func CheckShape(all []*rules.Rule) []string {
	var problems []string
	seen := map[string]bool{}
	for _, r := range all {
		bad := func(format string, args ...any) {
			problems = append(problems, r.Name+": "+fmt.Sprintf(format, args...))
		}
		if !ruleName.MatchString(r.Name) || seen[r.Name] {
			bad("the name is taken or not of lower case words with dashes")
		}
		seen[r.Name] = true
		if r.Title == "" || strings.HasSuffix(r.Title, ".") || strings.Contains(r.Title, "\n") || strings.ToLower(r.Title[:1]) != r.Title[:1] {
			bad("the title %q is not one line in lower case without a full stop", r.Title)
		}
		if !slices.Contains(Groups, r.Group) {
			bad("unknown group %q", r.Group)
		}
		if !sinceText.MatchString(r.Since) {
			bad("Since %q is no version", r.Since)
		}
		if len(strings.TrimSpace(r.Doc)) < 40 {
			bad("the documentation is too short to say why and what to do")
		}
		if len(r.Bad) == 0 || len(r.Good) == 0 {
			bad("needs a bad and a good example at least")
		}
		for i := range r.Bad {
			if why := unproven(r, &r.Bad[i]); why != "" {
				bad("bad %d: %s", i+1, why)
			}
		}
	}
	return problems
}

// unproven says what an example of a finding lacks as a proof. An error needs a server that refuses; a wrong result needs the result.
func unproven(r *rules.Rule, e *rules.Example) string {
	for runner := range e.Differs {
		if !slices.Contains(RunnersOf(e), runner) {
			return "Differs names " + runner + ", which does not run it"
		}
	}
	switch {
	case e.Say == "":
		return "Say is empty"
	case strings.HasSuffix(e.Say, "."):
		return "the message ends with a full stop"
	case e.NotRun != "" && len(e.Recorded) == 0:
		return "it is not run, so it needs a recorded answer"
	case e.Rank(r) == rules.ErrorSeverity && e.Raises == "" && e.NotRun == "" && len(e.Recorded) == 0:
		return "an error that no server is shown to raise"
	case r.Claim == rules.WrongResult && e.Rank(r) != rules.Note && !e.Runs() && e.NotRun == "" && !e.AtSite:
		return "a wrong result that is not shown"
	}
	return ""
}
