package rules

import (
	"fmt"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var nativeCommand = &Rule{
	Name:     "native-command",
	Title:    "a script that one command of the target replaces",
	Severity: Note,
	Group:    "The Go side",
	Claim:    Practice,
	OptIn:    true,
	Since:    "0.1",
	Doc: `Some scripts exist only because a command lacked an option at the time. Where every server of the target has the command now, it is shorter,
cannot fail with NOSCRIPT and can be pipelined: compare and delete is DELEX with IFEQ (Redis 8.4) or DELIFEQ (Valkey 9.0), compare and set is
SET with IFEQ (Redis 8.4, Valkey 8.1), GET and DEL is GETDEL, GET and EXPIRE is GETEX, GET and SET is SET with GET (6.2).

The rule looks at scripts of two calls on the same key and is off unless enabled. It offers no change: what the script returns may differ.`,
	Bad: []Example{
		{
			Lua:    "if ⟦redis.call('GET', KEYS[1])⟧ == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0",
			Target: "redis@8.4+",
			Say:    "compare and delete: every server of the target has DELEX KEYS[1] IFEQ value, which needs no script",
		},
		{
			Lua:    "local v = ⟦redis.call('GET', KEYS[1])⟧\nif v ~= ARGV[1] then return 0 end\nreturn redis.call('UNLINK', KEYS[1])",
			Target: "valkey@9.0+",
			Say:    "compare and delete: every server of the target has DELIFEQ KEYS[1] value, which needs no script",
		},
		{
			Lua:    "if ⟦redis.call('GET', KEYS[1])⟧ == ARGV[1] then\n  return redis.call('SET', KEYS[1], ARGV[2])\nend\nreturn 0",
			Target: "redis@8.4+,valkey@8.1+",
			Say:    "compare and set: every server of the target has SET KEYS[1] new IFEQ old, which needs no script",
		},
		{
			Lua: "local v = ⟦redis.call('GET', KEYS[1])⟧\nif v then redis.call('DEL', KEYS[1]) end\nreturn v",
			Say: "read and delete: every server of the target has GETDEL KEYS[1], which needs no script",
		},
		{
			Lua: "local v = ⟦redis.call('GET', KEYS[1])⟧\nredis.call('EXPIRE', KEYS[1], ARGV[1])\nreturn v",
			Say: "read and set the expiry: every server of the target has GETEX KEYS[1] with EX, PX or PERSIST, which needs no script",
		},
		{
			Lua: "local old = ⟦redis.call('GET', KEYS[1])⟧\nredis.call('SET', KEYS[1], ARGV[1])\nreturn old",
			Say: "read and set: every server of the target has SET KEYS[1] value GET, which needs no script",
		},
		{
			Lua:    "local v = ⟦redis.call('HGET', KEYS[1], ARGV[1])⟧\nredis.call('HDEL', KEYS[1], ARGV[1])\nreturn v",
			Target: "redis@8.0+,valkey@9.1+",
			Say:    "read and delete a field: every server of the target has HGETDEL KEYS[1] FIELDS 1 field, which needs no script",
		},
		{
			Lua: "local ok = ⟦redis.call('SETNX', KEYS[1], ARGV[1])⟧\nif ok == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\nreturn ok",
			Say: "set and expire: every server of the target has SET KEYS[1] value NX with EX or PX, which needs no script",
		},
		{
			Lua: "local v = ⟦redis.call('RPOP', KEYS[1])⟧\nif v then redis.call('LPUSH', KEYS[2], v) end\nreturn v",
			Say: "pop and push: every server of the target has LMOVE KEYS[1] KEYS[2], which needs no script",
		},
	},
	Good: []Example{
		{Lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0"},
		{Lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\nreturn 0", Target: "redis@8.6"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nredis.call('DEL', KEYS[2])\nreturn v"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif v then redis.call('DEL', KEYS[1]) redis.call('SREM', KEYS[2], v) end\nreturn v"},
	},
	Program: checkNativeCommand,
}

// native is one command that replaces two calls.
type native struct {
	first, second []string // the two calls
	compared      bool     // the first reply is compared with a value; else it must not be
	words         []string // the command that must be there, with its options
	say           string   // what the script does; %s is the first call's key
	moves         bool     // the second call takes the first one's reply, and the keys differ
}

var natives = []native{
	{[]string{"get"}, []string{"del", "unlink"}, true, []string{"DELEX", "k", "IFEQ", "v"}, "compare and delete: every server of the target has DELEX %s IFEQ value", false},
	{[]string{"get"}, []string{"del", "unlink"}, true, []string{"DELIFEQ", "k", "v"}, "compare and delete: every server of the target has DELIFEQ %s value", false},
	{[]string{"get"}, []string{"set"}, true, []string{"SET", "k", "v", "IFEQ", "w"}, "compare and set: every server of the target has SET %s new IFEQ old", false},
	{[]string{"get"}, []string{"del", "unlink"}, false, []string{"GETDEL", "k"}, "read and delete: every server of the target has GETDEL %s", false},
	{[]string{"get"}, []string{"expire", "pexpire", "expireat", "pexpireat", "persist"}, false, []string{"GETEX", "k", "EX", "1"},
		"read and set the expiry: every server of the target has GETEX %s with EX, PX or PERSIST", false},
	{[]string{"get"}, []string{"set"}, false, []string{"SET", "k", "v", "GET"}, "read and set: every server of the target has SET %s value GET", false},
	{[]string{"hget"}, []string{"hdel"}, false, []string{"HGETDEL", "k", "FIELDS", "1", "f"},
		"read and delete a field: every server of the target has HGETDEL %s FIELDS 1 field", false},
	{[]string{"hget"}, []string{"hexpire", "hpexpire", "hexpireat", "hpexpireat", "hpersist"}, false, []string{"HGETEX", "k", "EX", "1", "FIELDS", "1", "f"},
		"read a field and set its expiry: every server of the target has HGETEX %s with EX or PX", false},
	{[]string{"hset"}, []string{"hexpire", "hpexpire"}, false, []string{"HSETEX", "k", "EX", "1", "FIELDS", "1", "f", "v"},
		"set a field and its expiry: every server of the target has HSETEX %s with EX or PX", false},
	{[]string{"setnx"}, []string{"expire", "pexpire"}, false, []string{"SET", "k", "v", "NX", "EX", "1"},
		"set and expire: every server of the target has SET %s value NX with EX or PX", false},
	{[]string{"lpop", "rpop"}, []string{"lpush", "rpush"}, false, []string{"LMOVE", "k", "k", "LEFT", "LEFT"}, "pop and push: every server of the target has LMOVE %s", true},
}

func checkNativeCommand(p *Pass) {
	calls := p.Facts.Calls
	if len(calls) != 2 || p.Facts.Library != nil || !p.Complete {
		return
	}
	a, b := calls[0], calls[1]
	for _, c := range calls {
		if c.Command == nil || c.PCall || c.Loop || len(c.Keys) != 1 || !c.KeysSure {
			return
		}
	}
	compared := comparesReply(p, a)
	for _, n := range natives {
		if n.compared != compared || !oneOfWords(a.Name, n.first) || !oneOfWords(b.Name, n.second) || !p.hasForm(n.words) {
			continue
		}
		if key, ok := n.keys(p, a, b); ok {
			p.Report(In(a.At, Note, fmt.Sprintf(n.say, key)+", which needs no script"))
			return
		}
	}
}

func oneOfWords(word string, list []string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// keys writes the key, or both, and says whether they are as the pattern wants them.
func (n *native) keys(p *Pass, a, b *value.Call) (string, bool) {
	text := func(c *value.Call) string {
		at := c.Args[c.Keys[0].Arg].At
		return p.Source.Text[at.Start:at.End]
	}
	if n.moves {
		from := b.Args[len(b.Args)-1].Value.From
		if len(a.Args) != 2 || len(b.Args) != 3 || from == nil || from.Kind != value.FromReply || from.Call.Node != a.Node {
			return "", false
		}
		return text(a) + " " + text(b), true
	}
	if len(b.Args) > 3 && b.Name == "set" || b.Name == "hdel" && (len(b.Args) != 3 || !sameArg(a, b, 2)) {
		return "", false
	}
	return text(a), sameFirstKey(a, b)
}

func sameArg(a, b *value.Call, i int) bool {
	x, y := a.Args[i].Value.From, b.Args[i].Value.From
	return x != nil && y != nil && x.Same(y)
}

// comparesReply is whether the script compares the call's reply with something other than false and nil.
func comparesReply(p *Pass, c *value.Call) bool {
	of := func(v *value.Value) bool {
		return v != nil && v.From != nil && v.From.Kind == value.FromReply && v.From.Call.Node == c.Node
	}
	for _, o := range p.Facts.Ops {
		if o.Op != syntax.OpEq && o.Op != syntax.OpNotEq || o.Y == nil || c.Name == "setnx" {
			continue
		}
		if of(o.X) && !o.Y.Only(value.Falsy) || of(o.Y) && !o.X.Only(value.Falsy) {
			return true
		}
	}
	return false
}

// hasForm is whether every server of the target has the command with its options.
func (p *Pass) hasForm(words []string) bool {
	look := p.Target.Lookup(words[0], "")
	if look.Command == nil || len(look.Missing) > 0 {
		return false
	}
	args := make([]server.Arg, len(words))
	for i, w := range words {
		args[i] = server.Arg{Known: true, Text: w}
	}
	return len(p.Target.ArgProblems(look.Command, args)) == 0 && len(p.Target.ArityProblems(look.Command, len(args), false)) == 0
}
