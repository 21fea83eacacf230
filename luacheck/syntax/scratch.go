package syntax

import "github.com/redislint/redislint/luacheck/arena"

// Scratch is memory that one tree after another uses, so that each finds it warm and leaves nothing to clear away. A chunk, with all below
// it, is void once the next ParseIn with the same Scratch begins. The zero Scratch is ready; it is for one goroutine.
type Scratch struct {
	// Stale is for tests, see arena.Stale.
	Stale arena.Stale

	used     bool
	nodes    slabs
	chunk    []Chunk // of one
	comments []Comment
	blocks   []block
	fns      []fn
}

// begin makes all of it free for a text of so many bytes.
func (m *Scratch) begin(size int) {
	if !m.used {
		m.used = true
		m.start(size)
		return
	}
	m.nodes.reset(m.Stale)
	m.comments = arena.Empty(m.comments, m.Stale)
	m.blocks, m.fns = arena.Empty(m.blocks, m.Stale), arena.Empty(m.fns, m.Stale)
	m.chunk = arena.Cleared(m.chunk, 1, m.Stale)
}

// start makes the first pieces.
func (m *Scratch) start(size int) {
	switch {
	case size < smallText:
		m.nodes.startSmall()
	case size < mediumText:
		m.nodes.startMedium()
	default:
		m.nodes.startLarge()
	}
	m.chunk = make([]Chunk, 1)
	n, room := &m.nodes, new(stacks)
	n.exprs, n.stmts, n.names, n.fields = room.exprs[:0], room.stmts[:0], room.names[:0], room.fields[:0]
	n.clauses = room.clauses[:0]
	m.blocks, m.fns = room.blocks[:0], room.fns[:0]
}

// keep takes back what has grown in a parser.
func (m *Scratch) keep(p *parser) {
	m.comments = p.s.comments
	m.blocks, m.fns = p.c.blocks[:0], p.c.fns[:0]
}

// reset makes the room of all nodes free.
func (n *slabs) reset(stale arena.Stale) {
	n.name.reset(stale)
	n.str.reset(stale)
	n.number.reset(stale)
	n.index.reset(stale)
	n.call.reset(stale)
	n.binary.reset(stale)
	n.callSt.reset(stale)
	n.local.reset(stale)
	n.assign.reset(stale)
	n.ifs.reset(stale)
	n.ret.reset(stale)
	n.block.reset(stale)
	n.unary.reset(stale)
	n.table.reset(stale)
	n.fn.reset(stale)
	n.fnSt.reset(stale)
	n.localF.reset(stale)
	n.numFor.reset(stale)
	n.genFor.reset(stale)
	n.paren.reset(stale)
	n.bools.reset(stale)
	n.nils.reset(stale)
	n.exprList.reset(stale)
	n.stmtList.reset(stale)
	n.nameList.reset(stale)
	n.fieldList.reset(stale)
	n.clauseList.reset(stale)
	n.exprs, n.stmts = arena.Empty(n.exprs[:0], stale), arena.Empty(n.stmts[:0], stale)
	n.names, n.fields = arena.Empty(n.names[:0], stale), arena.Empty(n.fields[:0], stale)
	n.clauses = arena.Empty(n.clauses[:0], stale)
}
