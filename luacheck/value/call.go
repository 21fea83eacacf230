package value

import (
	"reflect"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// callOutcomes evaluates a call into the ways in which it may end.
func (ip *interp) callOutcomes(x *syntax.Call, st *state, unused bool) []outcome {
	if st.dead || ip.spent() {
		return nil
	}
	fn, args, method := ip.callee(x, st)
	if st.dead {
		return nil
	}
	return ip.apply(x, fn, args, method, st, unused)
}

// callee evaluates the function and the arguments. A method call puts the receiver first.
func (ip *interp) callee(x *syntax.Call, st *state) (fn *Value, args []Arg, method bool) {
	fn = ip.eval(x.Fn, st)
	if x.Method != nil {
		recv := fn
		ip.watch(x.Method, st, func() { ip.operand(st, x.Fn, recv, Tables|String|Userdata, FailIndex, "attempt to index a %s value") })
		fn = ip.read(st, recv, ip.mem.textValue(x.Method.Text, x.Method.Span), x.Method.Span)
		if recv.Kinds&String != 0 && fn.IsUnknown() {
			fn = ip.mem.builtinValue("string." + x.Method.Text)
		}
		args = []Arg{ip.arg(x.Fn, recv)}
		method = true
	}
	return fn, ip.listBehind(args, x.Args, st), method
}

// apply calls a value.
func (ip *interp) apply(x *syntax.Call, fn *Value, args []Arg, method bool, st *state, unused bool) []outcome {
	if st.dead {
		return nil
	}
	if fn.Fn != nil || fn.Builtin() != "" {
		ip.watch(x.Fn, st, func() {})
	}
	var outs []outcome
	switch {
	case fn.Builtin() == "redis.call" || fn.Builtin() == "redis.pcall":
		v := ip.redisCall(x, fn.Builtin() == "redis.pcall", args, st, unused)
		outs = ip.ends(st, ip.args1(ip.arg(x, v)))
	case fn.Fn != nil && fn.Only(Function):
		outs = ip.inline(x, fn.Fn, args, st)
	case fn.Builtin() != "":
		outs = ip.hostCall(x, fn, args, method, st, unused)
	default:
		ip.watch(x.Fn, st, func() { ip.notCallable(x, fn, st) })
		ip.unknownCall(st, args)
		c := ip.copyOf(anyValue)
		if fn.From != nil && fn.From.Kind == FromDecoded {
			c.From = fn.From
		}
		outs = ip.ends(st, ip.unknownResults(x, c))
	}
	for i := range outs {
		if !outs[i].st.dead {
			ip.keep(outs[i].st, x, pick(outs[i].vals, 0))
		}
	}
	return outs
}

// notCallable: a field of a host library that no server has reads as nil, and calling it fails.
func (ip *interp) notCallable(x *syntax.Call, fn *Value, st *state) {
	ip.operand(st, x.Fn, fn, Function|Tables, FailCall, "attempt to call a %s value")
}

// unknownResults is what code that is not known gives: first, and then any number of values.
func (ip *interp) unknownResults(x *syntax.Call, first *Value) []Arg {
	l := ip.mem.args.List(2)
	l[0], l[1] = Arg{At: x.Span, Node: x, Value: first}, Arg{At: x.Span, Node: x, Value: anyValue, Many: true}
	return l
}

// unknownCall hands arguments to code that is not known: their tables may change, and so may every local that a closure assigns.
func (ip *interp) unknownCall(st *state, args []Arg) {
	for _, a := range args {
		ip.escape(st, a.Value)
	}
	for _, l := range ip.in.Scope.Locals {
		if l.CapturedWrite && st.locals.get(l.Index) != nil {
			ip.forget(st, l)
			st.give(l, anyValue)
		}
	}
}

// escape gives up on what a value holds.
func (ip *interp) escape(st *state, v *Value) {
	if v.Obj != nil {
		v.Obj.escaped = true
		st.release(lengthGuard(v.Obj))
		st.objs.set(v.Obj.ID, lostObject)
	}
	if v.Fn != nil && !ip.in.Scope.Assigns(v.Fn) {
		return
	}
	if v.Fn != nil {
		for _, l := range ip.in.Scope.Locals {
			if l.CapturedWrite && st.locals.get(l.Index) != nil {
				st.give(l, anyValue)
			}
		}
	}
}

// inline evaluates a call of a function of the script in the caller's state, so that arguments, results and what it writes are exact.
func (ip *interp) inline(x *syntax.Call, f *syntax.Function, args []Arg, st *state) []outcome {
	fr := ip.frame
	if ip.active(f) {
		if ip.recursive == nil {
			ip.recursive = map[*syntax.Function]bool{}
		}
		ip.recursive[f] = true
	}
	if fr.depth >= maxInline || ip.recursive[f] && ip.active(f) || ip.steps > ip.budget {
		ip.unknownCall(st, args)
		return ip.ends(st, ip.unknownResults(x, anyValue))
	}
	in := ip.mem.frames.Put(frame{fn: f, ctx: fr.ctx, depth: fr.depth + 1, call: x, record: fr.record,
		inLoop: fr.inLoop || fr.block != nil && fr.block.Depth > 0})
	if fr.ctx == server.AtLoad {
		in.ctx = server.AtLoad
	}
	calls, cond := st.calls, st.cond
	ip.bindParams(st, in, args, false)
	var outs []outcome
	var split [2][]outcome
	for _, o := range ip.run(in, f.Body, ip.fork(st)) {
		o.st.calls, o.st.cond = calls, cond
		ip.dropLocals(o.st, f.Span)
		i := 0
		if len(o.st.writes) > 0 {
			i = 1
		}
		split[i] = ip.mem.outs.Append(split[i], o)
	}
	for _, part := range split {
		if len(part) == 0 {
			continue
		}
		outs = ip.append(outs, ip.mergeOutcomes(part))
	}
	if len(outs) == 0 {
		st.dead = true
	}
	return outs
}

// mergeOutcomes joins outcomes whose results are alike: those that count as true, as false, and the rest stay apart, since callers test for
// them.
func (ip *interp) mergeOutcomes(list []outcome) []outcome {
	var groups [3]outcome
	for _, o := range list {
		v := pick(o.vals, 0)
		g := 2
		switch {
		case v.Only(Falsy):
			g = 0
		case v.Only(Truthy) && v.Const && v.Kinds == Number && v.Num == 0:
			g = 0
		case v.Only(Truthy):
			g = 1
		}
		if groups[g].st == nil {
			groups[g] = o
			continue
		}
		groups[g].st.merge(o.st, false)
		groups[g].vals = ip.mem.joinVals(groups[g].vals, o.vals)
	}
	var outs []outcome
	for _, g := range groups {
		if g.st != nil {
			outs = ip.mem.outs.Append(outs, g)
		}
	}
	return outs
}

// active reports whether a function is being evaluated already: a recursive call is not followed.
func (ip *interp) active(f *syntax.Function) bool {
	for fr := ip.frame; fr != nil; fr = fr.outer {
		if fr.fn == f {
			return true
		}
	}
	return false
}

// redisCall evaluates redis.call and redis.pcall.
func (ip *interp) redisCall(x *syntax.Call, pcall bool, args []Arg, st *state, unused bool) *Value {
	fr := ip.frame
	c := ip.mem.calls.One()
	*c = Call{Node: x, At: x.Span, PCall: pcall, Protected: pcall || fr.guarded(), Unused: unused, Resp3: st.resp3, Ctx: fr.ctx,
		Func: fr.fn, Loop: fr.inLoop || fr.block != nil && fr.block.Depth > 0, LoopOf: ip.loopAround(), Args: args}
	if n := len(args); n > 0 && args[n-1].Many {
		c.ArgsMany = true
	}
	if st.mixed {
		c.Mixed = true
	}
	c.Entry, c.Random = ip.entry(), st.random
	c.Before = st.writes
	ip.resolve(c)
	c.At = ip.reportAt(c)
	ip.watch(x, st, func() { ip.checkArgs(c, st) })
	if st.dead && pcall {
		st.dead = false
		c.Result = ip.mem.vals.Put(Value{Kinds: Error, Lo: -inf, Hi: inf, From: ip.mem.words.Put(Origin{Kind: FromReply, Call: c, At: x.Span})})
		ip.record(c)
		return c.Result
	}
	if st.dead {
		c.Result = anyValue
		ip.record(c)
		return anyValue
	}
	if !pcall {
		ip.mayThrow(st)
	}
	ip.typed(c, st)
	c.Result = ip.reply(c, st)
	ip.effects(c, st)
	ip.record(c)
	return c.Result
}

// entry is the function that the server entered.
func (ip *interp) entry() *syntax.Function {
	var f *syntax.Function
	for fr := ip.frame; fr != nil; fr = fr.outer {
		f = fr.fn
	}
	return f
}

func (ip *interp) record(c *Call) {
	if ip.frame.record {
		ip.rec.call(c, ip.contextOf(ip.frame))
	}
}

// loopAround is the innermost loop around the present code, through inlined calls.
func (ip *interp) loopAround() *Loop {
	for fr := ip.frame; fr != nil; fr = fr.outer {
		if l := ip.innermost(fr); l != nil {
			return l
		}
	}
	return nil
}

// isParam: a parameter of the function that is evaluated.
func (ip *interp) isParam(e syntax.Expr) bool {
	n, ok := e.(*syntax.Name)
	if !ok || ip.frame.fn == nil {
		return false
	}
	l := ip.in.Scope.Ref(n)
	for _, p := range ip.frame.fn.Params {
		if l != nil && l == ip.in.Scope.Ref(p) {
			return true
		}
	}
	return false
}

// resolve finds out which command is called and where its keys are.
func (ip *interp) resolve(c *Call) {
	if len(c.Args) == 0 {
		return
	}
	name := c.Args[0]
	if !name.Value.Const || name.Value.Kinds != String {
		return
	}
	c.NameAt = name.At
	if o := name.Value.From; o != nil && o.Kind == FromLiteral && o.At.Len() > 0 && ip.isParam(name.Node) {
		c.NameAt = o.At // the caller of a wrapper writes it
	}
	words := ip.serverArgs(c)
	sub := ""
	if len(words) > 1 && words[1].Known {
		sub = words[1].Text
	}
	look := ip.in.Target.Lookup(name.Value.Text, "")
	if look.Container && sub != "" {
		look = ip.in.Target.Lookup(name.Value.Text, sub)
	}
	c.Lookup = look
	if look.Command == nil {
		c.Name = strings.ToLower(name.Value.Text)
		return
	}
	c.Command = look.Command
	c.Name = look.Command.Name
	c.Form = ip.in.Target.Form(look.Command, words)
	c.Words, c.Keys, c.KeysSure = c.Form.Words, c.Form.KeyArgs, c.Form.KeysSure
}

// serverArgs are the arguments as the server's tables take them, until the next call.
func (ip *interp) serverArgs(c *Call) []server.Arg {
	words := ip.words[:0]
	for i := range c.Args {
		a := &c.Args[i]
		w := server.Arg{Many: a.Many}
		if s, ok := constText(a.Value); ok && !a.Many {
			w.Known, w.Text = true, argText(a.Value, s)
		}
		words = append(words, w)
	}
	ip.words = words
	return words
}

// argText is how a constant reaches the server: whole numbers as digits, up to 17 of them (fact 90).
func argText(v *Value, s string) string {
	if v.Kinds == Number && v.Frac == Whole && v.Num > -1e17 && v.Num < 1e17 {
		return formatWhole(v.Num)
	}
	return s
}

// reportAt is where findings about the call stand: at the call itself, or, where a wrapper passes its arguments on, at the wrapper's call.
func (ip *interp) reportAt(c *Call) syntax.Span {
	at := c.Node.Span
	for _, a := range c.Args {
		if at.Contains(a.At) {
			continue
		}
		for fr := ip.frame; fr != nil && fr.call != nil; fr = fr.outer {
			if fr.call.Span.Contains(a.At) {
				return fr.call.Span
			}
		}
	}
	if n := len(c.Node.Args); n > 0 && len(c.Args) == n-1 && ip.frame.call != nil {
		if _, ok := unparen(c.Node.Args[n-1]).(*syntax.Vararg); ok {
			return ip.frame.call.Span // the wrapper's call passes nothing on
		}
	}
	return at
}

// checkArgs notes the ways in which redis.call itself may fail on its arguments: each must be a string or a number.
func (ip *interp) checkArgs(c *Call, st *state) {
	if len(c.Args) == 0 {
		ip.callFails(c, st, ip.mem.fails.Put(Failure{At: c.At, Sure: true, Why: "Please specify at least one argument for this redis lib call"}))
		return
	}
	const allowed = String | Number
	for _, a := range c.Args {
		if a.Node == nil {
			continue
		}
		if a.Many {
			ip.checkMany(c, a, st)
			continue
		}
		bad := a.Value.Kinds &^ allowed
		if bad == 0 || a.Value.IsUnknown() {
			continue
		}
		f := ip.mem.fails.Put(Failure{At: a.At, Class: FailCommand, Sure: a.Value.Kinds&allowed == 0, Weak: bad&^a.Value.Weak == 0, Value: a.Value,
			Node: a.Node, Why: "Lua redis lib command arguments must be strings or integers"})
		ip.callFails(c, st, f)
		if st.dead {
			return
		}
		if !c.PCall { // redis.pcall goes on with the value as it was
			ip.restrict(st, a.Node, a.Value, allowed)
		}
	}
	if c.Lookup.UnknownEverywhere {
		ip.callFails(c, st, ip.mem.fails.Put(Failure{At: c.NameAt, Class: FailCommand, Sure: true, Why: "Unknown Redis command called from script"}))
	}
}

// checkMany looks at the elements of an unpacked table: one that may be false makes the call fail.
func (ip *interp) checkMany(c *Call, a Arg, st *state) {
	if a.Value.IsUnknown() || a.Value.Strong()&^(String|Number|Nil) == 0 {
		return
	}
	ip.callFails(c, st, ip.mem.fails.Put(Failure{At: a.At, Value: a.Value, Node: a.Node, Why: "Lua redis lib command arguments must be strings or integers"}))
}

func (ip *interp) callFails(c *Call, st *state, f *Failure) {
	f.Class, f.Call = FailCommand, c
	c.Fails = ip.mem.failLists.Append(c.Fails, f)
	if c.PCall {
		st.dead = st.dead || f.Sure
		return
	}
	ip.fail(st, f)
	if f.Node == nil || isLiteral(f.Node) {
		st.dead = false // a slip in the text: what stands behind it is looked at as if it were repaired
	}
}

// reply is the value of the call's result.
func (ip *interp) reply(c *Call, st *state) *Value {
	from := ip.mem.words.Put(Origin{Kind: FromReply, Call: c, At: c.Node.Span})
	if c.Command == nil {
		v := ip.copyOf(anyValue)
		v.From = from
		return ip.withError(c, v)
	}
	r := ip.oneReply(c, c.Form.Reply(st.resp3 == Yes))
	if r.Time {
		from = ip.mem.words.Put(Origin{Kind: FromTime, Call: c, At: c.Node.Span})
	}
	c.noEffect = r.NoEffect
	v := ip.replyValue(r, from, st.resp3 == Yes) // a value of its own until it is shared
	if st.resp3 == Unknown && v.Kinds&False != 0 {
		v.Kinds |= Nil
	}
	if !v.IsUnknown() {
		v.gen = ip.gen()
	}
	return ip.withError(c, ip.present(c, v, st))
}

// nodeReply is what a call replies: joins go by the pointer, so each call has a model of its own, and keeps it while the tables say the same.
type nodeReply struct{ tables, own *server.Reply }

func (ip *interp) oneReply(c *Call, r *server.Reply) *server.Reply {
	k := keyOf(c.Node.ID(), 0)
	i, known := ip.mem.replyOf.get(k)
	if known {
		if old := &ip.replies[i]; old.tables == r || reflect.DeepEqual(old.own, r) {
			return old.own
		}
	} else {
		i = len(ip.replies)
		ip.mem.replyOf.set(k, i)
		ip.replies = append(ip.replies, nodeReply{})
	}
	ip.replies[i] = nodeReply{r, ip.mem.replies.Put(*r)}
	return ip.replies[i].own
}

// withError adds what redis.pcall gives on an error.
func (ip *interp) withError(c *Call, v *Value) *Value {
	if !c.PCall || v.IsUnknown() {
		return v
	}
	w := ip.copyOf(v)
	w.Kinds |= Error
	w.Const = false
	return w
}

// isLiteral reports whether an expression is what it is wherever it stands.
func isLiteral(e syntax.Expr) bool {
	switch unparen(e).(type) {
	case *syntax.Nil, *syntax.Bool, *syntax.Table, *syntax.Function, *syntax.Number:
		return true
	}
	return false
}
