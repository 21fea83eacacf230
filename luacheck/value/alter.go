package value

// alter forgets what a reply held under its other names, and in the tables that hold it, once an element is assigned: a helper that makes a
// record of a flat list has a name of its own for it.
func (ip *interp) alter(st *state, v *Value) {
	if v.From != nil && !hasReply(v.From) {
		return
	}
	var room [8]int
	names := room[:0]
	st.locals.differ(tree[Value]{}, func(i int, w, _ *Value) {
		if mayBeReply(w, v) {
			names = append(names, i)
		}
	})
	for _, i := range names {
		w := st.locals.get(i)
		st.locals.set(i, ip.blurred(w, w.Kinds))
	}
	tables := room[:0]
	st.objs.differ(tree[object]{}, func(id int, o, _ *object) {
		if o.holds(func(w *Value) bool { return mayBeReply(w, v) }) {
			tables = append(tables, id)
		}
	})
	for _, id := range tables {
		st.objs.set(id, st.objs.get(id).mapped(func(w *Value) *Value {
			if mayBeReply(w, v) {
				return ip.blurred(w, w.Kinds)
			}
			return w
		}))
	}
}

// blurred is a reply whose elements are not known any more.
func (ip *interp) blurred(v *Value, kinds Kinds) *Value {
	return ip.mem.vals.Put(Value{Kinds: kinds, Weak: v.Weak & kinds, Lo: v.Lo, Hi: v.Hi, From: ip.mem.derived(v.From), gen: ip.gen()})
}

// mayBeReply reports whether w is a reply of which something is known, and may be the table that v is.
func mayBeReply(w, v *Value) bool {
	if w == nil || w.Reply == nil || w.Kinds&Table == 0 {
		return false
	}
	if v.From == nil || w.From == nil {
		return true
	}
	found := false
	v.From.Leaves(func(o *Origin) {
		w.From.Leaves(func(p *Origin) {
			found = found || o.Kind == FromUnknown || o.Kind == p.Kind && (o.Call == p.Call || o.Call != nil && p.Call != nil && o.Call.Node == p.Call.Node)
		})
	})
	return found
}

func hasReply(o *Origin) bool {
	found := false
	o.Leaves(func(o *Origin) {
		switch o.Kind {
		case FromUnknown, FromReply, FromTime, FromRandom:
			found = true
		}
	})
	return found
}

// holds reports whether one of the values in a table is as is says.
func (o *object) holds(is func(*Value) bool) bool {
	if o.elem != nil && is(o.elem) || o.tail != nil && is(o.tail) {
		return true
	}
	for _, list := range [][]*Value{o.list, o.head} {
		for _, v := range list {
			if is(v) {
				return true
			}
		}
	}
	for _, v := range o.fields {
		if is(v) {
			return true
		}
	}
	return false
}

// mapped is o with f of each value.
func (o *object) mapped(f func(*Value) *Value) *object {
	c := o.clone()
	for _, v := range []**Value{&c.elem, &c.tail} {
		if *v != nil {
			*v = f(*v)
		}
	}
	for _, list := range []*[]*Value{&c.list, &c.head} {
		*list = append([]*Value(nil), *list...)
		for i, v := range *list {
			(*list)[i] = f(v)
		}
	}
	if c.fields != nil {
		c.fields = make(map[string]*Value, len(o.fields))
		for _, k := range o.fieldNames() {
			c.fields[k] = f(o.fields[k])
		}
	}
	return c
}
