package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// updateDocs makes the tests below rewrite what they check: UPDATE_DOCS=1 go test ./cmd/redislint -run Docs
var updateDocs = os.Getenv("UPDATE_DOCS") != ""

// TestDocsFlags checks that docs/flags.md is made from the list of flags.
func TestDocsFlags(t *testing.T) {
	var want strings.Builder
	want.WriteString("# Flags\n\nThe flags of the redislint command, made from its list of flags (`UPDATE_DOCS=1 go test ./cmd/redislint -run Docs`).\n" +
		"Flags and arguments may stand in any order. Under `go vet` the flags of the first table are there, also as `-redislint.NAME`, and\n" +
		"golangci-lint takes the same names as settings.\n")
	for _, g := range flagGroups() {
		fmt.Fprintf(&want, "\n## %s\n\n| flag | what it does |\n|---|---|\n", g.Title)
		for _, f := range g.Flags {
			fmt.Fprintf(&want, "| `%s` | %s%s |\n", f.spelling(), f.Usage, f.defaultText())
		}
	}
	checkFile(t, "../../docs/flags.md", []byte(want.String()))
}

func checkFile(t *testing.T, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if !updateDocs {
		t.Errorf("%s is not up to date (%v); run UPDATE_DOCS=1 go test ./cmd/redislint -run Docs", name, err)
		return
	}
	if err := os.WriteFile(name, want, 0o644); err != nil {
		t.Fatal(err)
	}
}
