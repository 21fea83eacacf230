package syntax

import (
	"slices"

	"github.com/redislint/redislint/luacheck/arena"
)

// slab hands out values from pieces, so that the many small nodes of a tree are few allocations.
type slab[T any] struct {
	piece []T
	left  int   // what is left of piece: it is handed out from its end, because that is the shortest code
	total int   // values in all pieces
	kept  [][]T // the pieces before, where somebody wants to see what is void
	watch bool
}

// keptPiece bounds what is kept of a kind of node for the next tree.
const keptPiece = 1 << 13

// reset makes all room free again, in one piece.
func (s *slab[T]) reset(stale arena.Stale) {
	switch {
	case stale != nil:
		for _, p := range append(s.kept, s.piece) {
			stale(p)
		}
		*s = slab[T]{watch: true}
	case s.total > keptPiece:
		s.piece = nil
	case s.total > len(s.piece):
		s.piece = make([]T, max(s.total, min(2*s.total, keptPiece)))
	default:
		clear(s.piece[s.left:])
	}
	s.left, s.total = len(s.piece), len(s.piece)
}

// take hands out one value.
func (s *slab[T]) take(p *parser) *T {
	if s.left == 0 {
		s.more(p)
	}
	s.left--
	return &s.piece[s.left]
}

// more is kept out of take, so that take is inlined.
//
//go:noinline
func (s *slab[T]) more(p *parser) { s.grow(p, 1) }

// last is a list of the value that was taken last.
func (s *slab[T]) last() []T { return s.piece[s.left : s.left+1 : s.left+1] }

// grow makes a new piece for at least n values. It is as long as the rest of the text needs if that is like what was read so far, but does
// not trust in it more than a few times over.
func (s *slab[T]) grow(p *parser, n int) {
	read := max(p.s.pos, 1)
	rest := s.total * (len(p.s.text) - read) / read
	n = max(n, min(rest+s.total/16, 6*s.total), 2)
	if s.watch {
		s.kept = append(s.kept, s.piece)
	}
	s.piece = slices.Grow[[]T](nil, n)
	s.piece = s.piece[:cap(s.piece)]
	s.left = len(s.piece)
	s.total += len(s.piece)
}

// takeList copies what a stack holds above mark into a list of its own length, and takes it off the stack.
func (s *slab[T]) takeList(p *parser, stack *[]T, mark int) []T {
	top := (*stack)[mark:]
	n := len(top)
	if n == 0 {
		return nil
	}
	if n > s.left {
		s.grow(p, n)
	}
	s.left -= n
	out := s.piece[s.left : s.left+n : s.left+n]
	if n == 1 {
		out[0] = top[0]
	} else {
		copy(out, top)
	}
	*stack = (*stack)[:mark]
	return out
}

// slabs are the pieces of one tree, and the stacks on which lists grow until their length is known.
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
	ifs    slab[If]
	ret    slab[Return]
	block  slab[Block]
	unary  slab[Unary]
	table  slab[Table]
	fn     slab[Function]
	fnSt   slab[FuncStmt]
	localF slab[LocalFunc]
	numFor slab[NumFor]
	genFor slab[GenFor]
	paren  slab[Paren]
	bools  slab[Bool]
	nils   slab[Nil]

	exprList   slab[Expr]
	stmtList   slab[Stmt]
	nameList   slab[*Name]
	fieldList  slab[Field]
	clauseList slab[IfClause]

	exprs   []Expr
	stmts   []Stmt
	names   []*Name
	fields  []Field
	clauses []IfClause
}

func (p *parser) takeExprs(mark int) []Expr {
	return p.nodes.exprList.takeList(p, &p.nodes.exprs, mark)
}

func (p *parser) takeNames(mark int) []*Name {
	return p.nodes.nameList.takeList(p, &p.nodes.names, mark)
}

func (p *parser) takeFields(mark int) []Field {
	return p.nodes.fieldList.takeList(p, &p.nodes.fields, mark)
}

// The first pieces of all slabs are one allocation, of three sizes: half of all scripts are shorter than smallText.
const (
	smallText  = 300
	mediumText = 650
)

// smallPieces are what a script of some 200 bytes needs.
type smallPieces struct {
	names   [12]Name
	strs    [5]String
	numbers [4]Number
	indexes [4]Index
	calls   [3]Call
	binary  [2]Binary
	callSts [2]CallStmt
	locals  [2]Local
	ifs     [1]If
	rets    [1]Return
	blocks  [2]Block

	exprList   [10]Expr
	stmtList   [5]Stmt
	nameList   [2]*Name
	clauseList [1]IfClause
}

// mediumPieces are what a script of some 500 bytes needs.
type mediumPieces struct {
	names   [28]Name
	strs    [13]String
	numbers [11]Number
	indexes [11]Index
	calls   [8]Call
	binary  [6]Binary
	unary   [1]Unary
	callSts [3]CallStmt
	locals  [4]Local
	assigns [1]Assign
	ifs     [2]If
	rets    [2]Return
	blocks  [4]Block

	exprList   [26]Expr
	stmtList   [12]Stmt
	nameList   [5]*Name
	clauseList [2]IfClause
}

// largePieces are what a script of some 900 bytes needs, and a longer one to begin with.
type largePieces struct {
	names   [48]Name
	strs    [18]String
	numbers [16]Number
	indexes [16]Index
	calls   [10]Call
	binary  [9]Binary
	unary   [1]Unary
	callSts [3]CallStmt
	locals  [5]Local
	assigns [2]Assign
	ifs     [2]If
	rets    [2]Return
	blocks  [5]Block

	exprList   [40]Expr
	stmtList   [16]Stmt
	nameList   [7]*Name
	clauseList [2]IfClause
}

func (s *slab[T]) start(piece []T) { s.piece, s.left, s.total = piece, len(piece), len(piece) }

func (s *slabs) startSmall() {
	f := new(smallPieces)
	s.name.start(f.names[:])
	s.str.start(f.strs[:])
	s.number.start(f.numbers[:])
	s.index.start(f.indexes[:])
	s.call.start(f.calls[:])
	s.binary.start(f.binary[:])
	s.callSt.start(f.callSts[:])
	s.local.start(f.locals[:])
	s.ifs.start(f.ifs[:])
	s.ret.start(f.rets[:])
	s.block.start(f.blocks[:])
	s.exprList.start(f.exprList[:])
	s.stmtList.start(f.stmtList[:])
	s.nameList.start(f.nameList[:])
	s.clauseList.start(f.clauseList[:])
}

func (s *slabs) startMedium() {
	f := new(mediumPieces)
	s.name.start(f.names[:])
	s.str.start(f.strs[:])
	s.number.start(f.numbers[:])
	s.index.start(f.indexes[:])
	s.call.start(f.calls[:])
	s.binary.start(f.binary[:])
	s.unary.start(f.unary[:])
	s.callSt.start(f.callSts[:])
	s.local.start(f.locals[:])
	s.assign.start(f.assigns[:])
	s.ifs.start(f.ifs[:])
	s.ret.start(f.rets[:])
	s.block.start(f.blocks[:])
	s.exprList.start(f.exprList[:])
	s.stmtList.start(f.stmtList[:])
	s.nameList.start(f.nameList[:])
	s.clauseList.start(f.clauseList[:])
}

func (s *slabs) startLarge() {
	f := new(largePieces)
	s.name.start(f.names[:])
	s.str.start(f.strs[:])
	s.number.start(f.numbers[:])
	s.index.start(f.indexes[:])
	s.call.start(f.calls[:])
	s.binary.start(f.binary[:])
	s.unary.start(f.unary[:])
	s.callSt.start(f.callSts[:])
	s.local.start(f.locals[:])
	s.assign.start(f.assigns[:])
	s.ifs.start(f.ifs[:])
	s.ret.start(f.rets[:])
	s.block.start(f.blocks[:])
	s.exprList.start(f.exprList[:])
	s.stmtList.start(f.stmtList[:])
	s.nameList.start(f.nameList[:])
	s.clauseList.start(f.clauseList[:])
}

// stacks is the room that the stacks of a usual script need, in one piece.
type stacks struct {
	exprs   [12]Expr
	stmts   [16]Stmt
	names   [8]*Name
	fields  [4]Field
	clauses [2]IfClause
	blocks  [6]block
	fns     [2]fn
}

// exactStacks is the room that exact counts need besides.
type exactStacks struct {
	mentions [64]mention
	numbers  [16]float64
	actives  [32]int32
}

func (p *parser) useExactStacks() {
	room := new(exactStacks)
	c := &p.c
	c.mentions, c.numbers, c.actives = room.mentions[:0], room.numbers[:0], room.actives[:0]
}
