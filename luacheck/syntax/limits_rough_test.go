package syntax

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkCounts: the rough counts miss no limit, so the errors are those of the exact counts.
func checkCounts(t *testing.T, src Source) (refused string) {
	t.Helper()
	c := Parse(src, Lua51)
	exact, _ := new(Scratch).read(src, Lua51, true)
	if !slices.Equal(c.Errors, exact.Errors) {
		t.Fatalf("%.300q:\n\t got %v\n\twant %v", src.Text, c.Errors, exact.Errors)
	}
	if len(c.Errors) > 0 {
		return c.Errors[0].Message
	}
	return ""
}

// crowd writes random functions with so many locals and nested expressions that some of them need too many registers or upvalues.
type crowd struct {
	strings.Builder
	*rand.Rand
}

func (c *crowd) function(depth int) {
	fmt.Fprintf(c, "local function f%d(a, ...)\n", depth)
	locals := c.IntN(60)
	if c.IntN(2) == 0 {
		locals += 135
	}
	for i := range locals {
		fmt.Fprintf(c, "local v%d_%d\n", depth, i)
	}
	for range 1 + c.IntN(4) {
		c.statement(depth)
	}
	if depth < 3 {
		c.function(depth + 1)
	}
	for range c.IntN(120) {
		fmt.Fprintf(c, "a = %s\n", c.name(depth))
	}
	if c.IntN(20) == 0 {
		c.WriteString("a = = a\n")
	}
	c.WriteString("end\n")
}

func (c *crowd) name(depth int) string { return fmt.Sprintf("v%d_%d", c.IntN(depth+1), c.IntN(190)) }

func (c *crowd) statement(depth int) {
	switch c.IntN(4) {
	case 0:
		c.WriteString("for i = a, ")
		c.expr(depth, 3)
		c.WriteString(" do local x = i ")
		c.statement(depth)
		c.WriteString(" end ")
	case 1:
		c.WriteString("a.b[a], a[a], a = ")
		c.expr(depth, 3)
		c.WriteString("\n")
	case 2:
		c.WriteString("while ")
		c.expr(depth, 2)
		c.WriteString(" do for k, v in ")
		c.expr(depth, 2)
		c.WriteString(" do break end end\n")
	default:
		c.WriteString("a = ")
		c.expr(depth, 8)
		c.WriteString("\n")
	}
}

func (c *crowd) expr(depth, nest int) {
	if nest == 0 {
		c.WriteString([]string{"a", "...", "1", "'s'", "nil", "a.b", "a[1].c", "not a", "-a"}[c.IntN(9)])
		return
	}
	open, sep, end := "a:m(", ", ", ")"
	switch c.IntN(6) {
	case 0:
		open, sep, end = "{", ", ", "}"
	case 1:
		open, sep, end = "{a = 1, [", "] = 2, [", "] = a}"
	case 2:
		open, sep, end = "(", " .. ", ")"
	case 3:
		open, sep, end = "(", []string{" and ", " or ", " < ", " + ", " == "}[c.IntN(5)], ")"
	case 4:
		open, sep, end = "a[a[", "][", "]]"
	}
	c.WriteString(open)
	operands := 1 + c.IntN(12)*c.IntN(3)
	for i := range operands {
		if i > 0 {
			c.WriteString(sep)
		}
		if i == operands-1 {
			c.expr(depth, nest-1)
		} else {
			c.expr(depth, min(nest-1, c.IntN(2)))
		}
	}
	c.WriteString(end)
}

func TestRoughCounts(t *testing.T) {
	seen := map[string]int{}
	for i := range 600 {
		c := crowd{Rand: rand.New(rand.NewPCG(uint64(i), 1))}
		c.function(0)
		refused := checkCounts(t, Source{Text: c.String()})
		for _, limit := range []string{"too complex", "upvalues", "local variables", "unexpected symbol"} {
			if strings.Contains(refused, limit) {
				seen[limit]++
			}
		}
		if refused == "" {
			seen["none"]++
		}
	}
	if len(seen) < 5 {
		t.Errorf("the scripts do not come near the limits: %v", seen)
	}
	for _, c := range dialectCases(t) {
		checkCounts(t, Source{Text: c.text()})
	}
}

// TestRoughCountsSuffice: a plain script is read once.
func TestRoughCountsSuffice(t *testing.T) {
	var text strings.Builder
	for i := range 150 {
		fmt.Fprintf(&text, "local function f%d(a, b) local t = {a, b, {x = 1}} return redis.call('SET', t[1], a .. b, unpack(t)) + 1 end\n", i)
	}
	if _, exceeded := new(Scratch).read(Source{Text: text.String()}, Lua51, false); exceeded {
		t.Error("150 small functions come near a limit")
	}
}

// TestLongFunction: a function that may hold too long a jump ends the rough reading, and the exact one reads all of it.
func TestLongFunction(t *testing.T) {
	src := Source{Text: strings.Repeat("a = b\n", 20000)}
	rough, exceeded := new(Scratch).read(src, Lua51, false)
	if n := len(rough.Body.Stmts); !exceeded || n > roughNodes {
		t.Errorf("the rough reading is exceeded: %v, and goes on for %d statements", exceeded, n)
	}
	c := Parse(src, Lua51)
	if len(c.Errors) > 0 || len(c.Body.Stmts) != 20000 {
		t.Errorf("%d statements, errors %v", len(c.Body.Stmts), c.Errors)
	}
	if c := Parse(src, Lua54); len(c.Errors) > 0 || len(c.Body.Stmts) != 20000 {
		t.Errorf("Lua 5.4: %d statements, errors %v", len(c.Body.Stmts), c.Errors)
	}
}
