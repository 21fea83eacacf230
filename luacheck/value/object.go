package value

import "sort"

// object is what is known of a table made in the script. It is immutable; a change makes a new one.
type object struct {
	// list is the array part from 1 on; exact says that the array part is just that. Otherwise elem is what any element may be (nil: none
	// was ever put in) and least the number of elements that are surely there.
	list  []*Value
	exact bool
	elem  *Value
	least int
	// head are the first elements where the array part is not exact, and tail is what those behind them may be (nil: none is known of).
	head []*Value
	tail *Value
	// fields are the constant string keys; open says that there may be others, or that anybody may have changed the table.
	fields map[string]*Value
	open   bool
	// grows is what the table was filled from, element by element, in a loop over it: a reply, KEYS or ARGV.
	grows *Value
	// holes: an element may have been left out, so that the array ends early.
	holes bool
	// many: the constructor ran more than once, so this stands for several tables.
	many bool
	// lost: the table was handed to code that is not known.
	lost bool
	mem  *Scratch // where changed ones come from; nil is the heap
}

const (
	maxList   = 64
	maxFields = 64
)

// object gives an object a place.
func (m *Scratch) object(o object) *object {
	var c *object
	if m == nil {
		c = new(object)
	} else {
		c = m.made.One()
	}
	*c, c.mem = o, m
	return c
}

// lostObject is a table of which nothing is known any more.
var lostObject = &object{lost: true, open: true, elem: anyValue}

// joinObjects joins with join, or widens with widen.
func joinObjects(x, y *object, join func(v, w *Value) *Value) (*object, bool) {
	if x == nil || y == nil {
		if x == nil {
			return y, y != nil
		}
		return x, false
	}
	if x == y {
		return x, false
	}
	j := x.mem.object(object{open: x.open || y.open, holes: x.holes || y.holes, many: x.many || y.many, lost: x.lost || y.lost})
	if x.grows == y.grows || y.grows == nil {
		j.grows = x.grows
	} else if x.grows == nil {
		j.grows = y.grows
	} else {
		j.grows = x.grows
	}
	if x.exact && y.exact && len(x.list) == len(y.list) {
		j.exact = true
		j.list = make([]*Value, len(x.list))
		for i := range x.list {
			j.list[i] = join(x.list[i], y.list[i])
		}
	} else {
		j.elem = join(x.element(), y.element())
		j.least = min(x.atLeast(), y.atLeast())
		j.joinHeads(x, y, join)
	}
	j.fields = joinFields(x, y, join)
	return j, !sameObject(x, j)
}

// joinHeads keeps the first elements that both have.
func (o *object) joinHeads(x, y *object, join func(v, w *Value) *Value) {
	if o.many || o.lost {
		return
	}
	xs, xt := x.parts()
	ys, yt := y.parts()
	n := min(len(xs), len(ys))
	if n == 0 {
		return
	}
	o.head = make([]*Value, n)
	for i := range o.head {
		o.head[i] = join(xs[i], ys[i])
	}
	o.tail = join(anyOf(xs[n:], xt), anyOf(ys[n:], yt))
}

// parts are the first elements, and what any behind them may be.
func (o *object) parts() ([]*Value, *Value) {
	if o.exact {
		return o.list, nil
	}
	if len(o.head) == 0 {
		return nil, o.elem
	}
	return o.head, o.tail
}

// anyOf is what one of the values may be.
func anyOf(list []*Value, v *Value) *Value {
	for _, w := range list {
		v = heap.join(v, w)
	}
	return v
}

// append makes o one that may have v behind what it has.
func (o *object) append(v *Value) {
	head, tail := o.parts()
	if o.many || len(head) == 0 {
		head, v = nil, nil
	} else {
		v = heap.join(tail, v)
	}
	o.elem = o.element()
	o.head, o.tail, o.list, o.exact = head, v, nil, false
}

// scatter makes o one of which only is known what an element may be.
func (o *object) scatter(elem *Value, least int) {
	o.elem, o.least = elem, least
	o.list, o.exact, o.head, o.tail = nil, false, nil, nil
}

func joinFields(x, y *object, join func(v, w *Value) *Value) map[string]*Value {
	if len(x.fields) == 0 && len(y.fields) == 0 {
		return nil
	}
	out := make(map[string]*Value, len(x.fields))
	for k, v := range x.fields {
		w := y.fields[k]
		if w == nil {
			w = y.missing()
		}
		out[k] = join(v, w)
	}
	for k, w := range y.fields {
		if _, both := x.fields[k]; !both {
			out[k] = join(x.missing(), w)
		}
	}
	return out
}

func sameObject(x, y *object) bool {
	if x.exact != y.exact || x.open != y.open || x.holes != y.holes || x.many != y.many || x.lost != y.lost || x.least != y.least ||
		x.grows != y.grows || !sameValues(x.list, y.list) || !sameValues(x.head, y.head) || len(x.fields) != len(y.fields) ||
		!sameValue(x.elem, y.elem) || !sameValue(x.tail, y.tail) {
		return false
	}
	for k, v := range x.fields {
		if w, ok := y.fields[k]; !ok || !sameValue(v, w) {
			return false
		}
	}
	return true
}

func sameValues(x, y []*Value) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !sameValue(x[i], y[i]) {
			return false
		}
	}
	return true
}

func sameValue(v, w *Value) bool {
	return v == w || v != nil && w != nil && v.gen == w.gen && equal(v, w)
}

// missing is what a field reads as that is not known.
func (o *object) missing() *Value {
	if o.open || o.lost {
		return anyValue
	}
	return nilValue
}

// element is what any element of the array part may be; nil where there is none.
func (o *object) element() *Value { return anyOf(o.list, o.elem) }

// atLeast is the number of elements, from the first on, that are there as far as anybody can vouch for what is put in.
func (o *object) atLeast() int {
	if !o.exact {
		return o.least
	}
	for i, v := range o.list {
		if v.May(Nil) {
			return i
		}
	}
	return len(o.list)
}

// length bounds #t. An element that may be nil, for whatever reason, ends it.
func (o *object) length() (lo, hi float64) {
	if o.lost {
		return 0, inf
	}
	if !o.exact || o.many {
		if e := o.element(); e != nil && e.Kinds&Nil != 0 {
			return 0, inf
		}
		return float64(o.atLeast()), inf
	}
	for _, v := range o.list {
		if v.Kinds&Nil != 0 {
			return lo, float64(len(o.list))
		}
		lo++
	}
	return lo, lo
}

// filled is o once it is known to have an element.
func (o *object) filled() *object {
	if o.exact || o.lost || o.many || o.least > 0 {
		return o
	}
	c := o.clone()
	c.least = 1
	return c
}

func (o *object) clone() *object { return o.mem.object(*o) }

// push is o with v behind its last element.
func (o *object) push(v *Value) *object {
	c := o.clone()
	if o.exact && len(o.list) < maxList && !o.many {
		c.list = append(o.list[:len(o.list):len(o.list)], v)
		return c
	}
	c.append(v)
	c.elem = heap.join(o.element(), v)
	c.least = o.atLeast()
	if !o.many && !v.May(Nil) && (!o.exact || c.least == len(o.list)) {
		c.least++
	}
	return c
}

// add is o with v put behind its last element by t[#t + 1] = v or table.insert: nil adds nothing.
func (o *object) add(v *Value) *object {
	switch {
	case v.Only(Nil):
		return o
	case v.May(Nil):
		c := o.clone()
		c.append(v)
		c.elem, c.least = heap.join(o.element(), v), o.atLeast()
		return c
	case o.exact && o.atLeast() < len(o.list): // it may take the place of one that is nil
		c := o.clone()
		c.scatter(heap.join(o.element(), v), o.atLeast())
		return c
	}
	return o.push(v)
}

// setField is o with a constant key assigned.
func (o *object) setField(key string, v *Value) *object {
	c := o.clone()
	if len(o.fields) >= maxFields {
		c.open = true
		return c
	}
	c.fields = make(map[string]*Value, len(o.fields)+1)
	for k, w := range o.fields {
		c.fields[k] = w
	}
	if o.many {
		old := o.fields[key]
		if old == nil {
			old = o.missing()
		}
		v = heap.join(old, v)
	}
	c.fields[key] = v
	return c
}

// setIndex is o with an element assigned at a position; index 0 is one that is not known.
func (o *object) setIndex(index int, v *Value) *object {
	switch {
	case index > 0 && o.exact && index <= len(o.list) && !o.many:
		c := o.clone()
		c.list = append([]*Value(nil), o.list...)
		c.list[index-1] = v
		return c
	case index > 0 && o.exact && index == len(o.list)+1:
		return o.push(v)
	}
	return o.setFrom(index, v)
}

// setFrom is o with an element assigned somewhere from a position on; one of 0 says nothing.
func (o *object) setFrom(index int, v *Value) *object {
	c := o.clone()
	if head, _ := o.parts(); index > len(head) {
		c.append(v)
		c.elem, c.least = heap.join(o.element(), v), 0
		return c
	}
	c.scatter(heap.join(o.element(), v), 0)
	return c
}

// fieldNames are the constant keys, sorted.
func (o *object) fieldNames() []string {
	names := make([]string, 0, len(o.fields))
	for k := range o.fields {
		names = append(names, k)
	}
	sort.Strings(names)
	return names
}
