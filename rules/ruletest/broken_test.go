package ruletest

import (
	"slices"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// The tests of the tests: a claim that is broken on purpose must be found, and found for that reason.

// ruleNamed returns a copy of a rule, with examples of its own, and a list of all rules that holds the copy.
func ruleNamed(t *testing.T, name string) (*rules.Rule, []*rules.Rule) {
	t.Helper()
	all := rules.All()
	for i, r := range all {
		if r.Name == name {
			c := *r
			c.Bad, c.Good = slices.Clone(r.Bad), slices.Clone(r.Good)
			all[i] = &c
			return &c, all
		}
	}
	t.Fatalf("no rule %s", name)
	return nil, nil
}

// headless is a rule for these tests: it reports every `BAD` in a script, and offers to write `GOOD`.
func headless() *rules.Rule {
	r := &rules.Rule{Name: "headless", Title: "a test", Severity: rules.Warning, Group: Groups[0], Claim: rules.WrongResult, Since: "0.1",
		Doc: strings.Repeat("documentation ", 5)}
	r.Program = func(p *rules.Pass) {
		for i := range len(p.Source.Text) {
			if strings.HasPrefix(p.Source.Text[i:], "BAD") {
				f := rules.In(span(i, i+3), rules.Warning, "BAD is bad")
				f.Fixes = []rules.Fix{{Title: "Write GOOD", Edits: []rules.Edit{{Span: span(i, i+3), New: "GOOD"}}}}
				p.Report(f)
			}
		}
	}
	r.Bad = []rules.Example{{Lua: "return '⟦BAD⟧'", Say: "BAD is bad", Fixed: "return 'GOOD'", Returns: `"BAD"`}}
	r.Good = []rules.Example{{Lua: "return 'GOOD'", Returns: `"GOOD"`}}
	return r
}

func TestBrokenExamplesAreFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *rules.Rule)
		want   string // part of the problem; "" for none
	}{
		{"as it is", func(r *rules.Rule) {}, ""},
		{"message", func(r *rules.Rule) { r.Bad[0].Say = "BAD is worse" }, "wanted bytes 8-11"},
		{"span", func(r *rules.Rule) { r.Bad[0].Lua = "return ⟦'BAD⟧'" }, `wanted bytes 7-11 "'BAD"`},
		{"severity", func(r *rules.Rule) { r.Bad[0].Severity = new(rules.Note) }, "note: headless"},
		{"no finding", func(r *rules.Rule) { r.Bad[0].Lua = "return '⟦GOOD⟧'" }, "no finding; wanted"},
		{"two findings", func(r *rules.Rule) { r.Bad[0].Lua = "return '⟦BAD⟧ BAD'" }, "unwanted finding: bytes 12-15"},
		{"another rule's", func(r *rules.Rule) { r.Bad[0].Lua = "return = '⟦BAD⟧'" }, "unwanted finding: bytes 7-8"},
		{"idle Also", func(r *rules.Rule) { r.Bad[0].Also = []string{"syntax"} }, "Also names syntax, which finds nothing"},
		{"mark not closed", func(r *rules.Rule) { r.Bad[0].Lua = "return '⟦BAD'" }, "a mark is not closed"},
		{"no mark", func(r *rules.Rule) { r.Bad[0].Lua = "return 'BAD'" }, "either one ⟦ ⟧ or AtSite"},
		{"fix", func(r *rules.Rule) { r.Bad[0].Fixed = "return 'FINE'" }, "the fix gives"},
		{"no fix promised", func(r *rules.Rule) { r.Bad[0].Fixed = "" }, "the example no Fixed"},
		{"fix that keeps the finding", func(r *rules.Rule) {
			check := r.Program
			r.Program = func(p *rules.Pass) {
				check(p)
				if i := strings.Index(p.Source.Text, "GOOD"); i >= 0 {
					p.Report(rules.In(span(i, i+4), rules.Warning, "still bad"))
				}
			}
			r.Good = nil
		}, "the fixed text has a finding"},
		{"good with a finding", func(r *rules.Rule) { r.Good[0].Lua = "return 'BAD'" }, "good 1: unwanted finding"},
		{"good with marks", func(r *rules.Rule) { r.Good[0].Lua = "return ⟦1⟧" }, "a good example has no finding"},
		{"target", func(r *rules.Rule) { r.Bad[0].Target = "rediss" }, `"rediss" is not a known server`},
	} {
		r := headless()
		c.change(r)
		expectProblem(t, c.name, CheckExamples(r, append(rules.All(), r)), c.want)
	}
}

func expectProblem(t *testing.T, name string, problems []string, want string) {
	t.Helper()
	all := strings.Join(problems, "\n")
	if (want == "") != (all == "") || !strings.Contains(all, want) {
		t.Errorf("%s: want a problem with %q, got %q", name, want, all)
	}
}

func TestBrokenShapeIsFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *rules.Rule)
		want   string
	}{
		{"as it is", func(r *rules.Rule) {}, ""},
		{"name", func(r *rules.Rule) { r.Name = "Headless" }, "the name is taken"},
		{"title", func(r *rules.Rule) { r.Title = "A test." }, "is not one line in lower case"},
		{"group", func(r *rules.Rule) { r.Group = "Misc" }, "unknown group"},
		{"since", func(r *rules.Rule) { r.Since = "soon" }, "is no version"},
		{"doc", func(r *rules.Rule) { r.Doc = "bad" }, "too short"},
		{"no good example", func(r *rules.Rule) { r.Good = nil }, "needs a bad and a good example"},
		{"no message", func(r *rules.Rule) { r.Bad[0].Say = "" }, "Say is empty"},
		{"differs on no runner", func(r *rules.Rule) { r.Bad[0].Differs = map[string]string{"mini": "x"} }, "Differs names mini"},
		{"full stop", func(r *rules.Rule) { r.Bad[0].Say = "BAD is bad." }, "full stop"},
		{"error without a server", func(r *rules.Rule) { r.Severity = rules.ErrorSeverity }, "no server is shown to raise"},
		{"result that is not shown", func(r *rules.Rule) { r.Bad[0].Returns = "" }, "not shown"},
		{"not run and not recorded", func(r *rules.Rule) { r.Bad[0].NotRun = "never ends" }, "needs a recorded answer"},
	} {
		r := headless()
		c.change(r)
		expectProblem(t, c.name, CheckShape([]*rules.Rule{r}), c.want)
	}
}

// TestBrokenClaimsAreFound breaks what servers are said to answer.
func TestBrokenClaimsAreFound(t *testing.T) {
	redis := liveRedis(t)
	raises := rules.Example{Lua: "return nosuch", Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'nosuch'"}
	returns := rules.Example{Lua: "redis.call('SET', KEYS[1], 'v') return {1, 'x'}", Keys: []string{"k"}, Returns: `[:1, "x"]`,
		State: []rules.State{{Command: []string{"GET", "k"}, Reply: `"v"`}}}
	for _, c := range []struct {
		name   string
		start  rules.Example
		change func(e *rules.Example)
		want   string
	}{
		{"raises as it is", raises, func(e *rules.Example) {}, ""},
		{"raises something else", raises, func(e *rules.Example) { e.Raises = "WRONGTYPE" }, `must raise "WRONGTYPE"`},
		{"does not raise", raises, func(e *rules.Example) { e.Lua = "return 1" }, "answers :1"},
		{"differs and agrees", raises, func(e *rules.Example) { e.Differs = map[string]string{Redis: "a reason"} }, "remove Differs (a reason)"},
		{"differs", raises, func(e *rules.Example) { e.Lua, e.Differs = "return 1", map[string]string{Redis: "a reason"} }, ""},
		{"outside its versions", raises, func(e *rules.Example) { e.From = "99" }, "is outside"},
		{"until", raises, func(e *rules.Example) { e.Until = "6.2" }, "is outside"},
		{"recorded", raises, func(e *rules.Example) { e.Recorded = []rules.Recorded{{Server: "redis " + redis.Version, Says: ":1"}} }, "recorded for redis"},
		{"returns as it is", returns, func(e *rules.Example) {}, ""},
		{"returns something else", returns, func(e *rules.Example) { e.Returns = `[:1]` }, `must return [:1], answers [:1, "x"]`},
		{"state", returns, func(e *rules.Example) {
			e.State = []rules.State{{Command: []string{"GET", "k"}, Reply: "(nil)"}}
		}, `then GET k must answer (nil), answers "v"`},
		{"only state, and it raises", returns, func(e *rules.Example) {
			e.Lua, e.Returns = "redis.call('SET', KEYS[1], 'v') error('x')", ""
		}, "which the example does not claim"},
		{"set-up", returns, func(e *rules.Example) { e.Setup = [][]string{{"SET", "k"}} }, "set-up SET k: -ERR wrong number"},
		{"state of an earlier example", returns, func(e *rules.Example) {
			e.Lua, e.Keys = "return redis.call('GET', 'k')", nil
			e.Returns, e.State = "(nil)", nil
		}, ""},
		{"hangs", returns, func(e *rules.Example) { e.Lua = "while true do end" }, "no answer"},
	} {
		e := c.start
		c.change(&e)
		var problems []string
		if v := Prove(redis, &e); v.Problem != "" {
			problems = append(problems, v.Problem)
		}
		expectProblem(t, c.name, problems, c.want)
	}
}

func TestBrokenSlotsAreFound(t *testing.T) {
	s := liveCluster(t)
	e := rules.Example{Lua: "return 1", Keys: []string{"a", "b"}, Cluster: true, Slots: map[string]int{"a": 15495, "b": 3300},
		Raises: "CROSSSLOT Keys in request don't hash to the same slot"}
	if v := Prove(s, &e); v.Problem != "" {
		t.Error(v.Problem)
	}
	e.Slots["b"] = 3301
	if v := Prove(s, &e); !strings.Contains(v.Problem, `slot of "b" must be 3301, is :3300`) {
		t.Errorf("a wrong slot gave %q", v.Problem)
	}
	moved := rules.Example{Lua: "return redis.call('SET', 'b', '1')", Keys: []string{"a"}, Cluster: true,
		Raises: "ERR Script attempted to access a non local key in a cluster node"}
	if v := Prove(s, &moved); v.Problem != "" {
		t.Error(v.Problem)
	}
}

// TestBrokenMiniredis: an example on miniredis that hangs ends in time, and what it does not raise is found.
func TestBrokenMiniredis(t *testing.T) {
	for lua, want := range map[string]string{"return 1": "must raise, answers :1", "return nosuch": ""} {
		e := rules.Example{Lua: lua, Raises: "ERR x"}
		v := proveOne(t, nil, &e)
		if v.Problem != want {
			t.Errorf("%s: %q, want %q", lua, v.Problem, want)
		}
	}
	blocked := rules.Example{Lua: "return redis.call('BLPOP', KEYS[1], 0)", Keys: []string{"k"}, Returns: "(nil)"}
	if v := proveOne(t, nil, &blocked); !strings.Contains(v.Problem, "no answer") && v.Problem != "" {
		t.Errorf("a blocking command: %q", v.Problem)
	}
}

func TestCopiedRuleIsChecked(t *testing.T) {
	r, all := ruleNamed(t, "syntax")
	expectProblem(t, "syntax", CheckExamples(r, all), "")
	r.Bad[0].Say += "x"
	expectProblem(t, "syntax with another message", CheckExamples(r, all), "wanted bytes")
}

func span(start, end int) syntax.Span { return syntax.SpanOf(start, end) }
