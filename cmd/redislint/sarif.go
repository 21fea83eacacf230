package main

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/rules"
)

// The part of SARIF 2.1.0 that redislint writes (OASIS sarif-v2.1.0-os).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool               `json:"tool"`
		BaseIDs    map[string]sarifBaseURI `json:"originalUriBaseIds"`
		ColumnKind string                  `json:"columnKind"`
		Results    []sarifResult           `json:"results"`
	}
	sarifBaseURI struct {
		Description sarifText `json:"description"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string       `json:"id"`
		Short   sarifText    `json:"shortDescription"`
		Full    sarifText    `json:"fullDescription"`
		Help    sarifText    `json:"help"`
		HelpURI string       `json:"helpUri"`
		Config  sarifDefault `json:"defaultConfiguration"`
	}
	sarifDefault struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion   `json:"deletedRegion"`
		Inserted *sarifContent `json:"insertedContent,omitempty"`
	}
	sarifContent struct {
		Text string `json:"text"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

// printSARIF writes a log with one run. Our columns are bytes, which SARIF does not know, so they are recounted in code points.
func printSARIF(w io.Writer, r report) error {
	all := rules.All()
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}, BaseIDs: map[string]sarifBaseURI{
		"%SRCROOT%": {Description: sarifText{Text: "the working directory of the run"}},
	}}
	run.Tool.Driver = sarifDriver{Name: "redislint", Version: sarifVersion(), InformationURI: homepage, Rules: []sarifRule{}}
	for _, rule := range all {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	prints := fingerprints(r.findings)
	for i, f := range r.findings {
		index := slices.IndexFunc(all, func(x *rules.Rule) bool { return x.Name == f.rule.Name })
		run.Results = append(run.Results, sarifResultOf(r, f, index, prints[i]))
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifVersion begins with a digit, as the validator wants it.
func sarifVersion() string {
	if v, ok := strings.CutPrefix(version(), "v"); ok {
		return v
	}
	return "0.0.0-devel"
}

func sarifRuleOf(r *rules.Rule) sarifRule {
	return sarifRule{ID: r.Name, Short: sarifText{Text: r.Title}, Full: sarifText{Text: r.Title},
		Help: sarifText{Text: r.Doc, Markdown: r.Doc}, HelpURI: analyzer.RuleURL(r.Name), Config: sarifDefault{Enabled: !r.OptIn, Level: r.Severity.String()}}
}

func sarifResultOf(r report, f finding, rule int, print string) sarifResult {
	out := sarifResult{RuleID: f.rule.Name, RuleIndex: rule, Level: f.severity.String(), Message: sarifText{Text: f.message},
		Locations:    []sarifLocation{{Physical: sarifPhysicalOf(r, f.place)}},
		Fingerprints: map[string]string{"redislint/v1": print}}
	for i, rel := range f.related {
		out.Related = append(out.Related, sarifLocation{ID: i + 1, Physical: sarifPhysicalOf(r, rel.place), Message: &sarifText{Text: rel.message}})
	}
	for _, x := range f.fixes {
		out.Fixes = append(out.Fixes, sarifFixOf(r, x))
	}
	return out
}

// sarifFixOf groups the edits by file, in the order in which files first appear.
func sarifFixOf(r report, x fix) sarifFix {
	out := sarifFix{Description: sarifText{Text: x.title}}
	for _, e := range x.edits {
		p := sarifPhysicalOf(r, e.place)
		at := slices.IndexFunc(out.Changes, func(c sarifChange) bool { return c.Artifact == p.Artifact })
		if at < 0 {
			at = len(out.Changes)
			out.Changes = append(out.Changes, sarifChange{Artifact: p.Artifact})
		}
		change := sarifReplacement{Deleted: p.Region}
		if e.text != "" {
			change.Inserted = &sarifContent{e.text}
		}
		out.Changes[at].Replacements = append(out.Changes[at].Replacements, change)
	}
	return out
}

func sarifPhysicalOf(r report, p place) sarifPhysical {
	file := r.files.get(p.file)
	return sarifPhysical{Artifact: sarifArtifactOf(r.files, p.file), Region: sarifRegion{
		StartLine: p.startLine, StartColumn: file.runeColumn(p.startLine, p.startCol),
		EndLine: p.endLine, EndColumn: file.runeColumn(p.endLine, p.endCol),
	}}
}

// sarifArtifactOf names a file below the working directory relative to it, so that a log means the same on another machine.
func sarifArtifactOf(files *fileSet, name string) sarifArtifact {
	rel, err := filepath.Rel(files.dir, name)
	if err != nil || !filepath.IsLocal(rel) {
		return sarifArtifact{URI: fileURI(name)}
	}
	return sarifArtifact{URI: (&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath(), BaseID: "%SRCROOT%"}
}

func fileURI(name string) string {
	if !filepath.IsAbs(name) { // standard input
		return "stdin:" + url.PathEscape(name)
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(name), "/")}).String()
}

// fingerprints gives each finding a mark that outlives moved lines: its baseline key and its number among those with the same key.
func fingerprints(list []finding) []string {
	seen := map[baselineKey]int{}
	var out []string
	for _, f := range list {
		key := keyOf(f)
		seen[key]++
		out = append(out, key.hash()+":"+strconv.Itoa(seen[key]))
	}
	return out
}
