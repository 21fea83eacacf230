package rules

import (
	"testing"

	"github.com/redislint/redislint/luacheck/syntax"
)

// TestInsteads: whatever construct of another language the parser names, the message says what to write instead.
func TestInsteads(t *testing.T) {
	used := map[string]bool{}
	for _, text := range []string{"goto x", "::x::", "for i = 1, 2 do continue end", "return 7 // 2", "return 1 & 2", "local a <const> = 1", "local a = 1;;",
		"return 'a\\z\n b'", "if 1 != 2 then end", "if !a then end", "if a && b then end", "if a || b then end", "if a === b then end", "local a = b ? 1 : 2",
		"a++", "a += 1", "local f = x => 1", "// text", "/* text */", "# text", "local a = `x`", "if a then elif b then end", "var a = 1", "switch a {",
		"try a", "class A {}", "import x", "def f(a)", "return 0b1", "return 1_000", "return 1ll", "return 1..2", "local a = 1 \x00 local b", "\x1bLua",
		"\xef\xbb\xbfreturn 1", "local\xc2\xa0a = 1", "return \xe2\x80\x98x\xe2\x80\x99", "local \xc3\xa9 = 1"} {
		errs := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51).Errors
		if len(errs) == 0 {
			t.Errorf("%q loads", text)
			continue
		}
		if feature := errs[0].Feature; insteadOf(feature) == "" {
			t.Errorf("%q: feature %q: nothing is said of it", text, feature)
		} else {
			used[feature] = true
		}
	}
	for feature := range insteads {
		if !used[feature] {
			t.Errorf("%q is named by no text", feature)
		}
	}
}
