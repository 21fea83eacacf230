package syntax

import "testing"

func TestFeature(t *testing.T) {
	for text, want := range map[string]string{
		"goto done":                         "goto",
		"::a:: return 1":                    "label",
		"for i=1,2 do continue end":         "continue",
		"local a = 1;; return a":            "empty statement",
		"return 7 // 2":                     "integer division",
		"local a = 1\n// c\n":               "// comment",
		"x = 1 /* c */":                     "/* comment",
		"return 7 & 2":                      "bitwise operator",
		"return 7 | 2":                      "bitwise operator",
		"return 7 ~ 2":                      "bitwise operator",
		"return ~2":                         "bitwise operator",
		"return 7 << 2":                     "bitwise operator",
		"return 7 >> 2":                     "bitwise operator",
		"return 1 != 2":                     "!=",
		"return 1 <> 2":                     "!=",
		"return !x":                         "! operator",
		"return a && b":                     "&& operator",
		"return a || b":                     "|| operator",
		"a += 1":                            "compound assignment",
		"a ..= 'x'":                         "compound assignment",
		"a++":                               "increment",
		"return a ? b : c":                  "? operator",
		"local x <const> = 5":               "attribute",
		"# c\nreturn 1":                     "# comment",
		"return `x`":                        "backquoted string",
		"\xef\xbb\xbfreturn 1":              "byte order mark",
		"return\u00a01":                     "no-break space",
		"return \u201cx\u201d":              "smart quote",
		"local \u00e9 = 1":                  "non-ASCII name",
		"return 0b101":                      "binary numeral",
		"return 1_000":                      "digit separator",
		"return 100LL":                      "number suffix",
		"return 1..2":                       "concatenation without blanks",
		"return \"a\\z\n  b\"":              `\z escape`,
		"return 1 \x00 ":                    "NUL byte",
		"\x1bLua":                           "compiled chunk",
		"if a then b() elif c then d() end": "elif",
		"var x = 1":                         "var",
		// Plain mistakes mean nothing else.
		"x = ":              "",
		"return (1":         "",
		"f(1,)":             "",
		"return \"x":        "",
		"if x then return ": "",
	} {
		c := Parse(Source{Text: text}, Lua51)
		if len(c.Errors) == 0 {
			t.Errorf("%q: no error", text)
			continue
		}
		if got := c.Errors[0].Feature; got != want {
			t.Errorf("%q: feature %q, want %q (%s)", text, got, want, c.Errors[0].Message)
		}
	}
}
