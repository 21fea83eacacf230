package value

import (
	"github.com/redislint/redislint/luacheck/arena"
	"github.com/redislint/redislint/luacheck/syntax"
)

// nodeKey is a node in one context: of the calls that led there, or whatever else tells two facts of a node apart.
type nodeKey uint64

func keyOf(n syntax.NodeID, sub int) nodeKey { return nodeKey(uint32(n)+1) | nodeKey(uint32(sub))<<32 }

// nodeTable is a map from node keys to small numbers. Most facts of a script are filed once and asked for once, which a built-in map makes
// dear; this one holds no pointers and its first slots are few.
type nodeTable struct {
	slots []nodeSlot // a power of two of them, at most three in four used
	spare []nodeSlot // what slots was before it grew, for the next time
	used  int
}

type nodeSlot struct {
	key   nodeKey // 0: free, which no key is
	value int32
}

const firstSlots = 16

// slot is where a key is, or would be.
func (t *nodeTable) slot(k nodeKey) *nodeSlot {
	mask := uint64(len(t.slots) - 1)
	for i := uint64(k) * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		if s := &t.slots[i&mask]; s.key == k || s.key == 0 {
			return s
		}
	}
}

func (t *nodeTable) get(k nodeKey) (int, bool) {
	if t.used == 0 {
		return 0, false
	}
	s := t.slot(k)
	return int(s.value), s.key != 0
}

func (t *nodeTable) set(k nodeKey, value int) { *t.place(k) = int32(value) }

// place is where the value of a key is kept; it is -1 if the key is new. It holds until the next key is added.
func (t *nodeTable) place(k nodeKey) *int32 {
	if 4*t.used >= 3*len(t.slots) {
		t.grow(max(firstSlots, 2*len(t.slots)))
	}
	s := t.slot(k)
	if s.key == 0 {
		t.used++
		s.key, s.value = k, -1
	}
	return &s.value
}

// reset empties the table and makes room for about n keys.
func (t *nodeTable) reset(n int, stale arena.Stale) {
	size := 0
	for n > 0 && size < n {
		size = max(firstSlots, 2*size)
	}
	t.slots, t.used = arena.Cleared(t.slots, max(size, min(cap(t.slots), firstSlots)), stale), 0
}

func (t *nodeTable) grow(size int) {
	old := t.slots
	t.slots, t.spare = arena.Cleared(t.spare, size, nil), old
	for _, s := range old {
		if s.key != 0 {
			*t.slot(s.key) = s
		}
	}
}
