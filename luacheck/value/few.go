package value

import "github.com/redislint/redislint/luacheck/arena"

// few is a map that mostly holds a handful of keys: those are compared one by one, and only more of them are hashed. The zero few is ready.
type few[K comparable, V any] struct {
	list []pair[K, V]
	more map[K]V
}

type pair[K, V any] struct {
	key   K
	value V
}

const (
	fewKeys = 12
	// keptKeys bounds what is kept of a map for the next analysis: emptying one takes time in proportion to the most that it ever had.
	keptKeys = 64
)

func (f *few[K, V]) get(k K) (V, bool) {
	for i := range f.list {
		if p := &f.list[i]; p.key == k {
			return p.value, true
		}
	}
	v, ok := f.more[k]
	return v, ok
}

// add gives a key that is not there its value. The first ones stand in room; nil is the heap.
func (f *few[K, V]) add(room *arena.Slab[pair[K, V]], k K, v V) {
	switch {
	case len(f.list) == fewKeys:
		if f.more == nil {
			f.more = map[K]V{}
		}
		f.more[k] = v
	case room == nil:
		f.list = append(f.list, pair[K, V]{k, v})
	default:
		f.list = room.Append(f.list, pair[K, V]{k, v})
	}
}

func (f *few[K, V]) len() int { return len(f.list) + len(f.more) }

// emptied is an empty few with the room of f. What it held is void.
func (f few[K, V]) emptied(stale arena.Stale) few[K, V] {
	if stale != nil || len(f.more) > keptKeys {
		f.more = nil
	}
	clear(f.more)
	return few[K, V]{arena.Empty(f.list, stale), f.more}
}
