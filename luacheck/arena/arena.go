package arena

// Slab hands out values of one type from larger pieces, since an analysis makes very many small ones that all live as long as it. The first
// piece is small: most scripts are. The zero Slab is ready.
type Slab[T any] struct {
	piece []T   // the present one
	used  int   // of it
	next  int   // size of the next piece
	full  int   // values in the pieces before
	kept  [][]T // these pieces, where somebody wants to see what is void
	watch bool
}

const (
	firstPiece = 4
	lastPiece  = 128
	// keptPiece bounds what is kept for the next analysis, in values.
	keptPiece = 1 << 13
)

// Stale is called with each piece ([]T, in full) that is void from now on. Where there is one, no memory is used again. It is for tests, which
// find uses of what is void by overwriting it.
type Stale func(piece any)

func (s *Slab[T]) grow(n int) {
	if s.watch {
		s.kept = append(s.kept, s.piece)
	}
	s.full += len(s.piece)
	s.next = max(firstPiece, min(2*s.next, lastPiece))
	s.piece, s.used = make([]T, max(n, s.next)), 0
}

// Reset makes all room free again, in one piece that is larger than what was used: the next analysis may need more, and fresh memory costs
// nothing until it is touched, but each piece that is given up was touched. What was handed out is void then.
func (s *Slab[T]) Reset(stale Stale) {
	if s.used > 0 || stale != nil {
		s.reset(stale)
	}
}

func (s *Slab[T]) reset(stale Stale) {
	all := s.full + s.used
	switch {
	case stale != nil:
		s.giveUp(stale)
	case all > keptPiece:
		s.piece, s.next = nil, 0
	case s.full > 0:
		s.piece = make([]T, max(all, min(4*all, keptPiece)))
	default:
		clear(s.piece[:s.used])
	}
	s.used, s.full = 0, 0
}

func (s *Slab[T]) giveUp(stale Stale) {
	for _, p := range append(s.kept, s.piece) {
		stale(p)
	}
	s.piece, s.next, s.kept, s.watch = nil, 0, nil, true
}

// One returns a zero T.
func (s *Slab[T]) One() *T {
	if s.used == len(s.piece) {
		s.grow(1)
	}
	p := &s.piece[s.used]
	s.used++
	return p
}

// Put gives a value a place.
func (s *Slab[T]) Put(v T) *T {
	p := s.One()
	*p = v
	return p
}

// List returns n zero Ts, with no room behind them.
func (s *Slab[T]) List(n int) []T {
	if s.used+n > len(s.piece) {
		s.grow(n)
	}
	l := s.piece[s.used : s.used+n : s.used+n]
	s.used += n
	return l
}

// Copy returns a copy of a list, with no room behind it; nil for an empty one.
func (s *Slab[T]) Copy(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	l := s.List(len(list))
	copy(l, list)
	return l
}

// Append is append for lists that live as long as the analysis: where there is no room behind a list, it moves to twice as much.
func (s *Slab[T]) Append(list []T, v T) []T {
	if n := len(list); n == cap(list) {
		l := s.List(max(2*n, 1))
		copy(l, list)
		list = l[:n]
	}
	return append(list, v)
}

// Cleared is a list of n zero values, in the room of list where that is enough and not far too much. What list held is void.
func Cleared[T any](list []T, n int, stale Stale) []T {
	list = Empty(list, stale)
	if cap(list) < n || cap(list) > keptPiece && cap(list) > 2*n {
		return make([]T, n, max(n, min(2*n, keptPiece)))
	}
	return list[:n]
}

// Empty is an empty list with the room of list, all of it zero. What list held is void.
func Empty[T any](list []T, stale Stale) []T {
	switch {
	case stale != nil:
		stale(list[:cap(list)])
		return nil
	case cap(list) > keptPiece && cap(list) > 2*len(list):
		return nil
	}
	clear(list)
	return list[:0]
}
