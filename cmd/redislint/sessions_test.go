package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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
