package rules

import "github.com/redislint/redislint/luacheck"

// lit, hole, tmpl, exactly and runs write the parts of a site for examples.
func lit(text string) luacheck.Part { return luacheck.Part{Lit: text} }

func hole(name string) luacheck.Part { return luacheck.Part{Hole: name, Name: name} }

func tmpl(parts ...luacheck.Part) luacheck.Element {
	return luacheck.Element{Text: luacheck.Template{Parts: parts}, Kind: luacheck.ArgKind{Type: luacheck.TypeString}}
}

func exactly(items ...luacheck.Element) luacheck.List {
	return luacheck.List{Items: items, Exact: true, Min: len(items), Max: len(items)}
}

func runs(keys, args luacheck.List) luacheck.Site {
	return luacheck.Site{Mode: luacheck.ModeEval, Library: "go-redis", Callee: "Run", Keys: keys, Args: args}
}

const (
	sayFails = ", not an element of KEYS: a cluster fails the call where another node holds it; pass the name in KEYS, or give all keys one hash tag"
	sayKept  = ", not an element of KEYS: its hash tag keeps it in the slot of the declared keys at every call; pass the name in KEYS where it is known before"
)

var dynamicKeyBad = []Example{
	{
		Lua:     "local function member(id) return KEYS[1] .. ':m:' .. id end\nreturn redis.call('EXISTS', ⟦member(ARGV[1])⟧)",
		Say:     "'member(ARGV[1])' is built from KEYS[1] and ARGV[1], not an element of KEYS: a cluster fails the call where another node holds it; pass the name in KEYS, or give all keys one hash tag",
		Keys:    []string{"k"},
		Args:    []string{"a"},
		Returns: ":0",
	},
	{
		Lua:     "local args = {'SADD', 'seen:' .. ARGV[1]}\nfor i = 2, #ARGV do args[#args + 1] = ARGV[i] end\nreturn redis.call(⟦unpack(args)⟧)",
		Say:     "'unpack(args)' is built from ARGV[1], not an element of KEYS: a cluster fails the call where another node holds it; pass the name in KEYS, or give all keys one hash tag",
		Args:    []string{"d", "x"},
		Returns: ":1",
	},
	{
		Lua:     "redis.call('INCR', KEYS[1])\nreturn redis.call('SET', ⟦KEYS[1] .. ':x'⟧, ARGV[1])",
		Say:     "'KEYS[1] .. ':x'' is built from KEYS[1] and other text" + sayFails,
		Cluster: true,
		Keys:    []string{"b"}, Args: []string{"1"},
		Raises: "ERR Script attempted to access a non local key in a cluster node",
		Slots:  map[string]int{"b": 3300, "b:x": 8394},
	},
	{
		Lua: "local id = redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\nif id then\n  redis.call('HSET', ⟦ARGV[1] .. id⟧, 'state', 'active')\nend\nreturn id",
		Say: "'ARGV[1] .. id' is built from ARGV[1] and the reply of RPOPLPUSH" + sayFails,
	},
	{
		Lua: "return redis.call('GET', ⟦ARGV[1]⟧)",
		Say: "'ARGV[1]' is ARGV[1]" + sayFails,
	},
	{
		Lua: "local ts = string.format('%s:ts', KEYS[1])\nlocal n = redis.call('INCR', KEYS[1])\nredis.call('SET', ⟦ts⟧, ARGV[1])\nreturn n",
		Say: "'ts' is built from KEYS[1] and other text" + sayFails,
	},
	{
		Lua:  "for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n  redis.call('DEL', ⟦name⟧)\nend\nreturn 1",
		Say:  "'name' is the reply of SMEMBERS" + sayFails,
		Also: []string{"unbounded-work"},
	},
	{
		Lua: "local job = cjson.decode(ARGV[1])\nreturn redis.call('LPUSH', ⟦'queue:' .. job.queue⟧, ARGV[1])",
		Say: "''queue:' .. job.queue' is built from decoded data" + sayFails,
	},
	{
		Lua: "local function touch(name, seconds)\n  return redis.call('EXPIRE', ⟦name⟧, seconds)\nend\ntouch(KEYS[1], 10)\nreturn touch(KEYS[1] .. ':idx', 10)",
		Say: "'name' is built from KEYS[1] and other text" + sayFails,
	},
	{
		Lua: "local function rcall(...) return redis.call(...) end\nreturn rcall('LLEN', ⟦KEYS[1] .. ':idx'⟧)",
		Say: "'KEYS[1] .. ':idx'' is built from KEYS[1] and other text" + sayFails,
	},
	{
		Lua: "#!lua\nredis.call('INCR', KEYS[1])\nreturn redis.call('INCR', ⟦ARGV[1]⟧)",
		Say: "'ARGV[1]' is ARGV[1], not an element of KEYS: with a #!lua line a cluster refuses it where its slot is another one; pass the name in KEYS, or give all keys one hash tag",
	},
	{
		Lua:      "#!lua name=jobs\nlocal function pop(keys, args)\n  return redis.call('LPOP', ⟦args[1]⟧)\nend\nredis.register_function('pop', pop)",
		Library:  true,
		Function: "pop",
		Say:      "'args[1]' is ARGV[1], not an element of KEYS: with a #!lua line a cluster refuses it where its slot is another one; pass the name in KEYS, or give all keys one hash tag",
		Keys:     []string{"k"}, Args: []string{"q"},
		Returns: "(nil)",
	},
	{
		Lua: "local id = redis.call('RPOP', KEYS[1])\nif id then\n  redis.call('HSET', ⟦ARGV[1] .. id⟧, 'state', 'active')\nend\nreturn id",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("a:{"), hole("q"), lit("}:pending"))), exactly(tmpl(lit("a:{"), hole("q"), lit("}:t:"))))}
		},
		Severity: new(Note),
		Say:      "'ARGV[1] .. id' is built from ARGV[1] and the reply of RPOP" + sayKept,
	},
	{
		Lua: "local id = redis.call('LPOP', KEYS[1])\nif not id then return false end\nreturn redis.call('DEL', ⟦ARGV[1] .. id⟧)",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(lit("a:{"), hole("q"), lit("}:t:"))))}
		},
		Severity: new(Note),
		Say:      "'ARGV[1] .. id' is built from ARGV[1] and the reply of LPOP" + sayKept,
	},
	{
		Lua: "redis.call('SET', KEYS[1], 1)\nreturn redis.call('SET', ⟦'{' .. KEYS[1] .. '}:s'⟧, 1)",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("u:{"), hole("id"), lit("}"))), exactly())}
		},
		Say: "''{' .. KEYS[1] .. '}:s'' is built from KEYS[1] and other text, not an element of KEYS: its hash tag 'u:{<id>' is not '<id>' of the declared key, so a cluster puts it into another slot; pass the name in KEYS",
	},
	{
		Lua:       "return redis.call('GET', ⟦'user:' .. ARGV[1]⟧)",
		NoCluster: true,
		Severity:  new(Note),
		Say:       "''user:' .. ARGV[1]' is built from ARGV[1], not an element of KEYS: a cluster, an ACL or a proxy cannot tell which keys the script touches; pass the name in KEYS",
	},
	{
		Lua:      "return redis.call('GET', ⟦'user:' .. ARGV[1]⟧)",
		Target:   "dragonfly",
		Severity: new(ErrorSeverity),
		Say:      "''user:' .. ARGV[1]' is built from ARGV[1], not an element of KEYS: Dragonfly refuses keys that are not declared; pass the name in KEYS, or write --!df flags=allow-undeclared-keys above the script",
		NotRun:   "Dragonfly is not Redis",
		Recorded: []Recorded{{"dragonfly", "script tried accessing undeclared key", "its documentation and source"}},
	},
	{
		Lua:      "local k = KEYS[1]\nreturn redis.call('INCR', ⟦k⟧)",
		Target:   "aliyun-cluster",
		Severity: new(ErrorSeverity),
		Say:      "'k' is not written as an element of KEYS: Aliyun cluster refuses to load the script; write KEYS[n] in the call itself",
		NotRun:   "Aliyun's proxy is not Redis",
		Recorded: []Recorded{{"aliyun-cluster", "bad lua script for redis cluster, all the keys that the script uses should be passed using the KEYS array", "redis_rate#93"}},
	},
}

var dynamicKeyGood = []Example{
	// Code that Go puts in: it may name elements of KEYS.
	{Lua: "return redis.call('DEL', ⟪KEYS[1]⟫)"},
	{
		Lua:  "local args = {}\ntable.insert(args, 'RPUSH')\ntable.insert(args, KEYS[1])\nfor _, v in ipairs(ARGV) do table.insert(args, v) end\nreturn redis.call(unpack(args))",
		Keys: []string{"k"},
		Args: []string{"a", "b"},
	},
	{
		Lua:  "local args = {'MSET'}\nfor i, k in ipairs(KEYS) do\n  table.insert(args, k)\n  table.insert(args, ARGV[i])\nend\nreturn redis.call(unpack(args))",
		Keys: []string{"{a}1", "{a}2"},
		Args: []string{"v", "w"},
	},
	{Lua: "local r = {}\nfor i, k in ipairs(KEYS) do\n  r[i] = redis.call('LLEN', k)\nend\nreturn r"},
	{Lua: "local k = KEYS[2] or KEYS[1]\nreturn redis.call('GET', tostring(k))"},
	{Lua: "local list = redis.call('GET', KEYS[2])\nif list == KEYS[1] then\n  redis.call('DEL', list)\nend\nreturn 1"},
	{Lua: "--!df flags=allow-undeclared-keys\nreturn redis.call('LPUSH', 'queue:' .. ARGV[1], 'x')"},
	{Lua: "for i = 1, #KEYS, 2 do\n  redis.call('SET', KEYS[i], ARGV[i])\n  redis.call('DEL', KEYS[i + 1])\nend\nreturn redis.call('DEL', unpack(KEYS))"},
	{Lua: "return redis.call('HSET', KEYS[1], 'f:' .. ARGV[1], KEYS[1] .. ':x')"},
}
