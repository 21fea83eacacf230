package ruletest

import (
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// A prediction is an error that the analyser calls sure whenever the code at its place is reached.
type prediction struct {
	at   syntax.Span
	line int
	site bool // at the call: wherever it is raised
	why  string
}

// predict returns the sure errors of a trial, and the lines on which it says that an error may be raised.
func predict(t trial, target server.Target) (sure []prediction, maybe map[int]bool) {
	site := luacheck.Site{Mode: luacheck.ModeEval, Keys: constants(t.keys), Args: constants(t.args)}
	switch {
	case t.library && t.readOnly:
		site.Mode, site.Function = luacheck.ModeFunctionRO, "f"
	case t.library:
		site.Mode, site.Function = luacheck.ModeFunction, "f"
	case t.readOnly:
		site.Mode = luacheck.ModeEvalRO
	}
	p := luacheck.Analyze(syntax.Source{Text: t.text}, []luacheck.Site{site}, luacheck.Options{Target: target, SitesComplete: true})
	maybe = map[int]bool{}
	for _, f := range p.Facts.Failures {
		line := lineOf(t.text, f.At.Start)
		maybe[line] = true
		if f.Sure && !f.Protected && !severalContexts(t.text, f.Func, p.Chunk) {
			sure = append(sure, prediction{at: f.At, line: line, why: fmt.Sprintf("failure of class %d: %s", f.Class, f.Why)})
		}
	}
	for _, f := range rules.Check(p, rules.All()) {
		if f.Site >= 0 && len(f.Related) > 0 { // a call that leaves out what a place in the text needs
			f.Site, f.Span = -1, f.Related[0].Span
		}
		line := lineOf(t.text, f.Span.Start)
		maybe[line] = true
		if f.Severity == rules.ErrorSeverity && !severalContexts(t.text, enclosing(p.Chunk, f.Span), p.Chunk) {
			sure = append(sure, prediction{at: f.Span, line: line, site: f.Site >= 0, why: f.Rule.Name + ": " + f.Message})
		}
	}
	return sure, maybe
}

// severalContexts is whether a function is called more than once, by its name: what is sure in one call need not be so in another, and a
// probe does not tell them apart. Functions stand in functions, so the outer ones count too.
func severalContexts(text string, fn *syntax.Function, chunk *syntax.Chunk) bool {
	if fn == nil {
		return false
	}
	many := false
	syntax.Walk(chunk.Body, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.LocalFunc); ok && f.Contains(fn.Span) && strings.Count(text, f.Name.Text+"(") > 2 {
			many = true
		}
		return true
	})
	return many
}

// enclosing is the innermost function around a span, nil for the main chunk.
func enclosing(chunk *syntax.Chunk, at syntax.Span) *syntax.Function {
	var inner *syntax.Function
	syntax.Walk(chunk.Body, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.Function); ok && f.Contains(at) {
			inner = f
		}
		return n.Bounds().Contains(at)
	})
	return inner
}

func constants(words []string) luacheck.List {
	l := luacheck.List{Exact: true, Min: len(words), Max: len(words)}
	for _, w := range words {
		l.Items = append(l.Items, luacheck.Element{Text: luacheck.Template{Parts: []luacheck.Part{{Lit: w}}}, Kind: luacheck.ArgKind{Type: luacheck.TypeString}})
	}
	return l
}

func lineOf(text string, at syntax.Pos) int { return 1 + strings.Count(text[:at], "\n") }

// commandsOf are what a server is sent for a trial with the script text.
func (t trial) commandsOf(text string) [][]string {
	before := append([][]string{{"FLUSHALL"}}, t.setup...)
	run := []string{"EVAL", text, strconv.Itoa(len(t.keys))}
	if t.library {
		run[0], run[1] = "FCALL", "f"
		before = append(before, []string{"FUNCTION", "FLUSH"}, []string{"FUNCTION", "LOAD", text})
	}
	if t.readOnly {
		run[0] += "_RO"
	}
	return append(before, append(append(run, t.keys...), t.args...))
}

// play runs trials in one go and returns the raw replies to their scripts.
func play(s *Server, trials []trial, texts []string) ([]string, error) {
	if s.Name == Cluster {
		return playRouted(s, trials, texts)
	}
	var commands [][]string
	var last []int
	for i, t := range trials {
		commands = append(commands, t.commandsOf(texts[i])...)
		last = append(last, len(commands)-1)
	}
	raw, err := s.rawBatch(commands)
	if err != nil {
		return nil, err
	}
	replies := make([]string, len(last))
	for i, at := range last {
		replies[i] = string(raw[at])
		if trials[i].library && strings.HasPrefix(string(raw[at-1]), "-") {
			replies[i] = string(raw[at-1]) // FUNCTION LOAD
		}
	}
	return replies, nil
}

// playRouted runs trials one by one, each on the node that takes its keys.
func playRouted(s *Server, trials []trial, texts []string) ([]string, error) {
	var replies []string
	for i, t := range trials {
		for n := range s.nodes {
			if reply := s.On(n, "FLUSHALL"); reply != "+OK" {
				return nil, fmt.Errorf("FLUSHALL: %s", reply)
			}
		}
		commands := t.commandsOf(texts[i])
		run := commands[len(commands)-1]
		raw, err := s.rawOn(0, run)
		for n := 1; n < len(s.nodes) && err == nil && strings.HasPrefix(string(raw), "-MOVED "); n++ {
			raw, err = s.rawOn(n, run)
		}
		if err != nil {
			return nil, err
		}
		replies = append(replies, string(raw))
	}
	return replies, nil
}

// raisedAt is the line on which a raw reply says that the script was aborted; 0 where it was not, -1 where the server does not tell.
func raisedAt(reply string) int {
	if !strings.HasPrefix(reply, "-") {
		return 0
	}
	for _, mark := range []string{", on @user_script:", ", on @user_function:", "user_script:", "user_function:"} {
		if i := strings.LastIndex(reply, mark); i >= 0 {
			digits := reply[i+len(mark):]
			end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
			if n, err := strconv.Atoi(digits[:max(end, 0)]); err == nil {
				return n
			}
		}
	}
	return -1
}

const reached = "REACHED the place"

// probes are texts that say whether the place of a prediction is reached: the expression replaced, or a statement put before it.
func probes(text string, p prediction) []string {
	raise := "error('" + reached + "')"
	start := strings.LastIndex(text[:p.at.Start], "\n") + 1
	return []string{text[:p.at.Start] + raise + text[p.at.End:], text[:start] + raise + " " + text[start:]}
}

// refutes returns why a sure error is no error: the server reaches the place, and the script goes on. "" where nothing speaks against it.
func refutes(s *Server, t trial, p prediction, reply string) (string, error) {
	line := raisedAt(reply)
	if line == p.line || line == -1 || p.site && line != 0 {
		return "", nil
	}
	if p.site {
		return "the script is not aborted: " + reply, nil
	}
	for _, text := range probes(t.text, p) {
		got, err := play(s, []trial{t}, []string{text})
		if err != nil {
			return "", err
		}
		if strings.Contains(got[0], "Error compiling") {
			continue // the probe does not fit there
		}
		if strings.Contains(got[0], reached) {
			return fmt.Sprintf("the place is reached, and the server answers %q", reply), nil
		}
		return "", nil
	}
	return "", nil
}

type predictionScore struct {
	trials, raised, sure, wrong int
	missed                      map[string]int
}

// predictAll compares trials with the server.
func predictAll(t *testing.T, s *Server, seeds, count uint64, cluster bool) predictionScore {
	t.Helper()
	target, err := server.ParseTarget("redis@"+s.Version, cluster)
	if err != nil {
		t.Fatal(err)
	}
	score := predictionScore{missed: map[string]int{}}
	var trials []trial
	for seed := range count {
		trials = append(trials, generate(seeds+seed, cluster))
	}
	for group := range slices.Chunk(trials, 200) {
		texts := make([]string, len(group))
		for i := range group {
			texts[i] = group[i].text
		}
		replies, err := play(s, group, texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, tr := range group {
			predictOne(t, s, tr, target, replies[i], &score)
		}
		if reply := s.Do("SCRIPT", "FLUSH"); reply != "+OK" {
			t.Fatal(reply)
		}
	}
	return score
}

// refuted says which sure error of a trial is none; "" where nothing speaks against any.
func refuted(t *testing.T, s *Server, tr trial, sure []prediction, reply string) string {
	t.Helper()
	for _, p := range sure {
		why, err := refutes(s, tr, p, reply)
		if err != nil {
			t.Fatal(err)
		}
		if why != "" {
			return fmt.Sprintf("line %d, %s\n\t%s", p.line, p.why, why)
		}
	}
	return ""
}

// shrink removes lines from a trial as long as a sure error in it is still none.
func shrink(t *testing.T, s *Server, tr trial, target server.Target) trial {
	t.Helper()
	lines := strings.SplitAfter(tr.text, "\n")
	for size := len(lines) / 2; size > 0; size-- {
		for at := 0; at+size <= len(lines); {
			less := tr
			rest := append(slices.Clone(lines[:at]), lines[at+size:]...)
			less.text = strings.Join(rest, "")
			sure, _ := predict(less, target)
			got, err := play(s, []trial{less}, []string{less.text})
			if err != nil {
				t.Fatal(err)
			}
			if refuted(t, s, less, sure, got[0]) != "" {
				lines, tr = rest, less
			} else {
				at++
			}
		}
	}
	return tr
}

func predictOne(t *testing.T, s *Server, tr trial, target server.Target, reply string, score *predictionScore) {
	t.Helper()
	sure, maybe := predict(tr, target)
	score.trials++
	score.sure += len(sure)
	line := raisedAt(reply)
	if line != 0 {
		score.raised++
	}
	if wrong := refuted(t, s, tr, sure, reply); wrong != "" {
		if score.wrong++; score.wrong <= 15 {
			small := shrink(t, s, tr, target)
			sure, _ := predict(small, target)
			got, err := play(s, []trial{small}, []string{small.text})
			if err != nil {
				t.Fatal(err)
			}
			t.Errorf("%s\n\tKEYS %q ARGV %q read only %v set-up %v\n%s", refuted(t, s, small, sure, got[0]), small.keys, small.args, small.readOnly, small.setup, small.text)
		}
		return
	}
	if line > 0 && !maybe[line] {
		score.missed[kindOf(reply)]++
		if os.Getenv("REDISLINT_SHOW_MISSED") != "" && score.missed[kindOf(reply)] <= 3 {
			t.Logf("missed, line %d: %s\n%s", line, reply, tr.text)
		}
	}
}

// kindOf is an error without its position, names and numbers: the first words.
func kindOf(reply string) string {
	text := cutPosition(strings.TrimSpace(reply))
	for _, chunk := range []string{"user_script:", "user_function:"} {
		if _, rest, ok := strings.Cut(text, chunk); ok {
			_, text, _ = strings.Cut(rest, " ")
		}
	}
	words := strings.Fields(text)
	for i, w := range words {
		if strings.ContainsAny(w, "'\"0123456789") {
			words[i] = "…"
		}
	}
	return strings.Join(words[:min(len(words), 6)], " ")
}

func (s predictionScore) missedKinds() string {
	var kinds []string
	total := 0
	for kind, n := range s.missed {
		kinds = append(kinds, fmt.Sprintf("%5d %s", n, kind))
		total += n
	}
	sort.Sort(sort.Reverse(sort.StringSlice(kinds)))
	return fmt.Sprintf("%d not foreseen: %s", total, strings.Join(kinds, "; "))
}

func TestPrediction(t *testing.T) {
	s := liveRedis(t)
	score := predictAll(t, s, 1, 8000, false)
	if score.sure == 0 {
		t.Error("no sure error was predicted, so nothing was compared")
	}
	closing("prediction: %d scripts on redis %s, %d aborted; %d sure errors predicted, %d of them wrong; %s",
		score.trials, s.Version, score.raised, score.sure, score.wrong, score.missedKinds())
}

// TestClusterPrediction runs scripts with keys of several slots on the cluster. Scripts go to the node that takes their keys.
func TestClusterPrediction(t *testing.T) {
	s := liveCluster(t)
	target, err := server.ParseTarget("redis@"+s.Version, true)
	if err != nil {
		t.Fatal(err)
	}
	score := predictionScore{missed: map[string]int{}}
	for seed := range uint64(2000) {
		tr := generate(1<<32+seed, true)
		got, err := play(s, []trial{tr}, []string{tr.text})
		if err != nil {
			t.Fatal(err)
		}
		predictOne(t, s, tr, target, got[0], &score)
	}
	closing("prediction: %d scripts on a cluster of redis %s, %d aborted; %d sure errors predicted, %d of them wrong; %s",
		score.trials, s.Version, score.raised, score.sure, score.wrong, score.missedKinds())
}

func FuzzPrediction(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		score := predictAll(t, liveRedis(t), seed, 1, false)
		if score.wrong > 0 {
			t.Errorf("seed %d", seed)
		}
	})
}

// TestWrongPredictionIsFound refutes predictions that are made up, and leaves alone those that the server bears out or that are not reached.
func TestWrongPredictionIsFound(t *testing.T) {
	s := liveRedis(t)
	for _, c := range []struct {
		text, place string
		want        bool // refuted
	}{
		{"local a = 1\nlocal b = a + 1\nreturn b", "a + 1", true},
		{"local a = 1\nredis.call('SET', 'k', 'v')\nreturn a", "redis.call('SET', 'k', 'v')", true},
		{"local a = nil\nlocal b = a + 1\nreturn b", "a + 1", false},
		{"local a = 1\nif a == 2 then\n  a = a + 1\nend\nreturn a", "a + 1", false},
		{"local a = nil\na = a + 1\nlocal b = 1\nreturn b + 1", "b + 1", false},
		{"local a = 1\na = 2\nerror('x')", "a = 2", true},
		{"return = 1", "1", false},
	} {
		tr := trial{text: c.text}
		got, err := play(s, []trial{tr}, []string{c.text})
		if err != nil {
			t.Fatal(err)
		}
		at := strings.LastIndex(c.text, c.place)
		p := prediction{at: span(at, at+len(c.place)), line: lineOf(c.text, syntax.Pos(at)), why: "made up"}
		if why := refuted(t, s, tr, []prediction{p}, got[0]); (why != "") != c.want {
			t.Errorf("%q at %q: refuted %q", c.text, c.place, why)
		}
	}
}
