package rules

// nativeSay is the message for a script of one shape.
func nativeSay(does, command string) string {
	return "the script is " + does + ", which every server of the target has as one command; write " + command
}

var nativeCommandBad = []Example{
	{
		Lua:    "if ⟦redis.call('GET', KEYS[1])⟧ == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0",
		Target: "redis@8.4+", Say: nativeSay("compare and delete", "DELEX KEYS[1] IFEQ value"),
	},
	{
		Lua:    "local v = ⟦redis.call('GET', KEYS[1])⟧\nif v ~= ARGV[1] then return 0 end\nreturn redis.call('UNLINK', KEYS[1])",
		Target: "valkey@9.0+", Say: nativeSay("compare and delete", "DELIFEQ KEYS[1] value"),
	},
	{
		Lua:    "if ARGV[1] == ⟦redis.call('GET', KEYS[1])⟧ then\n  redis.call('DEL', KEYS[1])\n  return true\nelse\n  return false\nend",
		Target: "redis@8.6", Say: nativeSay("compare and delete", "DELEX KEYS[1] IFEQ value"),
	},
	{
		Lua:    "if ⟦redis.call('GET', KEYS[1])⟧ == ARGV[1] then\n  return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])\nend\nreturn 0",
		Target: "redis@8.4+,valkey@8.1+", Say: nativeSay("compare and set", "SET KEYS[1] new IFEQ old"),
	},
	{
		Lua: "local v = ⟦redis.call('GET', KEYS[1])⟧\nif v then redis.call('DEL', KEYS[1]) end\nreturn v",
		Say: nativeSay("read and delete", "GETDEL KEYS[1]"),
	},
	{
		Lua: "local key = KEYS[1]\nlocal v = ⟦redis.call('GET', key)⟧\nif v == false then return nil end\nredis.call('DEL', key)\nreturn v",
		Say: nativeSay("read and delete", "GETDEL key"),
	},
	{
		Lua: "local v = ⟦redis.call('GET', KEYS[1])⟧\nredis.call('EXPIRE', KEYS[1], ARGV[1])\nreturn v",
		Say: nativeSay("read and set the expiry", "GETEX KEYS[1] with EX, PX, EXAT or PXAT"),
	},
	{
		Lua: "local old = ⟦redis.call('GET', KEYS[1])⟧\nredis.call('SET', KEYS[1], ARGV[1])\nreturn old",
		Say: nativeSay("read and set", "SET KEYS[1] value GET"),
	},
	{
		Lua: "local v = ⟦redis.call('GET', KEYS[1])⟧\nif not v then\n  redis.call('SET', KEYS[1], ARGV[1])\nend\nreturn v",
		Say: nativeSay("read, or set what is missing", "SET KEYS[1] value NX GET"),
	},
	{
		Lua: "local ok = ⟦redis.call('SETNX', KEYS[1], ARGV[1])⟧\nif ok == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\nreturn ok",
		Say: nativeSay("set what is missing and expire it", "SET KEYS[1] value NX with EX or PX"),
	},
	{
		Lua: "if ⟦redis.call('SET', KEYS[1], ARGV[1], 'NX')⟧ then\n  redis.call('EXPIRE', KEYS[1], 30)\n  return 1\nend\nreturn 0",
		Say: nativeSay("set what is missing and expire it", "SET KEYS[1] value NX with EX or PX"),
	},
	{
		Lua: "⟦redis.call('SET', KEYS[1], ARGV[1])⟧\nreturn redis.call('EXPIRE', KEYS[1], ARGV[2])",
		Say: nativeSay("set and expire", "SET KEYS[1] value with EX or PX"),
	},
	{
		Lua: "if ⟦redis.call('EXISTS', KEYS[1])⟧ == 0 then\n  redis.call('SET', KEYS[1], ARGV[1])\n  return 1\nend\nreturn 0",
		Say: nativeSay("set what is missing", "SET KEYS[1] value NX"),
	},
	{
		Lua:    "local v = ⟦redis.call('HGET', KEYS[1], ARGV[1])⟧\nredis.call('HDEL', KEYS[1], ARGV[1])\nreturn v",
		Target: "redis@8.0+,valkey@9.1+", Say: nativeSay("read and delete a field", "HGETDEL KEYS[1] FIELDS 1 field"),
	},
	{
		Lua: "local r = ⟦redis.call('ZRANGE', KEYS[1], 0, 0)⟧\nif #r > 0 then\n  redis.call('ZREM', KEYS[1], r[1])\nend\nreturn r",
		Say: nativeSay("take the lowest member", "ZPOPMIN KEYS[1]"),
	},
	{
		Lua: "local items = ⟦redis.call('LRANGE', KEYS[1], 0, ARGV[1] - 1)⟧\nredis.call('LTRIM', KEYS[1], ARGV[1], -1)\nreturn items",
		Say: nativeSay("take elements from the head", "LPOP KEYS[1] count"),
	},
	{
		Lua: "local v = ⟦redis.call('RPOP', KEYS[1])⟧\nif v then redis.call('LPUSH', KEYS[2], v) end\nreturn v",
		Say: nativeSay("pop and push", "LMOVE KEYS[1] KEYS[2]"),
	},
}

var nativeCommandGood = []Example{
	// Redis 7 and Valkey 7 have no DELEX.
	{Lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0"},
	// DELEX is not Valkey's.
	{Lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0", Target: "redis@8.4+,valkey@9.0+"},
	{Lua: "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\nreturn 0", Target: "redis@8.6"},
	{Lua: "local v = redis.call('GET', KEYS[1])\nredis.call('DEL', KEYS[2])\nreturn v"},
	{Lua: "local v = redis.call('GET', KEYS[1])\nif v then redis.call('DEL', KEYS[1]) redis.call('SREM', KEYS[2], v) end\nreturn v"},
	{Lua: "local v = redis.call('GET', KEYS[1])\nif v == ARGV[1] and ARGV[2] == '1' then\n  redis.call('DEL', KEYS[1])\nend\nreturn 0", Target: "redis@8.6"},
	{Lua: "local v = tonumber(redis.call('GET', KEYS[1]) or '0') or 0\nredis.call('SET', KEYS[1], v + 1)\nreturn v"},
	{Lua: "local f = redis.call('HGET', KEYS[1], ARGV[1])\nredis.call('HDEL', KEYS[1], ARGV[2])\nreturn f", Target: "redis@8.6"},
	{Lua: "local v = redis.call('GET', KEYS[1])\nif v ~= ARGV[1] then\n  return redis.error_reply('CONFLICT ' .. ARGV[1])\nend\nreturn redis.call('SET', KEYS[1], ARGV[2])",
		Target: "redis@8.6"},
}
