package flow

import (
	"slices"

	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Build draws the graph of a function body or a chunk.
func Build(body *syntax.Block) *Graph { return BuildIn(nil, body) }

// BuildIn is Build with memory to work in; nil is memory of its own.
func BuildIn(m *Scratch, body *syntax.Block) *Graph {
	if m == nil {
		m = &Scratch{}
	}
	b := &m.b
	*b = builder{mem: m}
	m.loopList, m.steps = arena.Empty(m.loopList, nil), m.steps[:0]
	entry := b.block()
	b.move(entry)
	b.stmts(body)
	if b.at != nil {
		b.step(End, body)
		b.move(nil)
	}
	g := m.order(entry)
	for _, l := range m.loopList {
		if l.outer != nil {
			if g.Outer == nil {
				g.Outer = map[syntax.Stmt]syntax.Stmt{}
			}
			g.Outer[l.node] = l.outer.node
		}
		if !l.left {
			g.Endless = append(g.Endless, l.node)
		}
	}
	m.nest(g)
	return g
}

// nest sorts the blocks into the loops around them. The head of a loop comes before all other blocks of it.
func (m *Scratch) nest(g *Graph) {
	g.Nest = m.nests.One()
	of := func(l *loop) *Nest {
		if l != nil && l.nest != nil {
			return l.nest
		}
		return g.Nest
	}
	for _, b := range g.Blocks {
		if b.Head {
			n := m.nests.One()
			n.Head, n.Outer = b, of(b.in.outer)
			n.Outer.items++
			b.in.nest = n
		}
		b.nest = of(b.in)
		b.nest.items++
	}
	for _, b := range g.Blocks {
		if b.Head {
			m.put(b.nest.Outer, Item{Loop: b.nest})
		}
		m.put(b.nest, Item{Block: b})
	}
}

func (m *Scratch) put(n *Nest, it Item) {
	if n.Items == nil {
		n.Items = m.items.List(n.items)[:0]
	}
	n.Items = append(n.Items, it)
}

// builder holds the block that is being filled; at is nil where control does not arrive.
type builder struct {
	mem   *Scratch
	at    *Block
	loop  *loop
	depth int
}

// loop is a loop that is being drawn.
type loop struct {
	node  syntax.Stmt
	after *Block
	outer *loop
	// left: the condition, a break or a return leads out of it.
	left bool
	nest *Nest // once it is reached
}

func (b *builder) block() *Block {
	blk := b.mem.blocks.One()
	blk.Depth = b.depth
	blk.Succs = blk.edges[:0]
	if b.loop != nil {
		blk.Loop, blk.in = b.loop.node, b.loop
	}
	return blk
}

// move goes on in another block, or nowhere. A block that was left is not filled again.
func (b *builder) move(to *Block) {
	if b.at != nil {
		b.at.Steps = b.mem.stepList.Copy(b.mem.steps)
		b.mem.steps = b.mem.steps[:0]
	}
	b.at = to
}

func (b *builder) step(k StepKind, n syntax.Node) { b.mem.steps = append(b.mem.steps, Step{k, n}) }

func (b *builder) jump(to *Block) {
	if b.at != nil {
		b.at.Succs = append(b.at.Succs, Edge{To: to})
	}
	b.move(nil)
}

func (b *builder) stmts(body *syntax.Block) {
	if body == nil {
		return
	}
	for _, s := range body.Stmts {
		if b.at == nil {
			return // nothing behind a return or break is reached
		}
		b.stmt(s)
	}
}

func (b *builder) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Do:
		b.stmts(s.Body)
		b.forget(s)
	case *syntax.While:
		b.while(s)
	case *syntax.Repeat:
		b.repeat(s)
	case *syntax.If:
		b.ifs(s)
	case *syntax.NumFor:
		b.forLoop(s, NumInit, NumBind, s.Body)
	case *syntax.GenFor:
		b.forLoop(s, GenInit, GenBind, s.Body)
	case *syntax.Return:
		b.step(Return, s)
		for l := b.loop; l != nil; l = l.outer {
			l.left = true
		}
		b.move(nil)
	case *syntax.Break:
		if b.loop != nil {
			b.loop.left = true
			b.jump(b.loop.after)
		} else {
			b.move(nil)
		}
	case *syntax.Goto, *syntax.Label:
		// The 5.4 dialect only; a jump is taken for a plain step, so nothing is claimed from reachability there.
	default:
		b.step(Exec, s)
	}
}

func (b *builder) ifs(s *syntax.If) {
	after := b.block()
	for i := range s.Clauses {
		if b.at == nil {
			break
		}
		then, other := b.block(), b.block()
		b.cond(s.Clauses[i].Cond, then, other)
		b.move(then)
		b.stmts(s.Clauses[i].Body)
		b.jump(after)
		b.move(other)
	}
	b.stmts(s.Else)
	b.jump(after)
	b.move(after)
	b.forget(s)
}

// forget notes that a statement's own locals are out of sight.
func (b *builder) forget(s syntax.Stmt) {
	if b.at != nil {
		b.step(Leave, s)
	}
}

// cond branches on an expression; and, or and not become edges, so that each edge carries one plain condition.
func (b *builder) cond(e syntax.Expr, yes, no *Block) {
	switch c := e.(type) {
	case *syntax.Paren:
		b.cond(c.X, yes, no)
		return
	case *syntax.Unary:
		if c.Op == syntax.OpNot {
			b.cond(c.X, no, yes)
			return
		}
	case *syntax.Binary:
		if c.Op == syntax.OpAnd || c.Op == syntax.OpOr {
			mid := b.block()
			if c.Op == syntax.OpAnd {
				b.cond(c.X, mid, no)
			} else {
				b.cond(c.X, yes, mid)
			}
			b.move(mid)
			b.cond(c.Y, yes, no)
			return
		}
	}
	b.plain(e, yes, no)
}

// plain branches on a condition without and, or, not. A literal takes one way only.
func (b *builder) plain(e syntax.Expr, yes, no *Block) {
	switch c := e.(type) {
	case *syntax.Bool:
		if c.Value {
			b.jump(yes)
		} else {
			b.jump(no)
		}
		return
	case *syntax.Nil:
		b.jump(no)
		return
	case *syntax.Number, *syntax.String, *syntax.Function, *syntax.Table:
		b.step(Cond, e)
		b.jump(yes)
		return
	}
	b.step(Cond, e)
	b.at.Succs = append(b.at.Succs, Edge{yes, e, true}, Edge{no, e, false})
	b.move(nil)
}

// enter starts a loop and returns it with its head block.
func (b *builder) enter(s syntax.Stmt) (*loop, *Block) {
	l := b.mem.loops.Put(loop{node: s, after: b.block(), outer: b.loop})
	b.mem.loopList = append(b.mem.loopList, l)
	b.loop = l
	b.depth++
	head := b.block()
	head.Head = true
	b.jump(head)
	b.move(head)
	return l, head
}

func (b *builder) leave(l *loop) {
	b.loop = l.outer
	b.depth--
	b.move(l.after)
	b.forget(l.node)
}

func (b *builder) while(s *syntax.While) {
	l, head := b.enter(s)
	body := b.block()
	b.cond(s.Cond, body, l.after)
	l.left = l.left || !alwaysTrue(s.Cond)
	b.move(body)
	b.stmts(s.Body)
	b.jump(head)
	b.leave(l)
}

func (b *builder) repeat(s *syntax.Repeat) {
	l, head := b.enter(s)
	b.stmts(s.Body)
	if b.at != nil {
		b.cond(s.Cond, l.after, head)
	}
	l.left = l.left || !alwaysFalse(s.Cond)
	b.leave(l)
}

func (b *builder) forLoop(s syntax.Stmt, init, bind StepKind, body *syntax.Block) {
	b.step(init, s)
	l, head := b.enter(s)
	l.left = true
	in := b.block()
	head.Succs = append(head.Succs, Edge{To: in}, Edge{To: l.after})
	b.move(in)
	b.step(bind, s)
	b.stmts(body)
	b.jump(head)
	b.leave(l)
}

func alwaysTrue(e syntax.Expr) bool {
	switch c := e.(type) {
	case *syntax.Paren:
		return alwaysTrue(c.X)
	case *syntax.Bool:
		return c.Value
	case *syntax.Number, *syntax.String:
		return true
	case *syntax.Unary:
		return c.Op == syntax.OpNot && alwaysFalse(c.X)
	}
	return false
}

func alwaysFalse(e syntax.Expr) bool {
	switch c := e.(type) {
	case *syntax.Paren:
		return alwaysFalse(c.X)
	case *syntax.Bool:
		return !c.Value
	case *syntax.Nil:
		return true
	case *syntax.Unary:
		return c.Op == syntax.OpNot && alwaysTrue(c.X)
	}
	return false
}

// frame is a block whose successors are being looked at.
type frame struct {
	b    *Block
	next int
}

// order numbers the blocks in reverse postorder by an explicit stack: a function may have as many blocks as the text has lines.
func (m *Scratch) order(entry *Block) *Graph {
	const open, done = 1, 2
	entry.mark = open
	post := m.post[:0]
	g := m.graphs.One()
	stack := append(m.frames[:0], frame{entry, 0})
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.Succs) {
			top.b.mark = done
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		// The last successor first, so that the first comes first in the reversed order.
		to := top.b.Succs[len(top.b.Succs)-1-top.next].To
		top.next++
		switch to.mark {
		case 0:
			to.mark = open
			stack = append(stack, frame{to, 0})
		case open:
			g.Cyclic = true
		}
	}
	m.post, m.frames = post, stack
	slices.Reverse(post)
	for i, b := range post {
		b.Index = i
	}
	g.Blocks = m.blockList.Copy(post)
	return g
}
