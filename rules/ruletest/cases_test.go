package ruletest

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
	"golang.org/x/tools/txtar"
)

// A caseFile is one file of testdata/cases: scripts, and what must, may and must not be reported in them.
type caseFile struct {
	id    string
	trap  bool
	head  map[string]string
	files map[string]string
	want  []want
}

type want struct {
	verb, file string
	line       int // 0: any
	rules      []string
	text       string
}

func (w *want) covers(file string, line int, rule string) bool {
	return w.file == file && (w.line == 0 || w.line == line) && slices.Contains(w.rules, rule)
}

func readCase(path string) (*caseFile, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	c := &caseFile{id: strings.TrimSuffix(filepath.Base(path), ".txtar"), head: map[string]string{}, files: map[string]string{}}
	c.trap = filepath.Base(filepath.Dir(path)) == "traps"
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(line, ":")
		c.head[key] = strings.TrimSpace(value)
	}
	for _, f := range archive.Files {
		c.files[f.Name] = string(f.Data)
	}
	for line := range strings.Lines(c.files["want"]) {
		w, err := readWant(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c.want = append(c.want, w)
	}
	return c, nil
}

func readWant(line string) (want, error) {
	words := strings.Fields(line)
	if len(words) != 3 {
		return want{}, fmt.Errorf("bad line %q", line)
	}
	w := want{verb: words[0], file: words[1], rules: strings.Split(words[2], "|"), text: line}
	if w.verb != "silent" {
		var at string
		var err error
		w.file, at, _ = strings.Cut(w.file, ":")
		if w.line, err = strconv.Atoi(at); err != nil && at != "*" {
			return w, fmt.Errorf("bad line %q", line)
		}
	}
	return w, nil
}

// enabled is the rules that a case runs with.
func (c *caseFile) enabled() []*rules.Rule {
	on := strings.Split(strings.TrimPrefix(c.head["flags"], "-enable="), ",")
	var list []*rules.Rule
	for _, r := range rules.All() {
		if !r.OptIn || slices.Contains(on, r.Name) {
			list = append(list, r)
		}
	}
	return list
}

type hit struct {
	file    string
	line    int
	finding rules.Finding
}

func (h hit) String() string {
	return fmt.Sprintf("%s:%d %s (%s): %s", h.file, h.line, h.finding.Rule.Name, h.finding.Severity, h.finding.Message)
}

// run lints the Lua files of a case.
func (c *caseFile) run() ([]hit, error) {
	target, err := Target(c.head["target"], true)
	if err != nil {
		return nil, err
	}
	var hits []hit
	for name, text := range c.files {
		if !strings.HasSuffix(name, ".lua") {
			continue
		}
		p := luacheck.Analyze(syntax.Source{Text: text}, nil, luacheck.Options{Target: target})
		found := rules.Check(p, c.enabled())
		found = append(found, rules.CheckPackage([]*luacheck.Program{p}, c.enabled())[0]...)
		for _, f := range rules.Suppress(p, found, c.enabled()) {
			hits = append(hits, hit{name, 1 + strings.Count(text[:f.Span.Start], "\n"), f})
		}
	}
	sort.Slice(hits, func(i, j int) bool { return hits[i].String() < hits[j].String() })
	return hits, nil
}

type caseScore struct{ cases, reports, pending, unexpected int }

// TestLuaCases runs the cases that are Lua files. Those with Go packages are run by the tests of the command.
func TestLuaCases(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/cases/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	known := map[string]bool{}
	for _, r := range rules.All() {
		known[r.Name] = true
	}
	var score caseScore
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, lua := c.files["case.lua"]; lua {
			score.cases++
			judge(t, c, known, &score)
		}
	}
	closing("lua cases: %d, %d reports wanted, %d of them of rules that do not exist yet, %d findings beside",
		score.cases, score.reports, score.pending, score.unexpected)
}

// pending reports whether bad-directive cannot be right yet: the case names a rule that does not exist.
func pending(c *caseFile, known map[string]bool, r *rules.Rule) bool {
	return r.Name == "bad-directive" && slices.ContainsFunc(c.want, func(w want) bool { return !known[w.rules[0]] })
}

func judge(t *testing.T, c *caseFile, known map[string]bool, score *caseScore) {
	hits, err := c.run()
	if err != nil {
		t.Errorf("%s: %v", c.id, err)
		return
	}
	covered := map[string]bool{}
	for i := range c.want {
		w := &c.want[i]
		if !strings.HasSuffix(w.file, ".lua") {
			continue
		}
		met := false
		for _, h := range hits {
			if w.covers(h.file, h.line, h.finding.Rule.Name) {
				met, covered[h.String()] = true, true
				if w.verb == "silent" && !pending(c, known, h.finding.Rule) {
					t.Errorf("%s: %s, and there is %s", c.id, w.text, h)
				}
			}
		}
		if w.verb != "report" {
			continue
		}
		score.reports++
		switch {
		case met:
		case slices.ContainsFunc(w.rules, func(r string) bool { return !known[r] }):
			score.pending++
		default:
			t.Errorf("%s: %s: not reported", c.id, w.text)
		}
	}
	for _, h := range hits {
		if covered[h.String()] || h.finding.Severity == rules.Note {
			continue
		}
		if score.unexpected++; c.trap {
			t.Errorf("%s: false positive: %s", c.id, h)
		} else {
			t.Logf("%s: beside what is wanted: %s", c.id, h)
		}
	}
}
