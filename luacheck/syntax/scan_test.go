package syntax

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func tokenText(src Source, d Dialect) string {
	var out []string
	for _, tok := range Scan(src, d) {
		out = append(out, fmt.Sprintf("%s %d-%d", tok.Kind, tok.Start, tok.End))
	}
	return strings.Join(out, ", ")
}

func TestScan(t *testing.T) {
	for _, c := range []struct {
		text string
		d    Dialect
		want string
	}{
		{"local x --c\n= 'a'", Lua51, "local 0-5, <name> 6-7, <comment> 8-11, = 12-13, <string> 14-17"},
		{"#!lua\nreturn 1", Lua51, "<header> 0-5, return 6-12, <number> 13-14"},
		{"a..b...c.d.5", Lua51, "<name> 0-1, .. 1-3, <name> 3-4, ... 4-7, <name> 7-8, . 8-9, <name> 9-10, <number> 10-12"},
		{"a//b::c<<d~e", Lua51, "<name> 0-1, / 1-2, / 2-3, <name> 3-4, : 4-5, : 5-6, <name> 6-7, < 7-8, < 8-9, <name> 9-10, <byte> 10-11, <name> 11-12"},
		{"a//b::c<<d~e", Lua54, "<name> 0-1, // 1-3, <name> 3-4, :: 4-6, <name> 6-7, << 7-9, <name> 9-10, ~ 10-11, <name> 11-12"},
		{"goto x", Lua51, "<name> 0-4, <name> 5-6"},
		{"goto x", Lua54, "goto 0-4, <name> 5-6"},
		{"--[==[ ]] ]==] x --[[", Lua51, "<comment> 0-14, <name> 15-16, <bad> 17-21"},
		{"'a\nb 'c", Lua51, "<bad> 0-2, <name> 3-4, <bad> 5-7"},
		{"[[a]] [=[b]=] [==", Lua51, "<string> 0-5, <string> 6-13, <bad> 14-17"},
		{"\xc3\xa9", Lua51, "<byte> 0-1, <byte> 1-2"},
		{"1e5 0x1F 3x 1..2", Lua51, "<number> 0-3, <number> 4-8, <bad> 9-11, <bad> 12-16"},
	} {
		if got := tokenText(Source{Text: c.text}, c.d); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "3": 3, "08": 8, "010": 10, "3.": 3, ".5": .5, "1e3": 1000, "1E-2": .01, "1e+2": 100, "0x10": 16, "0XfF": 255, "0x1p4": 16,
		"0xffffffffffffffff": 18446744073709551615, "0x1ffffffffffffffff": 36893488147419103231, "9007199254740993": 9007199254740992,
		"99999999999999999999": 1e20, "1e999": math.Inf(1), "1e-999": 0, "1\x00": 1, "1\x00x": 1, "123456789012345": 123456789012345,
		"1234567890123456": 1234567890123456,
	} {
		chunk := Parse(Source{Text: "return " + text}, Lua51)
		n, ok := chunk.Body.Stmts[0].(*Return).Exprs[0].(*Number)
		if len(chunk.Errors) > 0 || !ok || n.Value != want {
			t.Errorf("%q: %v %s, want %v", text, n, errorLines(chunk), want)
		}
	}
	for _, text := range []string{"0x", "0xg", "3e", "3x", "1..2", "1.2.3", "0b101", "1_000", "0x_1", "100LL", "1i", "0x1p", "0x1p_4", "1e5x"} {
		want := "malformed number near '" + text + "'"
		if chunk := Parse(Source{Text: "return " + text}, Lua51); len(chunk.Errors) != 1 || chunk.Errors[0].Message != want {
			t.Errorf("%q: %s, want %s", text, errorLines(chunk), want)
		}
	}
}

func TestStrings(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: "a", `'a"b'`: `a"b`, `"\a\b\f\n\r\t\v"`: "\a\b\f\n\r\t\v", `"\\\"\'"`: `\"'`, `"\65\0659\0"`: "AA9\x00", `"\x41\u{41}\q"`: "x41u{41}q",
		"\"a\\\nb\\\r\nc\\\rd\"": "a\nb\nc\nd", "[[\na]]": "a", "[[\r\na\rb\n\rc\r\n]]": "a\nb\nc\n", "[=[a]]b]=]": "a]]b", "[[]=]]": "]=",
		"'\xff\x00'": "\xff\x00",
	} {
		chunk := Parse(Source{Text: "return " + text}, Lua51)
		s, ok := chunk.Body.Stmts[0].(*Return).Exprs[0].(*String)
		if len(chunk.Errors) > 0 || !ok || s.Value != want {
			t.Errorf("%q: %v %s, want %q", text, s, errorLines(chunk), want)
		}
	}
}

func TestComments(t *testing.T) {
	chunk := Parse(Source{Text: "--a\nx = 1 -- b \r\n--[[c\nd]] --[=e\n--[==[f]==]--"}, Lua51)
	var out []string
	for _, c := range chunk.Comments {
		out = append(out, fmt.Sprintf("%d-%d %v %q", c.Start, c.End, c.Long, c.Text))
	}
	want := `0-3 false "a", 10-15 false " b ", 17-26 true "c\nd", 27-32 false "[=e", 33-44 true "f", 44-46 false ""`
	if got := strings.Join(out, ", "); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}

func TestNestedBracketGoesOn(t *testing.T) {
	chunk := Parse(Source{Text: "--[[ a [[ b ]]\nreturn [[ [[ [[ ]], [=[ [[ ]=]"}, Lua51)
	if got, want := errorLines(chunk), "7-9 1: nesting of [[...]] is deprecated near '['\n25-27 2: nesting of [[...]] is deprecated near '['"; got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
	if got, want := shape(chunk, false), `{(return " [[ [[ " " [[ ")}`; got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}

func TestLua54(t *testing.T) {
	for _, c := range []struct{ text, errors, tree string }{
		{"goto a; ::a:: return 1", ``, `{(goto a) (label a) (return 1)}`},
		{";;local x <const>, y <close> = 1;;", ``, `{(local [x y] 1)}`},
		{"return 7 // 2 & 3 | 4 ~ 5 << 1 >> ~2", ``, `{(return (| (& (// 7 2) 3) (~ 4 (>> (<< 5 1) (u~ 2)))))}`},
		{`return "\x41\u{e9}\z` + "\n  b\"", ``, `{(return "Aéb")}`},
		{"while x do break y() end", ``, `{(while x {(break) (do (call y))})}`},
		{"local f = g\n(1)", ``, `{(local [f] (call g 1))}`},
		{"goto 1", `5-6 1: '<name>' expected near '1'`, `{(bad)}`},
	} {
		chunk := Parse(Source{Text: c.text}, Lua54)
		if got := errorLines(chunk); got != c.errors {
			t.Errorf("%q: errors %s, want %s", c.text, got, c.errors)
		}
		if got := shape(chunk, false); got != c.tree {
			t.Errorf("%q: tree\n got %s\nwant %s", c.text, got, c.tree)
		}
		checkChunk(t, chunk)
	}
}
