package rules

import "github.com/redislint/redislint/luacheck"

// counting is an argument of which the unit is known; cut: to whole units.
func counting(u luacheck.Unit, cut bool) luacheck.Element {
	return luacheck.Element{Kind: luacheck.ArgKind{Type: luacheck.TypeInt, Unit: u, Truncates: cut}}
}

func duration() luacheck.Element {
	return luacheck.Element{Kind: luacheck.ArgKind{Type: luacheck.TypeDuration, GoType: "time.Duration", Unit: luacheck.UnitNanos}}
}

func constantElement(text string, n float64) luacheck.Element {
	e := numberElement(text)
	e.Kind.HasRange, e.Kind.Lo, e.Kind.Hi = true, n, n
	return e
}

var oneKey = exactly(tmpl(hole("key")))

var ttlUnitBad = []Example{
	{
		Lua:   "local reset_ms = tonumber(ARGV[1])\nredis.call('SET', KEYS[1], 'x', 'EX', ⟦reset_ms⟧)\nreturn redis.call('TTL', KEYS[1])",
		Say:   "'reset_ms' counts milliseconds, and EX takes seconds: the key lives 1000 times too long; write PX or convert it",
		Fixed: "local reset_ms = tonumber(ARGV[1])\nredis.call('SET', KEYS[1], 'x', 'PX', reset_ms)\nreturn redis.call('TTL', KEYS[1])",
		Keys:  []string{"k"}, Args: []string{"5000"},
		Returns: ":5000",
	},
	{
		Lua:   "local function touch(key, seconds)\n  return redis.call('PEXPIRE', key, ⟦seconds⟧)\nend\nredis.call('INCR', KEYS[1])\ntouch(KEYS[1], ARGV[1])\nreturn redis.call('TTL', KEYS[1])",
		Say:   "'seconds' counts seconds, and PEXPIRE takes milliseconds: the key lives 1000 times too short; write EXPIRE or convert it",
		Fixed: "local function touch(key, seconds)\n  return redis.call('EXPIRE', key, seconds)\nend\nredis.call('INCR', KEYS[1])\ntouch(KEYS[1], ARGV[1])\nreturn redis.call('TTL', KEYS[1])",
		Keys:  []string{"k"}, Args: []string{"60"},
		Returns: ":0",
	},
	{
		Lua:  "local opts = cjson.decode(ARGV[1])\nredis.call('SETEX', KEYS[1], ⟦opts.windowMillis⟧ * 2, '0')\nreturn redis.call('TTL', KEYS[1])",
		Say:  "'opts.windowMillis' counts milliseconds, and SETEX takes seconds: the key lives 1000 times too long; write PSETEX or convert it",
		Keys: []string{"k"}, Args: []string{`{"windowMillis": 500}`},
		Returns: ":1000",
	},
	{
		Lua:     "local left = redis.call('PTTL', KEYS[1])\nif left > 0 then\n  redis.call('SET', KEYS[2], 'x')\n  redis.call('EXPIRE', KEYS[2], ⟦left⟧)\nend\nreturn redis.call('TTL', KEYS[2]) > 1000",
		Say:     "'left' is made of the reply of PTTL, which counts milliseconds, and EXPIRE takes seconds: the key lives 1000 times too long; write PEXPIRE or convert it",
		Fixed:   "local left = redis.call('PTTL', KEYS[1])\nif left > 0 then\n  redis.call('SET', KEYS[2], 'x')\n  redis.call('PEXPIRE', KEYS[2], left)\nend\nreturn redis.call('TTL', KEYS[2]) > 1000",
		Setup:   [][]string{{"SET", "{a}1", "x", "EX", "60"}},
		Keys:    []string{"{a}1", "{a}2"},
		Returns: ":1",
	},
	{
		Lua:     "local ttl = redis.call('PTTL', KEYS[1])\nredis.call('DEL', KEYS[1])\nredis.call('SET', KEYS[1], ARGV[1])\nredis.call('PEXPIRE', KEYS[1], ⟦ttl⟧)\nreturn redis.call('EXISTS', KEYS[1])",
		Say:     "'ttl' is -1 where the key has no expiry, and PEXPIRE deletes the key then; test it first",
		Setup:   [][]string{{"SET", "k", "x"}},
		Keys:    []string{"k"},
		Args:    []string{"y"},
		Returns: ":0",
	},
	{
		Lua:     "redis.call('SET', KEYS[1], ARGV[1])\nredis.call('EXPIRE', KEYS[1], ⟦-1⟧)\nreturn redis.call('EXISTS', KEYS[1])",
		Say:     "EXPIRE with a time of -1 deletes the key at once; write PERSIST to take the expiry away, or DEL",
		Keys:    []string{"k"},
		Args:    []string{"v"},
		Returns: ":0",
	},
	{
		Lua:     "local day = 24 * 60 * 60\nredis.call('SET', KEYS[1], ARGV[1], 'PX', ⟦day⟧)\nreturn redis.call('TTL', KEYS[1])",
		Say:     `"day" looks like seconds, and PX takes milliseconds; write EX or convert it`,
		Keys:    []string{"k"},
		Args:    []string{"v"},
		Returns: ":86",
	},
	{
		Lua:    "local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])\nlocal fill = capacity / rate\nlocal ttl = math.floor(fill * 2)\nredis.call('SETEX', KEYS[1], ⟦ttl⟧, capacity)\nreturn 1",
		Say:    "'ttl' is rounded down to 0 where it is below 1, and SETEX refuses that; use math.ceil, or math.max with 1",
		Also:   []string{},
		Keys:   []string{"k"},
		Args:   []string{"100", "10"},
		Raises: "ERR invalid expire time in 'setex' command",
	},
	{
		Lua:     "if ⟦redis.call('TTL', KEYS[1]) == 0⟧ then\n  return 'expired'\nend\nreturn 'alive'",
		Say:     "TTL replies -2 for a missing key and -1 for a key without an expiry, and almost never 0; compare with < 0, -1 or -2",
		Keys:    []string{"k"},
		Returns: `"alive"`,
	},
	{
		Lua:     "local least_seconds = tonumber(ARGV[1]) or 0\nif ⟦redis.call('PTTL', KEYS[1]) < least_seconds⟧ then\n  return 'renew'\nend\nreturn 'wait'",
		Say:     "a number of milliseconds (the reply of PTTL) is compared with one of seconds ('least_seconds'); convert one of them",
		Setup:   [][]string{{"SET", "k", "x", "EX", "60"}},
		Keys:    []string{"k"},
		Args:    []string{"90"},
		Returns: `"wait"`,
	},
	{
		Lua:     "local left_ms = ⟦redis.call('TTL', KEYS[1])⟧\nreturn left_ms",
		Say:     "the name 'left_ms' says milliseconds, and this counts seconds (the reply of TTL); convert it, or name it otherwise",
		Setup:   [][]string{{"SET", "k", "x", "EX", "60"}},
		Keys:    []string{"k"},
		Returns: ":60",
	},
	{
		Lua:    "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\nreturn redis.call('TTL', KEYS[1])",
		Sites:  func() []luacheck.Site { return []luacheck.Site{runs(oneKey, exactly(tmpl(hole("token")), duration()))} },
		AtSite: true, Part: PartArg, Index: 1,
		Say:  "a time.Duration is sent as nanoseconds, and PX takes milliseconds: the key lives 1000000 times too long; convert it",
		Keys: []string{"k"}, Args: []string{"t", "5000000000"},
		Returns: ":5000000",
	},
	{
		Lua: "redis.call('INCR', KEYS[1])\nredis.call('EXPIRE', KEYS[1], math.ceil(ARGV[1] / 1000))\nreturn redis.call('TTL', KEYS[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(counting(luacheck.UnitSeconds, false)))}
		},
		AtSite: true, Part: PartArg,
		Say:  "the argument counts seconds, and the script takes it for milliseconds: the key lives 1000 times too short; convert it",
		Keys: []string{"k"}, Args: []string{"60"},
		Returns: ":1",
	},
	{
		Lua: "redis.call('SET', KEYS[1], '1')\nredis.call('EXPIREAT', KEYS[1], ARGV[1])\nreturn redis.call('TTL', KEYS[1]) > 1000000000",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(counting(luacheck.UnitUnixMillis, false)))}
		},
		AtSite: true, Part: PartArg,
		Say:  "the argument is a Unix time in milliseconds, and EXPIREAT takes a Unix time in seconds: the key never expires; convert it",
		Keys: []string{"k"}, Args: []string{"1900000000000"},
		Returns: ":1",
	},
	{
		Lua: "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(tmpl(hole("id")), counting(luacheck.UnitSeconds, true)))}
		},
		AtSite: true, Part: PartArg, Index: 1,
		Say:  "a duration cut to whole seconds is 0 below one second, and SET refuses that; round it up, or pass milliseconds to PX",
		Keys: []string{"k"}, Args: []string{"me", "0"},
		Raises: "ERR invalid expire time in 'set' command",
	},
	{
		Lua:    "redis.call('SET', KEYS[1], '1')\nredis.call('EXPIRE', KEYS[1], ARGV[1])\nreturn redis.call('EXISTS', KEYS[1])",
		Sites:  func() []luacheck.Site { return []luacheck.Site{runs(oneKey, exactly(constantElement("0", 0)))} },
		AtSite: true, Part: PartArg,
		Say:  "the time is 0, and EXPIRE deletes the key then; pass a time above 0",
		Keys: []string{"k"}, Args: []string{"0"},
		Returns: ":0",
	},
}

var ttlUnitGood = []Example{
	{Lua: "local d = redis.call('DUMP', KEYS[1])\nif d then redis.call('RESTORE', KEYS[2], 0, d, 'REPLACE') end\nreturn d and 1 or 0"},
	{Lua: "local reset_ms = tonumber(ARGV[1])\nredis.call('SET', KEYS[1], 'x', 'PX', reset_ms)\nreturn redis.call('TTL', KEYS[1])"},
	{Lua: "local window_ms = tonumber(ARGV[1]) or 1000\nredis.call('INCR', KEYS[1])\nreturn redis.call('EXPIRE', KEYS[1], math.ceil(window_ms / 1000))"},
	{Lua: "if redis.call('TTL', KEYS[1]) < 0 then\n  redis.call('EXPIRE', KEYS[1], ARGV[1])\nend\nreturn 1"},
	{Lua: "local ttl = redis.call('TTL', KEYS[1])\nif ttl == -2 then\n  return 0\nend\nif ttl == -1 then\n  return redis.call('EXPIRE', KEYS[1], ARGV[1])\nend\nreturn ttl"},
	{Lua: "local ttl = redis.call('PTTL', KEYS[1])\nlocal v = redis.call('INCR', KEYS[2])\nif ttl > 0 then\n  redis.call('PEXPIRE', KEYS[2], ttl)\nend\nreturn v"},
	{Lua: "local t = redis.call('TIME')\nreturn redis.call('ZADD', KEYS[1], t[1] * 1000 + math.floor(t[2] / 1000), ARGV[1])", Also: []string{"time-random"}},
	{Lua: "local t = redis.call('TIME')\nlocal now = t[1] + t[2] / 1000000\nreturn redis.call('ZADD', KEYS[1], tostring(now), ARGV[1])", Also: []string{"time-random"}},
	{Lua: "local minutes = tonumber(ARGV[1]) or 1\nredis.call('INCR', KEYS[1])\nreturn redis.call('EXPIRE', KEYS[1], minutes * 60)"},
	{
		Lua: "return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(tmpl(hole("token")), counting(luacheck.UnitMillis, false)))}
		},
	},
	{
		Lua: "redis.call('INCR', KEYS[1])\nreturn redis.call('PEXPIRE', KEYS[1], ARGV[1] * 1000)",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(counting(luacheck.UnitSeconds, true)))}
		},
	},
	{
		Lua: "local ttl = math.max(1, tonumber(ARGV[2]))\nreturn redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ttl)",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(tmpl(hole("id")), counting(luacheck.UnitSeconds, true)))}
		},
	},
	{
		Lua:   "redis.call('INCR', KEYS[1])\nif tonumber(ARGV[1]) > 0 then\n  redis.call('EXPIRE', KEYS[1], ARGV[1])\nend\nreturn 1",
		Sites: func() []luacheck.Site { return []luacheck.Site{runs(oneKey, exactly(constantElement("0", 0)))} },
	},
	{
		// The name is wrong, and the call right.
		Lua: "local ttl_ms = ARGV[1]\nredis.call('INCR', KEYS[1])\nreturn redis.call('EXPIRE', KEYS[1], ttl_ms)",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(oneKey, exactly(counting(luacheck.UnitSeconds, false)))}
		},
	},
}
