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

// Pass is what a check gets: one program, and where to put findings. All rules share it, one after the other.
type Pass struct {
	*luacheck.Program
	rule   *Rule
	found  []Finding
	shared shared
}

// shared is what the rules work out once for a program, when one of them asks.
type shared struct {
	parents       syntax.Parents
	callOf        map[*syntax.Call]*value.Call
	alone         loneRun   // see runAlone
	asksVersion   value.Tri // see versionRank
	mindsBrackets value.Tri
	aboutExpiry   []*value.Call
	hasExpiry     bool // aboutExpiry is worked out
	odd           []string
	hasOdd        bool // odd is worked out: see oddGlobals
}

// around is the node around n, nil for the body of the chunk and for what is not in the tree. It costs a walk of the whole tree the first
// time: ask only where a finding hangs on it.
func (p *Pass) around(n syntax.Node) syntax.Node {
	if p.shared.parents == nil {
		p.shared.parents = syntax.ParentsOf(p.Chunk)
	}
	return p.shared.parents.Of(n)
}

// fewCalls are looked through as fast as a map is asked.
const fewCalls = 16

// callOf is the redis.call that an expression is, in the last of its contexts; nil where it is none.
func (p *Pass) callOf(n *syntax.Call) *value.Call {
	if len(p.Facts.Calls) <= fewCalls {
		for i := len(p.Facts.Calls) - 1; i >= 0; i-- {
			if c := p.Facts.Calls[i]; c.Node == n {
				return c
			}
		}
		return nil
	}
	if p.shared.callOf == nil {
		p.shared.callOf = make(map[*syntax.Call]*value.Call, len(p.Facts.Calls))
		for _, c := range p.Facts.Calls {
			p.shared.callOf[c.Node] = c
		}
	}
	return p.shared.callOf[n]
}

// Report files a finding. Rule is filled in; Severity must be set.
func (p *Pass) Report(f Finding) {
	f.Rule = p.rule
	p.found = append(p.found, f)
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
	Index    int // of the key or argument, from 0, for PartKey and PartArg; those of List.Behind count on after its Items
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
