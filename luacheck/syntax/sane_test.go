package syntax

import (
	"strings"
	"testing"
)

// checkChunk checks what must hold for the tree of any text.
func checkChunk(t *testing.T, c *Chunk) {
	t.Helper()
	w := saneWalker{t: t, text: c.Source.Text, chunk: c, ids: map[int]bool{}, names: map[int]bool{}, funcs: map[int]bool{}}
	if c.Body == nil || c.Start != 0 || int(c.End) != len(w.text) {
		t.Fatalf("chunk %v with body %v of %q", c.Span, c.Body, w.text)
	}
	w.node(c)
	w.parents()
	seen := 0
	Walk(c, func(Node) bool { seen++; return true })
	if want := countNodes(c); seen != want {
		t.Fatalf("Walk visits %d nodes of %d in %q", seen, want, w.text)
	}
	w.comments()
	w.errors()
}

type saneWalker struct {
	t            *testing.T
	text         string
	chunk        *Chunk
	ids          map[int]bool
	names, funcs map[int]bool
}

// node checks n and what is below it with a stack of its own, so that long chains are no problem.
func (w *saneWalker) node(n Node) {
	stack := []Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := n.Bounds()
		pos := at.Start
		for _, child := range appendChildren(nil, n) {
			b := child.Bounds()
			if b.Start < pos || b.End < b.Start || b.End > at.End {
				w.t.Fatalf("%T at %v within %T at %v, not before %d, in %q", child, b, n, at, pos, w.text)
			}
			pos = b.End
			stack = append(stack, child)
		}
		w.leaf(n)
	}
}

func (w *saneWalker) leaf(n Node) {
	at := n.Bounds()
	raw := w.text[at.Start:at.End]
	w.index(w.ids, int(n.ID()), w.chunk.NumNodes, "node")
	if _, isChunk := n.(*Chunk); isChunk != (n.ID() == 0) {
		w.t.Fatalf("%T has the number %d in %q", n, n.ID(), w.text)
	}
	switch n := n.(type) {
	case *Name:
		isSelf := raw == "" && n.Text == "self"
		isHole := n.Text == "" && w.chunk.CodeHole.Len() > 0
		if raw != n.Text && !isSelf && !isHole {
			w.t.Fatalf("name %q at %q in %q", n.Text, raw, w.text)
		}
		w.index(w.names, int(n.Index), w.chunk.NumNames, "name")
	case *Function:
		w.index(w.funcs, int(n.Index), w.chunk.NumFuncs, "function")
	case *String:
		if n.Form == BareName && raw != n.Value {
			w.t.Fatalf("key %q at %q in %q", n.Value, raw, w.text)
		}
		for _, h := range w.chunk.HolesIn(n) {
			if !at.Contains(h) {
				w.t.Fatalf("hole %v outside its string %v in %q", h, at, w.text)
			}
		}
	case *Binary:
		if w.text[n.OpAt.Start:n.OpAt.End] != n.Op.String() && !strings.Contains(w.text[n.OpAt.Start:n.OpAt.End], "\x00") {
			w.t.Fatalf("operator %q at %q in %q", n.Op, w.text[n.OpAt.Start:n.OpAt.End], w.text)
		}
	case *Unary:
		if w.text[n.OpAt.Start:n.OpAt.End] != n.Op.String() {
			w.t.Fatalf("operator %q at %q in %q", n.Op, w.text[n.OpAt.Start:n.OpAt.End], w.text)
		}
	}
}

func (w *saneWalker) index(seen map[int]bool, i, n int, what string) {
	if i < 0 || i >= n || seen[i] {
		w.t.Fatalf("%s index %d of %d, seen %v, in %q", what, i, n, seen[i], w.text)
	}
	seen[i] = true
}

// parents: each node is the parent of what Walk finds directly below it, and IDs are dense where nothing was dropped.
func (w *saneWalker) parents() {
	parents := ParentsOf(w.chunk)
	if p := parents.Of(w.chunk.Body); p != nil {
		w.t.Fatalf("the body lies in a %T in %q", p, w.text)
	}
	Walk(w.chunk.Body, func(n Node) bool {
		for _, child := range appendChildren(nil, n) {
			if p := parents.Of(child); p != n {
				w.t.Fatalf("%T %v has the parent %T, want %T %v, in %q", child, child.Bounds(), p, n, n.Bounds(), w.text)
			}
		}
		return true
	})
	if w.chunk.CodeHole.Len() == 0 && len(w.chunk.Errors) == 0 && len(w.ids) != w.chunk.NumNodes {
		w.t.Fatalf("%d nodes have numbers below %d in %q", len(w.ids), w.chunk.NumNodes, w.text)
	}
}

func (w *saneWalker) comments() {
	pos := Pos(0)
	for _, c := range w.chunk.Comments {
		raw := w.text[c.Start:c.End]
		if c.Start < pos || !strings.HasPrefix(raw, "--") || !strings.Contains(raw, c.Text) {
			w.t.Fatalf("comment %q at %v in %q", c.Text, c.Span, w.text)
		}
		pos = c.End
	}
}

func (w *saneWalker) errors() {
	pos := Pos(0)
	for _, e := range w.chunk.Errors {
		if e.Start < pos || e.End < e.Start || int(e.End) > len(w.text) {
			w.t.Fatalf("error %v not by position in %q", e, w.text)
		}
		pos = e.Start
		if h := w.chunk.CodeHole; h.Len() > 0 && e.End > h.Start {
			w.t.Fatalf("error %v behind the hole %v in %q", e, h, w.text)
		}
		if e.Message == "" || strings.ContainsAny(e.Message, "\r\n\x00") {
			w.t.Fatalf("message %q in %q", e.Message, w.text)
		}
	}
}

func TestSane(t *testing.T) {
	for _, c := range dialectCases(t) {
		for _, d := range []Dialect{Lua51, Lua54} {
			src := Source{Text: c.text()}
			checkChunk(t, Parse(src, d))
			checkScan(t, src, d)
		}
	}
}
