package flow

// Problem is a forward problem: facts of the type F flow from the entry of a graph along its edges. What Block, Edge and Join get is theirs
// to change: the solver copies what it needs again.
type Problem[F any] struct {
	// Block evaluates a block; on is false where control does not get past it.
	Block func(b *Block, in F) (out F, on bool)
	// Edge narrows what leaves a block by an edge; taken is false where it cannot be taken.
	Edge func(b *Block, e Edge, out F) (f F, taken bool)
	// Join puts together what two edges bring.
	Join func(old, more F) F
	// Widen is Join at the head of a loop. It changes neither of the two, reports whether the result says more than old, and makes every
	// chain of results finite.
	Widen func(old, more F) (F, bool)
	Copy  func(F) F
	// Coarse is what holds of any fact of the same place, whatever the loop does: for loops that do not settle within the limit. Nil: nobody
	// minds that what holds in them is too little.
	Coarse func(F) F
	// Mark and Undo take back what Block leaves beside its result, since the blocks of a loop are evaluated again: Undo(m) forgets what was
	// left after Mark gave m.
	Mark func() int
	Undo func(mark int)
	// Keep says whether what Block leaves beside its result counts: in the last pass over a loop, which sees what holds on every turn, and
	// outside loops. Nil: nobody asks, and there is no such pass.
	Keep func(on bool)
	// Room is memory to work in; nil is memory of its own.
	Room *Room[F]
}

// Solve evaluates every block that is reached. Blocks outside loops are evaluated once, and those of a loop until nothing new comes back to
// its head, the loops inside it first. It is false where limit evaluations were not enough: then each loop is evaluated once more and no
// longer, from what Coarse gives for its head.
func Solve[F any](g *Graph, p *Problem[F], entry F, limit int) bool {
	room := p.Room
	if room == nil {
		room = &Room[F]{}
	}
	s := solver[F]{p: p, left: limit}
	s.at, s.exits = room.take(len(g.Blocks))
	s.arrive(g.Blocks[0], entry)
	s.items(g.Nest)
	room.give(s.at, s.exits)
	return s.left > 0
}

// solver is the state of Solve.
type solver[F any] struct {
	p  *Problem[F]
	at []place[F] // by Block.Index
	// exits are the ways out of the loops that are being evaluated; those of the innermost come last.
	exits []exit[F]
	left  int
	// inside: within a loop that is not settled yet. last: in the pass that counts, where the heads are settled.
	inside, last bool
}

// place is what is known at the entry of a block.
type place[F any] struct {
	in F
	// kept: in is there from an earlier pass (heads only). reached: in this pass. more: something new came back to the head.
	kept, reached, more bool
}

type exit[F any] struct {
	to *Block
	f  F
}

func (s *solver[F]) items(n *Nest) {
	for _, it := range n.Items {
		if it.Loop != nil {
			s.loop(it.Loop)
		} else {
			s.visit(it.Block, n)
		}
	}
}

func (s *solver[F]) visit(b *Block, n *Nest) {
	at := &s.at[b.Index]
	if !at.reached {
		return
	}
	if !s.last {
		s.left--
	}
	in := at.in
	if b.Head {
		in = s.p.Copy(in)
	}
	out, on := s.p.Block(b, in)
	if !on {
		return
	}
	for i, e := range b.Succs {
		f := out
		if i < len(b.Succs)-1 {
			f = s.p.Copy(out)
		}
		if f, taken := s.p.Edge(b, e, f); taken {
			s.deliver(n, e.To, f)
		}
	}
}

// deliver brings a fact that leaves a block of the nest to another block.
func (s *solver[F]) deliver(n *Nest, to *Block, f F) {
	switch {
	case n.holds(to):
		if to.Head && to.nest == n {
			s.back(to, f)
		} else {
			s.arrive(to, f)
		}
	case !s.last:
		s.exits = append(s.exits, exit[F]{to, f})
	case to.Head && to.nest.around(n):
		// A way back to the head of a loop further out, which is settled.
	default:
		s.arrive(to, f)
	}
}

// back brings a fact to the head of the loop that it comes from.
func (s *solver[F]) back(head *Block, f F) {
	if s.last {
		return
	}
	at := &s.at[head.Index]
	if w, more := s.p.Widen(at.in, f); more {
		at.in, at.more = w, true
	}
}

func (s *solver[F]) arrive(b *Block, f F) {
	at := &s.at[b.Index]
	switch {
	case b.Head && at.kept && s.last:
	case b.Head && at.kept:
		at.in, _ = s.p.Widen(at.in, f)
	case at.reached:
		at.in = s.p.Join(at.in, f)
	default:
		at.in = f
	}
	at.reached, at.kept = true, b.Head
}

// loop evaluates a loop until its head is settled.
func (s *solver[F]) loop(n *Nest) {
	head := &s.at[n.Head.Index]
	if !head.reached {
		return
	}
	if s.last {
		s.items(n)
		return
	}
	outermost := !s.inside
	s.inside = true
	if outermost && s.p.Keep != nil {
		s.p.Keep(false)
	}
	exits, mark := len(s.exits), s.p.Mark()
	for {
		coarse := s.left <= 0
		if coarse && s.p.Coarse != nil {
			head.in = s.p.Coarse(head.in)
		}
		head.more = false
		s.items(n)
		if !head.more || coarse {
			break
		}
		s.exits = s.exits[:exits]
		s.p.Undo(mark)
		s.clear(n)
	}
	if outermost {
		s.inside = false
	}
	if outermost && s.p.Keep != nil {
		s.exits = s.exits[:exits]
		s.p.Undo(mark)
		s.clear(n)
		s.p.Keep(true)
		s.last = true
		s.items(n)
		s.last = false
		return
	}
	list := s.exits[exits:]
	s.exits = s.exits[:exits]
	for _, e := range list { // what deliver appends takes the place of what was read already
		s.deliver(n.Outer, e.to, e.f)
	}
}

// clear forgets that the blocks of a loop were reached, all but its head.
func (s *solver[F]) clear(n *Nest) {
	for _, it := range n.Items {
		if it.Loop != nil {
			s.at[it.Loop.Head.Index].reached = false
			s.clear(it.Loop)
		} else if it.Block != n.Head {
			s.at[it.Block.Index].reached = false
		}
	}
}
