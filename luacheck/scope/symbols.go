package scope

import (
	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/syntax"
)

// symbols gives each distinct name a small number, by a hash table with open addressing.
type symbols struct {
	table []int32 // number+1, 0 where free; the length is a power of two
	syms  []symbol
}

type symbol struct {
	text    string
	visible int32          // position of its innermost local in binder.stack plus one, 0 where it is a global
	globals int32          // its uses as a global
	list    []*syntax.Name // these uses
}

// reset empties the table and makes room for the names of a usual chunk.
func (s *symbols) reset(names int, stale arena.Stale) {
	size := 16
	for size < names/2 && size < 1<<10 {
		size *= 2
	}
	s.table = arena.Cleared(s.table, size, stale)
	if s.syms = arena.Empty(s.syms, stale); cap(s.syms) == 0 {
		s.syms = make([]symbol, 0, size/2)
	}
}

func hash(text string) uint32 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(text) {
		h = (h ^ uint32(text[i])) * 16777619
	}
	return h ^ h>>15
}

// of is the number of a name.
func (s *symbols) of(text string) int32 {
	mask := uint32(len(s.table) - 1)
	i := hash(text) & mask
	for ; s.table[i] != 0; i = (i + 1) & mask {
		if n := s.table[i] - 1; s.syms[n].text == text {
			return n
		}
	}
	s.syms = append(s.syms, symbol{text: text})
	n := int32(len(s.syms))
	s.table[i] = n
	if 2*len(s.syms) > len(s.table) {
		s.grow()
	}
	return n - 1
}

func (s *symbols) grow() {
	s.table = make([]int32, 2*len(s.table))
	mask := uint32(len(s.table) - 1)
	for n := range s.syms {
		i := hash(s.syms[n].text) & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = int32(n + 1)
	}
}
