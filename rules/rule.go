package rules

import (
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// Severity is how bad a finding is.
type Severity uint8

const (
	// Note: it works, and practice advises otherwise.
	Note Severity = iota
	// Warning: it fails or does the wrong thing on a cluster, on some data, under load or after a restart.
	Warning
	// Error: some server of the target refuses or aborts the script, for certain, whenever that code is reached.
	ErrorSeverity
)

// String returns "note", "warning" or "error".
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Claim is what a rule says about the world, and so what its examples must prove.
type Claim uint8

const (
	ServerError Claim = iota // a server refuses or aborts: each bad example must raise
	WrongResult              // the answer or the state is not what the code means
	Cluster                  // breaks on a cluster
	Version                  // depends on the server's version
	Cost                     // too slow, or too much
	Practice                 // the field advises otherwise
)

// String returns the claim in words.
func (c Claim) String() string {
	return [...]string{"a server refuses it", "the result is wrong", "it breaks on a cluster", "it depends on the version", "it costs too much",
		"practice advises otherwise"}[c]
}

// Rule is one rule: its documentation, its examples and its check.
type Rule struct {
	Name     string   // what users type: "nil-reply"
	Title    string   // one line, lower case, no full stop
	Severity Severity // of its worst finding
	Group    string   // heading in the documentation: "Keys and cluster"
	Claim    Claim
	OptIn    bool   // off unless enabled by name
	Since    string // the redislint version that brought it
	Doc      string // markdown: why it fails, what to do
	Bad      []Example
	Good     []Example

	// What the rule looks at; nil fields are not called. One walk over the facts calls every rule.
	Program func(*Pass)
	Call    func(*Pass, *value.Call)
	Lib     func(*Pass, *value.LibCall)
	Op      func(*Pass, *value.Op)
	Cond    func(*Pass, *value.Cond)
	Access  func(*Pass, *value.Access)
	Return  func(*Pass, *value.Return)
	Global  func(*Pass, *value.Global)
	Failure func(*Pass, *value.Failure)
	// Site is called for each site, with its index; also where the text is unknown.
	Site func(*Pass, int, *luacheck.Site)
	// Package is called once with all programs of a package. Of those for which Joins is false it sees only the sites: their text and facts
	// are dropped before.
	Package func(*PackagePass)
	Joins   func(*luacheck.Program) bool
}

// Pass is what a check gets: one program, and where to put findings.
type Pass struct {
	*luacheck.Program
	rule   *Rule
	report func(Finding)
	shared *shared
}

// shared is what the passes of one program work out once, when a rule asks.
type shared struct {
	chunk   *syntax.Chunk
	parents syntax.Parents
	answers map[string]bool
	lists   map[string][]*value.Call
}

// around is the node around n, nil for the body of the chunk and for what is not in the tree.
func (s *shared) around(n syntax.Node) syntax.Node {
	if s.parents == nil {
		s.parents = syntax.ParentsOf(s.chunk)
	}
	return s.parents.Of(n)
}

// calls lists the calls of the program for which keep holds; name stands for the question.
func (s *shared) calls(f *value.Facts, name string, keep func(*value.Call) bool) []*value.Call {
	list, asked := s.lists[name]
	if !asked {
		for _, c := range f.Calls {
			if keep(c) {
				list = append(list, c)
			}
		}
		if s.lists == nil {
			s.lists = map[string][]*value.Call{}
		}
		s.lists[name] = list
	}
	return list
}

// once answers a question about the whole program.
func (s *shared) once(question string, answer func() bool) bool {
	if _, asked := s.answers[question]; !asked {
		if s.answers == nil {
			s.answers = map[string]bool{}
		}
		s.answers[question] = answer()
	}
	return s.answers[question]
}

// Report files a finding. Rule is filled in; Severity must be set.
func (p *Pass) Report(f Finding) {
	f.Rule = p.rule
	p.report(f)
}

// PackagePass is what a check over all scripts of a package gets.
type PackagePass struct {
	Programs []*luacheck.Program
	rule     *Rule
	report   func(program int, f Finding)
}

// Report files a finding of the program with that index.
func (p *PackagePass) Report(program int, f Finding) {
	f.Rule = p.rule
	p.report(program, f)
}

// Finding is one thing to tell. It stays data until the printer.
type Finding struct {
	Rule     *Rule
	Severity Severity
	// Where: a span of the script, or (Site ≥ 0 with SitePart) a part of the call that runs it.
	Span     syntax.Span
	Site     int // index into Program.Sites, -1 where the finding is in the script's text
	SitePart SitePart
	Index    int // of the key or argument, from 0, for PartKey and PartArg
	Caller   int // for PartKey: n > 0 is the place where Callers[n-1] of the site passes it
	Message  string
	Related  []Related
	Fixes    []Fix
}

// SitePart is a part of a call in Go.
type SitePart uint8

const (
	PartCall SitePart = iota
	PartNumKeys
	PartKeys // the whole list
	PartKey
	PartArgs
	PartArg
	PartName   // the function name of FCALL
	PartResult // where the reply is decoded
	PartText   // the script's text as the call has it
)

// Related is another place that matters.
type Related struct {
	Span    syntax.Span
	Site    int // as in Finding
	Part    SitePart
	Message string
}

// Fix is a change of the script's text that solves the finding.
type Fix struct {
	Title string
	Edits []Edit // not overlapping, in order
}

// Edit replaces a span of the script's text.
type Edit struct {
	Span syntax.Span
	New  string
}

// In makes a finding in the script's text.
func In(span syntax.Span, sev Severity, message string) Finding {
	return Finding{Span: span, Severity: sev, Message: message, Site: -1}
}

// At makes a finding at a part of a site.
func At(site int, part SitePart, index int, sev Severity, message string) Finding {
	return Finding{Site: site, SitePart: part, Index: index, Severity: sev, Message: message}
}
