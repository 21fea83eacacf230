package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// errorLines writes errors as `start-end line: message`.
func errorLines(c *Chunk) string {
	var out []string
	for _, e := range c.Errors {
		out = append(out, fmt.Sprintf("%d-%d %d: %s", e.Start, e.End, e.Line, e.Message))
	}
	return strings.Join(out, "\n")
}

type errorCase struct{ text, want string }

// errorCases are texts with their errors. That the first message of each is a server's is proven by TestDialect for the same
// constructs, and was asked of redis-server 7.0.15 (Debian) for these texts.
var errorCases = []errorCase{
	{"local = 1", `6-7 1: '<name>' expected near '='`},
	{"return 1 +", `10-10 1: unexpected symbol near '<eof>'`},
	{"x = }", `4-5 1: unexpected symbol near '}'`},
	{"if a then\n  b()\n", `16-16 3: 'end' expected (to close 'if' at line 1) near '<eof>'`},
	{"if a then b()", `13-13 1: 'end' expected near '<eof>'`},
	{"f(1,\n2", `6-6 2: ')' expected (to close '(' at line 1) near '<eof>'`},
	{"f(1,)", `4-5 1: unexpected symbol near ')'`},
	{"x = {1,\n2", `9-9 2: '}' expected (to close '{' at line 1) near '<eof>'`},
	{"return 'a\nb'", `7-9 1: unfinished string near ''a'`},
	{"return \"\\300\"", `7-12 1: escape sequence too large near '"'`},
	{"return 1 return 2", `9-15 1: '<eof>' expected near 'return'`},
	{"a.b", `3-3 1: '=' expected near '<eof>'`},
	{"(a) = 1", `4-5 1: syntax error near '='`},
	{"f() = 1", `4-5 1: unexpected symbol near '='`},
	{"a, f() = 1", `7-8 1: syntax error near '='`},
	{"a:b", `3-3 1: function arguments expected near '<eof>'`},
	{"a.1", `1-3 1: '=' expected near '.1'`},
	{"for i do end", `6-8 1: '=' or 'in' expected near 'do'`},
	{"for i = 1 do end", `10-12 1: ',' expected near 'do'`},
	{"for 1 = 1, 2 do end", `4-5 1: '<name>' expected near '1'`},
	{"function f(a,) end", `13-14 1: <name> or '...' expected near ')'`},
	{"function f(..., a) end", `14-15 1: ')' expected near ','`},
	{"function () end", `9-10 1: '<name>' expected near '('`},
	{"local function a.b() end", `16-17 1: '(' expected near '.'`},
	{"return [==[ x", `7-13 1: unfinished long string near '<eof>'`},
	{"return [==", `7-10 1: invalid long string delimiter near '[=='`},
	{"--[[ x\ny", `0-8 2: unfinished long comment near '<eof>'`},
	{"return 3x", `7-9 1: malformed number near '3x'`},
	{"local 3x = 1", `6-8 1: malformed number near '3x'`},
	{"return true 1e", `12-14 1: malformed number near '1e'`},
	{"return 'a\\0b' 'c'", `14-17 1: '<eof>' expected near ''c''`},
	{"x = [[a\nb]] = 1", `12-13 2: unexpected symbol near '='`},
	{"a = \"\xff\\\n\" b", `11-11 2: '=' expected near '<eof>'`},
	{"break", `5-5 1: no loop to break near '<eof>'`},
	{"break local n", `6-11 1: no loop to break near 'local'`},
	{"until x", `0-5 1: '<eof>' expected near 'until'`},
	{"x = 1 end\ny = = 2", `6-9 1: '<eof>' expected near 'end'`},
	{"return [[ a [[ b ]]", `12-14 1: nesting of [[...]] is deprecated near '['`},
	{"\r\n\r\nx =\r\n\r\n=", `11-12 5: unexpected symbol near '='`},
	{"x = 1\n\ry = = 2", `11-12 2: unexpected symbol near '='`},
	{"#!lua\r\nreturn +", `14-15 2: unexpected symbol near '+'`},
	{"return .\x00\x00", ``},
	{"return 1\x00x", ``},
	{"f\n(1)\nlocal x = = 1", `2-3 2: ambiguous syntax (function call x new statement) near '('
16-17 3: unexpected symbol near '='`},
	{"return \"\\256", `7-12 1: escape sequence too large near '"'`},
}

func TestErrors(t *testing.T) {
	for _, c := range errorCases {
		chunk := Parse(Source{Text: c.text}, Lua51)
		if got := errorLines(chunk); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
		checkChunk(t, chunk)
	}
}
