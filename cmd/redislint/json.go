package main

import (
	"encoding/json"
	"io"

	"github.com/redislint/redislint/analyzer"
)

// The machine output. docs/formats.md describes the fields; new ones may be added, none is removed.
type (
	jsonReport struct {
		Findings []jsonFinding `json:"findings"`
		Scripts  []jsonScript  `json:"scripts"`
	}
	jsonPlace struct {
		File      string `json:"file"`
		Line      int    `json:"line"`
		Column    int    `json:"column"` // in bytes, from 1
		EndLine   int    `json:"endLine"`
		EndColumn int    `json:"endColumn"`
	}
	jsonFinding struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		jsonPlace
		Message string        `json:"message"`
		URL     string        `json:"url"`
		Script  string        `json:"script,omitempty"`
		Related []jsonRelated `json:"related,omitempty"`
		Fixes   []jsonFix     `json:"fixes,omitempty"`
	}
	jsonRelated struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
	}
	jsonFix struct {
		Title string     `json:"title"`
		Edits []jsonEdit `json:"edits"`
	}
	jsonEdit struct {
		jsonPlace
		New string `json:"new"`
	}
	jsonScript struct {
		Name     string `json:"name"`
		File     string `json:"file"`
		Line     int    `json:"line"`
		Library  string `json:"library"`
		Keys     int    `json:"keys"`
		Args     int    `json:"args"`
		Calls    int    `json:"calls"`
		Counted  int    `json:"counted"`
		Analysed bool   `json:"analysed"`
		Reason   string `json:"reason"`
	}
)

func printJSON(w io.Writer, r report) error {
	out := jsonReport{Findings: []jsonFinding{}, Scripts: []jsonScript{}}
	for _, f := range r.findings {
		out.Findings = append(out.Findings, jsonFindingOf(r, f))
	}
	for _, s := range r.scripts {
		out.Scripts = append(out.Scripts, jsonScript{Name: s.name, File: r.files.short(s.file), Line: s.line, Library: s.library,
			Keys: s.keys, Args: s.args, Calls: s.calls, Counted: s.counted, Analysed: s.analysed, Reason: s.reason})
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func jsonFindingOf(r report, f finding) jsonFinding {
	out := jsonFinding{Rule: f.rule.Name, Severity: f.severity.String(), jsonPlace: jsonPlaceOf(r, f.place), Message: f.message,
		URL: analyzer.RuleURL(f.rule.Name), Script: f.script}
	for _, rel := range f.related {
		out.Related = append(out.Related, jsonRelated{r.files.short(rel.file), rel.startLine, rel.startCol, rel.message})
	}
	for _, x := range f.fixes {
		jf := jsonFix{Title: x.title}
		for _, e := range x.edits {
			jf.Edits = append(jf.Edits, jsonEdit{jsonPlaceOf(r, e.place), e.text})
		}
		out.Fixes = append(out.Fixes, jf)
	}
	return out
}

func jsonPlaceOf(r report, p place) jsonPlace {
	return jsonPlace{r.files.short(p.file), p.startLine, p.startCol, p.endLine, p.endCol}
}
