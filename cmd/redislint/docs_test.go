package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// console finds the blocks of a document that show a session.
var console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestDocsSessions runs each `$ command` of the console blocks in the top folder, and compares what it prints, errors included.
func TestDocsSessions(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, doc := range append(docs, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		want := console.ReplaceAllFunc(text, func(block []byte) []byte {
			return []byte("```console\n" + session(t, string(console.FindSubmatch(block)[1]), root, path) + "```")
		})
		checkFile(t, doc, want)
	}
}

// session runs the commands of a block and returns the block with what they really print.
func session(t *testing.T, block, dir, path string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+path, "NO_COLOR=1")
		printed, _ := cmd.CombinedOutput() // findings give a status that is not 0
		out.WriteString("$ " + command)
		out.Write(printed)
	}
	return out.String()
}
