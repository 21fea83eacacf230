package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

func TestMarked(t *testing.T) {
	e := Example{Lua: "é = ⟦a\xff⟧ .. '⟪name⟫'"}
	src, span, marked, err := e.Marked()
	want := syntax.Source{Text: "é = a\xff .. 'name'", Holes: []syntax.Span{{Start: 12, End: 16}}}
	if err != nil || !marked || span != (syntax.Span{Start: 5, End: 7}) || cmp.Diff(want, src) != "" {
		t.Errorf("got %v %v %v %v", src, span, marked, err)
	}
	for _, lua := range []string{"⟦", "⟧", "a⟦b⟧c⟦d⟧", "⟦⟦a⟧⟧", "⟪a", "⟪⟫", "a⟫"} {
		e := Example{Lua: lua}
		if _, _, _, err := e.Marked(); err == nil {
			t.Errorf("%q: no error", lua)
		}
	}
	empty := Example{Lua: "return⟦⟧"}
	if _, span, marked, err := empty.Marked(); err != nil || !marked || span != (syntax.Span{Start: 6, End: 6}) {
		t.Errorf("an empty span: %v %v %v", span, marked, err)
	}
}

func TestPrinted(t *testing.T) {
	r := &Rule{Name: "a-rule", Severity: Warning}
	for _, c := range []struct{ lua, want string }{
		{"local a\n\tlocal é = ⟦bad⟧()\nreturn", "script.lua:2:13: warning: a-rule: say\n    \tlocal é = bad()\n    \t          ^~~"},
		{"return ⟦{\n  1}⟧", "script.lua:1:8: warning: a-rule: say\n    return {\n           ^"},
		{"return⟦⟧", "script.lua:1:7: warning: a-rule: say\n    return\n          ^"},
		{"a\r\n⟦b⟧\r\n", "script.lua:2:1: warning: a-rule: say\n    b\n    ^"},
	} {
		if diff := cmp.Diff(c.want, Printed(r, &Example{Lua: c.lua, Say: "say"})); diff != "" {
			t.Errorf("%q (-want +got)\n%s", c.lua, diff)
		}
	}
}

func TestExplain(t *testing.T) {
	text := Explain(syntaxRule)
	for _, want := range []string{"## syntax\n", "Severity: error. Claim: a server refuses it. On by default.",
		"script.lua:1:34: error: syntax: 'then' expected near '='", "\n" + strings.Repeat(" ", 37) + "^\n",
		" answers (with `KEYS = {\"k\"}, ARGV = {}`) `-ERR Error compiling script (new function): user_script:1: 'then' expected near '='`",
		"redis 7.2.6 (a build of that tag): `-ERR", "Not reported:\n\n```lua\nlocal goto"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestSiteWords(t *testing.T) {
	site := luacheck.Site{Mode: luacheck.ModeEvalRO, Keys: luacheck.List{Exact: true, Items: []luacheck.Element{
		{Text: luacheck.Template{Parts: []luacheck.Part{{Lit: "cart:"}, {Hole: "1", Name: "id"}}}}, {}}}}
	want := "Called by `EVAL_RO` with keys `\"cart:\" + id, …`:\n\n"
	if got := siteWords(&site); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
