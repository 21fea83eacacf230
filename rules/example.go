package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Example is a script that shows a rule, with what servers answer. rules/ruletest analyses each one and runs it on servers.
type Example struct {
	// Lua is the script; ⟦ and ⟧ stand around the span of the one finding, ⟪ and ⟫ around text that is a hole to the analyser (a server
	// is given the text in it). The marks are stripped before use. A good example has no ⟦ ⟧, nor has one with AtSite.
	Lua    string
	Target string // as -target; "" is the default
	// NoCluster analyses it with -cluster=false.
	NoCluster bool
	// Sites gives the calls that run the script, for rules that look at them; nil for none. It is a function so that a program pays nothing
	// for examples at its start: see Calls.
	Sites func() []luacheck.Site
	// AtSite: the finding is at the part Part, element Index, of the first site, and not in the text.
	AtSite bool
	Part   SitePart
	Index  int
	Caller int // as in Finding
	// With are the other scripts of the package, for rules that join scripts.
	With []Script
	// Say is the whole message; Severity of the finding where it differs from the rule's.
	Say      string
	Severity *Severity
	// Also names other rules that rightly report the same example; each must.
	Also []string
	// Fixed is the text after the finding's fix; "" where there is none.
	Fixed string

	// What a server is given and does. Setup commands run first, each as words.
	Setup      [][]string
	Keys, Args []string
	// Library loads it with FUNCTION LOAD instead of EVAL; Function is then the function to call, "" for none.
	Library  bool
	Function string
	// Raises is the start of the error reply, without the dash ("ERR user_script:1: …"); Returns the reply and State commands and their
	// replies afterwards, in ruletest's notation (`+OK`, `:1`, `"x"`, `(nil)`, `[:1, "x"]`). All empty: nothing is claimed, and the example
	// is not run. Slots are hash slots of keys that the message names.
	Raises  string
	Returns string
	State   []State
	Slots   map[string]int
	// ReadOnly runs it with EVAL_RO or FCALL_RO; Cluster on a cluster of two nodes. From and Until bound the Redis versions for which Raises
	// and Returns hold ("7.0", "7.2": from ≤ server < until); a server outside must answer otherwise.
	ReadOnly    bool
	Cluster     bool
	From, Until string
	// Differs says, by runner ("miniredis", "redis", "cluster"), why that runner answers otherwise; the test fails when it starts to agree.
	Differs map[string]string
	// NotRun says why no server may run it ("it crashes the server", "it never ends"); Recorded answers prove it then.
	NotRun string
	// Recorded is what servers answered that need not be at hand.
	Recorded []Recorded
}

// Script is another script of the package that an example belongs to.
type Script struct {
	Lua   string
	Sites func() []luacheck.Site
}

// Calls are the calls that run the example, none for nil Sites.
func (e *Example) Calls() []luacheck.Site { return callsOf(e.Sites) }

// Calls are the calls that run the script.
func (s *Script) Calls() []luacheck.Site { return callsOf(s.Sites) }

func callsOf(sites func() []luacheck.Site) []luacheck.Site {
	if sites == nil {
		return nil
	}
	return sites()
}

// State is a command that is run afterwards and its reply.
type State struct {
	Command []string
	Reply   string
}

// Recorded is what a server answered to an example. A live server of that version must answer the same.
type Recorded struct {
	Server string // "valkey 9.1.2"
	Says   string // in ruletest's notation, or what happened: "crashed (signal 6)"
	Source string // how it was observed
}

// Marked strips the marks: it returns the source and the span between ⟦ and ⟧ (marked is false where there are none). The error says
// which mark is wrong and at which byte of Lua.
func (e *Example) Marked() (src syntax.Source, span syntax.Span, marked bool, err error) {
	var b strings.Builder
	finding, hole := -1, -1
	for i, r := range e.Lua {
		bad := false
		switch r {
		case '⟦':
			bad = marked || finding >= 0
			finding = b.Len()
		case '⟧':
			bad = finding < 0
			span, marked, finding = syntax.SpanOf(finding, b.Len()), true, -1
		case '⟪':
			bad = hole >= 0
			hole = b.Len()
		case '⟫':
			bad = hole < 0 || hole == b.Len()
			src.Holes, hole = append(src.Holes, syntax.SpanOf(hole, b.Len())), -1
		default:
			b.WriteString(runeText(e.Lua, i, r))
		}
		if bad {
			return src, span, marked, fmt.Errorf("mark %c at byte %d has no partner or stands twice", r, i)
		}
	}
	if finding >= 0 || hole >= 0 {
		return src, span, marked, fmt.Errorf("a mark is not closed in %.40q", e.Lua)
	}
	src.Text = b.String()
	return src, span, marked, nil
}

// runeText is the bytes of the rune at i, also where they are no UTF-8: examples hold any byte.
func runeText(s string, i int, r rune) string {
	if r == '\uFFFD' && !strings.HasPrefix(s[i:], "\uFFFD") {
		return s[i : i+1]
	}
	return string(r)
}

// Rank is the severity that the example's finding has.
func (e *Example) Rank(r *Rule) Severity {
	if e.Severity != nil {
		return *e.Severity
	}
	return r.Severity
}

// Runs reports whether a server is to run the example.
func (e *Example) Runs() bool {
	return e.NotRun == "" && (e.Raises != "" || e.Returns != "" || len(e.State) > 0 || len(e.Slots) > 0)
}
