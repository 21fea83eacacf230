package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// holeCases are texts with holes; the mask marks the hole bytes with '?'. The errors come with CodeHole and with the holes of strings,
// behind '|'.
var holeCases = []struct{ name, text, mask, errors, tree string }{
	{"in a string", `return redis.call('GET', 'a:%s:b%d')`, `                            ??  ??`,
		`|string 28-30|string 32-34`,
		`{(return (call (. redis "call") "GET" "a:%s:b%d"))}`},
	{"quote and line end in it", "return 'a\"'\nb' .. c", "         ???",
		`|string 9-12`,
		`{(return (.. "a\"'\nb" c))}`},
	{"in a long string", "return [[a]]\r\nb]]", "          ??",
		`|string 10-12`,
		`{(return "a]]\nb")}`},
	{"in a comment", "-- a \nb\nreturn 1", "     ??",
		``,
		`{(return 1)}`},
	{"in a long comment", "--[[ ]] ]] return 1", "     ??",
		``,
		`{(return 1)}`},
	{"as an expression", `return %s + 1`, `       ??`,
		`|code 7-9`,
		`{(return (+ HOLE 1))}`},
	{"as an argument", `redis.call(%s, KEYS[1], %d)`, `           ??           ??`,
		`|code 11-13`,
		`{(do (call (. redis "call") HOLE (. KEYS 1) HOLE))}`},
	{"as a function", `%s(1)`, `??`,
		`|code 0-2`,
		`{(do (call HOLE 1))}`},
	{"as a target", `%s.x, %s = 1, 2`, `??    ??`,
		`|code 0-2`,
		`{(set [(. HOLE "x") HOLE] 1 2)}`},
	{"as a statement", "%s\nreturn 1", `??`,
		`|code 0-2`,
		`{(bad) (return 1)}`},
	{"before a statement", "%s local x = 1", `??`,
		`|code 0-2`,
		`{(bad) (local [x] 1)}`},
	{"as an operator", "x = a %s b\nreturn 1", `      ??`,
		`|code 6-8`,
		`{(set [x] BAD) (return 1)}`},
	{"as an operator at the end", "x = a %s\ny = b\n%s\nreturn 1", `      ??       ??`,
		`|code 6-8`,
		`{(set [x] BAD) (set [y] b) (bad) (return 1)}`},
	{"glued to a name", "local %s_x = 1 return my_%s_y", `      ??                 ??`,
		`|code 6-8`,
		`{(local [] 1) (return HOLE)}`},
	{"glued to a number", "return 12%s", `         ??`,
		`|code 9-11`,
		`{(return HOLE)}`},
	{"glued to a keyword", "end%s\nreturn 1", `   ??`,
		`|code 3-5`,
		`{(bad) (return 1)}`},
	{"as a field", "return a.%s.b, {%s = 1, %s}", `         ??     ??      ??`,
		`|code 9-11`,
		`{(return (. (. a HOLE) "b") (table HOLE=1 HOLE))}`},
	{"as a method", "return a:%s(1)", `         ??`,
		`|code 9-11`,
		`{(return (call BAD 1))}`},
	{"as a name", "local %s, b = 1, 2 for k, %s in x do end function f(a, %s) end", `      ??                  ??                           ??`,
		`|code 6-8`,
		`{(local [ b] 1 2) (in [k ] x {}) (def f (fn [a ] {}))}`},
	{"error before", "x = = 1\ny = %s", `            ??`,
		`4-5 1: unexpected symbol near '='|code 12-14`,
		`{(set [x] BAD) (set [y] HOLE)}`},
	{"error behind", "y = %s\nx = = 1", `    ??`,
		`|code 4-6`,
		`{(set [y] HOLE) (set [x] BAD)}`},
	{"unfinished string with it", "x = 'a%s\ny = 1", `      ??`,
		`|code 6-8`,
		`{(set [x]) (set [y] 1)}`},
	{"unclosed behind", "if %s then", `   ??`,
		`|code 3-5`,
		`{(if HOLE {} {})}`},
	{"all of it", "%s", `??`,
		`|code 0-2`,
		`{(bad)}`},
	{"two in a row", "return %s%s", `       ????`,
		`|code 7-11`,
		`{(return HOLE)}`},
	{"escape of it", `return "\%s"`, `         ??`,
		`|string 9-11`,
		`{(return "%s")}`},
}

func holeErrors(c *Chunk) string {
	out := errorLines(c)
	if h := c.CodeHole; h.Len() > 0 {
		out += fmt.Sprintf("|code %d-%d", h.Start, h.End)
	}
	Walk(c, func(n Node) bool {
		if s, ok := n.(*String); ok {
			for _, h := range c.HolesIn(s) {
				out += fmt.Sprintf("|string %d-%d", h.Start, h.End)
			}
		}
		return true
	})
	return out
}

func TestHoles(t *testing.T) {
	for _, c := range holeCases {
		src := Source{c.text, holesOf(c.text, c.mask)}
		chunk := Parse(src, Lua51)
		if got := holeErrors(chunk); got != c.errors {
			t.Errorf("%s: errors\n got %s\nwant %s", c.name, got, c.errors)
		}
		if got := shape(chunk, false); got != c.tree {
			t.Errorf("%s: tree\n got %s\nwant %s", c.name, got, c.tree)
		}
		checkChunk(t, chunk)
		checkScan(t, src, Lua51)
	}
}

// TestBadHoles: holes outside the text, empty or overlapping are dropped.
func TestBadHoles(t *testing.T) {
	for _, holes := range [][]Span{{{-1, 2}}, {{5, 5}}, {{3, 99}}, {{4, 6}, {5, 7}}, {{7, 6}}} {
		chunk := Parse(Source{"return 'abc'", holes}, Lua51)
		if n := len(chunk.Errors); n > 0 || strings.Contains(holeErrors(chunk), "99") {
			t.Errorf("%v: %s", holes, holeErrors(chunk))
		}
	}
}
