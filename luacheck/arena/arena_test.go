package arena

import (
	"slices"
	"testing"
)

// TestReset: what is used again is zero, in one piece as large as all, and what is very large is not kept.
func TestReset(t *testing.T) {
	var s Slab[int]
	for i := range 300 {
		*s.One() = i + 1
	}
	s.Reset(nil)
	if len(s.piece) < 300 {
		t.Errorf("the piece has room for %d of 300", len(s.piece))
	}
	all := s.List(300)
	if slices.Max(all) != 0 {
		t.Errorf("not zero: %v", all)
	}
	all[299] = 7
	s.Reset(nil)
	if all[299] != 0 || s.List(300)[299] != 0 {
		t.Error("what was used in the one piece is not cleared")
	}
	s.List(2 * keptPiece)
	if s.Reset(nil); len(s.piece) > keptPiece {
		t.Errorf("%d values are kept", len(s.piece))
	}
}

// TestLists: a list from Copy or Append shares nothing with its neighbours.
func TestLists(t *testing.T) {
	var s Slab[int]
	a := s.Append(nil, 1)
	b := s.Copy([]int{5, 6})
	a = s.Append(a, 2)
	a = s.Append(a, 3)
	if b = append(b, 7); !slices.Equal(a, []int{1, 2, 3}) || !slices.Equal(b, []int{5, 6, 7}) {
		t.Errorf("got %v and %v", a, b)
	}
}

// TestCleared: a list is zero in all of its length, and one that is far too large goes.
func TestCleared(t *testing.T) {
	list := Cleared([]int(nil), 10, nil)
	for i := range list {
		list[i] = i + 1
	}
	list = Cleared(list, 3, nil)
	list = Cleared(list, 10, nil)
	if slices.Max(list) != 0 {
		t.Errorf("not zero: %v", list)
	}
	list = Cleared(Cleared(list, 4*keptPiece, nil), 10, nil)
	if cap(list) > keptPiece {
		t.Errorf("room for %d is kept for 10", cap(list))
	}
	if empty := Empty(make([]int, 0, 4*keptPiece), nil); cap(empty) > 0 {
		t.Errorf("room for %d is kept for nothing", cap(empty))
	}
}

// TestStale: all pieces are shown, and none is used again.
func TestStale(t *testing.T) {
	var s Slab[int]
	s.Reset(func(any) {})
	first := s.One()
	for range 100 {
		*s.One() = 1
	}
	seen := 0
	s.Reset(func(piece any) {
		for i := range piece.([]int) {
			piece.([]int)[i] = -1
			seen++
		}
	})
	if *first != -1 || seen < 101 || *s.One() != 0 {
		t.Errorf("the first is %d, %d were shown", *first, seen)
	}
}
