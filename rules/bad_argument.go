package rules

import (
	"fmt"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var badArgument = &Rule{
	Name:     "bad-argument",
	Title:    "an argument of redis.call that the server refuses",
	Severity: ErrorSeverity,
	Group:    "Commands",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `Arguments of redis.call are strings and numbers. nil, a boolean, a table, a status reply and cjson.null are refused, and with them a reply
that is false because the key or the field is missing. Test the reply first, or give it a default with ` + "`or`" + `.

Where a command wants an integer (INCRBY, EXPIRE, LIMIT ...) a number with a fraction is refused. A division gives one on some data: round it
with math.floor. Option words and constant numbers that the command cannot take are reported here too.`,
	Bad: []Example{
		{
			Lua:    "return redis.call('GET', ⟦KEYS[0]⟧)",
			Say:    `"KEYS[0]" is nil: the server refuses the call; arguments are strings and numbers`,
			Keys:   []string{"k"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "return redis.call('ZRANGE', KEYS[1], 0, -1, 'REV', ⟦'LIMIT'⟧, 0, 10)",
			Say:    `"ZRANGE" takes LIMIT only with BYSCORE or BYLEX: the server refuses the call`,
			Keys:   []string{"z"},
			Raises: "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX",
		},
		{
			Lua:    "redis.call('XADD', KEYS[1], ⟦'event'⟧, 'added', 'id')\nreturn 1",
			Say:    `"XADD" needs an ID here, such as *, not "event": the server refuses the call`,
			Keys:   []string{"s"},
			Raises: "ERR Invalid stream ID specified as stream command argument",
		},
		{
			Lua:    "redis.call('XADD', KEYS[1], 'MAXLEN', '~', ⟦'many'⟧, '*', 'f', ARGV[1])\nreturn 1",
			Say:    `"XADD" needs an integer here, not "many": the server refuses the call`,
			Keys:   []string{"s"},
			Args:   []string{"v"},
			Raises: "ERR value is not an integer or out of range",
		},
		{
			Lua:    "local on = 2\nreturn redis.call('SETBIT', KEYS[1], ARGV[1], ⟦on⟧)",
			Say:    `"SETBIT" needs a bit, 0 or 1, here, not 2: the server refuses the call`,
			Keys:   []string{"b"},
			Args:   []string{"7"},
			Raises: "ERR bit is not an integer or out of range",
		},
		{
			Lua:    "return redis.call('RPOP', KEYS[1], ⟦-1⟧)",
			Say:    `"RPOP" needs a number that is not negative here, not -1: the server refuses the call`,
			Keys:   []string{"s"},
			Raises: "ERR value is out of range, must be positive",
		},
		{
			Lua:    "return redis.call('GETEX', KEYS[1], 'EX', 10, ⟦'PERSIST'⟧)",
			Say:    `"GETEX" takes only one of the options "EX" and "PERSIST": the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR syntax error",
		},
		{
			Lua:    "local late = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ⟦'now'⟧, 'LIMIT', 0, 10)\nreturn late",
			Say:    `"ZRANGEBYSCORE" needs a score here, such as 1, (1 or -inf, not "now": the server refuses the call`,
			Keys:   []string{"z"},
			Raises: "ERR min or max is not a float",
		},
		{
			Lua:    "return redis.call('ZRANGE', KEYS[1], ⟦'a'⟧, '+', 'BYLEX')",
			Say:    `"ZRANGE" needs - or + here, or a text behind [ or (, not "a": the server refuses the call`,
			Keys:   []string{"z"},
			Raises: "ERR min or max not valid string range item",
		},
		{
			Lua:    "return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '+inf', ⟦'LIMIT'⟧, 10)",
			Say:    `"ZRANGEBYSCORE" needs more values behind "LIMIT": the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR syntax error",
		},
		{
			Lua:    "return redis.call('SET', KEYS[1], ⟦nil⟧)",
			Say:    `"nil" is nil: the server refuses the call; arguments are strings and numbers`,
			Keys:   []string{"k"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "redis.call('HSET', KEYS[1], 'done', ⟦true⟧)",
			Say:    `"true" is a boolean: the server refuses the call; write 1 or a text`,
			Keys:   []string{"k"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "local ids = {'a', 'b'}\nredis.call('SADD', KEYS[1], ⟦ids⟧)",
			Say:    `"ids" is a table: the server refuses the call; pass its elements with unpack`,
			Keys:   []string{"k"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "local ok = redis.call('SET', KEYS[1], 'x')\nreturn redis.call('SET', KEYS[2], ⟦ok⟧)",
			Say:    `"ok" is a status reply, which is a table: the server refuses the call; pass its field ok`,
			Keys:   []string{"a", "b"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "local all = redis.call('HGETALL', KEYS[1])\nreturn redis.call('RPUSH', KEYS[2], ⟦all⟧)",
			Say:    `"all" is the reply of HGETALL, a table: the server refuses the call; pass its elements with unpack, in parts of bounded size`,
			Keys:   []string{"a", "b"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "return redis.call('SET', KEYS[1], ⟦cjson.null⟧)",
			Say:    `"cjson.null" is a userdata: the server refuses the call; arguments are strings and numbers`,
			Keys:   []string{"k"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:      "local meta = redis.call('HMGET', KEYS[2], 'e', 's')\nlocal top = meta[2]\nreturn redis.call('XREVRANGE', KEYS[1], ⟦top⟧, '-')",
			Say:      `"top" is false where HMGET finds nothing: the server refuses the call then; test it first or give it a default with "or"`,
			Severity: new(Warning),
			Keys:     []string{"{k}a", "{k}b"},
			Raises:   "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:      "return redis.call('SET', KEYS[1], ⟦redis.call('GET', KEYS[2])⟧)",
			Say:      `"redis.call('GET', KEYS[2])" is false where GET finds nothing: the server refuses the call then; test it first or give it a default with "or"`,
			Severity: new(Warning),
			Keys:     []string{"{k}a", "{k}b"},
			Raises:   "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:      "local n = tonumber(redis.call('GET', KEYS[1]))\nreturn redis.call('SET', KEYS[2], ⟦n⟧)",
			Say:      `"n" is nil where GET finds nothing: the server refuses the call then; test it first or give it a default with "or"`,
			Severity: new(Warning),
			Keys:     []string{"{k}a", "{k}b"},
			Raises:   "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:      "local a, b = tonumber(ARGV[1]), tonumber(ARGV[2])\nif not a or not b then return 0 end\nlocal add = a / b\nreturn redis.call('INCRBY', KEYS[1], ⟦add⟧)",
			Say:      `"add" may have a fraction, and "INCRBY" takes an integer: the server refuses the call then; round it with math.floor`,
			Severity: new(Warning),
			Keys:     []string{"k"},
			Args:     []string{"1", "2"},
			Raises:   "ERR value is not an integer or out of range",
		},
		{
			Lua:      "local ttl = ARGV[1] / 1000\nredis.call('SET', KEYS[1], 'x', 'EX', ⟦ttl⟧)",
			Say:      `"ttl" may have a fraction, and "SET" takes an integer: the server refuses the call then; round it with math.floor`,
			Severity: new(Warning),
			Keys:     []string{"k"},
			Args:     []string{"1500"},
			Raises:   "ERR value is not an integer or out of range",
		},
		{
			Lua:    "return redis.call('INCRBY', KEYS[1], ⟦1.5⟧)",
			Say:    `"INCRBY" needs an integer here, not "1.5": the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR value is not an integer or out of range",
		},
		{
			Lua:    "redis.call('SET', KEYS[1], ARGV[1], 'EX', 60, ⟦'NXX'⟧)",
			Say:    `"SET" takes no "NXX" here, did you mean "NX"?: the server refuses the call`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "ERR syntax error",
		},
		{
			Lua:    "redis.call('SET', KEYS[1], ARGV[1], 'EX', ⟦0⟧)",
			Say:    `"SET" refuses the expire time 0: the server refuses the call`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "ERR invalid expire time in 'set' command",
		},
		{
			Library:  true,
			Function: "copy",
			Lua: "#!lua name=l\nlocal function put(key, v) return redis.call('SET', key, ⟦v⟧) end\n" +
				"redis.register_function('copy', function(keys) return put(keys[2], redis.call('HGET', keys[1], 'f')) end)",
			Say:      `"v" is false where HGET finds nothing: the server refuses the call then; test it first or give it a default with "or"`,
			Severity: new(Warning),
			Keys:     []string{"{k}a", "{k}b"},
			Raises:   "ERR Lua redis lib command arguments must be strings or integers",
		},
	},
	Good: []Example{
		{Lua: "local function fill(t)\n  for i = 1, #t, 2 do t[t[i]] = t[i + 1] end\n  return t\nend\nlocal u = redis.call('HGETALL', KEYS[1])\nfill(u)\nredis.call('SET', KEYS[2], u.name)\nreturn 1"},
		{Lua: "local args = cmsgpack.unpack(ARGV[1])\nlocal name = args[1]\nlocal function claim(key, ttl)\n  local taken\n  if ttl then\n    taken = not redis.call('SET', key, args[2], 'PX', ttl, 'NX')\n  else\n    taken = not redis.call('SET', key, args[2], 'NX')\n  end\n  if taken then\n    redis.call('XADD', KEYS[1], '*', 'holder', redis.call('GET', key))\n  end\n  return taken\nend\nreturn claim(name, args[3]) and 0 or 1", Also: []string{"dynamic-key"}},
		{Lua: "local score, at = score_of(KEYS[1], ARGV[1])\nredis.call('ZADD', KEYS[1], score, ARGV[2])\nredis.call('XADD', KEYS[2], '*', 'at', at)\nreturn 1", Also: []string{"global-variable", "write-before-validation"}},
		{Lua: "redis.call('XADD', KEYS[1], 'NOMKSTREAM', 'MAXLEN', '~', 100, '*', 'f', ARGV[1])\nredis.call('XADD', KEYS[1], ARGV[2], 'f', 'v')\nredis.call('XTRIM', KEYS[1], 'MINID', '~', '17-0', 'LIMIT', 10)\nreturn redis.call('ZRANGE', KEYS[2], '+', '-', 'BYLEX', 'REV', 'LIMIT', 0, 10)"},
		{Lua: "redis.call('SETBIT', KEYS[2], 7, '0')\nredis.call('ZPOPMIN', KEYS[3], 0)\nreturn redis.call('LPOS', KEYS[4], ARGV[1], 'RANK', -1, 'COUNT', 0)"},
		{
			Lua:  "redis.call('XTRIM', KEYS[2], 'LIMIT', 5, 'MAXLEN', '~', 10)\nredis.call('BITFIELD', KEYS[1], 'OVERFLOW', 'FAIL', 'GET', 'u8', 0, 'OVERFLOW', 'SAT')\nreturn redis.call('BITFIELD', KEYS[1], 'INCRBY', 'u8', '#1', 1, 'OVERFLOW', 'SAT', 'GET', 'u4', 0)",
			Keys: []string{"b", "x"},
		},
		{
			Lua:  "local n = redis.call('ZCOUNT', KEYS[1], '(1', '+inf') + redis.call('ZLEXCOUNT', KEYS[2], '[a', '(b')\nreturn n + #redis.call('ZRANGE', KEYS[1], '-inf', '(1e3', 'BYSCORE')",
			Keys: []string{"z", "y"},
		},
		{Lua: "local head = redis.call('LRANGE', KEYS[1], 0, 0)[1]\nif head == ARGV[1] then\n  redis.call('SADD', KEYS[2], head)\nend\nreturn 1"},
		{Lua: "local n = redis.call('LLEN', KEYS[1])\nwhile n > 0 do\n  redis.call('RPUSH', KEYS[2], redis.call('LPOP', KEYS[1]))\n  n = n - 1\nend\nreturn n"},
		{Lua: "local n = redis.call('ZCARD', KEYS[1])\nif n == 0 then return 0 end\nlocal top = redis.call('ZRANGE', KEYS[1], 0, 0)\nredis.call('SET', KEYS[2], top[1])\nreturn n"},
		{Lua: "local r = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], 60000, '0-0')\nfor _, e in ipairs(r[2]) do redis.call('XACK', KEYS[1], ARGV[1], e[1]) end\nreturn #r[2]"},
		{Lua: "local ids = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, 1)\nif ids[1] then\n  redis.call('ZREM', KEYS[1], ids[1])\n  return ids[1]\nend\nreturn false"},
		{Lua: "local all = redis.call('MGET', unpack(KEYS))\nfor i = 1, #KEYS do\n  if all[i] then redis.call('PUBLISH', 'moved', all[i]) end\nend\nreturn 1"},
		{Lua: "local m = redis.call('HGET', KEYS[1], ARGV[1])\nif m then redis.call('RPUSH', KEYS[2], m) end\nreturn 1"},
		{Lua: "local top = redis.call('HMGET', KEYS[2], 'e', 's')[2] or '+'\nreturn redis.call('XREVRANGE', KEYS[1], top, '-')"},
		{Lua: "redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[1])\nreturn redis.call('EXPIRE', KEYS[1], ARGV[2])"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif v == false then return 0 end\nredis.call('SET', KEYS[2], v, 'PX', math.ceil(ARGV[1] / 2))\nreturn 1"},
		{Lua: "if redis.call('EXISTS', KEYS[1]) == 1 then\n  redis.call('SET', KEYS[2], redis.call('GET', KEYS[1]))\nend\nreturn 1"},
		{Lua: "local t = redis.call('TIME')\nlocal now = t[1] + t[2] / 1000000\nreturn redis.call('ZADD', KEYS[1], now, ARGV[1])", Also: []string{"time-random"}},
		{Lua: "local now, width = tonumber(ARGV[1]) or 0, tonumber(ARGV[2]) or 1\nreturn redis.call('SETBIT', KEYS[1], (now - now % width) / width, 1)"},
		{Lua: "local top = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')\nif #top >= 2 then redis.call('ZADD', KEYS[2], top[2], 'x') end\nreturn 1"},
		{Lua: "local n = redis.call('LLEN', KEYS[1])\nfor i = 1, n do\n  redis.call('RPUSH', KEYS[2], redis.call('LPOP', KEYS[1]))\nend\nreturn n", Also: []string{"unbounded-work"}},
	},
	Call: checkBadArgument,
}

func checkBadArgument(p *Pass, c *value.Call) {
	for i := range c.Args {
		if c.Args[i].Node != nil {
			checkArgKinds(p, c, i)
		}
	}
	if c.Command == nil {
		return
	}
	for _, x := range argProblems(p, c) {
		if !x.Sure {
			continue
		}
		switch x.Kind {
		case server.ProblemOption, server.ProblemNotInteger, server.ProblemNotFloat, server.ProblemExpire:
			where := ""
			if len(x.Builds) < len(p.Target.Having(c.Command)) {
				where = " on " + buildWords(x.Builds)
			}
			p.Report(In(problemAt(c, x), callRank(c), x.Message+": the server refuses the call"+where))
		}
	}
	checkFractions(p, c)
}

const plainArg = value.String | value.Number

// checkArgKinds reports an argument that is, or may be, neither a string nor a number.
func checkArgKinds(p *Pass, c *value.Call, i int) {
	a := &c.Args[i]
	v := a.Value
	bad := v.Kinds &^ plainArg
	if v.IsUnknown() || bad == 0 || fromList(v) {
		return
	}
	if v.Only(bad) && !a.Many {
		if v.Weak&bad == 0 {
			p.Report(In(a.At, callRank(c), codeWords(p, a.At)+" is "+badKind(v)))
		}
		return
	}
	if reply := missingReply(p, c, v); reply != "" {
		p.Report(In(a.At, Warning, fmt.Sprintf("%s is %s where %s finds nothing: the server refuses the call then; test it first or give it a default with \"or\"",
			codeWords(p, a.At), falseOrNil(v), reply)))
	}
}

// fromList: an element of KEYS or ARGV that is missing is the business of numkeys and missing-argv.
func fromList(v *value.Value) bool {
	return v.From != nil && (v.From.Kind == value.FromKeys || v.From.Kind == value.FromArgv) && v.Kinds&^plainArg == value.Nil
}

// badKind says what a value is that no server takes as an argument, and the way out.
func badKind(v *value.Value) string {
	const refused = ": the server refuses the call; "
	switch {
	case v.Only(value.Nil):
		return "nil" + refused + "arguments are strings and numbers"
	case v.Only(value.False | value.True):
		return "a boolean" + refused + "write 1 or a text"
	case v.Only(value.Status):
		return "a status reply, which is a table" + refused + "pass its field ok"
	case v.Only(value.Error):
		return "an error reply, which is a table" + refused + "pass its field err"
	case v.Only(value.Tables) && v.Reply != nil && v.From != nil && v.From.Kind == value.FromReply:
		return "the reply of " + v.From.Call.Label() + ", a table" + refused + "pass its elements with unpack, in parts of bounded size"
	case v.Only(value.Tables):
		return "a table" + refused + "pass its elements with unpack"
	case v.Only(value.Function | value.Userdata | value.Thread):
		return "a " + value.KindWord(v.Kinds) + refused + "arguments are strings and numbers"
	}
	return "neither a string nor a number" + refused + "arguments are strings and numbers"
}

func falseOrNil(v *value.Value) string {
	if v.Strong()&value.False != 0 {
		return "false"
	}
	return "nil"
}

// missingReply names the command whose missing data makes the value false or nil, "" where that is not known.
func missingReply(p *Pass, c *value.Call, v *value.Value) string {
	if !v.May(value.Falsy) || v.From == nil || v.From.Kind != value.FromReply || v.From.Call == nil || v.From.Call.Name == "" {
		return ""
	}
	if v.Strong()&value.False == 0 && v.From.Path != "" && v.From.Path != "[1]" {
		return "" // an element far inside: its length was looked at elsewhere
	}
	if countedLoop(p, c.LoopOf, v.From.Call) || countedLoop(p, v.From.Call.LoopOf, v.From.Call) {
		return ""
	}
	return v.From.Call.Label()
}

// countedLoop is whether the loop runs as often as the key of the read has elements: then each read finds one.
func countedLoop(p *Pass, l *value.Loop, read *value.Call) bool {
	counted := false
	count := func(v *value.Value) {
		v.From.Leaves(func(o *value.Origin) { counted = counted || countsElements(o, read) })
	}
	for ; l != nil && !counted; l = l.Outer {
		if l.Over != nil {
			count(l.Over)
		}
		loop, ok := l.Node.(*syntax.While)
		if !ok {
			continue
		}
		for _, op := range p.Facts.Ops {
			if op.Y != nil && comparison(op.Op) && loop.Cond.Bounds().Contains(op.Node.Bounds()) {
				count(op.X)
				count(op.Y)
			}
		}
	}
	return counted
}

// countsElements: the reply of a call that tells how many elements the key of the read has, or that lists them.
func countsElements(o *value.Origin, read *value.Call) bool {
	if o.Kind != value.FromReply || o.Call == nil {
		return false
	}
	switch o.Call.Name {
	case "llen", "scard", "zcard", "hlen", "xlen", "lrange", "smembers", "zrange":
		return sameFirstKey(o.Call, read)
	}
	return false
}

func sameFirstKey(a, b *value.Call) bool {
	if len(a.Keys) == 0 || len(b.Keys) == 0 || a.Keys[0].Arg >= len(a.Args) || b.Keys[0].Arg >= len(b.Args) {
		return false
	}
	x, y := a.Args[a.Keys[0].Arg].Value.From, b.Args[b.Keys[0].Arg].Value.From
	return x != nil && y != nil && x.Same(y)
}

// checkFractions reports numbers that may have a fraction where the command takes integers.
func checkFractions(p *Pass, c *value.Call) {
	for i := range c.Args {
		a := &c.Args[i]
		v := a.Value
		if a.Many || v.Const || v.Frac != value.Fractional || !v.Only(plainArg|v.Weak) {
			continue
		}
		switch c.Form.Roles()[i] {
		case server.RoleInteger, server.RoleSeconds, server.RoleMillis, server.RoleUnixSeconds, server.RoleUnixMillis, server.RoleCount, server.RoleNumKeys:
			sev, way := Warning, "round it with math.floor"
			if v.From != nil && v.From.Kind == value.FromArgv && v.Only(value.String|v.Weak) {
				way = "a caller passes a float, pass an integer or round it with math.floor"
				if wholeSeconds(p, v.From.Index) {
					sev = Note
				}
			}
			p.Report(In(a.At, sev, fmt.Sprintf("%s may have a fraction, and %q takes an integer: the server refuses the call then; %s", codeWords(p, a.At), c.Label(), way)))
		}
	}
}

// wholeSeconds is whether the floats that callers pass are durations in seconds, which are whole more often than not.
func wholeSeconds(p *Pass, index int) bool {
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Mode.Runs() || index < 1 || index > len(s.Args.Items) {
			continue
		}
		if k := &s.Args.Items[index-1].Kind; k.Type == luacheck.TypeFloat && k.Unit != luacheck.UnitSeconds {
			return false
		}
	}
	return true
}
