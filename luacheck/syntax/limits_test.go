package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func deep(s string, n int) string { return strings.Repeat(s, n) }

// each writes f for 0 … n-1.
func each(n int, f string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, f, i)
	}
	return b.String()
}

// list is s n times with commas.
func list(s string, n int) string { return strings.TrimSuffix(deep(s+", ", n), ", ") }

const (
	tooDeep    = "chunk has too many syntax levels"
	tooComplex = "function or expression too complex near "
	tooManyLoc = "main function has more than 200 local variables"
	tooLong    = "control structure too long near "
)

// limitCases are the limits of facts 52 to 54 and others found the same way, by bisection on redis-server 7.0.15 (Debian): the largest
// n that loads, and the message for n+1.
var limitCases = []struct {
	name    string
	n       int
	text    func(n int) string
	message string
}{
	{"parentheses", 198, func(n int) string { return "return " + deep("(", n) + "1" + deep(")", n) }, tooDeep},
	{"tables", 199, func(n int) string { return "return " + deep("{", n) + deep("}", n) }, tooDeep},
	{"do", 199, func(n int) string { return deep("do ", n) + deep(" end", n) }, tooDeep},
	{"if", 199, func(n int) string { return deep("if x then ", n) + deep(" end", n) }, tooDeep},
	{"function", 99, func(n int) string { return deep("return function() ", n) + deep(" end", n) }, tooDeep},
	{"local function", 199, func(n int) string { return deep("local function f() ", n) + deep(" end", n) }, tooDeep},
	{"concat", 199, func(n int) string { return "return a" + deep("..a", n-1) }, tooDeep},
	{"pow", 199, func(n int) string { return "return a" + deep("^a", n-1) }, tooDeep},
	{"not", 198, func(n int) string { return "return " + deep("not ", n) + "a" }, tooDeep},
	{"minus", 198, func(n int) string { return "return " + deep("- ", n) + "a" }, tooDeep},
	{"arguments", 248, func(n int) string { return "return tostring(" + list("1", n) + ")" }, tooComplex + "'<eof>'"},
	{"arguments of a field", 247, func(n int) string { return "redis.call('X', " + list("1", n) + ") return 1" }, tooComplex + "'return'"},
	{"arguments after locals", 147, func(n int) string {
		return each(100, "local a%d ") + "redis.call('X', " + list("1", n) + ") return 1"
	}, tooComplex + "'return'"},
	{"locals", 200, func(n int) string { return each(n, "local a%d=1 ") }, tooManyLoc},
	{"names of a local", 200, func(n int) string { return "local a" + deep(", a", n-1) }, tooManyLoc},
	{"parameters", 200, func(n int) string { return "local function f(a" + deep(", a", n-1) + ") end" },
		"function at line 1 has more than 200 local variables"},
	{"locals before a for", 196, func(n int) string { return each(n, "local a%d=1 ") + "for i=1,1 do end" }, tooManyLoc},
	{"locals before a for in", 195, func(n int) string { return each(n, "local a%d=1 ") + "for k, v in p do end" }, tooManyLoc},
	{"upvalues", 60, func(n int) string {
		return each(n, "local a%d ") + "return function() return " + strings.TrimSuffix(each(n, "a%d + "), "+ ") + " end"
	}, "function at line 1 has more than 60 upvalues"},
	{"return values", 249, func(n int) string { return "return " + list("1", n) }, tooComplex + "'<eof>'"},
	{"targets", 200, func(n int) string { return "local t " + list("t[1]", n) + " = 1" },
		"main function has more than 199 variables in assignment"},
	{"constants", 1<<18 - 1, func(n int) string { return "local t={" + each(n, "%d.5,") + "}" }, "constant table overflow"},
	{"local variables in all", 32767, func(n int) string {
		return deep("do local a,b,c,d,e,f,g end ", n/7) + "do " + deep("local a ", n%7) + "end"
	}, "too many local variables"},
	{"if body", 131071, func(n int) string { return "local q if x then " + deep("q=y ", n) + "end return 1" }, tooLong + "'<eof>'"},
	{"while body", 131067, func(n int) string { return "local q while x do " + deep("q=y ", n) + "end return 1" }, tooLong + "'end'"},
	{"for body", 131070, func(n int) string { return "local q for i=1,2 do " + deep("q=y ", n) + "end return 1" }, tooLong + "'end'"},
	{"break", 131066, func(n int) string {
		return "local q while true do if x then break end " + deep("q=y ", n) + "end return 1"
	}, tooLong + "'end'"},
	{"repeat with a captured local", 131060, func(n int) string {
		return "local q repeat local z=1 f(function() return z end) " + deep("q=y ", n) + "until z"
	}, tooLong + "'<eof>'"},
	{"if body with values of comparisons", 131037, func(n int) string {
		return "local q if x then q = not (a and b) q = a == b q = a and b q = a and (b == c) q = not a and b " + deep("q=y ", n) + "end return 1"
	}, tooLong + "'<eof>'"},
}

func TestLimits(t *testing.T) {
	for _, c := range limitCases {
		if chunk := Parse(Source{Text: c.text(c.n)}, Lua51); len(chunk.Errors) > 0 {
			t.Errorf("%s: %d are refused: %s", c.name, c.n, errorLines(chunk))
		}
		chunk := Parse(Source{Text: c.text(c.n + 1)}, Lua51)
		if len(chunk.Errors) != 1 || chunk.Errors[0].Message != c.message {
			t.Errorf("%s: %d give %q, want %q", c.name, c.n+1, errorLines(chunk), c.message)
		}
	}
}

// TestUnlimited: what grows to the left has no limit, and Walk gets through it.
func TestUnlimited(t *testing.T) {
	const n = 100000
	for name, text := range map[string]string{
		"sum":     "return a" + deep("+a", n),
		"fields":  "return a" + deep(".a", n),
		"calls":   "f" + deep("()", n),
		"methods": "a" + deep(":b()", n),
		"and":     "return a" + deep(" and a", n/3), // more are too long a jump
		"elseif":  "if a then" + deep(" elseif a then", n/10) + " end",
	} {
		chunk := Parse(Source{Text: text}, Lua51)
		if len(chunk.Errors) > 0 {
			t.Errorf("%s: %s", name, errorLines(chunk))
		}
		seen := 0
		Walk(chunk, func(Node) bool { seen++; return true })
		if seen < n/10 {
			t.Errorf("%s: Walk visits %d nodes", name, seen)
		}
	}
}

// TestTooDeep: far more levels than a stack should hold.
func TestTooDeep(t *testing.T) {
	const n = 20000
	for _, s := range []string{"(", "{", "f(", "not ", "a[", "a..", "{x = ", "{[", "function() return ", "function() x = "} {
		checkErrorsOnly(t, "x = "+deep(s, n))
		checkErrorsOnly(t, "x = "+deep(s+"\n", n))
	}
	for _, s := range []string{"do ", "function f() ", "if x then ", "repeat ", "while x do ", "f(function() "} {
		checkErrorsOnly(t, deep(s, n))
		checkErrorsOnly(t, deep(s+"\n", n))
	}
}

func checkErrorsOnly(t *testing.T, text string) {
	t.Helper()
	chunk := Parse(Source{Text: text}, Lua51)
	if len(chunk.Errors) == 0 || !strings.Contains(chunk.Errors[0].Message, tooDeep) {
		t.Errorf("%.20q…: %s", text, errorLines(chunk))
	}
	Walk(chunk, func(Node) bool { return true })
}

// TestMaxText: a text above the limit is refused without being read, and the chunk is whole all the same.
func TestMaxText(t *testing.T) {
	text := "return 1 +"
	if c := parseUpTo(len(text), nil, Source{Text: text}, Lua51); c.Source.Text != text || c.Errors[0].Message == textTooLong {
		t.Errorf("a text of the greatest length is refused: %v", c.Errors)
	}
	c := parseUpTo(len(text)-1, nil, Source{Text: text}, Lua51)
	if want := []Error{{Line: 1, Message: textTooLong}}; !slices.Equal(c.Errors, want) || c.Source.Text != "" {
		t.Errorf("got %v of %q, want %v of an empty text", c.Errors, c.Source.Text, want)
	}
	checkChunk(t, c)
}
