package rules

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

// answersJSON is what servers said to the examples; go generate writes it and the tests compare it with a server.
//
//go:embed answers.json
var answersJSON []byte

// Answers are the recorded replies to the examples.
type Answers struct {
	Server  string   `json:"server"` // "redis 7.0.15"
	Answers []Answer `json:"answers"`
}

// Answer is what the server said to one example.
type Answer struct {
	Rule    string   `json:"rule"`
	Example string   `json:"example"` // the start of the script, for the reader of a diff
	Input   string   `json:"input"`   // Example.Input
	Reply   string   `json:"reply"`
	After   []string `json:"after,omitempty"` // to each State command
}

// ReadAnswers returns the recorded replies. The error says that the embedded file is broken, which a test excludes.
func ReadAnswers() (Answers, error) {
	var a Answers
	if err := json.Unmarshal(answersJSON, &a); err != nil {
		return a, fmt.Errorf("rules/answers.json: %w; run go generate ./rules", err)
	}
	return a, nil
}

// Input identifies what a server is given for an example, so that a recorded reply is never shown for another script.
func (e *Example) Input() string {
	text, _ := json.Marshal([]any{e.Lua, e.Setup, e.Keys, e.Args, e.Library, e.Function, e.ReadOnly, e.Cluster, e.State})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Explain returns the documentation of a rule as markdown: what docs/rules.md holds and -explain prints.
func Explain(r *Rule) string {
	answers, err := ReadAnswers()
	if err != nil {
		answers = Answers{}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s%s.\n\n", r.Name, strings.ToUpper(r.Title[:1]), r.Title[1:])
	fmt.Fprintf(&b, "Severity: %s. Claim: %s. %s. Since redislint %s.\n\n", r.Severity, r.Claim,
		map[bool]string{false: "On by default", true: "Off unless enabled with -enable=" + r.Name}[r.OptIn], r.Since)
	b.WriteString(strings.TrimSpace(r.Doc) + "\n")
	for i := range r.Bad {
		explainBad(&b, r, &r.Bad[i], &answers)
	}
	for i := range r.Good {
		fmt.Fprintf(&b, "\nNot reported:\n\n%s", fence("lua", shownText(&r.Good[i])))
	}
	return b.String()
}

func explainBad(b *strings.Builder, r *Rule, e *Example, answers *Answers) {
	fmt.Fprintf(b, "\nReported%s:\n\n%s\n", targetWords(e), fence("lua", shownText(e)))
	for i := range e.With {
		fmt.Fprintf(b, "beside\n\n%s\n", fence("lua", e.With[i].Lua))
	}
	for _, site := range e.Calls() {
		b.WriteString(siteWords(&site))
	}
	b.WriteString(fence("text", Printed(r, e)))
	if e.Runs() {
		explainRun(b, e, answers)
	} else if e.NotRun != "" {
		fmt.Fprintf(b, "\nNot run on a server here: %s.\n", e.NotRun)
	}
	for _, rec := range e.Recorded {
		fmt.Fprintf(b, "\n%s (%s): %s\n", rec.Server, rec.Source, code(rec.Says))
	}
	if e.Fixed != "" {
		fmt.Fprintf(b, "\nAfter the fix:\n\n%s", fence("lua", e.Fixed))
	}
}

// explainRun shows what a server was given and what it said.
func explainRun(b *strings.Builder, e *Example, answers *Answers) {
	for i := range answers.Answers {
		a := &answers.Answers[i]
		if a.Input != e.Input() {
			continue
		}
		fmt.Fprintf(b, "\n%s%s answers %s%s\n", answers.Server, map[bool]string{true: " as a cluster", false: ""}[e.Cluster], given(e), code(a.Reply))
		for j, st := range e.State {
			if j < len(a.After) {
				fmt.Fprintf(b, "and then to %s: %s\n", code(strings.Join(st.Command, " ")), code(a.After[j]))
			}
		}
		return
	}
}

// siteWords tells how a script is called in Go.
func siteWords(s *luacheck.Site) string {
	how := s.Callee
	if how == "" {
		how = map[luacheck.Mode]string{luacheck.ModeEvalRO: "EVAL_RO", luacheck.ModeShaRO: "EVALSHA_RO", luacheck.ModeSha: "EVALSHA", luacheck.ModeFunction: "FCALL",
			luacheck.ModeFunctionRO: "FCALL_RO", luacheck.ModeLoad: "SCRIPT LOAD", luacheck.ModeLibrary: "FUNCTION LOAD"}[s.Mode]
	}
	if how == "" {
		how = "EVAL"
	}
	words := "Called by " + code(how)
	for _, l := range []struct {
		name string
		list *luacheck.List
	}{{"keys", &s.Keys}, {"arguments", &s.Args}} {
		if len(l.list.Items) > 0 {
			words += " with " + l.name + " " + code(listWords(l.list))
		}
	}
	return words + ":\n\n"
}

// listWords writes keys or arguments as Go code: literals in quotes, holes by the variable's name.
func listWords(l *luacheck.List) string {
	var items []string
	for _, it := range l.Items {
		var parts []string
		for _, p := range it.Text.Parts {
			switch {
			case p.Hole == "":
				parts = append(parts, fmt.Sprintf("%q", p.Lit))
			case p.Name != "":
				parts = append(parts, p.Name)
			default:
				parts = append(parts, "…")
			}
		}
		if len(parts) == 0 {
			parts = []string{"…"}
		}
		items = append(items, strings.Join(parts, " + "))
	}
	if !l.Exact {
		items = append(items, "…")
	}
	return strings.Join(items, ", ")
}

// given says with which set-up, keys and arguments the example runs.
func given(e *Example) string {
	var parts []string
	switch {
	case e.Library && e.Function != "":
		parts = append(parts, "to FCALL "+e.Function)
	case e.Library:
		parts = append(parts, "to FUNCTION LOAD")
	case e.ReadOnly:
		parts = append(parts, "to EVAL_RO")
	}
	for _, words := range e.Setup {
		parts = append(parts, "after "+code(strings.Join(words, " ")))
	}
	if len(e.Keys)+len(e.Args) > 0 {
		parts = append(parts, "with "+code(fmt.Sprintf("KEYS = {%s}, ARGV = {%s}", quoted(e.Keys), quoted(e.Args))))
	}
	var slots []string
	for key, slot := range e.Slots {
		slots = append(slots, fmt.Sprintf("%s in slot %d", code(key), slot))
	}
	sort.Strings(slots)
	if parts = append(parts, slots...); len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ") "
}

func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(list, ", ")
}

// code is text as markdown code, with a fence that is longer than any in it.
func code(s string) string {
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if len(ticks) > 1 {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

func fence(lang, text string) string {
	return "```" + lang + "\n" + strings.TrimRight(text, "\n") + "\n```\n"
}

func targetWords(e *Example) string {
	words := ""
	if e.Target != "" {
		words += " with -target=" + e.Target
	}
	if e.NoCluster {
		words += " with -cluster=false"
	}
	return words
}

// shownText is the script without its marks.
func shownText(e *Example) string {
	src, _, _, err := e.Marked()
	if err != nil {
		return e.Lua
	}
	return src.Text
}

// Printed is the finding of a bad example as it is printed: the message, then the line with the span underlined.
func Printed(r *Rule, e *Example) string {
	src, span, marked, err := e.Marked()
	if err != nil || !marked {
		return fmt.Sprintf("at the call: %s: %s: %s", e.Rank(r), r.Name, e.Say)
	}
	start := lineStart(src.Text, span.Start)
	line := 1 + strings.Count(src.Text[:start], "\n")
	end := start
	for int(end) < len(src.Text) && src.Text[end] != '\n' && src.Text[end] != '\r' {
		end++
	}
	return fmt.Sprintf("script.lua:%d:%d: %s: %s: %s\n%s", line, span.Start-start+1, e.Rank(r), r.Name, e.Say,
		underlined(src.Text[start:end], syntax.Span{Start: span.Start - start, End: min(span.End, end) - start}))
}

// underlined is a line with ^~~~ under the span. Tabs are kept so that both lines indent alike; a rune takes one column.
func underlined(line string, span syntax.Span) string {
	var marks strings.Builder
	for i, r := range line {
		switch {
		case i == int(span.Start):
			marks.WriteByte('^')
		case i > int(span.Start) && i < int(span.End):
			marks.WriteByte('~')
		case i > int(span.Start):
		case r == '\t':
			marks.WriteByte('\t')
		default:
			marks.WriteByte(' ')
		}
	}
	if int(span.Start) >= len(line) {
		marks.WriteByte('^')
	}
	return "    " + line + "\n    " + strings.TrimRight(marks.String(), " \t")
}
