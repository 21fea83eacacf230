package syntax

import (
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// gopherDifferences are the cases on which gopher-lua and this package differ. In each of them the servers agree with this package
// (TestDialect), so gopher-lua is wrong. A case that no longer differs fails.
var gopherDifferences = []struct {
	why   string
	cases []string
}{
	{"gopher-lua has goto and labels",
		[]string{"goto", "goto continue", "label only"}},
	{"goto is a keyword of gopher-lua",
		[]string{"goto as identifier", "goto as field name"}},
	{"gopher-lua has empty statements",
		[]string{"empty statement ;", "leading ;", "lone ;"}},
	{"the header line is not Lua to gopher-lua",
		[]string{"#! first line", "shebang /usr/bin/lua", "shebang sh", "shebang name in eval", "shebang flags", "shebang flags empty", "shebang flags spaces", "shebang two flags", "shebang unknown flag", "shebang unknown option", "shebang upper", "shebang space after bang", "shebang no newline", "shebang only", "shebang CRLF", "shebang flags CRLF", "shebang tab", "shebang trailing space", "shebang double flags", "shebang quoted flags", "shebang line number"}},
	{"gopher-lua takes a parenthesis on a new line as a call",
		[]string{"ambiguous call newline (", "ambiguous call statement", "paren statement after call newline"}},
	{"gopher-lua skips an extra comma in a table",
		[]string{"double comma table"}},
	{"numerals: strtod of the C library takes hexadecimal floats and wants digits behind an exponent",
		[]string{"0x1p4", "3e"}},
	{"gopher-lua cuts a decimal escape above 255 to a byte",
		[]string{"esc \\256", "esc \\999"}},
	{"bytes: form feed and vertical tab are white space, and a NUL behind a digit is swallowed",
		[]string{"NUL at end", "form feed", "vertical tab"}},
	{"gopher-lua has other limits",
		[]string{"61 upvalues", "200 params", "concat 200", "pow 201", "not 201", "paren 199", "paren 200", "paren 201", "do nest 201", "if nest 201", "function nest 190", "function nest 201"}},
}

func gopherWhy(name string) (string, bool) {
	for _, d := range gopherDifferences {
		if slices.Contains(d.cases, name) {
			return d.why, true
		}
	}
	return "", false
}

// gopherAnswer is gopher-lua's tree in the notation of shape, or "refused".
func gopherAnswer(text string) string {
	stmts, err := parse.Parse(strings.NewReader(text), "script")
	if err != nil {
		return "refused"
	}
	var s gopherShape
	s.block(stmts) // before Compile, which changes the tree
	if _, err := lua.Compile(stmts, "script"); err != nil {
		return "refused"
	}
	return s.out.String()
}

func ourAnswer(text string) string {
	c := Parse(Source{Text: text}, Lua51)
	for _, e := range c.Errors {
		if e.Kind == Refused {
			return "refused"
		}
	}
	return shape(c, false)
}

func TestGopherLua(t *testing.T) {
	for _, c := range gopherCases(t) {
		ours, theirs := ourAnswer(c.text), gopherAnswer(c.text)
		why, known := gopherWhy(c.name)
		if ours != theirs && !known {
			t.Errorf("%s: %.200q\n\tours   %.300s\n\ttheirs %.300s", c.name, c.text, ours, theirs)
		}
		if ours == theirs && known {
			t.Errorf("%s: no longer differs, remove its row (%s)", c.name, why)
		}
	}
}

type namedText struct{ name, text string }

// gopherCases are the dialect cases and the tree cases.
func gopherCases(t *testing.T) []namedText {
	var out []namedText
	for _, c := range dialectCases(t) {
		out = append(out, namedText{c.Name, c.text()})
	}
	for _, c := range treeCases {
		out = append(out, namedText{c.text, c.text})
	}
	return out
}

// TestGopherLuaMutants drops each token of each short case in turn. Where both accept what is left, the trees are the same.
func TestGopherLuaMutants(t *testing.T) {
	same := 0
	for _, c := range gopherCases(t) {
		if len(c.text) > 200 {
			continue
		}
		for _, tok := range Scan(Source{Text: c.text}, Lua51) {
			text := c.text[:tok.Start] + c.text[tok.End:]
			ours, theirs := ourAnswer(text), gopherAnswer(text)
			if ours == "refused" || theirs == "refused" {
				continue
			}
			if ours == theirs {
				same++
			} else {
				t.Errorf("%q\n\tours   %s\n\ttheirs %s", text, ours, theirs)
			}
		}
	}
	if same < 500 {
		t.Errorf("only %d mutants are accepted by both", same)
	}
}
