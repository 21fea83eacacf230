package value

import "github.com/redislint/redislint/luacheck/arena"

// tree is a map from small integers to values that is cheap to copy: a copy shares all nodes, and a change makes new ones only along one
// path. A node that was made by the present owner is changed in place, so straight code costs no copies.
type tree[V any] struct {
	root  *node[V]
	shift uint8 // bits below the root's digit
	owner uint32
	room  *nodes[V] // where nodes come from; nil is the heap
}

// nodes is room for nodes.
type nodes[V any] struct {
	all  arena.Slab[node[V]]
	kids arena.Slab[[fanout]*node[V]]
}

func (r *nodes[V]) reset(stale arena.Stale) {
	r.all.Reset(stale)
	r.kids.Reset(stale)
}

const (
	digitBits = 4
	fanout    = 1 << digitBits
)

type node[V any] struct {
	owner uint32
	vals  [fanout]*V        // of a leaf
	kids  *[fanout]*node[V] // of any other
}

// owned gives t a number of its own: what has another is shared and not changed.
func (t *tree[V]) owned(by uint32) { t.owner = by }

// drop removes all keys.
func (t *tree[V]) drop() { t.root, t.shift = nil, 0 }

func (t *tree[V]) get(key int) *V {
	n := t.root
	if n == nil || key>>(t.shift+digitBits) != 0 {
		return nil
	}
	for s := t.shift; s > 0; s -= digitBits {
		n = n.kids[(key>>s)&(fanout-1)]
		if n == nil {
			return nil
		}
	}
	return n.vals[key&(fanout-1)]
}

func (t *tree[V]) set(key int, v *V) {
	if t.root == nil {
		t.root = t.fresh(0)
		t.shift = 0
	}
	for key>>(t.shift+digitBits) != 0 {
		up := t.fresh(t.shift + digitBits)
		up.kids[0] = t.root
		t.root = up
		t.shift += digitBits
	}
	t.root = t.put(t.root, t.shift, key, v)
}

// del removes a key. Nodes that hold nothing any more go with it, so that what is left of two copies is compared quickly.
func (t *tree[V]) del(key int) {
	if t.get(key) == nil {
		return
	}
	t.root = t.cut(t.root, t.shift, key)
}

func (t *tree[V]) cut(n *node[V], shift uint8, key int) *node[V] {
	n = t.own(n)
	d := (key >> shift) & (fanout - 1)
	if shift == 0 {
		n.vals[d] = nil
		if n.vals == [fanout]*V{} {
			return nil
		}
		return n
	}
	n.kids[d] = t.cut(n.kids[d], shift-digitBits, key)
	if *n.kids == [fanout]*node[V]{} {
		return nil
	}
	return n
}

// own returns n where the present owner made it, else a copy that may be changed.
func (t *tree[V]) own(n *node[V]) *node[V] {
	if n.owner == t.owner {
		return n
	}
	c := t.node()
	if n.kids == nil {
		c.vals = n.vals
		return c
	}
	c.kids = t.list()
	*c.kids = *n.kids
	return c
}

func (t *tree[V]) fresh(shift uint8) *node[V] {
	n := t.node()
	if shift > 0 {
		n.kids = t.list()
	}
	return n
}

// list is an empty list of nodes.
func (t *tree[V]) list() *[fanout]*node[V] {
	if t.room != nil {
		return t.room.kids.One()
	}
	return new([fanout]*node[V])
}

// node makes an empty node of the present owner.
func (t *tree[V]) node() *node[V] {
	var n *node[V]
	if t.room != nil {
		n = t.room.all.One()
	} else {
		n = new(node[V])
	}
	n.owner = t.owner
	return n
}

func (t *tree[V]) put(n *node[V], shift uint8, key int, v *V) *node[V] {
	if n == nil {
		n = t.fresh(shift)
	} else {
		n = t.own(n)
	}
	d := (key >> shift) & (fanout - 1)
	if shift == 0 {
		n.vals[d] = v
	} else {
		n.kids[d] = t.put(n.kids[d], shift-digitBits, key, v)
	}
	return n
}

// merge puts b into t: join gives the value where the two differ (either may be nil). It visits only what is not shared, and reports
// whether t changed.
func (t *tree[V]) merge(b tree[V], join func(x, y *V) (*V, bool)) bool {
	if t.root == b.root && t.shift == b.shift {
		return false
	}
	for t.root == nil || t.shift < b.shift {
		if t.root == nil {
			t.root, t.shift = t.fresh(b.shift), b.shift
			break
		}
		up := t.fresh(t.shift + digitBits)
		up.kids[0] = t.root
		t.root = up
		t.shift += digitBits
	}
	for b.root != nil && b.shift < t.shift {
		up := &node[V]{kids: &[fanout]*node[V]{b.root}}
		b.root = up
		b.shift += digitBits
	}
	root, changed := t.mergeNode(t.root, b.root, t.shift, join)
	t.root = root
	return changed
}

// mergeNode merges y into x, either of which may be nil for a node that holds nothing.
func (t *tree[V]) mergeNode(x, y *node[V], shift uint8, join func(x, y *V) (*V, bool)) (*node[V], bool) {
	if x == y {
		return x, false
	}
	changed := false
	for d := 0; d < fanout; d++ {
		if shift == 0 {
			a, b := x.val(d), y.val(d)
			if a == b {
				continue
			}
			if v, diff := join(a, b); diff {
				x = t.place(x, shift)
				x.vals[d] = v
				changed = true
			}
			continue
		}
		a, b := x.kid(d), y.kid(d)
		if a == b {
			continue
		}
		if kid, diff := t.mergeNode(a, b, shift-digitBits, join); diff {
			x = t.place(x, shift)
			x.kids[d] = kid
			changed = true
		}
	}
	if changed && x.empty() {
		x = nil
	}
	return x, changed
}

func (t *tree[V]) place(n *node[V], shift uint8) *node[V] {
	if n == nil {
		return t.fresh(shift)
	}
	return t.own(n)
}

func (n *node[V]) val(d int) *V {
	if n == nil {
		return nil
	}
	return n.vals[d]
}

func (n *node[V]) kid(d int) *node[V] {
	if n == nil {
		return nil
	}
	return n.kids[d]
}

func (n *node[V]) empty() bool {
	if n.kids != nil {
		return *n.kids == [fanout]*node[V]{}
	}
	return n.vals == [fanout]*V{}
}

// differ gives the keys for which two trees hold something else, as far as they do not share it.
func (t *tree[V]) differ(b tree[V], found func(key int, x, y *V)) {
	if t.root == b.root && t.shift == b.shift {
		return
	}
	x, y, shift := t.root, b.root, max(t.shift, b.shift)
	for s := t.shift; s < shift && x != nil; s += digitBits {
		x = &node[V]{kids: &[fanout]*node[V]{x}}
	}
	for s := b.shift; s < shift && y != nil; s += digitBits {
		y = &node[V]{kids: &[fanout]*node[V]{y}}
	}
	differNodes(x, y, shift, 0, found)
}

func differNodes[V any](x, y *node[V], shift uint8, base int, found func(key int, x, y *V)) {
	for d := 0; d < fanout && x != y; d++ {
		key := base | d<<shift
		if shift == 0 {
			if a, b := x.val(d), y.val(d); a != b {
				found(key, a, b)
			}
		} else if a, b := x.kid(d), y.kid(d); a != b {
			differNodes(a, b, shift-digitBits, key, found)
		}
	}
}
