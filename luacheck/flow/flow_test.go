package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/syntax"
)

// TestBuild draws small functions: a line a block, its steps by their text, its edges with their conditions.
func TestBuild(t *testing.T) {
	for _, tt := range []struct{ name, lua, want string }{
		{"straight", "a() b()", "0: a(); b(); end"},
		{"nothing behind a return", "return 1", "0: return"},
		{"if", "if c then a() else b() end d()", "0: c -> 1 if c, 2 if not c\n1: a() -> 3\n2: b() -> 3\n3: leave; d(); end"},
		{"and", "if a and b then c() end", "0: a -> 1 if a, 3 if not a\n1: b -> 2 if b, 3 if not b\n2: c() -> 4\n3: -> 4\n4: leave; end"},
		{"not or", "if not (a or b) then c() end",
			"0: a -> 2 if a, 1 if not a\n1: b -> 2 if b, 3 if not b\n2: -> 4\n3: c() -> 4\n4: leave; end"},
		{"while", "while a do b() end", "0: -> 1\n1 loop head: a -> 2 if a, 3 if not a\n2 loop: b() -> 1\n3: leave; end"},
		{"endless", "while true do a() end b()", "0: -> 1\n1 loop head: -> 2\n2 loop: a() -> 1\nendless: while true do a() end"},
		{"broken off", "while true do if a then break end end b()",
			"0: -> 1\n1 loop head: -> 2\n2 loop: a -> 3 if a, 5 if not a\n3 loop: -> 4\n4: leave; b(); end\n5 loop: -> 6\n6 loop: leave -> 1"},
		{"repeat", "repeat a() until b", "0: -> 1\n1 loop head: a(); b -> 2 if b, 1 if not b\n2: leave; end"},
		{"for", "for i = 1, 2 do a() end", "0: for -> 1\n1 loop head: -> 2, 3\n2 loop: bind; a() -> 1\n3: leave; end"},
		{"for in", "for k in f() do a() end", "0: for -> 1\n1 loop head: -> 2, 3\n2 loop: bind; a() -> 1\n3: leave; end"},
		{"constant conditions", "if false then a() elseif nil then b() else c() end", "0: -> 1\n1: -> 2\n2: c() -> 3\n3: leave; end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := syntax.Parse(syntax.Source{Text: tt.lua}, syntax.Lua51)
			if got := draw(tt.lua, flow.Build(c.Body)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func draw(text string, g *flow.Graph) string {
	var lines []string
	at := func(n syntax.Node) string { s := n.Bounds(); return text[s.Start:s.End] }
	for _, b := range g.Blocks {
		head := fmt.Sprint(b.Index)
		if b.Loop != nil {
			head += " loop"
		}
		if b.Head {
			head += " head"
		}
		var steps []string
		for _, s := range b.Steps {
			switch s.Kind {
			case flow.Exec, flow.Cond:
				steps = append(steps, at(s.Node))
			default:
				steps = append(steps, map[flow.StepKind]string{flow.NumInit: "for", flow.GenInit: "for", flow.NumBind: "bind",
					flow.GenBind: "bind", flow.Return: "return", flow.End: "end", flow.Leave: "leave"}[s.Kind])
			}
		}
		line := head + ": " + strings.Join(steps, "; ")
		var edges []string
		for _, e := range b.Succs {
			to := fmt.Sprint(e.To.Index)
			if e.Cond != nil {
				to += map[bool]string{true: " if ", false: " if not "}[e.When] + at(e.Cond)
			}
			edges = append(edges, to)
		}
		if len(edges) > 0 {
			line = strings.TrimRight(line, " ") + " -> " + strings.Join(edges, ", ")
		}
		lines = append(lines, strings.Replace(line, ":  ->", ": ->", 1))
	}
	for _, l := range g.Endless {
		lines = append(lines, "endless: "+at(l))
	}
	return strings.Join(lines, "\n")
}

// TestSolve counts, in a lattice of sets, which calls may have happened before each block.
func TestSolve(t *testing.T) {
	const text = "a() while c do b() end d()"
	c := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51)
	g := flow.Build(c.Body)
	type set = string // letters, sorted
	add := func(s, more set) (set, bool) {
		before := s
		for _, r := range more {
			if !strings.ContainsRune(s, r) {
				s += string(r)
			}
		}
		return s, s != before
	}
	var visits []string
	keep := true
	p := flow.Problem[set]{
		Block: func(b *flow.Block, in set) (set, bool) {
			visits = append(visits, fmt.Sprint(b.Index, in, map[bool]string{true: "!"}[keep]))
			for _, s := range b.Steps {
				if s.Kind == flow.Exec {
					in, _ = add(in, text[s.Node.Bounds().Start:][:1])
				}
			}
			return in, true
		},
		Edge:  func(_ *flow.Block, _ flow.Edge, out set) (set, bool) { return out, true },
		Join:  func(old, more set) set { s, _ := add(old, more); return s },
		Widen: add,
		Copy:  func(s set) set { return s },
		Mark:  func() int { return len(visits) },
		Undo:  func(mark int) { visits = append(visits[:mark:mark], "|") },
		Keep:  func(on bool) { keep = on },
	}
	if !flow.Solve(g, &p, "", 100) {
		t.Error("it does not settle")
	}
	// What comes back to the head is more the first time and nothing new the second; then comes the pass that counts.
	if got, want := strings.Join(visits, " "), "0! | 1ab! 2ab! 3ab!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Keep, visits = nil, nil
	flow.Solve(g, &p, "", 100)
	if got, want := strings.Join(visits, " "), "0! | 1ab! 2ab! 3ab!"; got != want {
		t.Errorf("without a pass that counts: got %q, want %q", got, want)
	}
	if flow.Solve(g, &p, "", 2) {
		t.Error("two evaluations are not enough, and it says they were")
	}
}

// TestCoarse: loops that do not settle within the limit are looked at once more from the coarse fact, and the result says so.
func TestCoarse(t *testing.T) {
	c := syntax.Parse(syntax.Source{Text: "while c do a() while d do b() end end e()"}, syntax.Lua51)
	g := flow.Build(c.Body)
	const unknown = -1
	least := func(a, b int) int {
		if a == unknown || b == unknown {
			return unknown
		}
		return max(a, b)
	}
	var last int
	p := flow.Problem[int]{
		Block: func(b *flow.Block, in int) (int, bool) {
			if in != unknown {
				in++
			}
			last = in
			return in, true
		},
		Edge:   func(_ *flow.Block, _ flow.Edge, out int) (int, bool) { return out, true },
		Join:   least,
		Widen:  func(old, more int) (int, bool) { w := least(old, more); return w, w != old },
		Copy:   func(n int) int { return n },
		Coarse: func(int) int { return unknown },
		Mark:   func() int { return 0 },
		Undo:   func(int) {},
		Keep:   func(bool) {},
	}
	if flow.Solve(g, &p, 0, 100) {
		t.Error("a count that grows with each turn settles")
	}
	if last != unknown {
		t.Errorf("behind the loops the count is %d, though nobody knows", last)
	}
}
