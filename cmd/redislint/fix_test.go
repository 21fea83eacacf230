package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redislint/redislint/rules"
)

// fixing makes findings with one fix each: replace every occurrence of old by text.
func fixing(files *fileSet, name, old, text string) []finding {
	var out []finding
	src := files.get(name).text
	for at := 0; ; {
		i := strings.Index(src[at:], old)
		if i < 0 {
			return out
		}
		p := files.at(name, at+i, at+i+len(old))
		out = append(out, finding{rule: &rules.Rule{Name: "r"}, place: p, fixes: []fix{{"t", []edit{{p, text}}}}})
		at += i + len(old)
	}
}

func TestChooseLeavesOutOverlaps(t *testing.T) {
	files := newFileSet("/src")
	files.put("/src/a.lua", []byte("return a == b"))
	list := append(fixing(files, "/src/a.lua", "a ==", "x =="), fixing(files, "/src/a.lua", "== b", "== y")...)
	list = append(list, fixing(files, "/src/a.lua", "b", "z")...)
	got := choose(list)
	if len(got) != 1 || got[0].fixes != 2 {
		t.Fatalf("got %+v, want one patch of the first and the third fix", got)
	}
	text, err := got[0].apply([]byte(files.get("/src/a.lua").text))
	if err != nil || string(text) != "return x == z" {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestApply(t *testing.T) {
	for _, test := range []struct{ name, file, text, old, new, want, err string }{
		{"formats Go that was formatted", "a.go", "package a\n\nvar (\n\tx = 1 // one\n\ty = 2 // two\n)\n", "x = 1", "xxx = 1",
			"package a\n\nvar (\n\txxx = 1 // one\n\ty   = 2 // two\n)\n", ""},
		{"leaves Go alone that was not", "a.go", "package a\nvar   x = 1\n", "1", "2", "package a\nvar   x = 2\n", ""},
		{"refuses Go that would not parse", "a.go", "package a\n\nvar x = `y`\n", "y", "`", "", "the result would not parse"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := newFileSet("/src")
			files.put(test.file, []byte(test.text))
			got, err := choose(fixing(files, test.file, test.old, test.new))[0].apply([]byte(test.text))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want an error with %q", err, test.err)
				}
				return
			}
			if err != nil || string(got) != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestWritePatches(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.lua")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write("return nil")
	files := newFileSet(dir)
	patches := choose(fixing(files, name, "nil", "false"))

	write("return nil -- edited")
	fixed, problems := writePatches(patches, files)
	if fixed != 0 || len(problems) != 1 || problems[0] != "a.lua: not fixed: the file changed while it was analysed; run again" {
		t.Errorf("got %d, %q", fixed, problems)
	}
	if got := read(); got != "return nil -- edited" {
		t.Errorf("a file that changed was written: %q", got)
	}

	write("return nil")
	if fixed, problems := writePatches(patches, files); fixed != 1 || len(problems) != 0 {
		t.Errorf("got %d, %q", fixed, problems)
	}
	info, err := os.Stat(name)
	if err != nil || read() != "return false" || info.Mode().Perm() != 0o750 {
		t.Errorf("got %q, mode %v, %v", read(), info.Mode(), err)
	}
	if rest, _ := filepath.Glob(filepath.Join(dir, ".redislint-*")); len(rest) != 0 {
		t.Errorf("temporary files are left: %q", rest)
	}
}
