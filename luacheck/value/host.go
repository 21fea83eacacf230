package value

import (
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

// host is a function of the sandbox: which kinds its arguments may have, and what it gives. A nil result gives an unknown value.
type host struct {
	// args are the kinds that each argument may have; the last stands for all further ones where rest is set. 0 is anything.
	args []Kinds
	min  int // fewer arguments fail
	rest bool
	// result gives the results; nil is one unknown value.
	result func(ip *interp, k *hostArgs) []Arg
}

// hostArgs is one call of a host function.
type hostArgs struct {
	x    *syntax.Call
	name string
	args []Arg
	st   *state
	mem  *Scratch
}

func (k *hostArgs) value(i int) *Value { return pick(k.args, i) }

func (k *hostArgs) one(v *Value) []Arg {
	l := k.mem.args.List(1)
	l[0] = Arg{At: k.x.Span, Node: k.x, Value: v}
	return l
}

func (k *hostArgs) from(i int) *Origin {
	if i < len(k.args) {
		return k.args[i].Value.From
	}
	return nil
}

const (
	str    = String | Number // what luaL_checkstring takes
	num    = Number | String // what luaL_checknumber takes, where the text spells one
	anyArg = Kinds(0)
)

// hostCall evaluates a call of a host function.
func (ip *interp) hostCall(x *syntax.Call, fn *Value, args []Arg, method bool, st *state, unused bool) []outcome {
	name := fn.Builtin()
	k := ip.mem.hostCalls.Put(hostArgs{x: x, name: name, args: args, st: st, mem: ip.mem})
	var fact *LibCall
	if ip.frame.record {
		fact = ip.mem.libs.Put(LibCall{Node: x, Name: name, Args: args, Unused: unused, Method: method, Ctx: ip.frame.ctx, Func: ip.frame.fn,
			Protected: ip.frame.guarded(), LoopOf: ip.loopAround(), Loop: ip.frame.inLoop || ip.frame.block != nil && ip.frame.block.Depth > 0,
			Mixed: st.mixed, Writes: st.writes, Nowhere: fn.Only(Nil)})
	}
	if fact != nil && name == "error" {
		fact.Shape = shape(st, k.value(0), 0)
	}
	if fact != nil && name == "cjson.encode" {
		fact.Lists = listed(nil, st, k.value(0), "", 0)
	}
	outs := ip.hostResult(k, fn)
	if fact != nil {
		fact.Result = nilValue
		if len(outs) > 0 {
			fact.Result = pick(outs[0].vals, 0)
			if n := len(outs[0].vals); n > 0 && name == "unpack" && outs[0].vals[n-1].Many {
				fact.Unpacked = outs[0].vals[n-1].Source
			}
		}
		ip.rec.lib(fact)
	}
	return outs
}

func (ip *interp) hostResult(k *hostArgs, fn *Value) []outcome {
	if fn.Only(Nil) {
		ip.note(k.st, ip.mem.fails.Put(Failure{At: k.x.Span, Class: FailCall, Sure: true, Why: "attempt to call field '" + lastName(k.name) + "' (a nil value)"}))
		ip.unknownCall(k.st, k.args)
		return ip.ends(k.st, k.one(anyValue))
	}
	switch k.name {
	case "pcall", "xpcall":
		return ip.protectedCall(k)
	case "error", "assert":
		return ip.raise(k)
	case "redis.register_function":
		ip.register(k)
		return ip.ends(k.st, nil)
	case "table.sort", "string.gsub", "table.foreach", "table.foreachi", "load", "coroutine.wrap", "coroutine.create", "setmetatable":
		for _, a := range k.args {
			if a.Value.Fn != nil {
				ip.escape(k.st, a.Value)
			}
		}
	}
	h, ok := hosts[k.name]
	if !ok {
		ip.unknownCall(k.st, k.args)
		return ip.ends(k.st, k.one(anyValue))
	}
	ip.watch(k.x, k.st, func() { ip.checkHost(k, &h) })
	if k.st.dead {
		return nil
	}
	if h.result == nil {
		return ip.ends(k.st, k.one(anyValue))
	}
	vals := h.result(ip, k)
	if k.st.dead {
		return nil
	}
	return ip.ends(k.st, vals)
}

func lastName(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }

// checkHost notes which arguments the function refuses.
func (ip *interp) checkHost(k *hostArgs, h *host) {
	many := len(k.args) > 0 && k.args[len(k.args)-1].Many
	for i := 0; i < max(len(h.args), len(k.args)); i++ {
		spec := anyArg
		switch {
		case i < len(h.args):
			spec = h.args[i]
		case h.rest && len(h.args) > 0:
			spec = h.args[len(h.args)-1]
		}
		if i >= len(k.args) {
			if i < h.min && !many {
				ip.fail(k.st, ip.mem.fails.Put(Failure{At: k.x.Span, Class: FailArgument, Sure: true,
					Why: "bad argument #" + strconv.Itoa(i+1) + " to '" + lastName(k.name) + "' (" + expected(spec) + ")"}))
			}
			return
		}
		if spec == anyArg || k.args[i].Many {
			continue
		}
		ip.hostArg(k, i, spec)
		if k.st.dead {
			return
		}
	}
}

func expected(spec Kinds) string {
	switch {
	case spec == anyArg:
		return "value expected"
	case spec == Tables:
		return "table expected, got no value"
	}
	return "string or number expected, got no value"
}

func (ip *interp) hostArg(k *hostArgs, i int, spec Kinds) {
	a := k.args[i]
	bad := a.Value.Kinds &^ spec
	if bad == 0 || a.Value.IsUnknown() || a.Node == nil {
		return
	}
	strong := bad &^ a.Value.Weak
	word := bad
	if strong != 0 {
		word = strong
	}
	want := "string"
	switch {
	case spec&Tables != 0:
		want = "table"
	case strings.HasPrefix(k.name, "math.") || strings.HasPrefix(k.name, "bit."):
		want = "number"
	}
	f := ip.mem.fails.Put(Failure{At: a.At, Class: FailArgument, Sure: a.Value.Kinds&spec == 0, Weak: strong == 0, Value: a.Value, Node: a.Node, Host: k.name,
		Why: "bad argument #" + strconv.Itoa(i+1) + " to '" + lastName(k.name) + "' (" + want + " expected, got " + kindWord(word) + ")"})
	if p, ok := ip.place(k.st, a.Node); ok && p.Local != nil {
		f.Local = p.Local
	}
	ip.fail(k.st, f)
	if !f.Sure {
		ip.restrict(k.st, a.Node, a.Value, spec)
	}
}

// protectedCall evaluates pcall and xpcall: the function may stop anywhere.
func (ip *interp) protectedCall(k *hostArgs) []outcome {
	if len(k.args) == 0 {
		return ip.ends(k.st, k.one(anyValue))
	}
	fn, args := k.args[0].Value, k.args[1:]
	if k.name == "xpcall" {
		if len(args) > 0 {
			ip.escape(k.st, args[0].Value)
		}
		args = nil
	}
	before, calls := ip.fork(k.st), k.st.calls
	fr := ip.frame
	was, thrown := fr.protected, fr.thrown
	fr.protected, fr.thrown = true, before
	outs := ip.apply(k.x, fn, args, false, k.st, false)
	failed := fr.thrown
	fr.protected, fr.thrown = was, thrown
	for _, o := range outs {
		failed.merge(ip.fork(o.st), false)
	}
	if fn.Fn != nil {
		ip.dropLocals(failed, fn.Fn.Span)
	}
	failed.calls = calls
	for i := range outs {
		vals := []Arg{{At: k.x.Span, Node: k.x, Value: trueValue}}
		for _, a := range outs[i].vals {
			vals = append(vals, Arg{At: k.x.Span, Node: k.x, Value: a.Value, Many: a.Many})
		}
		outs[i].vals = vals
	}
	// Lua's pcall gives the error as text in every version; so does redis.call's error under it (fact 99).
	from := ip.mem.words.Put(Origin{Kind: FromComputed, Text: "pcall"})
	message := ip.mem.vals.Put(Value{Kinds: String | Table, Weak: Table, Lo: -inf, Hi: inf, From: from,
		traits: ip.mem.traits.Put(traits{caught: k.name})})
	if k.name == "xpcall" {
		message = anyValue
	}
	return append(outs, outcome{failed, []Arg{{At: k.x.Span, Node: k.x, Value: falseValue}, {At: k.x.Span, Node: k.x, Value: message}}})
}

// raise evaluates error and assert.
func (ip *interp) raise(k *hostArgs) []outcome {
	f := ip.mem.fails.Put(Failure{At: k.x.Span, Class: FailRaise, Sure: true, Why: k.name, Value: k.value(0), Host: k.name, Node: k.x})
	if k.name == "error" {
		ip.fail(k.st, f)
		return nil
	}
	v := k.value(0)
	if v.Only(Truthy) {
		ip.watch(k.x, k.st, func() {})
		return ip.ends(k.st, k.args)
	}
	if !v.IsUnknown() || len(k.args) > 1 {
		f.Sure = v.Only(Falsy)
		ip.watch(k.x, k.st, func() { ip.fail(k.st, f) })
	}
	if k.st.dead {
		return nil
	}
	if len(k.args) > 0 && k.args[0].Node != nil {
		ip.narrow(k.st, k.args[0].Node, true)
	}
	vals := append([]Arg(nil), k.args...)
	if len(vals) > 0 {
		if w := ip.with(v, Truthy); w != nil {
			vals[0].Value = w
		}
	}
	return ip.ends(k.st, vals)
}
