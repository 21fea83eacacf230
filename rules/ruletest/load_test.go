package ruletest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
	"github.com/yuin/gopher-lua/parse"
	"golang.org/x/tools/txtar"
)

const (
	mutations = 30000
	batch     = 500
	compiling = "-ERR Error compiling script (new function): "
)

// A loadCase is a script with what it was made from.
type loadCase struct{ text, from string }

// TestLoad compares the parser with SCRIPT LOAD on mutations of every script in the testdata: verdict, message and line.
func TestLoad(t *testing.T) {
	s := liveRedis(t)
	seeds := allScripts(t)
	rng := rand.New(rand.NewPCG(5, 7))
	cases := make([]loadCase, 0, mutations+len(seeds))
	cases = append(cases, seeds...)
	for len(cases) < cap(cases) {
		seed := seeds[rng.IntN(len(seeds))]
		text := seed.text
		for range 1 + rng.IntN(4)/3 {
			text = mutate(rng, text)
		}
		cases = append(cases, loadCase{text, seed.from})
	}
	patched := !strings.HasPrefix(s.Do("SCRIPT", "LOAD", "return [[a [[b]]"), "-")
	refused, gopher, wrong := 0, 0, 0
	for group := range slices.Chunk(cases, batch) {
		for i, reply := range loadAll(t, s, group) {
			c := group[i]
			if strings.HasPrefix(reply, "-") {
				refused++
			}
			if strings.HasPrefix(reply, "-") == gopherLoads(c.text) {
				gopher++
			}
			if why := unlikeServer(c.text, reply, s.Version, patched); why != "" {
				if wrong++; wrong <= 30 {
					t.Errorf("mutation of %s: %s\n\t%q", c.from, why, c.text)
				}
			}
		}
	}
	closing("load: %d scripts compared with redis %s, %d of them refused; %d disagreements; gopher-lua's verdict is otherwise for %d",
		len(cases), s.Version, refused, wrong, gopher)
}

func loadAll(t *testing.T, s *Server, group []loadCase) []string {
	t.Helper()
	commands := make([][]string, 0, len(group)+1)
	for _, c := range group {
		commands = append(commands, []string{"SCRIPT", "LOAD", c.text})
	}
	replies, err := s.Batch(append(commands, []string{"SCRIPT", "FLUSH"}))
	if err != nil {
		t.Fatal(err)
	}
	return replies[:len(group)]
}

// unlikeServer says how the parser's verdict differs from the reply of SCRIPT LOAD; "" where it does not. A header that is refused is
// not the parser's: the rule script-header has to say it, which is compared too.
func unlikeServer(text, reply, version string, patched bool) string {
	chunk := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51)
	want := ""
	for i := range chunk.Errors {
		if e := &chunk.Errors[i]; e.Kind == syntax.Refused || !patched {
			want = compiling + escape(fmt.Sprintf("user_script:%d: %s", e.Line, inOneLine(e.Message)))
			break
		}
	}
	if strings.HasPrefix(reply, "-") && !strings.HasPrefix(reply, compiling) {
		if !headerRefused(text, version) {
			return "script-header says nothing, the server answers " + reply
		}
		return ""
	}
	if chunk.Header != nil && headerRefused(text, version) {
		return "script-header refuses the header, the server answers " + reply
	}
	if got := strings.HasPrefix(reply, "-"); got != (want != "") || got && want != reply {
		return fmt.Sprintf("the parser says %q, the server %q", want, reply)
	}
	return ""
}

// inOneLine writes line ends in a message as the servers do in a reply.
func inOneLine(message string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(message)
}

// headerRefused is whether script-header calls it an error that this text is loaded by EVAL.
func headerRefused(text, version string) bool {
	e := rules.Example{Target: "redis@" + version, Sites: func() []luacheck.Site { return []luacheck.Site{{Mode: luacheck.ModeLoad}} }}
	found, _, err := Analyse(&e, syntax.Source{Text: text}, rules.All())
	if err != nil {
		return false
	}
	return slices.ContainsFunc(found, func(f rules.Finding) bool {
		return f.Rule.Name == "script-header" && f.Severity == rules.ErrorSeverity
	})
}

// gopherLoads is gopher-lua's verdict, a figure beside.
func gopherLoads(text string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // it panics on some texts
		}
	}()
	_, err := parse.Parse(strings.NewReader(text), "x")
	return err == nil
}

// mutate changes a script in one place: a token deleted, doubled or swapped with another, the text cut, or a byte replaced.
func mutate(rng *rand.Rand, text string) string {
	tokens := roughTokens(text)
	if len(tokens) < 2 {
		return text + " ="
	}
	i, j := rng.IntN(len(tokens)), rng.IntN(len(tokens))
	a, b := tokens[min(i, j)], tokens[max(i, j)]
	switch rng.IntN(6) {
	case 0:
		return text[:a.Start] + text[a.End:]
	case 1:
		return text[:a.End] + " " + text[a.Start:a.End] + text[a.End:]
	case 2:
		if a == b {
			return text[:a.Start]
		}
		return text[:a.Start] + text[b.Start:b.End] + text[a.End:b.Start] + text[a.Start:a.End] + text[b.End:]
	case 3:
		return text[:rng.IntN(len(text))]
	case 4:
		return text[:a.Start] + snippets[rng.IntN(len(snippets))] + text[a.Start:]
	}
	at := rng.IntN(len(text))
	return text[:at] + string([]byte{oddBytes[rng.IntN(len(oddBytes))]}) + text[at+1:]
}

const oddBytes = "\x00\n\r\"'[]=-~.()#\\\xff{}:;%0e x"

var snippets = []string{" end ", " local ", "(", ")", " = ", "\n", "--[[", "]]", "[[", "[=[", "'", "\"", " function ", " do ", " until ", "...", "..",
	" 0x ", " 1e ", " goto ", "::", ";", ",", "~", "!=", " // ", "\\", "\\999", " return ", " break ", "#!lua\n", "\x00", "[", " not ", "^-", "1..2"}

// roughTokens cuts a text into words, blanks left out, and single bytes: good enough to mutate, and no second scanner.
func roughTokens(text string) []syntax.Span {
	var tokens []syntax.Span
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && isWord(text[i]) {
			i++
		}
		if i == start {
			i++
		}
		if strings.TrimSpace(text[start:i]) != "" {
			tokens = append(tokens, syntax.SpanOf(start, i))
		}
	}
	return tokens
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// allScripts are the scripts of the recorded verdicts, the cases and the examples.
func allScripts(t testing.TB) []loadCase {
	t.Helper()
	var all []loadCase
	for _, r := range recordedRows(t) {
		all = append(all, loadCase{r.Script(), "record " + r.Name})
	}
	paths, err := filepath.Glob("../../testdata/cases/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(text).Files {
			if strings.HasSuffix(f.Name, ".lua") {
				all = append(all, loadCase{string(bytes.TrimSpace(f.Data)), filepath.Base(path) + " " + f.Name})
			}
		}
	}
	for _, r := range rules.All() {
		for _, e := range examples(r) {
			src, _, _, err := e.Marked()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, loadCase{src.Text, r.Name + " " + e.label})
		}
	}
	return all
}

// FuzzLoad compares the parser with SCRIPT LOAD on any text.
func FuzzLoad(f *testing.F) {
	for _, c := range allScripts(f) {
		if len(c.text) < 300 {
			f.Add(c.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := liveRedis(t)
		patched := !strings.HasPrefix(s.Do("SCRIPT", "LOAD", "return [[a [[b]]"), "-")
		if why := unlikeServer(text, s.Do("SCRIPT", "LOAD", text), s.Version, patched); why != "" {
			t.Errorf("%s\n\t%q", why, text)
		}
	})
}
