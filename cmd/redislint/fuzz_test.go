package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/redislint/redislint/rules"
)

// FuzzApply: whatever the edits, nothing panics, and what is written is the text with just those edits that do not meet.
func FuzzApply(f *testing.F) {
	f.Add("a.lua", "local v = nil\nreturn v", 10, 13, "false", 20, 22, "x")
	f.Add("a.lua", "return 1", 0, 6, "", 3, 8, "y")
	f.Add("a.go", "package a\n\nvar s = `return 1`\n", 20, 28, "return 2", 20, 20, "`")
	f.Fuzz(func(t *testing.T, name, text string, start1, end1 int, new1 string, start2, end2 int, new2 string) {
		files := newFileSet("/src")
		files.put(name, []byte(text))
		var list []finding
		var edits []edit
		for _, e := range []struct {
			start, end int
			text       string
		}{{start1, end1, new1}, {start2, end2, new2}} {
			if e.start < 0 || e.end < e.start || e.end > len(text) {
				continue
			}
			edits = append(edits, edit{files.at(name, e.start, e.end), e.text})
			list = append(list, finding{rule: &rules.Rule{Name: "r"}, fixes: []fix{{"t", edits[len(edits)-1:]}}})
		}
		for _, p := range choose(list) {
			got, err := p.apply([]byte(text))
			if err != nil {
				continue
			}
			if strings.HasSuffix(name, ".go") {
				if _, err := parser.ParseFile(token.NewFileSet(), "", got, 0); err != nil {
					t.Errorf("the result does not parse: %v", err)
				}
				continue
			}
			want := text
			for i := len(p.edits) - 1; i >= 0; i-- { // from the end, so that offsets stay
				e := p.edits[i]
				want = want[:e.start] + e.text + want[e.end:]
			}
			if string(got) != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

// FuzzUnderline: whatever stands in a line, what is shown cannot move the cursor, and the marks stand under it.
func FuzzUnderline(f *testing.F) {
	f.Add("\tlocal s = '日本' .. x", 5, 9)
	f.Add("a\x1b[2Jb\u202ec", 1, 4)
	f.Add(strings.Repeat("x", 500), 200, 210)
	f.Add(strings.Repeat("\xbf", 9000), 500, 510)
	f.Fuzz(func(t *testing.T, line string, start, end int) {
		line = strings.ReplaceAll(line, "\n", "")
		if start < 0 || end < start || end > len(line) {
			return
		}
		shown, marks := underline(line, place{startLine: 1, startCol: start + 1, endLine: 1, endCol: end + 1})
		if !utf8.ValidString(shown) || visible(shown) != shown {
			t.Errorf("shown is %q", shown)
		}
		if strings.Trim(marks, " \t^~") != "" || strings.Count(marks, "^") != 1 {
			t.Errorf("marks are %q", marks)
		}
		if len(shown) > 3*(8*window)+16 {
			t.Errorf("%d bytes are shown", len(shown))
		}
	})
}
