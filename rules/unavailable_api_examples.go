package rules

var unavailableAPIBad = []Example{
	{
		Lua:    "⟦print⟧(KEYS[1])\nreturn 1",
		Say:    "'print' does not exist: reading it aborts the script; write redis.log(redis.LOG_NOTICE, ...)",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'print'",
		Keys:   []string{"k"},
		Differs: map[string]string{
			"miniredis": "it has print",
		},
	},
	{
		Lua:    "return ⟦os.time⟧()",
		Say:    "'os.time' does not exist: the script is aborted; pass the time in ARGV, or ask redis.call('TIME')",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'os'",
	},
	{
		Lua:    "return ⟦debug.traceback⟧('x')",
		Say:    "'debug.traceback' does not exist: reading it aborts the script; there is no stack to look at",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'debug'",
	},
	{
		Lua:    "local j = ⟦require⟧('cjson')\nreturn 1",
		Say:    "'require' does not exist: reading it aborts the script; modules cannot be loaded; cjson, cmsgpack, bit and struct are there without",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'require'",
	},
	{
		Lua:    "return ⟦table.unpack⟧({1})",
		Say:    "'table.unpack' does not exist, it is Lua 5.2 and later: the script is aborted; write unpack",
		Raises: "ERR user_script:1: attempt to call field 'unpack' (a nil value)",
	},
	{
		Lua:    "local pack = ⟦table.pack⟧\nreturn pack(1).n",
		Say:    "'table.pack' does not exist, it is Lua 5.2 and later: the script is aborted; write {...}",
		Raises: "ERR user_script:2: attempt to call local 'pack' (a nil value)",
	},
	{
		Lua:    "return ⟦redis.acall⟧('GET', KEYS[1])",
		Say:    "'redis.acall' does not exist: the script is aborted; write redis.call",
		Keys:   []string{"k"},
		Raises: "ERR user_script:1: attempt to call field 'acall' (a nil value)",
	},
	{
		Lua:    "return ⟦redis.Call⟧('GET', KEYS[1])",
		Say:    "'redis.Call' does not exist: the script is aborted; did you mean 'redis.call'?",
		Keys:   []string{"k"},
		Raises: "ERR user_script:1: attempt to call field 'Call' (a nil value)",
	},
	{
		Lua:    "return ⟦server.call⟧('GET', KEYS[1])",
		Say:    "'server.call' does not exist on Redis 7.0 to 8.6: the script is aborted; write redis.call",
		Keys:   []string{"k"},
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'server'",
		Differs: map[string]string{
			"miniredis": "it has server, as Valkey",
		},
	},
	{
		Lua:      "⟦redis.replicate_commands⟧()\nreturn redis.call('INCR', KEYS[1])",
		Severity: new(Warning),
		Say:      "'redis.replicate_commands' does nothing since Redis 7.0 and is missing on some compatible servers; leave it out: effects are replicated since Redis 5",
		Keys:     []string{"k"},
		Returns:  ":1",
	},
	{
		Lua:    "return load(⟦'return 1'⟧)()",
		Say:    "'load' takes a function in Lua 5.1 and refuses text; write loadstring, or better, plain code",
		Raises: "ERR user_script:1: bad argument #1 to 'load' (function expected, got string)",
	},
	{
		Lua:    "⟦table.setn⟧({}, 3)\nreturn 1",
		Say:    "'table.setn' is obsolete and always raises; assign nil to the elements behind the end",
		Raises: "ERR user_script:1: 'setn' is obsolete",
	},
	{
		Lua:    "local s = 'a b'\nreturn s:⟦trim⟧()",
		Say:    "'trim' is no method of strings: the script is aborted; write string.match(s, '^%s*(.-)%s*$')",
		Raises: "ERR user_script:2: attempt to call method 'trim' (a nil value)",
	},
	{
		Lua:      "#!lua name=ua\nlocal function f(keys, args)\n  ⟦redis.replicate_commands⟧()\n  return redis.call('INCR', keys[1])\nend\nredis.register_function('f', f)",
		Library:  true,
		Function: "f",
		Say:      "'redis.replicate_commands' does not exist in functions: the script is aborted; leave it out: effects are replicated since Redis 5",
		Keys:     []string{"k"},
		Raises:   "ERR user_function:3: attempt to call field 'replicate_commands' (a nil value)",
	},
	{
		Lua:      "local v = ⟦redis.VALKEY_VERSION⟧\nreturn tostring(v)",
		Severity: new(Warning),
		Say:      "'redis.VALKEY_VERSION' does not exist on Redis 7.0 to 8.6: it is nil there",
		Returns:  `"nil"`,
	},
}

var unavailableAPIGood = []Example{
	{Lua: "local a = cmsgpack.pack({1})\nreturn {redis.sha1hex(''), #a, bit.bor(1, 2), table.getn(ARGV), collectgarbage('count') > 0 and 1 or 0}"},
	{Lua: "local unpack = table.unpack or unpack\nreturn unpack({1})"},
	{Lua: "if redis.replicate_commands then\n  return 1\nend\nreturn 0"},
	{Lua: "-- os.time() is not there\nlocal t = redis.call('TIME')\nreturn {t[1], string.gfind ~= nil and 1 or 0}", Also: []string{"time-random"}},
	{Lua: "local name = redis.SERVER_NAME == 'valkey' and 'valkey' or 'redis'\nreturn name"},
}
