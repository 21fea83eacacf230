package ruletest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redislint/redislint/rules"
)

func TestShape(t *testing.T) {
	for _, p := range CheckShape(rules.All()) {
		t.Error(p)
	}
}

func TestExamples(t *testing.T) {
	all := rules.All()
	bad, good := 0, 0
	for _, r := range all {
		for _, p := range CheckExamples(r, all) {
			t.Error(p)
		}
		bad, good = bad+len(r.Bad), good+len(r.Good)
	}
	closing("examples: %d rules, %d bad and %d good examples analysed", len(all), bad, good)
}

func TestCutExamples(t *testing.T) {
	all := rules.All()
	n := 0
	for _, r := range all {
		n += CutExamples(r, all)
	}
	closing("cut examples: %d texts analysed without a panic", n)
}

func TestGeneratedFiles(t *testing.T) {
	found, err := FindRules("..")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rules.All() {
		if i >= len(found) || found[i].Name != r.Name {
			t.Fatalf("rules/all.go lacks a rule or has one too many near %q; run go generate ./rules", r.Name)
		}
	}
	list, err := ListFile(found)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "../all.go", string(list))
	same(t, "../../docs/rules.md", Docs(rules.All()))
}

func same(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not what the rules give; run go generate ./rules (-want +got)\n%.3000s", path, diff)
	}
}

// TestAnswersAreRecorded needs no server: each example that runs has an answer, and no answer is left over.
func TestAnswersAreRecorded(t *testing.T) {
	answers, err := rules.ReadAnswers()
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]bool{}
	for _, a := range answers.Answers {
		recorded[a.Input] = true
	}
	used := 0
	for _, r := range rules.All() {
		for i := range r.Bad {
			if e := &r.Bad[i]; e.Runs() {
				used++
				if !recorded[e.Input()] {
					t.Errorf("%s: bad %d has no recorded answer; run go generate ./rules where a redis-server is", r.Name, i+1)
				}
			}
		}
	}
	if used != len(answers.Answers) {
		t.Errorf("%d answers are recorded for %d examples; run go generate ./rules where a redis-server is", len(answers.Answers), used)
	}
}

func TestAnswersAreTrue(t *testing.T) {
	redis, cluster := liveRedis(t), liveCluster(t)
	answers, err := rules.ReadAnswers()
	if err != nil {
		t.Fatal(err)
	}
	if answers.Server != "redis "+redis.Version {
		t.Skipf("answers are recorded for %s, the server is redis %s", answers.Server, redis.Version)
	}
	now, err := Collect(rules.All(), redis, cluster)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answers, now); diff != "" {
		t.Errorf("the server answers otherwise than recorded; run go generate ./rules (-recorded +now)\n%s", diff)
	}
	closing("answers: %d in docs/rules.md compared with redis %s", len(now.Answers), redis.Version)
}

func TestProvenByMiniredis(t *testing.T) {
	prove(t, Miniredis, nil)
}

func TestProvenByRedis(t *testing.T) { prove(t, Redis, liveRedis(t)) }

func TestProvenByCluster(t *testing.T) { prove(t, Cluster, liveCluster(t)) }

// prove runs every example that the runner is for. A nil server means one of its own for each example.
func prove(t *testing.T, runner string, s *Server) {
	proven, differs := 0, 0
	for _, r := range rules.All() {
		for _, e := range examples(r) {
			if !slices.Contains(RunnersOf(e.Example), runner) {
				continue
			}
			v := proveOne(t, s, e.Example)
			if v.Problem != "" {
				t.Errorf("%s: %s on %s: %s", r.Name, e.label, runner, v.Problem)
			}
			if v.Differs {
				differs++
			} else if v.Problem == "" {
				proven++
			}
		}
	}
	closing("proven by %s: %d examples; %d differ, each with a reason", runner, proven, differs)
}

func proveOne(t *testing.T, s *Server, e *rules.Example) Verdict {
	if s == nil {
		m, err := StartMiniredis()
		if err != nil {
			t.Fatal(err)
		}
		defer m.Stop()
		s = m
	}
	return Prove(s, e)
}

type labelled struct {
	*rules.Example
	label string
}

func examples(r *rules.Rule) []labelled {
	var all []labelled
	for i := range r.Bad {
		all = append(all, labelled{&r.Bad[i], fmt.Sprintf("bad %d", i+1)})
	}
	for i := range r.Good {
		all = append(all, labelled{&r.Good[i], fmt.Sprintf("good %d", i+1)})
	}
	return all
}

// TestRightFormsLoad has the server load what the documentation tells people to write: good examples and fixed texts.
func TestRightFormsLoad(t *testing.T) {
	s := liveRedis(t)
	if err := s.clear(); err != nil { // the last example proven may have left a library
		t.Fatal(err)
	}
	loaded := 0
	check := func(r *rules.Rule, label string, e *rules.Example, text string) {
		words := []string{"SCRIPT", "LOAD", text}
		if e.Library {
			words = []string{"FUNCTION", "LOAD", "REPLACE", text}
		}
		if e.Target != "" || e.NotRun != "" {
			return // not for this server
		}
		if reply := s.Do(words...); strings.HasPrefix(reply, "-") {
			t.Errorf("%s: %s does not load: %s", r.Name, label, reply)
		}
		loaded++
	}
	for _, r := range rules.All() {
		for i := range r.Good {
			src, _, _, err := r.Good[i].Marked()
			if err != nil {
				t.Fatal(err)
			}
			check(r, fmt.Sprintf("good %d", i+1), &r.Good[i], src.Text)
		}
		for i := range r.Bad {
			if r.Bad[i].Fixed != "" {
				check(r, fmt.Sprintf("fixed %d", i+1), &r.Bad[i], r.Bad[i].Fixed)
			}
		}
	}
	closing("right forms: %d loaded by redis %s", loaded, s.Version)
}
