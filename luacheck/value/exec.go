package value

import (
	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
)

// step evaluates one step; the states behind it go to to, none where control does not get past it.
func (ip *interp) step(s flow.Step, st *state, to *parts) {
	switch s.Kind {
	case flow.Exec:
		ip.exec(s.Node, st, to)
		return
	case flow.Cond:
		ip.condStep(s.Node.(syntax.Expr), st, to)
		return
	case flow.NumInit:
		ip.numInit(s.Node.(*syntax.NumFor), st)
	case flow.NumBind:
		ip.numBind(s.Node.(*syntax.NumFor), st)
	case flow.GenInit:
		ip.genInit(s.Node.(*syntax.GenFor), st)
	case flow.GenBind:
		ip.genBind(s.Node.(*syntax.GenFor), st)
	case flow.Return:
		ip.returnStep(s.Node.(*syntax.Return), st)
		return
	case flow.Leave:
		ip.dropLocals(st, s.Node.Bounds())
	case flow.End:
		ip.leave(st, nil, nil)
		return
	}
	ip.add(to, st)
}

// dropLocals forgets the locals declared inside a span, once they are out of sight. Those that a closure holds on to stay.
func (ip *interp) dropLocals(st *state, s syntax.Span) {
	for _, l := range ip.in.Scope.Within(s) {
		if !l.Captured {
			st.locals.del(l.Index)
		}
	}
}

func (ip *interp) exec(n syntax.Node, st *state, to *parts) {
	switch n := n.(type) {
	case *syntax.Local:
		ip.execLocal(n, st, to)
		return
	case *syntax.Assign:
		ip.execAssign(n, st, to)
		return
	case *syntax.CallStmt:
		for _, o := range ip.callOutcomes(n.Call, st, true) {
			ip.add(to, o.st)
		}
		return
	case *syntax.LocalFunc:
		v := ip.function(n.Func)
		ip.bind(st, n.Name, v)
	case *syntax.FuncStmt:
		ip.assignTo(n.Target, ip.function(n.Func), st, true)
	}
	ip.add(to, st)
}

// execLocal binds names. Where the only value is a call of a script function, each way in which it ends is bound apart.
func (ip *interp) execLocal(n *syntax.Local, st *state, to *parts) {
	for _, o := range ip.listOutcomes(n.Exprs, st) {
		for i, name := range n.Names {
			v := pick(o.vals, i)
			ip.bind(o.st, name, v)
			if i < len(n.Exprs) {
				ip.flag(name, n.Exprs[i], v)
				ip.check(o.st, name, n.Exprs[i])
				ip.depend(o.st, name, v)
			}
		}
		ip.add(to, o.st)
	}
}

// pick is the i-th of some values, nil behind the last.
func pick(vals []Arg, i int) *Value {
	if n := len(vals); n > 0 && vals[n-1].Many && i >= n-1 {
		v := vals[n-1].Value
		if v.IsUnknown() {
			return v
		}
		c := *v
		c.Kinds |= Nil
		c.Weak |= Nil
		c.Const = false
		return &c
	}
	if i < len(vals) {
		return vals[i].Value
	}
	return nilValue
}

// depend notes that a local's value was computed from a place, so that a later test of the place narrows the local too.
func (ip *interp) depend(st *state, name *syntax.Name, v *Value) {
	if v.Of == nil || v.Of.How != "tonumber" {
		return
	}
	if l := ip.in.Scope.Ref(name); l != nil {
		st.deps = ip.mem.deps.Put(dep{on: v.Of.Place, by: l, next: st.deps})
	}
}

// bind gives a local a value of its own.
func (ip *interp) bind(st *state, name *syntax.Name, v *Value) {
	l := ip.in.Scope.Ref(name)
	if l == nil {
		return
	}
	st.give(l, ip.stamped(v))
	if len(l.Writes) == 0 && ip.frame.record {
		ip.stable[l.Index] = ip.mem.join(ip.stable[l.Index], v)
		ip.fresh = append(ip.fresh, l)
	}
}

// stamped is v with a stamp that tells this evaluation from others, where it has none.
func (ip *interp) stamped(v *Value) *Value {
	if v.gen != 0 || v.Const || v.Fn != nil || v.Builtin() != "" {
		return v
	}
	c := ip.copyOf(v)
	c.gen = ip.gen()
	return c
}

func (ip *interp) execAssign(n *syntax.Assign, st *state, to *parts) {
	for _, o := range ip.listOutcomes(n.Exprs, st) {
		for i, t := range n.Targets {
			v := pick(o.vals, i)
			ip.assignTo(t, v, o.st, false)
			if i >= len(n.Exprs) {
				continue
			}
			switch t := t.(type) {
			case *syntax.Name:
				ip.flag(t, n.Exprs[i], v)
				ip.check(o.st, t, n.Exprs[i])
				ip.depend(o.st, t, v)
			case *syntax.Index:
				ip.flagField(t, n.Exprs[i], v)
			}
		}
		ip.add(to, o.st)
	}
}

// assignTo writes a value to a name or an element.
func (ip *interp) assignTo(t syntax.Expr, v *Value, st *state, _ bool) {
	switch t := t.(type) {
	case *syntax.Name:
		l := ip.in.Scope.Ref(t)
		if l == nil {
			ip.globalWrite(t, st)
			return
		}
		ip.forget(st, l)
		st.give(l, ip.stamped(v))
	case *syntax.Index:
		ip.setIndex(t, v, st)
	}
}

// forget drops what was known through a local that gets another value.
func (ip *interp) forget(st *state, l *scope.Local) {
	var kept *dep
	for d := st.deps; d != nil; d = d.next {
		if d.by != l && d.on.Local != l {
			kept = ip.mem.deps.Put(dep{on: d.on, by: d.by, next: kept})
		}
	}
	st.deps = kept
}

func (ip *interp) globalWrite(n *syntax.Name, st *state) {
	fr := ip.frame
	if fr.record {
		ip.rec.global(Global{Node: n, Write: true, Ctx: fr.ctx, Func: fr.fn})
	}
	ip.made = append(ip.made, n.Text)
	ip.noteGlobal(st, ip.mem.fails.Put(Failure{At: n.Span, Class: FailReadOnly, Sure: true, Why: "Attempt to modify a readonly table"}))
}

func (ip *interp) condStep(e syntax.Expr, st *state, to *parts) {
	st.release(condGuard)
	for _, o := range ip.outcomes(e, st) {
		v := pick(o.vals, 0)
		if ip.frame.record {
			ip.rec.cond(e, v, CondBranch)
		}
		o.st.cond = v
		ip.add(to, o.st)
	}
}

// returnStep ends the function.
func (ip *interp) returnStep(n *syntax.Return, st *state) {
	for _, o := range ip.listOutcomes(n.Exprs, st) {
		if !o.st.dead {
			ip.leave(o.st, o.vals, n)
		}
	}
}

// leave notes one way in which the function ends.
func (ip *interp) leave(st *state, vals []Arg, n *syntax.Return) {
	fr := ip.frame
	fr.returns = ip.mem.outs.Append(fr.returns, outcome{st, vals})
	if fr.record && fr.root {
		ip.rec.returns(n, vals, st, fr)
		if len(vals) > 0 {
			ip.errorReturn(st, vals[0], n)
		}
	}
}

// errorReturn: a reply that is an error reply ends the script as an error does.
func (ip *interp) errorReturn(st *state, a Arg, n *syntax.Return) {
	if a.Value.Kinds&Error == 0 || a.Value.IsUnknown() {
		return
	}
	if a.Value.From != nil && a.Value.From.Kind == FromReply {
		return // the reply of a pcall handed through: its error is the command's own
	}
	sure := a.Value.Only(Error)
	ip.note(st, ip.mem.fails.Put(Failure{At: a.At, Class: FailReply, Sure: sure, Value: a.Value, Why: "an error reply", Node: first(n.Exprs)}))
}

// numInit evaluates the bounds of a numeric loop.
func (ip *interp) numInit(n *syntax.NumFor, st *state) {
	for i, e := range []syntax.Expr{n.From, n.To, n.Step} {
		if e == nil {
			continue
		}
		v := ip.eval(e, st)
		why := [...]string{"'for' initial value must be a number", "'for' limit must be a number", "'for' step must be a number"}[i]
		ip.watch(e, st, func() { ip.operand(st, e, v, Number|String, FailFor, why) })
		ip.keep(st, e, v)
	}
	from, to := ip.cached(st, n.From), ip.cached(st, n.To)
	ip.frameLoop(n, to, ip.wholeTable(n, from, to, st), st)
	if n.Step != nil {
		step := ip.cached(st, n.Step)
		l, _ := ip.frame.loops.get(n)
		l.Stands = step.Const && step.Kinds == Number && step.Num == 0
	}
	lo, hi := from.Lo, to.Hi
	if n.Step != nil {
		if s := ip.cached(st, n.Step); s.Const && s.Num < 0 {
			lo, hi = to.Lo, from.Hi
		} else if !s.Const {
			lo, hi = -inf, inf
		}
	}
	frac := FracUnknown
	if from.Frac == Whole && (n.Step == nil || ip.cached(st, n.Step).Frac == Whole) {
		frac = Whole
	}
	v := ip.mem.number(lo, hi, frac, ip.mem.words.Put(Origin{Kind: FromNumber, At: n.Name.Span}))
	if v.Const && lo == hi && from.Const && to.Const {
		v = ip.mem.numberValue(lo)
	}
	l := ip.in.Scope.Ref(n.Name)
	ip.mem.loopVar(ip.frame, l, v)
	ip.listLoop(n, from, to, st)
	if n.Step != nil && l != nil {
		if ip.frame.strides == nil {
			ip.frame.strides = map[*scope.Local]bool{}
		}
		ip.frame.strides[l] = true
	}
}

// maxStride is the longest step that still visits a table, as one of pairs or triples is visited; a longer one goes in chunks.
const maxStride = 4

// wholeTable is the table that a numeric loop goes through from its start to its length or back, nil where it does not.
func (ip *interp) wholeTable(n *syntax.NumFor, from, to *Value, st *state) *Value {
	step := 1.0
	if n.Step != nil {
		s := ip.cached(st, n.Step)
		if !s.Const || s.Kinds != Number {
			return nil
		}
		step = s.Num
	}
	if step < 0 {
		from, to, step = to, from, -step
	}
	if !from.Const || from.Num < 1 || from.Num > maxStride || step < 1 || step > maxStride || to.Of == nil || to.Of.How != "len" {
		return nil
	}
	if t := ip.placeValue(st, to.Of.Place); t.gen == to.Of.gen && t.gen != 0 {
		return t
	}
	return nil
}

// cached is a value that the present step has evaluated already.
func (ip *interp) cached(st *state, e syntax.Expr) *Value {
	for c := st.calls; c != nil; c = c.next {
		if c.node == any(e) {
			return c.v
		}
	}
	return anyValue
}

// numBind: the loop's variable is anything within the bounds, at each turn.
func (ip *interp) numBind(n *syntax.NumFor, st *state) { ip.loopBind(n.Name, st) }

// loopBind binds a loop's variable anew. What the body does to the variable does not outlive a turn, so its value is kept on the frame.
func (ip *interp) loopBind(name *syntax.Name, st *state) {
	l := ip.in.Scope.Ref(name)
	if l == nil {
		return
	}
	ip.forget(st, l)
	v := anyValue
	if p, bound := ip.frame.loopVals.get(l); bound {
		v = *p
	}
	if !v.Const {
		v = ip.copyOf(v)
		v.gen = ip.gen()
	}
	st.give(l, v)
}

// loopVar keeps what a loop binds its variable to.
func (m *Scratch) loopVar(fr *frame, l *scope.Local, v *Value) {
	if l == nil {
		return
	}
	if old, bound := fr.loopVals.get(l); bound {
		*old = m.widen(*old, v)
		return
	}
	fr.loopVals.add(&m.loopVals, l, m.valLists.Put(v))
}

// frameLoop notes what a loop runs over.
func (ip *interp) frameLoop(n syntax.Stmt, over, all *Value, st *state) {
	fr := ip.frame
	if l, known := fr.loops.get(n); known {
		l.Over = ip.mem.join(l.Over, over)
		if l.Filled == nil {
			l.Filled = ip.filled(st, all)
		}
		if all == nil || l.All == nil {
			l.All = nil
		} else {
			l.All = ip.mem.join(l.All, all)
		}
		if fr.record {
			ip.rec.loop(l) // in a graph with a back edge the first pass does not record
		}
		return
	}
	l := ip.addLoop(fr, ip.mem.loops.Put(Loop{Node: n, Over: over, All: all, Filled: ip.filled(st, all), Writes: st.writes, Outer: ip.loopAround()}))
	l.Counted, l.Leaves = ip.counted(n)
	if fr.record {
		ip.rec.loop(l)
	}
}

// filled is what a table that the script made was filled from in a loop; nil where it was not.
func (ip *interp) filled(st *state, all *Value) *Value {
	if all == nil {
		return nil
	}
	if o := ip.object(st, all); o != nil && !o.lost {
		return o.grows
	}
	return nil
}

// genInit evaluates the expressions of a generic loop. The values it will bind are kept on the loop's variables.
func (ip *interp) genInit(n *syntax.GenFor, st *state) {
	key, val, over := anyValue, anyValue, anyValue
	call, ok := unparen(first(n.Exprs)).(*syntax.Call)
	switch {
	case ok && call.Method == nil && len(call.Args) > 0 && len(n.Exprs) == 1:
		fn := ip.eval(call.Fn, st)
		if fn.Builtin() == "ipairs" || fn.Builtin() == "pairs" {
			over = ip.eval(call.Args[0], st)
			ip.watch(call, st, func() {
				if over.Kinds&^Tables != 0 {
					ip.operand(st, call.Args[0], over, Tables, FailArgument, "bad argument #1 to '"+fn.Builtin()+"' (table expected)")
				}
			})
			ip.useElements(over, call.Args[0].Bounds())
			ip.frame.walk(n, fn.Builtin(), over)
			key, val = ip.iterate(st, fn.Builtin(), over)
			break
		}
		fallthrough
	default:
		vals := ip.list(n.Exprs, st)
		if len(vals) >= 2 && vals[0].Value.Builtin() == "next" {
			over = vals[1].Value
			ip.frame.walk(n, "pairs", over)
			key, val = ip.iterate(st, "pairs", over)
		} else if len(vals) > 0 {
			ip.operand(st, first(n.Exprs), vals[0].Value, Function|Tables, FailCall, "attempt to call a non-function value")
			if vals[0].Value.Builtin() == "string.gmatch" {
				key, val = ip.mem.text(vals[0].Value.From), ip.orNil(ip.mem.text(vals[0].Value.From))
			}
			if vals[0].Value.Fn != nil {
				ip.escape(st, vals[0].Value)
			}
		}
	}
	ip.frameLoop(n, over, over, st)
	ip.loopVars(n, key, val)
}

// loopVars keeps what a generic loop binds its first two variables to; nothing is known of others.
func (ip *interp) loopVars(n *syntax.GenFor, key, val *Value) {
	for i, name := range n.Names {
		v := anyValue
		switch i {
		case 0:
			v = key
		case 1:
			v = val
		}
		ip.mem.loopVar(ip.frame, ip.in.Scope.Ref(name), v)
	}
}

// walk is how a generic loop goes through a table of the script: by ipairs or pairs.
type walk struct {
	how  string
	over *Value
}

// walk notes that a loop goes through a table of the script: its body may put more into it.
func (fr *frame) walk(n *syntax.GenFor, how string, over *Value) {
	if over.Obj == nil {
		delete(fr.walks, n)
		return
	}
	if fr.walks == nil {
		fr.walks = map[*syntax.GenFor]walk{}
	}
	fr.walks[n] = walk{how, over}
}

// iterate gives what ipairs or pairs over a table binds.
func (ip *interp) iterate(st *state, how string, over *Value) (key, val *Value) {
	key = ip.mem.number(1, inf, Whole, madeNumber)
	if how == "pairs" {
		key = anyValue
	}
	val = ip.elementOf(st, over, 0)
	if how == "ipairs" || val.From != nil {
		val = ip.with(val, Any&^Nil)
		if val == nil {
			val = anyValue
		}
	}
	if how == "pairs" {
		key = ip.keyOf(st, over)
		if o := ip.object(st, over); o != nil && len(o.fields) > 0 {
			val = ip.anyIn(st, over)
			if w := ip.with(val, Any&^Nil); w != nil {
				val = w
			}
		}
	}
	return key, val
}

// anyIn is what any element or field of a table may be.
func (ip *interp) anyIn(st *state, v *Value) *Value {
	val := ip.elementOf(st, v, 0)
	if o := ip.object(st, v); o != nil {
		for _, name := range o.fieldNames() {
			val = ip.mem.join(val, o.fields[name])
		}
	}
	return val
}

// keyOf is what pairs gives for keys.
func (ip *interp) keyOf(st *state, over *Value) *Value {
	o := ip.object(st, over)
	switch {
	case o != nil && !o.open && !o.lost && len(o.fields) == 0,
		o == nil && (over.Reply != nil || isList(over)):
		return ip.mem.number(1, inf, Whole, madeNumber)
	case o != nil && !o.open && !o.lost && o.atLeast() == 0 && o.element() == nil:
		return ip.mem.text(nil)
	}
	c := ip.copyOf(anyValue)
	c.From = over.From
	return c
}

func isList(v *Value) bool {
	return v.From != nil && (v.From.Kind == FromKeysList || v.From.Kind == FromArgvList) && v.Kinds == Table
}

// genBind binds the loop's variables anew at each turn.
func (ip *interp) genBind(n *syntax.GenFor, st *state) {
	if w, ok := ip.frame.walks[n]; ok {
		key, val := ip.iterate(st, w.how, w.over)
		ip.loopVars(n, key, val)
	}
	for _, name := range n.Names {
		ip.loopBind(name, st)
	}
}

func first(list []syntax.Expr) syntax.Expr {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}
