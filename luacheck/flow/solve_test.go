package flow_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/syntax"
)

// TestSolveAgain compares Solve with a plain iteration over all edges until nothing changes, on random functions of nested loops, branches,
// breaks and returns. The facts are sets of the calls that may have happened: there both must give the very same. Each block must count once.
func TestSolveAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 3000 {
		w := &program{r: r}
		w.block(0, false)
		text := w.String()
		c := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51)
		if len(c.Errors) > 0 {
			t.Fatalf("%v in\n%s", c.Errors, text)
		}
		g := flow.Build(c.Body)
		want := plain(g, w.bit)
		for _, counts := range []bool{true, false} {
			got, settled := solved(g, w.bit, counts)
			if !settled {
				t.Fatalf("not settled:\n%s", text)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("with a pass that counts %v: got %v, want %v for\n%s\n%s", counts, got, want, text, draw(text, g))
			}
		}
	}
}

// solved gives what is known at the entry of each block, -1 where it is not reached.
func solved(g *flow.Graph, bit func(syntax.Node) int, counts bool) ([]int, bool) {
	type visit struct{ block, in int }
	var kept []visit
	keep := true
	p := flow.Problem[int]{
		Block: func(b *flow.Block, in int) (int, bool) {
			if keep {
				kept = append(kept, visit{b.Index, in})
			}
			return in | calls(b, bit), true
		},
		Edge:  func(_ *flow.Block, _ flow.Edge, out int) (int, bool) { return out, true },
		Join:  func(old, more int) int { return old | more },
		Widen: func(old, more int) (int, bool) { return old | more, old|more != old },
		Copy:  func(s int) int { return s },
		Mark:  func() int { return len(kept) },
		Undo:  func(mark int) { kept = kept[:mark] },
	}
	if counts {
		p.Keep = func(on bool) { keep = on }
	}
	settled := flow.Solve(g, &p, 0, 1<<20)
	in := make([]int, len(g.Blocks))
	for i := range in {
		in[i] = -1
	}
	for _, v := range kept {
		if in[v.block] != -1 {
			return nil, false // a block that counts twice
		}
		in[v.block] = v.in
	}
	return in, settled
}

func plain(g *flow.Graph, bit func(syntax.Node) int) []int {
	in := make([]int, len(g.Blocks))
	for changed := true; changed; {
		changed = false
		for _, b := range g.Blocks {
			out := in[b.Index] | calls(b, bit)
			for _, e := range b.Succs {
				if to := &in[e.To.Index]; *to|out != *to {
					*to |= out
					changed = true
				}
			}
		}
	}
	return in
}

func calls(b *flow.Block, bit func(syntax.Node) int) int {
	set := 0
	for _, s := range b.Steps {
		if s.Kind == flow.Exec {
			set |= bit(s.Node)
		}
	}
	return set
}

// program is a random function; its calls are f0() to f39(), one bit each.
type program struct {
	strings.Builder
	r     *rand.Rand
	calls int
}

func (w *program) bit(n syntax.Node) int {
	c, ok := n.(*syntax.CallStmt)
	if !ok {
		return 0
	}
	i := 0
	fmt.Sscanf(c.Call.Fn.(*syntax.Name).Text, "f%d", &i)
	return 1 << i
}

func (w *program) block(deep int, loop bool) {
	for range 1 + w.r.IntN(3) {
		if w.calls < 40 {
			fmt.Fprintf(w, "f%d() ", w.calls)
			w.calls++
		}
		if deep > 4 || w.Len() > 600 {
			continue
		}
		switch w.r.IntN(8) {
		case 0:
			w.around("while c do ", deep, true, "end ")
		case 1:
			w.around("for i = 1, n do ", deep, true, "end ")
		case 2:
			w.around("repeat ", deep, true, "until c ")
		case 3:
			w.around("while true do ", deep, true, "end ")
		case 4:
			w.around("if c then ", deep, loop, "")
			w.around("else ", deep, loop, "end ")
		case 5:
			w.around("if c and d then ", deep, loop, "end ")
		}
	}
	switch w.r.IntN(6) {
	case 0:
		w.WriteString("return ")
	case 1:
		if loop {
			w.WriteString("break ")
		}
	}
}

func (w *program) around(head string, deep int, loop bool, tail string) {
	w.WriteString(head)
	w.block(deep+1, loop)
	w.WriteString(tail)
}
