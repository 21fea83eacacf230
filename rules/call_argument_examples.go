package rules

import "github.com/redislint/redislint/luacheck"

// goSite is a call in Go with one key and arguments of these kinds.
func goSite(library string, kinds ...luacheck.ArgKind) []luacheck.Site {
	s := luacheck.Site{Mode: luacheck.ModeEval, Library: library, Callee: "Run", Keys: exactly(tmpl(hole("key"))), Fallback: true}
	var items []luacheck.Element
	for _, k := range kinds {
		items = append(items, luacheck.Element{Kind: k})
	}
	s.Args = exactly(items...)
	return []luacheck.Site{s}
}

func goType(t luacheck.ArgType, name string) luacheck.ArgKind {
	return luacheck.ArgKind{Type: t, GoType: name}
}

func goAlone(t luacheck.ArgType, name string) luacheck.ArgKind {
	return luacheck.ArgKind{Type: t, GoType: name, Alone: true}
}

// refused is an example that go-redis refuses before a server sees it.
func refused(index int, say string, kinds ...luacheck.ArgKind) Example {
	return Example{
		Lua: "redis.call('DEL', KEYS[1])\nreturn #ARGV", Sites: func() []luacheck.Site { return goSite("go-redis", kinds...) }, AtSite: true, Part: PartArg, Index: index, Say: say,
		NotRun: "the client refuses the call before a server sees it",
		Recorded: []Recorded{{"go-redis 9.23.0", "redis: can't marshal " + kinds[index].GoType + " (implement encoding.BinaryMarshaler)",
			"the error that the call returned"}},
	}
}

// sent is an example of what a client sends as something else.
func sent(library, lua string, index int, say string, kinds ...luacheck.ArgKind) Example {
	return Example{Lua: lua, Sites: func() []luacheck.Site { return goSite(library, kinds...) }, AtSite: true, Part: PartArg, Index: index, Severity: new(Warning), Say: say}
}

const anyArgs = "redis.call('DEL', KEYS[1])\nreturn #ARGV"

var (
	goText     = goType(luacheck.TypeString, "string")
	goDuration = goType(luacheck.TypeDuration, "time.Duration")
)

var callArgumentBad = []Example{
	refused(1, `'[]string' beside other arguments is refused by go-redis ("can't marshal"): the call fails before anything is sent; append its elements to one []any and spread that`,
		goType(luacheck.TypeInt, "int"), goType(luacheck.TypeSlice, "[]string")),
	refused(0, `'[]int' is refused by go-redis ("can't marshal"): the call fails before anything is sent; make a []any of its elements and spread that`,
		goAlone(luacheck.TypeSlice, "[]int")),
	refused(0, `'map[string]int' is refused by go-redis ("can't marshal"): the call fails before anything is sent; pass keys and values one by one`,
		goAlone(luacheck.TypeMap, "map[string]int")),
	refused(0, `'userID' is a defined type without MarshalBinary, which go-redis refuses ("can't marshal"): the call fails before anything is sent; convert it to its basic type`,
		goType(luacheck.TypeNamed, "userID"), goText),
	refused(1, `'options' is refused by go-redis ("can't marshal"): the call fails before anything is sent; pass its fields, or give it a MarshalBinary`,
		goText, goType(luacheck.TypeStruct, "options")),
	refused(0, `'func() string' is refused by go-redis ("can't marshal"): the call fails before anything is sent; pass a string or a number`,
		goAlone(luacheck.TypeOther, "func() string")),
	sent("go-redis", anyArgs, 0,
		"'options' alone is spread by go-redis into its fields with a redis tag, and it has none: no argument is sent at all; pass the values",
		goAlone(luacheck.TypeStruct, "options")),
	sent("go-redis", anyArgs, 1, "nil is sent by go-redis as an empty string, which is true in Lua; pass a value that the script tests for",
		goText, goType(luacheck.TypeNil, "untyped nil")),
	sent("go-redis", anyArgs, 0, "nil alone is left out by go-redis: no argument is sent at all; leave it out, or pass a value that the script tests for",
		goAlone(luacheck.TypeNil, "untyped nil")),
	sent("go-zero", "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])", 1,
		"'time.Duration' is sent by go-zero as its number of nanoseconds, and the script passes ARGV[2] to SET as milliseconds; pass .Milliseconds() or seconds, as the script counts",
		goText, goDuration),
	sent("go-zero", "local n = redis.call('INCR', KEYS[1])\nif n == 1 then\n  redis.call('EXPIRE', KEYS[1], tonumber(ARGV[1]))\nend\nreturn n", 0,
		"'time.Duration' is sent by go-zero as its number of nanoseconds, and the script passes ARGV[1] to EXPIRE as seconds; pass .Milliseconds() or seconds, as the script counts",
		goDuration),
	sent("go-redis", "return redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, tonumber(ARGV[1]) - tonumber(ARGV[2]))", 1,
		"'time.Duration' is sent by go-redis as its number of nanoseconds, and the script computes with ARGV[1], which counts milliseconds; pass .Milliseconds() or seconds, as the script counts",
		luacheck.ArgKind{Type: luacheck.TypeInt, GoType: "int64", Unit: luacheck.UnitUnixMillis}, goDuration),
	sent("go-redis", "return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])", 0,
		"'time.Time' is sent by go-redis as RFC 3339 text, and the script passes ARGV[1] to ZADD as a number; pass .UnixMilli() or .Unix(), as the script counts",
		goType(luacheck.TypeTime, "time.Time"), goText),
	sent("go-redis", "if ARGV[1] == 'true' then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0", 0,
		"'bool' is sent by go-redis as 1 or 0, and the script compares ARGV[1] with 'true'; compare with '1'", goType(luacheck.TypeBool, "bool")),
	sent("redigo", anyArgs, 0, "'[]string' is sent by redigo as one text, [a b]; spread it with redis.Args{}.AddFlat", goType(luacheck.TypeSlice, "[]string")),
	sent("redigo", anyArgs, 1, "'map[string]string' is sent by redigo as one text, map[a:1]; spread it with redis.Args{}.AddFlat",
		goText, goType(luacheck.TypeMap, "map[string]string")),
	sent("redigo", anyArgs, 0, "'options' is sent by redigo as one text, {1}; pass its fields, or spread them with redis.Args{}.AddFlat",
		goType(luacheck.TypeStruct, "options")),
	sent("redigo", anyArgs, 0, "'time.Duration' is sent by redigo as text such as \"5s\"; pass .Milliseconds() or seconds, as the script counts", goDuration),
	sent("redigo", anyArgs, 0, "'*string' is sent by redigo as an address in memory; pass what it points to",
		luacheck.ArgKind{Type: luacheck.TypeString, GoType: "*string", Pointer: true}),
}

var callArgumentGood = []Example{
	{Lua: anyArgs, Sites: func() []luacheck.Site {
		return goSite("go-redis", luacheck.ArgKind{Type: luacheck.TypeStruct, GoType: "options", Alone: true, Tagged: true})
	}},
	{Lua: anyArgs, Sites: func() []luacheck.Site {
		return goSite("redigo", goType(luacheck.TypeNamed, "userID"), goType(luacheck.TypeBool, "bool"))
	}},
	{Lua: anyArgs, Sites: func() []luacheck.Site {
		return goSite("redigo", luacheck.ArgKind{Type: luacheck.TypeSlice, GoType: "uuid.UUID", Prints: true})
	}},
	{Lua: anyArgs, Sites: func() []luacheck.Site {
		return goSite("own client", goType(luacheck.TypeSlice, "[]string"), goDuration)
	}},
	{
		// Nanoseconds all through.
		Lua: "return redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, tonumber(ARGV[1]) - tonumber(ARGV[2]))",
		Sites: func() []luacheck.Site {
			return goSite("go-redis", luacheck.ArgKind{Type: luacheck.TypeInt, GoType: "int64", Unit: luacheck.UnitUnixNanos}, goDuration)
		},
	},
	{
		// The script converts them.
		Lua:   "redis.call('SET', KEYS[1], ARGV[1], 'PX', math.ceil(tonumber(ARGV[2]) / 1000000))\nreturn 1",
		Sites: func() []luacheck.Site { return goSite("go-redis", goText, goDuration) },
	},
	{Lua: "return redis.call('HSET', KEYS[1], 'ttl', ARGV[1], 'at', ARGV[2])", Sites: func() []luacheck.Site { return goSite("go-redis", goDuration, goType(luacheck.TypeTime, "time.Time")) }},
	{Lua: "if ARGV[1] == '1' then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0", Sites: func() []luacheck.Site { return goSite("go-redis", goType(luacheck.TypeBool, "bool")) }},
}
