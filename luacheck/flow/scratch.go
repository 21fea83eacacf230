package flow

import "github.com/redislint/redislint/luacheck/arena"

// Scratch is memory that the graphs of one script after another use. All that was made in it is void once Begin is called. The zero Scratch
// is ready; it is for one goroutine.
type Scratch struct {
	// Stale is for tests, see arena.Stale.
	Stale arena.Stale

	b         builder
	graphs    arena.Slab[Graph]
	blocks    arena.Slab[Block]
	blockList arena.Slab[*Block]
	stepList  arena.Slab[Step]
	loops     arena.Slab[loop]
	nests     arena.Slab[Nest]
	items     arena.Slab[Item]
	controls  arena.Slab[Control]
	words     arena.Slab[uint64]
	after     arena.Slab[[]uint64]
	direct    arena.Slab[[]decider]
	deciders  arena.Slab[decider]
	edges     arena.Slab[Edge]

	// For one graph, or one question, after another:
	loopList []*loop
	steps    []Step
	post     []*Block
	frames   []frame
	seen     []bool
	work     []int
	found    []decider
	near     []Edge
	far      []Edge
}

// Begin makes all of it free.
func (m *Scratch) Begin() {
	stale := m.Stale
	m.graphs.Reset(stale)
	m.blocks.Reset(stale)
	m.blockList.Reset(stale)
	m.stepList.Reset(stale)
	m.loops.Reset(stale)
	m.nests.Reset(stale)
	m.items.Reset(stale)
	m.controls.Reset(stale)
	m.words.Reset(stale)
	m.after.Reset(stale)
	m.direct.Reset(stale)
	m.deciders.Reset(stale)
	m.edges.Reset(stale)
	m.loopList, m.steps = arena.Empty(m.loopList[:0], stale), arena.Empty(m.steps[:0], stale)
	m.post, m.frames = arena.Empty(m.post[:0], stale), arena.Empty(m.frames[:0], stale)
	m.seen, m.work = arena.Empty(m.seen, stale), arena.Empty(m.work[:0], stale)
	m.found = arena.Empty(m.found[:0], stale)
	m.near, m.far = arena.Empty(m.near[:0], stale), arena.Empty(m.far[:0], stale)
}

// Room is memory that Solve works in, for one graph after another, also while another is being solved. The zero Room is ready.
type Room[F any] struct {
	places [][]place[F]
	exits  [][]exit[F]
}

// keptPlaces bounds the blocks of a graph for which room is kept.
const keptPlaces = 1 << 12

func (r *Room[F]) take(n int) (places []place[F], exits []exit[F]) {
	if last := len(r.places) - 1; last >= 0 {
		places, exits = r.places[last], r.exits[last]
		r.places, r.exits = r.places[:last], r.exits[:last]
	}
	if cap(places) < n {
		places = make([]place[F], n)
	}
	return places[:n], exits
}

// give takes back what take gave.
func (r *Room[F]) give(places []place[F], exits []exit[F]) {
	if len(places) > keptPlaces || cap(exits) > keptPlaces {
		return
	}
	clear(places)
	r.places, r.exits = append(r.places, places), append(r.exits, exits[:0])
}
