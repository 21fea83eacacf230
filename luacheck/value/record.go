package value

import (
	"slices"

	"github.com/redislint/redislint/luacheck/syntax"
)

// recorder files facts. Operations, conditions and accesses are kept once a node, their values joined over all contexts; calls and failures
// once a context.
type recorder struct {
	f     *Facts
	fails few[failKey, *Failure]
	mem   *Scratch
	names []string // of the host functions in libs, by number
}

type failKey struct {
	at    syntax.Span
	class FailClass
	ctx   int
}

// factKind tells the facts of one node apart.
type factKind int

const (
	opFact factKind = iota
	accessFact
	globalFact
	callFact
	returnFact
	endFact // the end of a function without a return
	loopFact
	condFact
	libFact
	passedFact
	factKinds = 16

	ownFact = callFact // up to this one, each kind of node has one kind of fact
)

// filedAs is the key of a fact; sub tells facts of one kind and node apart: a context, a role.
func filedAs(kind factKind, n syntax.NodeID, sub int) nodeKey {
	return keyOf(n, sub*factKinds+int(kind))
}

// pass notes that an operation was checked in a context and went on.
func (r *recorder) pass(n syntax.Node, ctx int) {
	id := n.ID()
	if ctx == 0 && int(id) < 64*len(r.mem.passed) {
		r.mem.passed[id/64] |= 1 << (id % 64)
		return
	}
	r.mem.filed.set(filedAs(passedFact, id, ctx), 0)
}

func (r *recorder) wentOn(n syntax.Node, ctx int) bool {
	id := n.ID()
	if ctx == 0 && int(id) < 64*len(r.mem.passed) {
		return r.mem.passed[id/64]&(1<<(id%64)) != 0
	}
	_, on := r.mem.filed.get(filedAs(passedFact, id, ctx))
	return on
}

// fileKey says under what a fact is filed: its kind, its node, and what tells facts of one kind and node apart, a context or a role.
type fileKey struct {
	kind factKind
	node syntax.NodeID
	sub  int
}

// own reports whether the key has a place in recorder.mem.own, by its node: most facts are of the one kind that their node has.
func (r *recorder) own(k fileKey) bool {
	return k.sub == 0 && k.kind <= ownFact && k.node > 0 && int(k.node) < len(r.mem.own)
}

// find gives the fact that is filed under a key; where there is none, nil, and the one that is added to the list next gets the key.
func find[T any](r *recorder, list []T, k fileKey) *T {
	if r.own(k) {
		i := &r.mem.own[k.node]
		if *i > 0 {
			return &list[*i-1]
		}
		*i = int32(len(list)) + 1
		return nil
	}
	i := r.mem.filed.place(filedAs(k.kind, k.node, k.sub))
	if *i >= 0 {
		return &list[*i]
	}
	*i = int32(len(list))
	return nil
}

// file gives a key to the at-th fact of its list.
func (r *recorder) file(k fileKey, at int) {
	if r.own(k) {
		r.mem.own[k.node] = int32(at) + 1
		return
	}
	r.mem.filed.set(filedAs(k.kind, k.node, k.sub), at)
}

// has reports whether something is filed under a key.
func (r *recorder) has(k fileKey) bool {
	if r.own(k) {
		return r.mem.own[k.node] > 0
	}
	_, seen := r.mem.filed.get(filedAs(k.kind, k.node, k.sub))
	return seen
}

func (r *recorder) op(n syntax.Expr, op syntax.Op, x, y, res *Value, fr *frame) {
	k := fileKey{opFact, n.ID(), 0}
	if x.IsUnknown() && (y == nil || y.IsUnknown()) {
		if !r.has(k) {
			return // nothing to say of it
		}
	}
	if p := find(r, r.f.Ops, k); p != nil {
		o := *p
		o.X, o.Result = r.mem.join(o.X, x), r.mem.join(o.Result, res)
		if y != nil {
			o.Y = r.mem.join(o.Y, y)
		}
		return
	}
	r.f.Ops = append(r.f.Ops, r.mem.ops.Put(Op{Node: n, Op: op, X: x, Y: y, Result: res, Func: fr.fn, Ctx: fr.ctx}))
}

func (r *recorder) cond(n syntax.Expr, v *Value, role CondRole) {
	if p := find(r, r.f.Conds, fileKey{condFact, n.ID(), int(role)}); p != nil {
		(*p).Value = r.mem.join((*p).Value, v)
		return
	}
	r.f.Conds = append(r.f.Conds, r.mem.conds.Put(Cond{Node: n, Value: v, Role: role}))
}

func (r *recorder) access(a Access) {
	write := 0
	if a.Write {
		write = 1
	}
	if p := find(r, r.f.Accesses, fileKey{accessFact, a.Node.ID(), write}); p != nil {
		old := *p
		old.X, old.Key, old.Value = r.mem.join(old.X, a.X), r.mem.join(old.Key, a.Key), r.mem.join(old.Value, a.Value)
		return
	}
	r.f.Accesses = append(r.f.Accesses, r.mem.accesses.Put(a))
}

// call files a call; the two parts of a point (before and after a first write) are one record.
func (r *recorder) call(c *Call, ctx int) {
	k := fileKey{callFact, c.Node.ID(), ctx}
	p := find(r, r.f.Calls, k)
	if p == nil || (*p).Name != c.Name || len((*p).Args) != len(c.Args) && (*p).ArgsMany == c.ArgsMany {
		r.file(k, len(r.f.Calls))
		r.f.Calls = append(r.f.Calls, c)
		return
	}
	old := *p
	if c.ArgsMany && !old.ArgsMany {
		*p = c // in one part a loop has not filled the table yet: of the call only the filled one tells
		old, c = c, old
	}
	for i := 0; i < min(len(old.Args), len(c.Args)); i++ {
		old.Args[i].Value = r.mem.join(old.Args[i].Value, c.Args[i].Value)
	}
	old.Result = r.mem.join(old.Result, c.Result)
	if c.Random == nil {
		old.Random = nil
	}
	if c.Conflict == nil {
		old.Conflict = nil
	}
	old.Mixed = old.Mixed || c.Mixed || (len(old.Before) == 0) != (len(c.Before) == 0)
	old.Before = r.mem.union(old.Before, c.Before)
	old.Fails = append(old.Fails, c.Fails...)
}

func (r *recorder) lib(l *LibCall) {
	k := fileKey{libFact, l.Node.ID(), r.number(l.Name)}
	p := find(r, r.f.Libs, k)
	if p == nil || len((*p).Args) != len(l.Args) {
		r.file(k, len(r.f.Libs))
		r.f.Libs = append(r.f.Libs, l)
		return
	}
	old := *p
	for i := range old.Args {
		old.Args[i].Value = r.mem.join(old.Args[i].Value, l.Args[i].Value)
	}
	old.Result, old.Unpacked = r.mem.join(old.Result, l.Result), r.mem.join(old.Unpacked, l.Unpacked)
	old.Lists = joinListed(old.Lists, l.Lists)
	old.Nowhere = old.Nowhere && l.Nowhere
	old.Mixed = old.Mixed || l.Mixed || (len(old.Writes) == 0) != (len(l.Writes) == 0)
	old.Writes = r.mem.union(old.Writes, l.Writes)
}

// number tells the host functions of a script apart.
func (r *recorder) number(name string) int {
	i := slices.Index(r.names, name)
	if i < 0 {
		i = len(r.names)
		r.names = append(r.names, name)
	}
	return i
}

func (r *recorder) failure(f *Failure, ctx int) {
	k := failKey{f.At, f.Class, ctx}
	old, seen := r.fails.get(k)
	if !seen {
		r.fails.add(nil, k, f)
		r.f.Failures = append(r.f.Failures, f)
		return
	}
	old.Sure = old.Sure && f.Sure
	old.Weak = old.Weak && f.Weak
	if old.Value != nil && f.Value != nil {
		old.Value = r.mem.join(old.Value, f.Value)
	}
	if len(old.Writes) == 0 {
		old.spot = f.spot
	}
	old.Writes = r.mem.union(old.Writes, f.Writes)
}

// unsure takes back what is sure in one state of a place and does not happen in another: states are evaluated apart.
func (r *recorder) unsure() {
	take := func(f *Failure) {
		if f.owner == nil {
			return
		}
		if r.wentOn(f.owner, f.ctx) {
			f.Sure = false
		}
	}
	for _, f := range r.f.Failures {
		take(f)
	}
	for _, c := range r.f.Calls {
		for _, f := range c.Fails {
			take(f)
		}
	}
}

func (r *recorder) global(g Global) {
	if find(r, r.f.Globals, fileKey{globalFact, g.Node.ID(), 0}) == nil {
		r.f.Globals = append(r.f.Globals, r.mem.globals.Put(g))
	}
}

func (r *recorder) loop(l *Loop) {
	if p := find(r, r.f.Loops, fileKey{loopFact, l.Node.ID(), 0}); p != nil {
		old := *p
		old.Endless = old.Endless || l.Endless
		if l.Endless && len(old.Writes) == 0 {
			old.Writes = l.Writes
		}
		return
	}
	r.f.Loops = append(r.f.Loops, l)
}

// returns files one reply of the script.
func (r *recorder) returns(n *syntax.Return, vals []Arg, st *state, fr *frame) {
	shapes := r.mem.shapeLists.List(len(vals))
	for i, a := range vals {
		shapes[i] = shape(st, a.Value, 0)
	}
	k := returnKey(n, fr.fn)
	p := find(r, r.f.Returns, k)
	if p == nil || len((*p).Values) != len(vals) {
		r.file(k, len(r.f.Returns))
		r.f.Returns = append(r.f.Returns, r.mem.returns.Put(Return{Node: n, Values: r.mem.args.Copy(vals), Writes: st.writes, Mixed: st.mixed, Func: fr.fn,
			Objects: shapes, Resp3: st.resp3}))
		return
	}
	old := *p
	old.Mixed = old.Mixed || st.mixed || (len(old.Writes) == 0) != (len(st.writes) == 0)
	old.Writes = r.mem.union(old.Writes, st.writes)
	for i := range vals {
		old.Values[i].Value = r.mem.join(old.Values[i].Value, vals[i].Value)
		if old.Objects[i] == nil || shapes[i] == nil || !old.Objects[i].same(shapes[i]) {
			old.Objects[i] = r.mem.joinShapes(old.Objects[i], shapes[i])
		}
	}
}

// returnKey is the key of a return, or of the end of a function without one.
func returnKey(n *syntax.Return, fn *syntax.Function) fileKey {
	switch {
	case n != nil:
		return fileKey{returnFact, n.ID(), 0}
	case fn != nil:
		return fileKey{endFact, fn.ID(), 0}
	}
	return fileKey{endFact, 0, 0}
}

const maxShape = 3

func shape(st *state, v *Value, deep int) *TableShape {
	if v.Obj == nil || deep > maxShape {
		return nil
	}
	o := st.objs.get(v.Obj.ID)
	if o == nil || o.lost {
		return nil
	}
	s := &TableShape{At: v.Obj.At, Exact: o.exact, List: o.list, Elem: o.elem, Open: o.open, Holes: o.holes, Names: o.fieldNames()}
	for _, n := range s.Names {
		s.Fields = append(s.Fields, o.fields[n])
	}
	for _, e := range o.list {
		s.Nested = append(s.Nested, shape(st, e, deep+1))
	}
	return s
}

func (s *TableShape) same(t *TableShape) bool {
	if s.At != t.At || s.Exact != t.Exact || len(s.List) != len(t.List) || s.Holes != t.Holes || len(s.Names) != len(t.Names) {
		return false
	}
	for i := range s.List {
		if !equal(s.List[i], t.List[i]) {
			return false
		}
	}
	return true
}

// joinShapes keeps what two paths agree on.
func (m *Scratch) joinShapes(s, t *TableShape) *TableShape {
	if s == nil || t == nil || s.At != t.At {
		return nil
	}
	j := &TableShape{At: s.At, Open: s.Open || t.Open, Holes: s.Holes || t.Holes}
	if s.Exact && t.Exact && len(s.List) == len(t.List) {
		j.Exact = true
		for i := range s.List {
			j.List = append(j.List, m.join(s.List[i], t.List[i]))
			j.Nested = append(j.Nested, nil)
		}
	}
	if len(s.Names) == len(t.Names) {
		j.Names, j.Fields = s.Names, s.Fields
	} else {
		j.Open = true
	}
	return j
}

// useKey is the key of a use; false where its numbers are too large for one.
func useKey(keys bool, u *Use) (nodeKey, bool) {
	sub := u.At.Len()<<13 | u.Index<<1
	if keys {
		sub |= 1
	}
	return keyOf(syntax.NodeID(u.At.Start), sub), u.Index < elementsKept && u.At.Len() < 1<<19
}

// use files one use of an element of KEYS or ARGV.
func (r *recorder) use(keys bool, u Use) {
	list := &r.f.ArgUses
	if keys {
		list = &r.f.KeyUses
	}
	k, fits := useKey(keys, &u)
	if !fits { // an index or an expression so long that nobody writes it: each use counts by itself
		*list = append(*list, u)
		return
	}
	if i, seen := r.mem.uses.get(k); seen {
		(*list)[i].Guarded = (*list)[i].Guarded && u.Guarded
		return
	}
	r.mem.uses.set(k, len(*list))
	*list = append(*list, u)
}
