package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redislint/redislint/rules"
)

// report is all that one run found. Every printer takes it whole.
type report struct {
	findings []finding // sorted, each once
	scripts  []script
	files    *fileSet
	color    bool
}

// finding is a finding with its place in a file.
type finding struct {
	rule     *rules.Rule
	severity rules.Severity
	place
	message string
	related []related
	fixes   []fix
	script  string // name of the script, "" where unknown
	line    string // text of the Lua line, for the baseline
}

// place is a span of a file: byte offsets from 0, lines and byte columns from 1. end is behind the last byte.
type place struct {
	file                string // absolute, or "-" for standard input
	start, end          int
	startLine, startCol int
	endLine, endCol     int
}

type related struct {
	place
	message string
}

type fix struct {
	title string
	edits []edit
}

type edit struct {
	place
	text string
}

// script is a script that was found, or a place that runs one whose text is not known.
type script struct {
	name       string
	file       string
	line       int
	library    string
	keys, args int
	calls      int
	counted    int // calls that pass a known number of keys
	analysed   bool
	reason     string
	failed     bool // it was found and yet not analysed, or not to the end
}

// sortFindings orders by place and drops what is said twice about one place: a package and its test variant hold the same files.
func sortFindings(list []finding) []finding {
	sortBy(list, func(a, b *finding) int {
		if c := cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(b.severity, a.severity), strings.Compare(a.rule.Name, b.rule.Name), strings.Compare(a.message, b.message))
	})
	return slices.CompactFunc(list, func(a, b finding) bool {
		return a.place == b.place && a.rule == b.rule && a.message == b.message
	})
}

func sortScripts(list []script) []script {
	sortBy(list, func(a, b *script) int {
		if c := cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line)); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.library, b.library), strings.Compare(a.reason, b.reason), cmp.Compare(b.calls, a.calls))
	})
	return slices.CompactFunc(list, func(a, b script) bool {
		return a.file == b.file && a.line == b.line && a.name == b.name && a.library == b.library
	})
}

// sortBy sorts and keeps the order of what is equal. Bare files were looked at in order, and need not be sorted.
func sortBy[T any](list []T, compare func(a, b *T) int) {
	for i := 1; i < len(list); i++ {
		if compare(&list[i-1], &list[i]) > 0 {
			slices.SortStableFunc(list, func(a, b T) int { return compare(&a, &b) })
			return
		}
	}
}
