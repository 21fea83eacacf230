package scope

import (
	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Scratch is memory that one binding after another uses. An Info is void once the next BindIn with the same Scratch begins. The zero Scratch
// is ready; it is for one goroutine.
type Scratch struct {
	// Stale is for tests, see arena.Stale.
	Stale arena.Stale

	infos  []Info // of one
	locals arena.Slab[Local]
	lists  arena.Slab[*syntax.Name]
	given  arena.Slab[syntax.Expr]
	stack  []entry
	spine  []syntax.Expr
	names  []*syntax.Name // that stand for a variable, beside its declaration; by Name.Index
	uses   []use          // of these
	symbols
}

// keptGlobals bounds the map of globals that is kept: emptying one takes time in proportion to the most that it ever had.
const keptGlobals = 64

// begin makes all of it free for a chunk.
func (m *Scratch) begin(c *syntax.Chunk) *Info {
	stale := m.Stale
	if m.infos == nil {
		m.start(c)
	}
	was := m.infos[0]
	m.infos = arena.Cleared(m.infos, 1, stale)
	info := &m.infos[0]
	info.Locals, info.placed = arena.Empty(was.Locals, stale), arena.Empty(was.placed, stale)
	info.List, info.Stores = arena.Empty(was.List, stale), arena.Empty(was.Stores, stale)
	info.Funcs, info.ref = arena.Cleared(was.Funcs, c.NumFuncs, stale), arena.Cleared(was.ref, c.NumNames, stale)
	info.Globals = was.Globals
	if stale != nil || len(info.Globals) > keptGlobals {
		info.Globals = map[string][]*syntax.Name{}
	}
	clear(info.Globals)
	m.locals.Reset(stale)
	m.lists.Reset(stale)
	m.given.Reset(stale)
	m.names, m.uses = arena.Cleared(m.names, c.NumNames, stale), arena.Cleared(m.uses, c.NumNames, stale)
	m.stack, m.spine = arena.Empty(m.stack[:0], stale), arena.Empty(m.spine[:0], stale)
	m.symbols.reset(c.NumNames, stale)
	return info
}

// start makes what a usual chunk needs.
func (m *Scratch) start(c *syntax.Chunk) {
	locals := c.NumNames/8 + 2
	m.infos = []Info{{Locals: make([]*Local, 0, locals), placed: make([]*Local, 0, locals), Globals: map[string][]*syntax.Name{}}}
	m.stack, m.spine = make([]entry, 0, 16), make([]syntax.Expr, 0, 8)
}
