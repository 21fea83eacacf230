package rules

import (
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var uncheckedReply = &Rule{
	Name:     "unchecked-reply",
	Title:    "a reply that may be false used as if it were always there",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `A missing key, field, member or element arrives as false (an element past the end of an array as nil). Arithmetic, an ordering,
` + "`..`, `#`" + `, indexing and the library functions refuse it, and the script aborts; what it has written before stays written.

Test the reply first, or give it a default: ` + "`(redis.call('GET', KEYS[1]) or 0) + 1`" + `.

So does what no such reply has: HGETALL replies a flat list, in which there is no field of a name, and lists start at 1.`,
	Bad: []Example{
		{
			Lua:    "local user = redis.call('HGETALL', KEYS[1])\nreturn 'hello ' .. ⟦user.name⟧",
			Say:    "'user.name' is nil: the reply of HGETALL is a list, which has no field 'name', but fields and values in turn; read the field with HGET, or make a table of the list first",
			Setup:  [][]string{{"HSET", "k", "name", "ann"}},
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to concatenate field 'name' (a nil value)",
		},
		{
			Lua:    "local top = redis.call('ZREVRANGE', KEYS[1], 0, 9, 'WITHSCORES')\nlocal sum = 0\nfor i = 1, #top do sum = sum + ⟦top[i][2]⟧ end\nreturn sum",
			Say:    "'top[i][2]' is nil: 'top[i]' is a text, since the reply of ZREVRANGE is one flat list; count its elements in steps",
			Setup:  [][]string{{"ZADD", "k", "1", "m"}},
			Keys:   []string{"k"},
			Raises: "ERR user_script:3: attempt to perform arithmetic on field '?' (a nil value)",
		},
		{
			Lua:     "local m = redis.call('LRANGE', KEYS[1], 0, 9)\nif not ⟦m[0]⟧ then return 'none' end\nreturn m[1]",
			Say:     "'m[0]' is nil: the reply of LRANGE starts at [1]",
			Setup:   [][]string{{"RPUSH", "k", "a"}},
			Keys:    []string{"k"},
			Returns: `"none"`,
		},
		{
			Lua:     "local doc = redis.call('GET', KEYS[1])\nif not doc then return 0 end\nreturn ⟦doc.id⟧ or 'no id'",
			Say:     "'doc.id' is nil: 'doc' is a text, of the reply of GET, which has no field 'id'; decode it first",
			Setup:   [][]string{{"SET", "k", "{\"id\":1}"}},
			Keys:    []string{"k"},
			Returns: `"no id"`,
		},
		{
			Lua:    "local job\nfor i = 1, 2 do\n  if job and not job[1] then return 0 end\n  job = redis.call('HMGET', KEYS[i], 'id', 'data')\nend\nreturn '|' .. ⟦job[2]⟧",
			Say:    "'job[2]', the reply of HMGET, is false where a field is missing: attempt to concatenate a boolean value; test it first or write (job[2] or '')",
			Setup:  [][]string{{"HSET", "{k}1", "id", "1", "data", "x"}},
			Keys:   []string{"{k}1", "{k}2"},
			Raises: "ERR user_script:6: attempt to concatenate field '?' (a boolean value)",
		},
		{
			Lua:    "local v = redis.call('GET', KEYS[1])\nlocal known = v ~= false\nv = redis.call('GET', KEYS[2])\nif known then return ⟦v⟧ + 1 end\nreturn 0",
			Say:    "'v', the reply of GET, is false where the key is missing: attempt to perform arithmetic on a boolean value; test it first or write (v or 0)",
			Setup:  [][]string{{"SET", "{k}1", "1"}},
			Keys:   []string{"{k}1", "{k}2"},
			Raises: "ERR user_script:4: attempt to perform arithmetic on local 'v' (a boolean value)",
		},
		{
			Lua:    "return ⟦redis.call('GET', KEYS[1])⟧ + 1",
			Say:    "the reply of GET is false where the key is missing: attempt to perform arithmetic on a boolean value; test it first or write (… or 0)",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: attempt to perform arithmetic on a boolean value",
		},
		{
			Lua:    "local m = redis.call('HMGET', KEYS[1], 'a', 'b')\nreturn 'a=' .. ⟦m[1]⟧",
			Say:    "'m[1]', the reply of HMGET, is false where a field is missing: attempt to concatenate a boolean value; test it first or write (m[1] or '')",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to concatenate field '?' (a boolean value)",
		},
		{
			Lua:    "local raw = redis.call('HGET', KEYS[1], 'opts')\nlocal o = cjson.decode(⟦raw⟧)\nreturn #o",
			Say:    "'raw', the reply of HGET, is false where the field is missing: bad argument #1 to 'decode' (string expected, got boolean); test it first",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: bad argument #1 to 'decode' (string expected, got boolean)",
		},
		{
			Lua:    "local r = redis.call('XREAD', 'COUNT', 1, 'STREAMS', KEYS[1], '0')\nreturn ⟦r⟧[1][2]",
			Say:    "'r', the reply of XREAD, is false where there is no entry: attempt to index a boolean value; test it first",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to index local 'r' (a boolean value)",
		},
		{
			Lua:    "return #⟦redis.call('GET', KEYS[1])⟧",
			Say:    "the reply of GET is false where the key is missing: attempt to get length of a boolean value; test it first or write (… or '')",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: attempt to get length of a boolean value",
		},
		{
			Lua:    "local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')\nreturn ⟦first[2]⟧ + 10",
			Say:    "'first[2]', the reply of ZRANGE, is nil where there is no such element: attempt to perform arithmetic on a nil value; test it first or write (first[2] or 0)",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to perform arithmetic on field '?' (a nil value)",
		},
		{
			Lua:    "local function upper(s) return string.upper(⟦s⟧) end\nreturn upper(redis.call('LINDEX', KEYS[1], 0))",
			Say:    "'s', the reply of LINDEX, is false where the list has no such element: bad argument #1 to 'upper' (string expected, got boolean); test it first",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: bad argument #1 to 'upper' (string expected, got boolean)",
		},
		{
			Lua:    "local vals = redis.call('MGET', KEYS[1], KEYS[2])\nreturn table.concat(⟦vals⟧, ',')",
			Say:    "an element of 'vals', the reply of MGET, is false where a key is missing: invalid value (boolean) in table for 'concat'; test it first",
			Keys:   []string{"{k}1", "{k}2"},
			Raises: "ERR user_script:2: invalid value (boolean) at index 1 in table for 'concat'",
		},
	},
	Good: []Example{
		{Lua: "local u = redis.call('HGETALL', KEYS[1])\nfor i = 1, #u, 2 do u[u[i]] = u[i + 1] end\nreturn u.name"},
		{Lua: "local function fill(t)\n  for i = 1, #t, 2 do t[t[i]] = t[i + 1] end\n  return t\nend\nlocal u = redis.call('HGETALL', KEYS[1])\nfill(u)\nreturn u.name"},
		{Lua: "redis.setresp(3)\nlocal u = redis.call('HGETALL', KEYS[1]).map\nreturn u.name"},
		{Lua: "local r = redis.pcall('HGETALL', KEYS[1])\nif r.err then return r end\nlocal v = redis.call('GET', KEYS[2])\nreturn v and v:upper() or #r"},
		{Lua: "local rows = {}\nfor _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n  local flat, row = redis.call('HGETALL', id), {}\n  for i = 1, #flat, 2 do row[flat[i]] = flat[i + 1] end\n  rows[#rows + 1] = row.name or id\nend\nreturn rows", Also: []string{"dynamic-key"}},
		{Lua: "local job = redis.call('HMGET', KEYS[1], 'id', 'data', 'at')\nlocal id, data, at = job[1], job[2], job[3]\nif not id then return false end\nreturn id .. '|' .. data .. '|' .. at"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nlocal missing = not v\nlocal known = v ~= false\nif missing then return 0 end\nreturn v + 1"},
		{Lua: "local hit = redis.call('GET', KEYS[1])\nlocal hasHit = hit ~= false and hit ~= ''\nredis.call('DEL', KEYS[2])\nif hasHit then\n  return hit + 1\nend\nreturn 0"},
		{Lua: "local exists = redis.call('EXISTS', KEYS[1]) == 1\nlocal has = exists and redis.call('HEXISTS', KEYS[2], 'n') == 1\nif not exists then return 0 end\nreturn redis.call('GET', KEYS[1]) + 1"},
		{Lua: "local m = redis.call('HMGET', KEYS[1], 'n', 'at')\nlocal missing = m[1] == false or m[2] == false\nif missing then return 0 end\nreturn m[1] + m[2]"},
		{Lua: "redis.call('SET', KEYS[1], ARGV[1], 'NX')\nreturn '>' .. redis.call('GET', KEYS[1])"},
		{Lua: "redis.call('LPUSH', KEYS[1], ARGV[1])\nredis.call('LTRIM', KEYS[1], 0, 99)\nreturn '>' .. redis.call('LINDEX', KEYS[1], -1)"},
		{Lua: "local ttl = redis.call('PTTL', KEYS[1])\nif ttl == -2 then return 0 end\nreturn redis.call('GET', KEYS[1]) + 1"},
		{Lua: "if redis.call('TTL', KEYS[1]) > -2 then return redis.call('GET', KEYS[1]) .. '!' end\nreturn 0"},
		{Lua: "return (redis.call('GET', KEYS[1]) or 0) + 1"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif not v then return 0 end\nreturn v + 1"},
		{Lua: "local raw = redis.call('HGET', KEYS[1], 'opts')\nreturn raw and cjson.decode(raw).attempts or false"},
		{Lua: "redis.call('HSET', KEYS[1], 'n', 1)\nreturn redis.call('HGET', KEYS[1], 'n') + 1"},
		{Lua: "if redis.call('EXISTS', KEYS[1]) == 1 then\n  return redis.call('GET', KEYS[1]) + 1\nend\nreturn 0"},
		{Lua: "local m = redis.call('HMGET', KEYS[1], 'n', 'at')\nif not m[1] or m[2] == false then return 0 end\nreturn m[1] + m[2]"},
		{Lua: "local t = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')\nif #t == 0 then return 0 end\nreturn t[2] + 1"},
		{Lua: "if redis.call('ZCARD', KEYS[1]) >= 10 then\n  local t = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')\n  return t[2] + 1\nend\nreturn 0"},
		{Lua: "return redis.call('INCR', KEYS[1]) + 1"},
		{Lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0"},
	},
	Access:  checkFlatReply,
	Failure: checkUncheckedReply,
}

func checkUncheckedReply(p *Pass, f *value.Failure) {
	o := lacking(p, f)
	if o == nil || fromTonumber(f.Value) {
		return
	}
	what := snippet(p, f.At) + ", the reply of " + o.Call.Label() + ","
	if o.Call.Node.Span == f.At {
		what = "the reply of " + o.Call.Label()
	}
	if f.Host == "table.concat" {
		what = "an element of " + what
	}
	form := "false"
	if f.Value.Strong()&value.False == 0 {
		form = "nil"
	}
	found := In(f.At, Warning, what+" is "+form+" where "+missing(o)+": "+f.Why+"; test it first"+defaultFor(p, f))
	found.Related = source(o, f.At)
	p.Report(found)
}

// lacking is the reply, or part of one, that a failure is about: it is not there and is used. It is nil for failures of another kind.
func lacking(p *Pass, f *value.Failure) *value.Origin {
	switch f.Class {
	case value.FailArith, value.FailConcat, value.FailOrder, value.FailIndex, value.FailLen, value.FailArgument, value.FailFor:
	default:
		return nil
	}
	v := f.Value
	if f.Weak || v == nil || v.IsUnknown() || v.Caught() != "" || v.Kinds&value.Error != 0 || v.Strong()&value.Falsy == 0 {
		return nil
	}
	o := replyOf(v)
	switch {
	case o == nil || f.Class == value.FailOrder && neverOrdered(p, f), testedAgainstNil(p, o):
		return nil
	case v.Strong()&value.False == 0 && counted(p, o.Call):
		return nil
	}
	return o
}

// fromTonumber reports whether a value that may be nil is what tonumber gives: a reply of its own would still have its model.
func fromTonumber(v *value.Value) bool {
	return v.Reply == nil && v.Kinds&value.Nil != 0 && v.Kinds&^(value.Nil|value.Number) == 0
}

// counted reports whether the script looks at whether there are elements: it asks how many the key of the call has, or tests the length
// or an element of the reply.
func counted(p *Pass, c *value.Call) bool {
	key := keyOf(c)
	for _, other := range p.Facts.Calls {
		switch other.Name {
		case "zcard", "zcount", "llen", "scard", "hlen", "xlen", "exists", "zlexcount", "zadd", "rpush", "lpush", "sadd", "xadd":
			if k := keyOf(other); k != nil && key != nil && k.Same(key) {
				return true
			}
		}
	}
	of := func(v *value.Value) bool { o := replyOf(v); return o != nil && o.Call.Node == c.Node }
	for _, op := range p.Facts.Ops {
		if op.Op == syntax.OpLen && of(op.X) || (op.Op == syntax.OpEq || op.Op == syntax.OpNotEq) && (of(op.X) || of(op.Y)) {
			return true
		}
	}
	for _, cond := range p.Facts.Conds {
		if cond.Role != value.CondOr && of(cond.Value) {
			return true
		}
	}
	for _, l := range p.Facts.Libs {
		if (l.Name == "next" || l.Name == "table.getn") && len(l.Args) > 0 && of(l.Args[0].Value) {
			return true
		}
	}
	return false
}

// keyOf is where the first key of a call comes from; nil where it has none.
func keyOf(c *value.Call) *value.Origin {
	if len(c.Keys) == 0 || c.Keys[0].Arg >= len(c.Args) {
		return nil
	}
	return c.Args[c.Keys[0].Arg].Value.From
}

// neverOrdered reports whether the ordering that fails can work on no data: compare-types says so.
func neverOrdered(p *Pass, f *value.Failure) bool {
	for _, op := range p.Facts.Ops {
		b, ok := op.Node.(*syntax.Binary)
		if ok && isOrder(op.Op) && (b.X == f.Node || b.Y == f.Node || b.Span == f.At) {
			return !mayOrder(op.X, op.Y)
		}
	}
	return false
}

// defaultFor suggests a default where one is likely meant.
func defaultFor(p *Pass, f *value.Failure) string {
	word := ""
	switch f.Class {
	case value.FailArith:
		word = "0"
	case value.FailConcat, value.FailLen:
		word = "''"
	}
	if word == "" || f.Host != "" || f.Value.Kinds&value.Table != 0 {
		return ""
	}
	what := p.Source.Text[f.At.Start:f.At.End]
	if len(what) > 16 {
		what = "…"
	}
	return " or write (" + what + " or " + word + ")"
}
