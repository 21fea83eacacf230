package syntax

import (
	"fmt"
	"strings"
	"testing"
)

func visited(n Node, into func(Node) bool) string {
	var out []string
	Walk(n, func(n Node) bool {
		name := strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax.")
		out = append(out, fmt.Sprintf("%s %d", name, n.Bounds().Start))
		return into(n)
	})
	return strings.Join(out, ", ")
}

func TestWalkOrder(t *testing.T) {
	c := Parse(Source{Text: "if a then b.c = {1, d = 2} else x:m(y) end"}, Lua51)
	want := "Chunk 0, Block 0, If 0, IfClause 0, Name 3, Block 10, Assign 10, Index 10, Name 10, String 12, Table 16, Field 17, Number 17, " +
		"Field 20, String 20, Number 24, Block 32, CallStmt 32, Call 32, Name 32, Name 34, Name 36"
	if got := visited(c, func(Node) bool { return true }); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}

func TestWalkStops(t *testing.T) {
	c := Parse(Source{Text: "f(function() g() end) h()"}, Lua51)
	want := "Block 0, CallStmt 0, Call 0, Name 0, Function 2, CallStmt 22, Call 22, Name 22"
	got := visited(c.Body, func(n Node) bool { _, isFunc := n.(*Function); return !isFunc })
	if got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}
