package syntax

// slab hands out values from arrays, so that the many small nodes of a tree are few allocations.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.size = min(max(8, 2*s.size), 128)
		s.free = make([]T, s.size)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

// take copies list into an array of its own length.
func (s *slab[T]) take(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	if len(list) > len(s.free) {
		s.size = min(max(16, 2*s.size), 256)
		s.free = make([]T, max(s.size, len(list)))
	}
	n := len(list)
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
