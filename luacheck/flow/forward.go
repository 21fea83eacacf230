package flow

import "container/heap"

// Lattice says how facts of type F are put together. F's zero value is never passed in; whether control arrives is the solver's matter.
type Lattice[F any] struct {
	// Join puts together what two edges bring; it reports whether the result says more than old. Widen, at loop heads, must make every
	// chain of results finite.
	Join, Widen func(old, new F) (F, bool)
}

// Result is a solution: for each block the fact at its start, and whether control arrives there at all.
type Result[F any] struct {
	In      []F
	Reached []bool
	// Settled is false where the bound on work was hit, so In may say too little.
	Settled bool
}

// Forward solves a forward problem. step gives the fact behind a block's steps (false where control does not get past them); edge gives
// the fact on an edge (false where it is not taken). At most limit block visits are made.
func Forward[F any](g *Graph, l Lattice[F], entry F, block func(*Block, F) (F, bool), edge func(*Block, Edge, F) (F, bool), limit int) *Result[F] {
	r := &Result[F]{In: make([]F, len(g.Blocks)), Reached: make([]bool, len(g.Blocks)), Settled: true}
	r.In[0], r.Reached[0] = entry, true
	work := queue{queued: make([]bool, len(g.Blocks))}
	work.add(0)
	for visits := 0; len(work.list) > 0; visits++ {
		if visits >= limit {
			r.Settled = false
			return r
		}
		b := g.Blocks[work.take()]
		out, ok := block(b, r.In[b.Index])
		if !ok {
			continue
		}
		for _, e := range b.Succs {
			if f, taken := edge(b, e, out); taken {
				r.arrive(l, e.To, f, &work)
			}
		}
	}
	return r
}

func (r *Result[F]) arrive(l Lattice[F], to *Block, f F, work *queue) {
	i := to.Index
	if !r.Reached[i] {
		r.In[i], r.Reached[i] = f, true
		work.add(i)
		return
	}
	join := l.Join
	if to.Head {
		join = l.Widen
	}
	if merged, changed := join(r.In[i], f); changed {
		r.In[i] = merged
		work.add(i)
	}
}

// queue hands out block numbers, lowest first, each once however often it was added.
type queue struct {
	list   []int
	queued []bool
}

func (q *queue) add(i int) {
	if !q.queued[i] {
		q.queued[i] = true
		heap.Push(q, i)
	}
}

func (q *queue) take() int {
	i := heap.Pop(q).(int)
	q.queued[i] = false
	return i
}

func (q *queue) Len() int           { return len(q.list) }
func (q *queue) Less(i, j int) bool { return q.list[i] < q.list[j] }
func (q *queue) Swap(i, j int)      { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *queue) Push(x any)         { q.list = append(q.list, x.(int)) }

// Pop removes the last element; heap calls it.
func (q *queue) Pop() any {
	x := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return x
}

// Replay visits the blocks of a solved problem once more, in their order. The facts at loop heads are the settled ones; those of the other
// blocks are put together anew from what this visit brings them, so that they say nothing of earlier rounds of the solver. Each fact is at
// least as exact as the settled one.
func Replay[F any](g *Graph, l Lattice[F], r *Result[F], block func(*Block, F) (F, bool), edge func(*Block, Edge, F) (F, bool)) {
	in, reached := make([]F, len(g.Blocks)), make([]bool, len(g.Blocks))
	for i, b := range g.Blocks {
		if i == 0 || b.Head {
			in[i], reached[i] = r.In[i], r.Reached[i]
		}
		if !reached[i] {
			continue
		}
		out, ok := block(b, in[i])
		if !ok {
			continue
		}
		for _, e := range b.Succs {
			to := e.To.Index
			if e.To.Head || to <= i {
				continue
			}
			f, taken := edge(b, e, out)
			switch {
			case !taken:
			case reached[to]:
				if merged, changed := l.Join(in[to], f); changed {
					in[to] = merged
				}
			default:
				in[to], reached[to] = f, true
			}
		}
	}
}
