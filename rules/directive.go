package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Verb is what a directive asks for.
type Verb uint8

const (
	Ignore     Verb = iota // reads redislint:ignore RULE[,RULE] reason
	IgnoreFile             // reads redislint:ignore-file RULE[,RULE] reason
	Off                    // reads redislint:off RULE[,RULE] reason
	On                     // reads redislint:on RULE[,RULE]
	ScriptMark             // reads redislint:script keys=2 args=1
)

var verbs = [...]string{Ignore: "ignore", IgnoreFile: "ignore-file", Off: "off", On: "on", ScriptMark: "script"}

func (v Verb) String() string { return verbs[v] }

// Directive is a comment that speaks to redislint. Spans are byte offsets into the comment's text.
type Directive struct {
	Verb   Verb
	Names  []Named // the rules that it names
	Reason string
	// Keys and Args are the counts of a ScriptMark, -1 where it does not give them.
	Keys, Args int
	// Wrong says what is malformed, "" for nothing; Verb and Names hold what could be read.
	Wrong string
	Span  syntax.Span // from "redislint:" to the end of its line
}

// Named is a rule's name as a directive has it.
type Named struct {
	Name string
	Span syntax.Span
}

const directivePrefix = "redislint:"

// ParseDirective reads a comment's text, without the marks of the comment (`--`, `//`). A directive stands at the start of the text; blanks before it do
// not count, and neither does what follows its line. ok is false where the comment is none. It never fails: Wrong says what is malformed.
func ParseDirective(text string) (d Directive, ok bool) {
	start := 0
	for start < len(text) && strings.IndexByte(" \t\r\n", text[start]) >= 0 {
		start++
	}
	line := text[start:]
	if !strings.HasPrefix(line, directivePrefix) {
		return Directive{}, false
	}
	if end := strings.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	line = strings.TrimRight(line, " \t")
	d = Directive{Keys: -1, Args: -1, Span: syntax.SpanOf(start, start+len(line))}
	words := splitWords(line[len(directivePrefix):], start+len(directivePrefix))
	if len(words) == 0 || int(words[0].Span.Start) != start+len(directivePrefix) {
		d.Wrong = "no word stands behind \"redislint:\"; write " + verbList()
		return d, true
	}
	verb, known := findVerb(words[0].Name)
	if !known {
		d.Wrong = fmt.Sprintf("unknown directive %q%s; write %s", words[0].Name, suggest(words[0].Name, verbs[:]), verbList())
		return d, true
	}
	d.Verb = verb
	if verb == ScriptMark {
		d.counts(words[1:])
	} else {
		d.names(words[1:])
	}
	return d, true
}

// names reads the list of rules and the reason. A comma ends a word or stands in it; a colon or dash between list and reason is dropped.
func (d *Directive) names(words []Named) {
	more := true
	for more && len(words) > 0 {
		word := words[0]
		more = strings.HasSuffix(word.Name, ",") || len(words) > 1 && strings.HasPrefix(words[1].Name, ",")
		at := int(word.Span.Start)
		for _, name := range strings.Split(word.Name, ",") {
			clean := strings.TrimRight(name, ":")
			if clean != "" {
				d.Names = append(d.Names, Named{clean, syntax.SpanOf(at, at+len(clean))})
			}
			at += len(name) + 1
		}
		words = words[1:]
	}
	var reason []string
	for _, w := range words {
		if len(reason) > 0 || strings.Trim(w.Name, "-:,;/") != "" {
			reason = append(reason, w.Name)
		}
	}
	d.Reason = strings.Join(reason, " ")
	switch {
	case len(d.Names) == 0:
		d.Wrong = fmt.Sprintf("\"redislint:%s\" names no rule; write redislint:%[1]s RULE%s", d.Verb, map[bool]string{true: "", false: " reason"}[d.Verb == On])
	case d.Reason == "" && d.Verb != On:
		d.Wrong = fmt.Sprintf("\"redislint:%s %s\" gives no reason; write why behind the rule", d.Verb, d.Names[0].Name)
	}
}

// counts reads keys=N and args=N.
func (d *Directive) counts(words []Named) {
	for _, w := range words {
		name, value, _ := strings.Cut(w.Name, "=")
		n, err := strconv.ParseUint(value, 10, 16)
		switch {
		case err == nil && name == "keys" && d.Keys < 0:
			d.Keys = int(n)
		case err == nil && name == "args" && d.Args < 0:
			d.Args = int(n)
		default:
			d.Wrong = fmt.Sprintf("%q is not understood; write redislint:script keys=2 args=1", w.Name)
			return
		}
	}
}

func findVerb(word string) (Verb, bool) {
	for v, text := range verbs {
		if text == word {
			return Verb(v), true
		}
	}
	return 0, false
}

func verbList() string {
	last := len(verbs) - 1
	return strings.Join(verbs[:last], ", ") + " or " + verbs[last]
}

// splitWords cuts text at blanks; at is the offset of its first byte.
func splitWords(text string, at int) []Named {
	var words []Named
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] != ' ' && text[end] != '\t' {
			end++
		}
		if end > i {
			words = append(words, Named{text[i:end], syntax.SpanOf(at+i, at+end)})
		}
		i = end + 1
	}
	return words
}

// Complaint is what is wrong with a directive, and where in the comment's text.
type Complaint struct {
	Span    syntax.Span
	Message string
}

// Complaints says what is wrong with a directive by itself: malformed, without a reason, or naming what is no rule.
func (d *Directive) Complaints() []Complaint {
	var all []Complaint
	var names []string
	for _, r := range All() {
		names = append(names, r.Name)
	}
	for _, n := range d.Names {
		switch {
		case n.Name == badDirective.Name:
			all = append(all, Complaint{n.Span, "\"bad-directive\" cannot be suppressed by a comment; turn it off with -disable=bad-directive"})
		case !isRule(n.Name):
			all = append(all, Complaint{n.Span, fmt.Sprintf("%q is no rule%s; redislint -rules lists them", n.Name, suggest(n.Name, names))})
		}
	}
	if d.Wrong != "" {
		all = append(all, Complaint{d.Span, d.Wrong})
	}
	return all
}

// Idle is the message for a directive that suppresses no finding of the rule with that name.
func Idle(v Verb, name string) string {
	return fmt.Sprintf("\"redislint:%s %s\" suppresses nothing; remove it", v, name)
}

func isRule(name string) bool {
	for _, r := range All() {
		if r.Name == name {
			return true
		}
	}
	return false
}

// suggest is `, did you mean "x"?` for the nearest word, "" where none is near.
func suggest(name string, words []string) string {
	if near := server.NearestWord(name, words); near != "" {
		return fmt.Sprintf(", did you mean %q", near)
	}
	return ""
}
