package flow

import "github.com/redislint/redislint/luacheck/arena"

// Control tells which conditions decide whether a block is reached.
type Control struct {
	g   *Graph
	mem *Scratch
	// after[b] has the blocks that every way from b to the end of the function passes, b included; one bit a block.
	after [][]uint64
	// forks are the blocks that more than one edge leaves.
	forks []*Block
	// direct holds what before found, by Block.Index.
	direct [][]decider
}

// maxControl bounds the blocks of a graph that is worked out; a larger one has no deciders.
const maxControl = 1024

// NewControl works out, for each block, what is passed behind it in any case.
func NewControl(g *Graph) *Control { return NewControlIn(nil, g) }

// NewControlIn is NewControl with memory to work in, which may be that of the graph; nil is memory of its own.
func NewControlIn(m *Scratch, g *Graph) *Control {
	if m == nil {
		m = &Scratch{}
	}
	n := len(g.Blocks)
	words := (n + 63) / 64
	c := m.controls.Put(Control{g: g, mem: m})
	if n > maxControl {
		return c
	}
	bits := m.words.List((n + 1) * words)
	for i := range bits {
		bits[i] = ^uint64(0)
	}
	c.after, c.direct = m.after.List(n), m.direct.List(n)
	for i := range c.after {
		c.after[i] = bits[i*words : (i+1)*words]
		if len(g.Blocks[i].Succs) > 1 {
			c.forks = m.blockList.Append(c.forks, g.Blocks[i])
		}
	}
	if words == 1 {
		passedBehind(g.Blocks, bits)
		return c
	}
	next := bits[n*words:]
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			b := g.Blocks[i]
			for w := range next {
				next[w] = 0
				if len(b.Succs) > 0 {
					next[w] = ^uint64(0)
				}
			}
			for _, e := range b.Succs {
				for w := range next {
					next[w] &= c.after[e.To.Index][w]
				}
			}
			next[i/64] |= 1 << (i % 64)
			for w := range next {
				if next[w] != c.after[i][w] {
					c.after[i][w], changed = next[w], true
				}
			}
		}
	}
	return c
}

// passedBehind is the work of NewControlIn for a graph of which one word holds the blocks.
func passedBehind(blocks []*Block, after []uint64) {
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			next := uint64(0)
			if succs := blocks[i].Succs; len(succs) > 0 {
				next = ^uint64(0)
				for j := range succs {
					next &= after[succs[j].To.Index]
				}
			}
			if next |= 1 << i; next != after[i] {
				after[i], changed = next, true
			}
		}
	}
}

func (c *Control) passes(from, b int) bool { return c.after[from][b/64]&(1<<(b%64)) != 0 }

// Direct are the edges after which b is reached in any case. The list holds until the next question.
func (c *Control) Direct(b *Block) []Edge {
	if c.after == nil {
		return nil
	}
	list := c.mem.near[:0]
	for _, d := range c.before(b.Index) {
		list = append(list, d.edge)
	}
	c.mem.near = list
	return list
}

// Deciders are the edges that decide whether b is reached: the direct ones, those that decide whether these are reached, and so on. The list
// holds until the next question.
func (c *Control) Deciders(b *Block) []Edge {
	if c.after == nil {
		return nil
	}
	m := c.mem
	all := m.far[:0]
	m.seen = arena.Cleared(m.seen, len(c.g.Blocks), nil)
	seen, work := m.seen, append(m.work[:0], b.Index)
	seen[b.Index] = true
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, d := range c.before(at) {
			all = append(all, d.edge)
			if !seen[d.from] {
				seen[d.from] = true
				work = append(work, d.from)
			}
		}
	}
	m.work, m.far = work, all
	return all
}

// decider is an edge of a block after which another block is reached in any case.
type decider struct {
	from int
	edge Edge
}

// before lists the edges that decide right before a block whether it is reached.
func (c *Control) before(at int) []decider {
	list := c.direct[at]
	if list != nil {
		return list
	}
	list = c.mem.found[:0]
	for _, from := range c.forks {
		if from.Index != at && c.passes(from.Index, at) {
			continue
		}
		for _, e := range from.Succs {
			if c.passes(e.To.Index, at) {
				list = append(list, decider{from.Index, e})
			}
		}
	}
	c.mem.found = list
	known := []decider{} // not nil: that nothing decides is known
	if len(list) > 0 {
		known = c.mem.deciders.Copy(list)
	}
	c.direct[at] = known
	return known
}
