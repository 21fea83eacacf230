package analyzer

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/rules"
)

// Config is what an analyzer is made with; its flags can change it.
type Config struct {
	Target server.Target
	Rules  []*rules.Rule
	// Severity is the least that is reported.
	Severity rules.Severity
	// GoLinesOnly anchors findings inside embedded files at the Go line that embeds them, with file:line:column in the message: for hosts
	// that drop diagnostics outside .go files.
	GoLinesOnly bool
	// ReportFailed reports scripts that failed to be analysed like findings: for hosts that show nothing else.
	ReportFailed bool
	// SkipTests and SkipGenerated leave out test files and generated files.
	SkipTests, SkipGenerated bool
	// Part is what somebody reads of a package.
	Part Part
}

// Part is what a run is for.
type Part int

// Parts of what a run gives. A package that is not named is looked at for those that import it; one that nobody imports needs no facts.
const (
	Both Part = iota
	FactsOnly
	FindingsOnly
)

// Result is what the analyzer returns for one package, beside the diagnostics.
type Result struct {
	Findings []Finding // sorted by position, each once
	Scripts  []Script
}

// Finding is a rules.Finding with places in files.
type Finding struct {
	Rule     *rules.Rule
	Severity rules.Severity
	Pos, End token.Pos
	Message  string // without the rule's name
	Related  []analysis.RelatedInformation
	Fixes    []analysis.SuggestedFix
	// Script is the name of the script that it is about, and Line the text of the Lua line, for baselines and printers; "" where unknown.
	Script, Line string
}

// BudgetReason is the Reason of a script whose analysis was stopped: its findings may be incomplete, and a run must say so.
const BudgetReason = "the analysis ran out of its budget"

// Script is a script that was found, or a place that runs one whose text is not known.
type Script struct {
	Name     string
	Pos      token.Pos
	Library  string // client library
	Keys     int    // highest index used, -1 where the script uses all
	Args     int
	Calls    int // sites that run it
	Counted  int // those of them that pass a known number of keys
	Analysed bool
	Reason   string // why it was not analysed
	// Failed: its text is known, and yet it was not analysed, or not to the end. A run must say so.
	Failed bool
}
