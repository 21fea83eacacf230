package value

import (
	"math"
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// name is the value of a local or a global.
func (ip *interp) name(n *syntax.Name, st *state) *Value {
	if l := ip.in.Scope.Ref(n); l != nil {
		return st.local(l)
	}
	return ip.global(n, st)
}

// global reads a name that is no local: a host library, KEYS, ARGV, or a name that does not exist, which raises.
func (ip *interp) global(n *syntax.Name, st *state) *Value {
	fr := ip.frame
	if fr.record {
		ip.rec.global(Global{Node: n, Ctx: fr.ctx, Func: fr.fn})
	}
	switch {
	case n.Text == "KEYS" && fr.ctx == server.InScript:
		return keysList
	case n.Text == "ARGV" && fr.ctx == server.InScript:
		return argvList
	}
	v := ip.host(n)
	if v == nil && slices.Contains(ip.made, n.Text) {
		return anyValue // its assignment has ended the script before
	}
	if v == nil {
		// What follows is looked at as if the name were there: people want to hear of all such names at once.
		ip.noteGlobal(st, ip.mem.fails.Put(Failure{At: n.Span, Class: FailGlobal, Sure: true,
			Why: "Script attempted to access nonexistent global variable '" + n.Text + "'"}))
		return anyValue
	}
	return v
}

// host is hostName of a name in the text.
func (ip *interp) host(n *syntax.Name) *Value {
	if ip.lib || n.ID() == 0 {
		return ip.hostName(n.Text) // it depends on the context
	}
	v := &ip.mem.literals[n.ID()]
	if *v == nil {
		*v = ip.hostName(n.Text)
	}
	return *v
}

// hostName is the value of a global of the sandbox, nil where no server has it in this context.
func (ip *interp) hostName(name string) *Value {
	key := hostField{name: name, atLoad: ip.frame.ctx == server.AtLoad}
	v, seen := ip.names.get(key)
	if !seen {
		v = ip.findHost(name)
		ip.names.add(nil, key, v)
	}
	return v
}

// hostField is a member of a library, or a global where lib is "".
type hostField struct {
	lib, name string
	atLoad    bool
}

func (ip *interp) findHost(name string) *Value {
	switch {
	case ip.in.Target.Global(name, ip.frame.ctx).Nowhere:
		return nil
	case name == "_G":
		return ip.mem.libValue("_G")
	case name == "server":
		return ip.mem.libValue("redis")
	case server.IsLibrary(name):
		return ip.mem.libValue(name)
	case name == "_VERSION":
		return ip.mem.textValue("Lua 5.1", syntax.Span{})
	}
	return ip.mem.builtinValue(name)
}

var keysList, argvList = listValue(FromKeysList), listValue(FromArgvList)

func listValue(k OriginKind) *Value {
	return &Value{Kinds: Table, Lo: -inf, Hi: inf, From: &Origin{Kind: k}}
}

// field is a member of a host library.
func (ip *interp) field(lib string, key *Value) *Value {
	if !key.Const || key.Kinds != String {
		return anyValue
	}
	name := key.Text
	if lib == "_G" {
		switch {
		case server.IsLibrary(name):
			return ip.mem.libValue(name)
		case name == "KEYS" && ip.frame.ctx == server.InScript:
			return keysList
		case name == "ARGV" && ip.frame.ctx == server.InScript:
			return argvList
		}
		return ip.mem.builtinValue(name)
	}
	k := hostField{lib, name, ip.frame.ctx == server.AtLoad}
	v, seen := ip.names.get(k)
	if !seen {
		v = ip.findField(lib, name, lib+"."+name)
		ip.names.add(nil, k, v)
	}
	return v
}

func (ip *interp) findField(lib, name, full string) *Value {
	if c, ok := constants[full]; ok {
		return c
	}
	if ip.in.Target.Field(lib, name, ip.frame.ctx).Nowhere {
		return ip.mem.vals.Put(Value{Kinds: Nil, Const: true, Lo: -inf, Hi: inf, traits: ip.mem.traits.Put(traits{builtin: full})})
	}
	if strings.HasPrefix(name, "REDIS_VERSION") || strings.HasPrefix(name, "VALKEY_VERSION") || strings.HasPrefix(name, "SERVER_") {
		return ip.mem.vals.Put(Value{Kinds: String | Number | Nil, Weak: Nil, Lo: -inf, Hi: inf})
	}
	return ip.mem.builtinValue(full)
}

// constants are the members that are no functions (fact 154).
var constants = map[string]*Value{
	"redis.LOG_DEBUG": heap.numberValue(0), "redis.LOG_VERBOSE": heap.numberValue(1), "redis.LOG_NOTICE": heap.numberValue(2),
	"redis.LOG_WARNING": heap.numberValue(3), "redis.REPL_NONE": heap.numberValue(0), "redis.REPL_AOF": heap.numberValue(1),
	"redis.REPL_SLAVE": heap.numberValue(2), "redis.REPL_REPLICA": heap.numberValue(2), "redis.REPL_ALL": heap.numberValue(3),
	"math.huge": heap.numberValue(math.Inf(1)), "math.pi": heap.numberValue(math.Pi),
	"cjson.null": {Kinds: Userdata, Lo: math.Inf(-1), Hi: math.Inf(1), traits: &traits{builtin: "cjson.null"}},
}

// function is a closure made in the script.
func (ip *interp) function(f *syntax.Function) *Value {
	v := ip.fnVals[f.Index]
	if v == nil {
		v = ip.mem.vals.Put(Value{Kinds: Function, Fn: f, Lo: -inf, Hi: inf})
		ip.fnVals[f.Index] = v
	}
	return v
}

// noteGlobal notes a failure about a global name. In a text with syntax errors a name may be no name at all.

// writesBefore are the writes that may have happened where a value makes the script fail: where it fails for being false, the call that gave
// it found nothing and has written nothing.
func writesBefore(st *state, v *Value) []*Call {
	if v == nil || v.From == nil || v.From.Kind != FromReply || v.From.Call == nil || v.From.Call.noEffect != "null" ||
		v.Kinds&Falsy == 0 || v.Kinds&^(Falsy|String|Number) != 0 {
		return st.writes
	}
	var kept []*Call
	for _, w := range st.writes {
		if w.Node != v.From.Call.Node {
			kept = st.mem.callLists.Append(kept, w)
		}
	}
	return kept
}
