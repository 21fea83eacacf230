package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var unpackLimit = &Rule{
	Name:     "unpack-limit",
	Title:    "unpack of a table that may be too long or empty",
	Severity: Warning,
	Group:    "Time, randomness, cost",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `unpack gives at most 7999 values; one more and the script fails with "too many results to unpack", on data that has grown and not in any
test. Read with LIMIT or COUNT, or go through the table in chunks: ` + "`unpack(t, i, math.min(i + 999, #t))`" + `.

An empty table gives no value at all, and a command that needs one is refused. Test ` + "`#t > 0`" + ` first. KEYS is left alone, and ARGV too unless a caller
appends to it without a bound.`,
	Bad: []Example{
		{
			Lua:    "for i = 1, ARGV[1] do redis.call('RPUSH', KEYS[1], i) end\nlocal a = redis.call('LRANGE', KEYS[1], 0, -1)\nif #a > 0 then redis.call('SADD', KEYS[2], ⟦unpack(a)⟧) end\nreturn #a",
			Say:    `"unpack(a)" fails above 7999 values, and the reply of LRANGE has no bound; read a part, or go in chunks with unpack(t, i, j)`,
			Keys:   []string{"{k}a", "{k}b"},
			Args:   []string{"8000"},
			Raises: "ERR user_script:3: too many results to unpack",
		},
		{
			Lua:    "local due = redis.call('ZRANGEBYSCORE', KEYS[1], 0, ARGV[1])\nif #due == 0 then return 0 end\nredis.call('LPUSH', KEYS[2], ⟦unpack(due, 1, #due)⟧)\nreturn #due",
			Say:    `"unpack(due, 1, #due)" fails above 7999 values, and the reply of ZRANGEBYSCORE has no bound; read a part, or go in chunks with unpack(t, i, j)`,
			Setup:  [][]string{{"EVAL", "for i = 1, 8000 do redis.call('ZADD', KEYS[1], i, i) end", "1", "{k}a"}},
			Keys:   []string{"{k}a", "{k}b"},
			Args:   []string{"+inf"},
			Raises: "ERR user_script:3: too many results to unpack",
		},
		{
			Lua:    "local ids = {}\nfor _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n  if id ~= ARGV[1] then table.insert(ids, id) end\nend\nif #ids > 0 then redis.call('SREM', KEYS[1], ⟦unpack(ids)⟧) end\nreturn #ids",
			Say:    `"unpack(ids)" fails above 7999 values, and the reply of SMEMBERS, which fills the table, has no bound; read a part, or go in chunks with unpack(t, i, j)`,
			Setup:  [][]string{{"EVAL", "for i = 1, 8000 do redis.call('SADD', KEYS[1], i) end", "1", "k"}},
			Keys:   []string{"k"},
			Args:   []string{"x"},
			Raises: "ERR user_script:5: too many results to unpack",
		},
		{
			Lua:    "local due = redis.call('ZRANGEBYSCORE', KEYS[1], 0, ARGV[1], 'LIMIT', 0, 10)\nredis.call('ZREM', KEYS[1], ⟦unpack(due)⟧)\nreturn #due",
			Say:    `"unpack(due)" gives nothing where the reply of ZRANGEBYSCORE is empty, and "ZREM" needs at least 2 arguments: the server refuses the call then; test #t > 0 first`,
			Keys:   []string{"k"},
			Args:   []string{"1"},
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Library:  true,
			Function: "f",
			Lua:      "#!lua name=l\nlocal function all(key) return redis.call('HKEYS', key) end\nredis.register_function('f', function(keys)\n  local names = all(keys[1])\n  if names[1] then redis.call('HDEL', keys[1], ⟦unpack(names)⟧) end\n  return 1\nend)",
			Say:      `"unpack(names)" fails above 7999 values, and the reply of HKEYS has no bound; read a part, or go in chunks with unpack(t, i, j)`,
			Setup:    [][]string{{"EVAL", "for i = 1, 8000 do redis.call('HSET', KEYS[1], i, i) end", "1", "k"}},
			Keys:     []string{"k"},
			Raises:   "ERR user_function:5: too many results to unpack",
		},
		{
			Lua:    "local raw = redis.call('GET', KEYS[1])\nif not raw then return 0 end\nlocal ids = cjson.decode(raw)\nif #ids == 0 then return 0 end\nreturn redis.call('SADD', KEYS[2], ⟦unpack(ids)⟧)",
			Say:    `"unpack(ids)" fails above 7999 values, and the list decoded from the reply of GET has no bound; go in chunks with unpack(t, i, j)`,
			Setup:  [][]string{{"EVAL", "local t = {} for i = 1, 8000 do t[i] = i end redis.call('SET', KEYS[1], cjson.encode(t))", "1", "{k}a"}},
			Keys:   []string{"{k}a", "{k}b"},
			Raises: "ERR user_script:5: too many results to unpack",
		},
		{
			Lua:    "local n = redis.call('LLEN', KEYS[1])\nif n == 0 then return 0 end\nlocal got = {}\nfor i = 1, n do got[i] = redis.call('LINDEX', KEYS[1], i - 1) or '' end\nredis.call('SADD', KEYS[2], ⟦unpack(got)⟧)\nreturn n",
			Say:    `"unpack(got)" fails above 7999 values, and the number that LLEN gives, up to which the table is filled, has no bound; read a part, or go in chunks with unpack(t, i, j)`,
			Setup:  [][]string{{"EVAL", "for i = 1, 8000 do redis.call('RPUSH', KEYS[1], i) end", "1", "{k}a"}},
			Keys:   []string{"{k}a", "{k}b"},
			Raises: "ERR user_script:5: too many results to unpack",
		},
		{
			Lua:    "local got = {}\nlocal v = redis.call('LPOP', KEYS[1])\nwhile v do\n  got[#got + 1] = v\n  v = redis.call('LPOP', KEYS[1])\nend\nif #got > 0 then redis.call('SADD', KEYS[2], ⟦unpack(got)⟧) end\nreturn #got",
			Say:    `"unpack(got)" fails above 7999 values, and LPOP in a loop, which fills the table, has no bound; read a part, or go in chunks with unpack(t, i, j)`,
			Setup:  [][]string{{"EVAL", "for i = 1, 8000 do redis.call('RPUSH', KEYS[1], i) end", "1", "{k}a"}},
			Keys:   []string{"{k}a", "{k}b"},
			Raises: "ERR user_script:7: too many results to unpack",
		},
	},
	Good: []Example{
		{Lua: "local filled = redis.call('EXISTS', KEYS[1]) == 1\nif filled then\n  redis.call('RPUSH', KEYS[2], unpack(redis.call('LRANGE', KEYS[1], 0, 999)))\nend\nreturn 1"},
		{Lua: "local a = redis.call('LRANGE', KEYS[1], 0, -1)\nfor i = 1, #a, 1000 do\n  redis.call('SADD', KEYS[2], unpack(a, i, math.min(i + 999, #a)))\nend\nreturn #a", Also: []string{"unbounded-work"}},
		{Lua: "local got = redis.call('MGET', unpack(KEYS))\nfor i = 1, #KEYS do\n  if got[i] ~= ARGV[1] then return 0 end\nend\nreturn redis.call('DEL', unpack(KEYS))"},
		{Lua: "local due = redis.call('ZRANGEBYSCORE', KEYS[1], 0, ARGV[1], 'LIMIT', 0, 1000)\nif #due == 0 then return 0 end\nredis.call('LPUSH', KEYS[2], unpack(due))\nredis.call('ZREM', KEYS[1], unpack(due))\nreturn #due"},
		{Lua: "local fields = {}\nfor i = 2, #ARGV do fields[i - 1] = ARGV[i] end\nredis.call('HMSET', KEYS[1], unpack(fields))\nreturn 1"},
		{Lua: "local v = redis.call('HMGET', KEYS[1], 'a', 'b')\nlocal a, b = unpack(v)\nreturn a or b"},
		{Lua: "local due = redis.call('LRANGE', KEYS[1], 0, 9)\nif next(due) ~= nil then redis.call('DEL', unpack(due)) end\nreturn 1", Also: []string{"dynamic-key"}},
		{Lua: "local ids = cjson.decode(ARGV[1])\nif #ids == 0 or #ids > 1000 then return 0 end\nreturn redis.call('SADD', KEYS[1], unpack(ids))"},
		{Lua: "local fields = cmsgpack.unpack(ARGV[1])\nreturn redis.call('HSET', KEYS[1], unpack(fields))"},
		{Lua: "local got = {}\nfor i = 1, 10 do\n  local v = redis.call('LPOP', KEYS[1])\n  if not v then break end\n  got[#got + 1] = v\nend\nif #got > 0 then redis.call('SADD', KEYS[2], unpack(got)) end\nreturn #got"},
		{Lua: "local got = {}\nlocal n = math.min(redis.call('LLEN', KEYS[1]), 50)\nfor i = 1, n do got[i] = redis.call('LINDEX', KEYS[1], i - 1) or '' end\nif n > 0 then redis.call('SADD', KEYS[2], unpack(got)) end\nreturn n"},
	},
	Lib: checkUnpackLimit,
	Call: func(p *Pass, c *value.Call) {
		checkEmptyUnpack(p, c)
		checkDecodedUnpack(p, c)
	},
}

func checkUnpackLimit(p *Pass, l *value.LibCall) {
	if l.Name != "unpack" || l.Unpacked == nil || len(l.Args) == 0 || l.Nowhere || boundedRange(l) {
		return
	}
	whose := unboundedTable(p, l.Unpacked)
	if whose == "" {
		return
	}
	p.Report(In(l.Node.Span, Warning, fmt.Sprintf("%s fails above %d values, and %s has no bound; read a part, or go in chunks with unpack(t, i, j)",
		codeWords(p, l.Node.Span), server.MaxUnpack, whose)))
}

// boundedRange is whether unpack is given both bounds, and the second is not simply the length of the table.
func boundedRange(l *value.LibCall) bool {
	if len(l.Args) < 3 {
		return false
	}
	first, last := l.Args[1].Value, l.Args[2].Value
	whole := last.Of != nil && last.Of.How == "len" && first.Const && first.Num == 1
	return !whole
}

// unboundedTable says in words why a table has no bound, "" where that is not known.
func unboundedTable(p *Pass, t *value.Value) string {
	if w := t.Grown(); w != nil {
		if words := fills(p, w); words != "" && w.Grown() == nil {
			return words
		}
		return ""
	}
	o := t.From
	switch {
	case o == nil:
		return ""
	case o.Kind == value.FromReply && o.Path == "" && unboundedReply(t) && t.Obj == nil && !trims(o.Call):
		return "the reply of " + o.Call.Label()
	case o.Kind == value.FromArgvList && argvGrows(p):
		return "ARGV, which a caller appends to,"
	}
	return ""
}

// fills says in words why a table that was filled from w in a loop has no bound, "" where that is not known.
func fills(p *Pass, w *value.Value) string {
	if words := unboundedTable(p, w); words != "" {
		return words + ", which fills the table,"
	}
	o := w.From
	if o == nil || o.Kind != value.FromReply || o.Call == nil {
		return ""
	}
	switch l := o.Call.LoopOf; o.Call.Name {
	case "llen", "scard", "zcard", "hlen", "xlen":
		return "the number that " + o.Call.Label() + " gives, up to which the table is filled,"
	case "lpop", "rpop", "spop", "rpoplpush", "lmove":
		return o.Call.Label() + " in a loop, which fills the table,"
	case "scan", "sscan", "hscan", "zscan":
		if l != nil && l.Over == nil && !l.Counted && o.Path == "[2]" {
			return o.Call.Label() + " in a loop, which fills the table,"
		}
	}
	return ""
}

func argvGrows(p *Pass) bool {
	for i := range p.Sites {
		if p.Sites[i].Mode.Runs() && p.Sites[i].Args.Grows {
			return true
		}
	}
	return false
}

// checkDecodedUnpack reports a list out of JSON that is unpacked into a command that takes any number of elements. Fields of a hash are left
// alone, which come in a handful.
func checkDecodedUnpack(p *Pass, c *value.Call) {
	if c.Command == nil || !c.ArgsMany || c.Command.Arity >= 0 {
		return
	}
	a := c.Args[len(c.Args)-1]
	t := a.Source
	if t == nil || a.Range || t.Obj != nil || t.Grown() != nil || t.From == nil || t.From.Kind != value.FromDecoded || !strings.HasPrefix(t.From.Text, "cjson.") ||
		len(t.From.Parts) == 0 || !takesList(c.Name) || lengthLimited(p, t.From) {
		return
	}
	call, ok := bare(a.Node).(*syntax.Call)
	if !ok {
		return
	}
	p.Report(In(call.Span, Warning, fmt.Sprintf("%s fails above %d values, and the list decoded from %s has no bound; go in chunks with unpack(t, i, j)",
		codeWords(p, call.Span), server.MaxUnpack, t.From.Parts[0].String())))
}

// takesList: the command takes a list of elements of one kind.
func takesList(name string) bool {
	switch name {
	case "sadd", "srem", "zadd", "zrem", "lpush", "rpush", "del", "unlink", "mget", "mset", "exists", "hdel", "pfadd", "geoadd", "smismember", "xdel", "xack", "hmget", "zmscore":
		return true
	}
	return false
}

// lengthLimited reports whether the script orders the length of what was decoded from the same text against more than 0 or 1.
func lengthLimited(p *Pass, from *value.Origin) bool {
	measures := func(v *value.Value) bool {
		if v == nil || v.From == nil || v.From.Kind != value.FromComputed {
			return false
		}
		for _, o := range v.From.Parts {
			if o != nil && o.Kind == value.FromDecoded && len(o.Parts) > 0 && o.Parts[0].Same(from.Parts[0]) {
				return true
			}
		}
		return false
	}
	small := func(v *value.Value) bool { return v != nil && v.Const && v.Kinds == value.Number && v.Num <= 1 }
	for _, op := range p.Facts.Ops {
		if isOrder(op.Op) && (measures(op.X) && !small(op.Y) || measures(op.Y) && !small(op.X)) {
			return true
		}
	}
	return false
}

// checkEmptyUnpack reports a reply that is unpacked though it may be empty, where the command needs a value from it.
func checkEmptyUnpack(p *Pass, c *value.Call) {
	if c.Command == nil || !c.ArgsMany {
		return
	}
	a := c.Args[len(c.Args)-1]
	t := a.Source
	n := knownArgs(c)
	if t == nil || a.Range || t.NonEmpty || t.Grown() != nil || t.Obj != nil || t.From == nil || t.From.Kind != value.FromReply || t.From.Path != "" ||
		t.IsUnknown() || t.Reply == nil || t.Reply.NonEmpty || !t.Reply.Bounded || t.Reply.Tuple != nil || c.Command.Arity >= 0 || n >= -c.Command.Arity {
		return
	}
	at := a.At
	if call, ok := a.Node.(*syntax.Call); ok {
		at = call.Span
	}
	p.Report(In(at, Warning, fmt.Sprintf("%s gives nothing where the reply of %s is empty, and %q needs at least %s: the server refuses the call then; test #t > 0 first",
		codeWords(p, at), t.From.Call.Label(), c.Label(), nth(-c.Command.Arity-1, "argument"))))
}
