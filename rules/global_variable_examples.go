package rules

const readOnly = "ERR user_script:1: Attempt to modify a readonly table"

var globalVariableBad = []Example{
	{
		Lua:    "⟦count⟧ = redis.call('INCR', KEYS[1])\nreturn count",
		Say:    "'count' is no local variable: assigning a global aborts the script; write 'local count'",
		Fixed:  "local count = redis.call('INCR', KEYS[1])\nreturn count",
		Keys:   []string{"k"},
		Raises: readOnly,
	},
	{
		Lua:    "function ⟦double⟧(n)\n  if n > 100 then return double(n - 100) end\n  return n * 2\nend\nreturn double(7)",
		Say:    "'double' is no local variable: assigning a global aborts the script; write 'local function double'",
		Fixed:  "local function double(n)\n  if n > 100 then return double(n - 100) end\n  return n * 2\nend\nreturn double(7)",
		Raises: readOnly,
	},
	{
		Lua:    "if redis.call('EXISTS', KEYS[1]) == 0 then\n  ⟦made⟧ = 1\nend\nreturn made",
		Say:    "'made' is no local variable: assigning a global aborts the script; declare it with local before its first use",
		Keys:   []string{"k"},
		Raises: "ERR user_script:2: Attempt to modify a readonly table",
	},
	{
		Lua:    "local counter = 0\nfor i = 1, 3 do\n  ⟦conter⟧ = counter + i\nend\nreturn counter",
		Say:    "'conter' is no local variable: assigning a global aborts the script; did you mean the local 'counter'?",
		Raises: "ERR user_script:3: Attempt to modify a readonly table",
	},
	{
		Lua:    "return redis.call('SELECT', ⟦DB_NO⟧)",
		Say:    "'DB_NO' does not exist: reading an undefined global aborts the script; pass the value in ARGV or declare it with local",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'DB_NO'",
	},
	{
		Lua:    "local limit = tonumber(ARGV[1])\nif limit == nil then return 0 end\nreturn redis.call('INCRBY', KEYS[1], ⟦limt⟧)",
		Say:    "'limt' does not exist: reading an undefined global aborts the script; did you mean the local 'limit'?",
		Keys:   []string{"k"},
		Args:   []string{"1"},
		Raises: "ERR user_script:3: Script attempted to access nonexistent global variable 'limt'",
	},
	{
		Lua:    "return redis.call('GET', ⟦keys⟧[1])",
		Say:    "'keys' does not exist: reading an undefined global aborts the script; did you mean 'KEYS'?",
		Keys:   []string{"k"},
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'keys'",
	},
	{
		Lua:    "if ⟦debugging⟧ then return 1 end\nreturn 0",
		Say:    "'debugging' does not exist: reading an undefined global aborts the script; pass the value in ARGV or declare it with local",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'debugging'",
	},
	{
		Lua:    "local function run() return ⟦step⟧() end\nlocal function step() return 1 end\nreturn {run(), step()}",
		Say:    "'step' does not exist: reading an undefined global aborts the script; the local of that name in line 2 is not visible here, declare it before",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'step'",
	},
	{
		Lua: "⟦KEYS⟧ = {'a'}\nreturn KEYS[1]",
		Differs: map[string]string{
			"miniredis": "its KEYS can be replaced",
		},
		Say:    "'KEYS' cannot be replaced: the table of globals is read-only and the script is aborted; assign to its elements, or write 'local KEYS'",
		Raises: readOnly,
	},
	{
		Lua:    "function ⟦table.push⟧(t, v) t[#t + 1] = v end\nreturn 1",
		Say:    "'table.push' cannot be assigned: the table 'table' is read-only since Redis 6.2.7 and the script is aborted; use a local",
		Raises: readOnly,
		Differs: map[string]string{
			"miniredis": "its library tables can be changed",
		},
	},
	{
		Lua:    "⟦rawset(_G, 'x', 1)⟧\nreturn 1",
		Say:    "'rawset' cannot change '_G': the table is read-only since Redis 6.2.7 and the script is aborted; use a table of your own",
		Raises: "ERR Attempt to modify a readonly table",
		Differs: map[string]string{
			"miniredis": "its table of globals can be changed by rawset",
		},
	},
	{
		Lua:    "return ⟦_G['nosuch']⟧",
		Say:    "'nosuch' does not exist: reading it through _G aborts the script as well; ask with rawget(_G, 'nosuch')",
		Raises: "ERR user_script:1: Script attempted to access nonexistent global variable 'nosuch'",
	},
	{
		Lua:      "local ok = pcall(function() ⟦x⟧ = 1 end)\nreturn ok and 1 or 0",
		Severity: new(Warning),
		Say:      "'x' is no local variable: assigning a global aborts the script; write 'local x'",
		Fixed:    "local ok = pcall(function() local x = 1 end)\nreturn ok and 1 or 0",
		Returns:  ":0",
	},
	{
		Lua:      "#!lua name=gv\nlocal function f(keys, args)\n  ⟦n⟧ = redis.call('INCR', keys[1])\n  return n\nend\nredis.register_function('f', f)",
		Library:  true,
		Function: "f",
		Say:      "'n' is no local variable: assigning a global aborts the script; write 'local n'",
		Fixed:    "#!lua name=gv\nlocal function f(keys, args)\n  local n = redis.call('INCR', keys[1])\n  return n\nend\nredis.register_function('f', f)",
		Keys:     []string{"k"},
		Raises:   "ERR user_function:3: Attempt to modify a readonly table",
	},
}

var globalVariableGood = []Example{
	{Lua: "return tostring(rawget(_G, 'nosuch'))"},
	{Lua: "local string = {rep = function() return 'mine' end}\nreturn string.rep()"},
	{Lua: "KEYS[1] = KEYS[1] or 'none'\nlocal KEYS = KEYS\nreturn KEYS[1]"},
	{Lua: "local a, b = 1, 2\na, b = b, a\nfor i = 1, 3 do a = a + i end\nreturn {a, b}"},
	{Lua: "local redis = redis\nlocal t = {}\nt.x = 1\nfunction t.f() return t.x end\nreturn t.f()"},
}
