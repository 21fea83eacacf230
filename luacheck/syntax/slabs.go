package syntax

// slab hands out values from arrays, so that the many small nodes of a tree are few allocations.
type slab[T any] struct {
	free []T
	size int // of the next array
}

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.grow(1)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

// grow makes a new array for at least n values. The first is as long as a usual script of the size needs, the next ones are shorter, so
// that little is left over.
func (s *slab[T]) grow(n int) {
	s.free = make([]T, max(n, s.size))
	s.size = max(4, s.size/4)
}

// take copies list into an array of its own length.
func (s *slab[T]) take(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.grow(n)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, list)
	return out
}

// slabs are the arrays of one tree, and the stacks on which lists grow until their length is known.
type slabs struct {
	name   slab[Name]
	str    slab[String]
	number slab[Number]
	index  slab[Index]
	call   slab[Call]
	binary slab[Binary]
	callSt slab[CallStmt]
	local  slab[Local]
	assign slab[Assign]
	block  slab[Block]

	exprSlab  slab[Expr]
	stmtSlab  slab[Stmt]
	nameSlab  slab[*Name]
	fieldSlab slab[Field]

	exprs  []Expr
	stmts  []Stmt
	names  []*Name
	fields []Field
}

func (s *slabs) takeExprs(mark int) []Expr {
	out := s.exprSlab.take(s.exprs[mark:])
	s.exprs = s.exprs[:mark]
	return out
}

func (s *slabs) takeStmts(mark int) []Stmt {
	out := s.stmtSlab.take(s.stmts[mark:])
	s.stmts = s.stmts[:mark]
	return out
}

func (s *slabs) takeNames(mark int) []*Name {
	out := s.nameSlab.take(s.names[mark:])
	s.names = s.names[:mark]
	return out
}

func (s *slabs) takeFields(mark int) []Field {
	out := s.fieldSlab.take(s.fields[mark:])
	s.fields = s.fields[:mark]
	return out
}

// init estimates how many nodes of each kind a text has. The divisors are bytes a node in usual scripts.
func (s *slabs) init(size int) {
	size = min(size, 1<<16)
	s.name.size = size/16 + 4
	s.str.size = size/40 + 2
	s.number.size = size/42 + 2
	s.index.size = size/42 + 2
	s.call.size = size/72 + 1
	s.binary.size = size/65 + 1
	s.callSt.size = size/250 + 1
	s.local.size = size/120 + 1
	s.assign.size = size/240 + 1
	s.block.size = size/150 + 1
	s.exprSlab.size = size/9 + 2
	s.stmtSlab.size = size/45 + 2
	s.nameSlab.size = size/70 + 1
	s.fieldSlab.size = size/200 + 1
}

// scratch is the room that the stacks of a usual script need, in one piece.
type scratch struct {
	exprs  [16]Expr
	stmts  [24]Stmt
	names  [8]*Name
	fields [4]Field
	blocks [8]block
	fns    [3]fn
}

// exactScratch is the room that exact counts need besides.
type exactScratch struct {
	mentions [64]mention
	numbers  [16]float64
	actives  [32]int32
}

func (p *parser) useScratch() {
	room := new(scratch)
	n, c := &p.nodes, &p.c
	n.exprs, n.stmts, n.names, n.fields = room.exprs[:0], room.stmts[:0], room.names[:0], room.fields[:0]
	c.blocks, c.fns = room.blocks[:0], room.fns[:0]
}

func (p *parser) useExactScratch() {
	room := new(exactScratch)
	c := &p.c
	c.mentions, c.numbers, c.actives = room.mentions[:0], room.numbers[:0], room.actives[:0]
}
