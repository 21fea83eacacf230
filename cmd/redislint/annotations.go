package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/redislint/redislint/rules"
)

// printGitHub writes workflow commands, which GitHub Actions shows beside the lines of a change.
func printGitHub(w io.Writer, r report) error {
	out := bufio.NewWriter(w)
	for _, f := range r.findings {
		level := [...]string{rules.Note: "notice", rules.Warning: "warning", rules.ErrorSeverity: "error"}[f.severity]
		fmt.Fprintf(out, "::%s file=%s,line=%d,endLine=%d", level, escapeProperty(r.files.short(f.file)), f.startLine, f.endLine)
		if f.endLine == f.startLine { // GitHub takes columns only within one line
			fmt.Fprintf(out, ",col=%d,endColumn=%d", f.startCol, f.endCol)
		}
		fmt.Fprintf(out, ",title=%s::%s\n", escapeProperty("redislint: "+f.rule.Name), escapeData(f.message))
	}
	return out.Flush()
}

// escapeData escapes the text of a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes a value in the head of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

type (
	checkstyleReport struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// printCheckstyle writes Checkstyle's XML. Findings are sorted, so those of one file stand together.
func printCheckstyle(w io.Writer, r report) error {
	out := checkstyleReport{Version: "4.3"}
	for _, f := range r.findings {
		name := r.files.short(f.file)
		if n := len(out.Files); n == 0 || out.Files[n-1].Name != name {
			out.Files = append(out.Files, checkstyleFile{Name: name})
		}
		level := [...]string{rules.Note: "info", rules.Warning: "warning", rules.ErrorSeverity: "error"}[f.severity]
		last := &out.Files[len(out.Files)-1]
		last.Errors = append(last.Errors, checkstyleError{f.startLine, f.startCol, level, f.message, "redislint." + f.rule.Name})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
