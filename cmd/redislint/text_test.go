package main

import (
	"strings"
	"testing"

	"github.com/redislint/redislint/rules"
)

// TestUnderline checks the two lines that show where a finding is: carets stand under the span in every terminal.
func TestUnderline(t *testing.T) {
	long := strings.Repeat("a", 500)
	for _, test := range []struct {
		name, line, span, shown, carets string
	}{
		{"plain", "local x = foo", "foo", "local x = foo", "          ^~~"},
		{"tabs stay", "\tlocal\tx = foo", "foo", "\tlocal\tx = foo", "\t     \t    ^~~"},
		{"wide characters take two columns", "local s = '日本' .. x", "x", "local s = '日本' .. x", "                    ^"},
		{"wide span", "return '日本'", "'日本'", "return '日本'", "       ^~~~~~"},
		{"combining marks take none", "'e\u0301' x", "x", "'e\u0301' x", "    ^"},
		{"terminal controls are shown as replaced", "a\x1b[31mb", "b", "a\ufffd[31mb", "      ^"},
		{"invalid text is replaced", "'\xff' b", "b", "'\ufffd' b", "    ^"},
		{"an empty span has one caret", "local x", "", "local x", "^"},
		{"long lines are cut", long + "foo" + long, "foo", "…" + long[:window] + "foo" + long[:2*window-3] + "…", strings.Repeat(" ", window+1) + "^~~"},
	} {
		t.Run(test.name, func(t *testing.T) {
			at := strings.Index(test.line, test.span)
			p := place{startLine: 1, startCol: at + 1, endLine: 1, endCol: at + len(test.span) + 1}
			shown, carets := underline(test.line, p)
			if shown != test.shown || carets != test.carets {
				t.Errorf("got\n%q\n%q\nwant\n%q\n%q", shown, carets, test.shown, test.carets)
			}
		})
	}
}

// sample is a report with two findings in one file, one with a fix and a related place.
func sample() report {
	files := newFileSet("/src")
	files.put("/src/a.lua", []byte("local v = redis.call('GET', KEYS[1])\nif v == nil then\n\treturn 'é', v\nend\n"))
	nilReply := &rules.Rule{Name: "nil-reply", Title: "a reply is compared with nil", Severity: rules.Warning, Doc: "A reply is false."}
	syntaxRule := &rules.Rule{Name: "syntax", Title: "it does not load", Severity: rules.ErrorSeverity, Doc: "It does not load."}
	return report{files: files, findings: []finding{
		{rule: nilReply, severity: rules.Warning, place: files.at("/src/a.lua", 40, 48), message: "compared with nil, 100% never true",
			related: []related{{files.at("/src/a.lua", 10, 36), "the reply"}},
			fixes:   []fix{{"compare with false", []edit{{files.at("/src/a.lua", 45, 48), "false"}}}}, script: "a.lua", line: "if v == nil then"},
		{rule: syntaxRule, severity: rules.ErrorSeverity, place: files.at("/src/a.lua", 68, 69), message: "'end' expected,\nnear 'é'",
			script: "a.lua", line: "\treturn 'é', v"},
	}, scripts: []script{{name: "a.lua", file: "/src/a.lua", line: 1, keys: 1, analysed: true}}}
}

func TestPrintText(t *testing.T) {
	want := `a.lua:2:4: warning: nil-reply: compared with nil, 100% never true
    if v == nil then
       ^~~~~~~~
    a.lua:1:11: the reply
    fix: compare with false (redislint -fix)
a.lua:3:15: error: syntax: 'end' expected,` + "\ufffd" + `near 'é'
    	return 'é', v
    	            ^
    more: redislint -explain syntax
`
	if got := printed(t, printText, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func printed(t *testing.T, p printer, r report) string {
	t.Helper()
	var out strings.Builder
	if err := p(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
