package value

import (
	"github.com/redislint/redislint/luacheck/syntax"
)

// recorder files facts. Operations, conditions and accesses are kept once a node, their values joined over all contexts; calls and failures
// once a context.
type recorder struct {
	f        *Facts
	ops      map[syntax.Expr]*Op
	conds    map[condKey]*Cond
	accesses map[accessKey]*Access
	calls    map[contextKey]*Call
	libs     map[libKey]*LibCall
	fails    map[failKey]*Failure
	globals  map[*syntax.Name]*Global
	rets     map[retKey]*Return
	loops    map[syntax.Stmt]*Loop
	uses     map[useKey]int
	passed   map[ownerKey]bool // operations that were checked and went on
}

type ownerKey struct {
	node syntax.Node
	ctx  string
}

type condKey struct {
	node syntax.Expr
	role CondRole
}

type accessKey struct {
	node  *syntax.Index
	write bool
}

type contextKey struct {
	node *syntax.Call
	ctx  string
}

type libKey struct {
	node *syntax.Call
	name string
}

type failKey struct {
	at    syntax.Span
	class FailClass
	ctx   string
}

type retKey struct {
	node *syntax.Return
	fn   *syntax.Function
}

type useKey struct {
	keys  bool
	at    syntax.Span
	index int
}

func newRecorder(f *Facts) *recorder {
	return &recorder{f: f, ops: map[syntax.Expr]*Op{}, conds: map[condKey]*Cond{}, accesses: map[accessKey]*Access{},
		calls: map[contextKey]*Call{}, libs: map[libKey]*LibCall{}, fails: map[failKey]*Failure{}, globals: map[*syntax.Name]*Global{},
		rets: map[retKey]*Return{}, loops: map[syntax.Stmt]*Loop{}, uses: map[useKey]int{}, passed: map[ownerKey]bool{}}
}

func (r *recorder) op(n syntax.Expr, op syntax.Op, x, y, res *Value, fr *frame) {
	if x.IsUnknown() && (y == nil || y.IsUnknown()) {
		if _, seen := r.ops[n]; !seen {
			return // nothing to say of it
		}
	}
	if o := r.ops[n]; o != nil {
		o.X, o.Result = join(o.X, x), join(o.Result, res)
		if y != nil {
			o.Y = join(o.Y, y)
		}
		return
	}
	o := &Op{Node: n, Op: op, X: x, Y: y, Result: res, Func: fr.fn, Ctx: fr.ctx}
	r.ops[n] = o
	r.f.Ops = append(r.f.Ops, o)
}

func (r *recorder) cond(n syntax.Expr, v *Value, role CondRole) {
	k := condKey{n, role}
	if c := r.conds[k]; c != nil {
		c.Value = join(c.Value, v)
		return
	}
	c := &Cond{Node: n, Value: v, Role: role}
	r.conds[k] = c
	r.f.Conds = append(r.f.Conds, c)
}

func (r *recorder) access(a *Access) {
	k := accessKey{a.Node, a.Write}
	if old := r.accesses[k]; old != nil {
		old.X, old.Key, old.Value = join(old.X, a.X), join(old.Key, a.Key), join(old.Value, a.Value)
		return
	}
	r.accesses[k] = a
	r.f.Accesses = append(r.f.Accesses, a)
}

// call files a call; the two parts of a point (before and after a first write) are one record.
func (r *recorder) call(c *Call, ctx string) {
	k := contextKey{c.Node, ctx}
	old := r.calls[k]
	if old == nil || old.Name != c.Name || len(old.Args) != len(c.Args) && old.ArgsMany == c.ArgsMany {
		r.calls[k] = c
		r.f.Calls = append(r.f.Calls, c)
		return
	}
	if c.ArgsMany && !old.ArgsMany {
		r.replace(old, c) // in one part a loop has not filled the table yet: of the call only the filled one tells
		r.calls[k] = c
		old, c = c, old
	}
	for i := 0; i < min(len(old.Args), len(c.Args)); i++ {
		old.Args[i].Value = join(old.Args[i].Value, c.Args[i].Value)
	}
	old.Result = join(old.Result, c.Result)
	if c.Random == nil {
		old.Random = nil
	}
	if c.Conflict == nil {
		old.Conflict = nil
	}
	old.Mixed = old.Mixed || c.Mixed || (len(old.Before) == 0) != (len(c.Before) == 0)
	old.Before = union(old.Before, c.Before)
	old.Fails = append(old.Fails, c.Fails...)
}

// replace puts a record in the place of another.
func (r *recorder) replace(old, c *Call) {
	for i, x := range r.f.Calls {
		if x == old {
			r.f.Calls[i] = c
		}
	}
}

func (r *recorder) lib(l *LibCall) {
	k := libKey{l.Node, l.Name}
	old := r.libs[k]
	if old == nil || len(old.Args) != len(l.Args) {
		r.libs[k] = l
		r.f.Libs = append(r.f.Libs, l)
		return
	}
	for i := range old.Args {
		old.Args[i].Value = join(old.Args[i].Value, l.Args[i].Value)
	}
	old.Result, old.Unpacked = join(old.Result, l.Result), join(old.Unpacked, l.Unpacked)
	old.Lists = joinListed(old.Lists, l.Lists)
	old.Nowhere = old.Nowhere && l.Nowhere
	old.Mixed = old.Mixed || l.Mixed || (len(old.Writes) == 0) != (len(l.Writes) == 0)
	old.Writes = union(old.Writes, l.Writes)
}

func (r *recorder) failure(f *Failure, ctx string) {
	k := failKey{f.At, f.Class, ctx}
	old := r.fails[k]
	if old == nil {
		r.fails[k] = f
		r.f.Failures = append(r.f.Failures, f)
		return
	}
	old.Sure = old.Sure && f.Sure
	old.Weak = old.Weak && f.Weak
	if old.Value != nil && f.Value != nil {
		old.Value = join(old.Value, f.Value)
	}
	if len(old.Writes) == 0 {
		old.direct, old.decided = f.direct, f.decided
	}
	old.Writes = union(old.Writes, f.Writes)
}

// unsure takes back what is sure in one state of a place and does not happen in another: states are evaluated apart.
func (r *recorder) unsure() {
	take := func(f *Failure) {
		if f.owner != nil && r.passed[ownerKey{f.owner, f.ctx}] {
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

func (r *recorder) global(g *Global) {
	if r.globals[g.Node] == nil {
		r.globals[g.Node] = g
		r.f.Globals = append(r.f.Globals, g)
	}
}

func (r *recorder) loop(l *Loop) {
	if old := r.loops[l.Node]; old != nil {
		old.Endless = old.Endless || l.Endless
		if l.Endless && len(old.Writes) == 0 {
			old.Writes = l.Writes
		}
		return
	}
	r.loops[l.Node] = l
	r.f.Loops = append(r.f.Loops, l)
}

// returns files one reply of the script.
func (r *recorder) returns(n *syntax.Return, vals []Arg, st *state, fr *frame) {
	k := retKey{n, fr.fn}
	shapes := make([]*TableShape, len(vals))
	for i, a := range vals {
		shapes[i] = shape(st, a.Value, 0)
	}
	old := r.rets[k]
	if old == nil || len(old.Values) != len(vals) {
		ret := &Return{Node: n, Values: append([]Arg(nil), vals...), Writes: st.writes, Mixed: st.mixed, Func: fr.fn, Objects: shapes,
			Resp3: st.resp3}
		r.rets[k] = ret
		r.f.Returns = append(r.f.Returns, ret)
		return
	}
	old.Mixed = old.Mixed || st.mixed || (len(old.Writes) == 0) != (len(st.writes) == 0)
	old.Writes = union(old.Writes, st.writes)
	for i := range vals {
		old.Values[i].Value = join(old.Values[i].Value, vals[i].Value)
		if old.Objects[i] == nil || shapes[i] == nil || !old.Objects[i].same(shapes[i]) {
			old.Objects[i] = joinShapes(old.Objects[i], shapes[i])
		}
	}
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
func joinShapes(s, t *TableShape) *TableShape {
	if s == nil || t == nil || s.At != t.At {
		return nil
	}
	j := &TableShape{At: s.At, Open: s.Open || t.Open, Holes: s.Holes || t.Holes}
	if s.Exact && t.Exact && len(s.List) == len(t.List) {
		j.Exact = true
		for i := range s.List {
			j.List = append(j.List, join(s.List[i], t.List[i]))
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

// use files one use of an element of KEYS or ARGV.
func (r *recorder) use(keys bool, u Use) {
	list := &r.f.ArgUses
	if keys {
		list = &r.f.KeyUses
	}
	k := useKey{keys, u.At, u.Index}
	if i, seen := r.uses[k]; seen {
		(*list)[i].Guarded = (*list)[i].Guarded && u.Guarded
		return
	}
	r.uses[k] = len(*list)
	*list = append(*list, u)
}
