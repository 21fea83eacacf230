package syntax

import (
	"fmt"
	"slices"
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

// TestParents: a node that the parser did not make has no parent.
func TestParents(t *testing.T) {
	c := Parse(Source{Text: "return a.b"}, Lua51)
	parents := ParentsOf(c)
	for _, n := range []Node{nil, c, c.Body, &Name{Text: "a"}, &Name{NodeID: NodeID(c.NumNodes)}} {
		if p := parents.Of(n); p != nil {
			t.Errorf("%v lies in %v", n, p)
		}
	}
	x := c.Body.Stmts[0].(*Return).Exprs[0].(*Index)
	if p := parents.Of(x.Key); p != Node(x) {
		t.Errorf("b lies in %v, want %v", p, x)
	}
}

// TestNodeIDs: two runs over one text give the same numbers.
func TestNodeIDs(t *testing.T) {
	text := "local a = {f(1), b = -2}\nfunction a.b:c() return function(x) return x end end"
	ids := func() (out []string) {
		Walk(Parse(Source{Text: text}, Lua51), func(n Node) bool {
			out = append(out, fmt.Sprintf("%T %d", n, n.ID()))
			return true
		})
		return out
	}
	if a, b := ids(), ids(); !slices.Equal(a, b) {
		t.Errorf("first %v\n then %v", a, b)
	}
}
