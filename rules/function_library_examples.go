package rules

import "github.com/redislint/redislint/luacheck"

const getter = "local function get(keys, args) return redis.call('GET', keys[1]) end\n"

// fcall is a site that calls a function.
func fcall(mode luacheck.Mode, name string) []luacheck.Site {
	return []luacheck.Site{{Mode: mode, Library: "go-redis", Callee: "FCall", Function: name, Keys: exactly(tmpl(hole("key"))), Args: exactly()}}
}

var functionLibraryBad = []Example{
	{
		Lua:     "#!lua name=g30\n⟦redis.register_function{function_name = 'f', flags = {'no-writes'}}⟧",
		Library: true,
		Say:     "'redis.register_function' is given no callback: FUNCTION LOAD refuses the library; write callback = and the function",
		Raises:  "ERR Error registering functions: ERR redis.register_function must get a callback argument",
	},
	{
		Lua:     "#!lua name=g31\n" + getter + "redis.register_function(⟦''⟧, get)",
		Library: true,
		Say:     "'''' is no name of a function: FUNCTION LOAD refuses the library; write a text of letters, digits and underscores",
		Raises:  "ERR Error registering functions: ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long",
	},
	{
		Lua:      "#!lua name=g1\nredis.register_function('rd2', function(keys, args) return redis.call('GET', ⟦KEYS⟧[1]) end)",
		Library:  true,
		Function: "rd2",
		Say:      "'KEYS' does not exist in functions: reading it aborts the call; write keys, the callback's parameter",
		Keys:     []string{"k"},
		Raises:   "ERR user_function:2: Script attempted to access nonexistent global variable 'KEYS'",
	},
	{
		Lua:     "#!lua name=g2\nlocal fmt = ⟦string.format⟧\nredis.register_function('f', function(keys, args) return fmt('%s', keys[1]) end)",
		Library: true,
		Say:     "'string.format' does not exist while a library is loaded: FUNCTION LOAD fails; use it inside a function",
		Raises:  "ERR Error registering functions: ERR user_function:2: Script attempted to access nonexistent global variable 'string'",
	},
	{
		Lua:     "#!lua name=g3\nlocal call = ⟦redis.call⟧\nredis.register_function('f', function(keys, args) return call('GET', keys[1]) end)",
		Library: true,
		Say:     "'redis.call' does not exist while a library is loaded: FUNCTION LOAD fails; use it inside a function",
		Raises:  "ERR Error registering functions: ERR user_function:2: Script attempted to access nonexistent global variable 'call'",
	},
	{
		Lua:      "#!lua name=g4\nlocal r = redis\nredis.register_function('f', function(keys, args) return ⟦r.call⟧('GET', keys[1]) end)",
		Library:  true,
		Function: "f",
		Say:      "'r' is the redis table of load time, which has no 'call': the call is aborted; write redis.call inside the function",
		Keys:     []string{"k"},
		Raises:   "ERR user_function:3: Script attempted to access nonexistent global variable 'call'",
	},
	{
		Lua:     "#!lua name=g5\n" + getter + "⟦redis.register_function('get', get, {'no-writes'})⟧",
		Library: true,
		Say:     "'redis.register_function' takes a name and a function, or one table: FUNCTION LOAD refuses the library; give flags in the form with one table",
		Raises:  "ERR Error registering functions: ERR wrong number of arguments to redis.register_function",
	},
	{
		Lua:     "#!lua name=g6\n" + getter + "redis.register_function{⟦name = 'get'⟧, callback = get}",
		Library: true,
		Say:     "'name' is no argument of redis.register_function: FUNCTION LOAD refuses the library; write function_name",
		Raises:  "ERR Error registering functions: ERR unknown argument given to redis.register_function",
	},
	{
		Lua:     "#!lua name=g7\n" + getter + "⟦redis:register_function('get', get)⟧",
		Library: true,
		Say:     "'redis:register_function' passes the table itself as the first argument: FUNCTION LOAD refuses the library; write redis.register_function",
		Raises:  "ERR Error registering functions: ERR wrong number of arguments to redis.register_function",
	},
	{
		Lua:     "#!lua name=g8\n" + getter + "⟦redis.register_function{'get', get}⟧",
		Library: true,
		Say:     "'redis.register_function' takes no unnamed elements in its table: FUNCTION LOAD refuses the library; write function_name = and callback =",
		Raises:  "ERR Error registering functions: ERR unknown argument given to redis.register_function",
	},
	{
		Lua:     "#!lua name=g9\n" + getter + "redis.register_function{function_name = 'get', callback = get, flags = ⟦'no-writes'⟧}",
		Library: true,
		Say:     "'flags' is no table: FUNCTION LOAD refuses the library; write flags = {'no-writes'}",
		Raises:  "ERR Error registering functions: ERR flags argument to redis.register_function must be a table representing function flags",
	},
	{
		Lua:      "#!lua name=g10\n" + getter + "redis.register_function{function_name = 'get', callback = get, flags = ⟦{['no-writes'] = true}⟧}",
		Library:  true,
		Function: "get",
		Severity: new(Warning),
		Say:      "'flags' is no list, so the server ignores what is in it; write flags = {'no-writes'}",
		Keys:     []string{"k"},
		Returns:  "(nil)",
	},
	{
		Lua:     "#!lua name=g11\n" + getter + "redis.register_function{function_name = 'get', callback = get, flags = ⟦{'readonly'}⟧}",
		Library: true,
		Say:     "'readonly' is no flag of a function: FUNCTION LOAD refuses the library; known are no-writes, allow-oom, allow-stale, no-cluster and allow-cross-slot-keys",
		Raises:  "ERR Error registering functions: ERR unknown flag given",
	},
	{
		Lua:     "#!lua name=g12\n" + getter + "redis.register_function(⟦'get-it'⟧, get)",
		Library: true,
		Say:     "'get-it' is no name of a function: FUNCTION LOAD takes letters, digits and underscores only",
		Raises:  "ERR Error registering functions: ERR Library names can only contain letters, numbers, or underscores(_)",
	},
	{
		Lua:     "#!lua name=g13\n" + getter + "redis.register_function('get', get)\nredis.register_function(⟦'get'⟧, get)",
		Library: true,
		Say:     "'get' is registered twice: FUNCTION LOAD refuses the library; give it another name",
		Raises:  "ERR Error registering functions: ERR Function already exists in the library",
	},
	{
		Lua:      "#!lua name=g14\n" + getter + "redis.register_function('get', get)\nredis.register_function(⟦'GET'⟧, get)",
		Library:  true,
		Severity: new(Warning),
		Say:      "'GET' and 'get' differ in case only: FCALL knows no case and always runs 'get'; give it another name",
		Returns:  `"g14"`,
	},
	{
		Lua:     "#!lua ⟦name=my-lib⟧\n" + getter + "redis.register_function('get', get)",
		Library: true,
		Say:     "'my-lib' is no name of a library: FUNCTION LOAD takes letters, digits and underscores only",
		Raises:  "ERR Library names can only contain letters, numbers, or underscores(_)",
	},
	{
		Lua:     "#!lua name=g16 ⟦flags=no-writes⟧\n" + getter + "redis.register_function('get', get)",
		Library: true,
		Say:     "'flags' is refused in the first line of a library; give flags = {...} to redis.register_function",
		Raises:  "ERR Invalid metadata value given: flags=no-writes",
	},
	{
		Lua:     "⟦#!lua name=g17⟧\nlocal function get(keys) return 1 end\n",
		Library: true,
		Say:     "'g17' registers no function: FUNCTION LOAD refuses it; call redis.register_function",
		Raises:  "ERR No functions registered",
	},
	{
		Lua:      "#!lua name=g18\nlocal function f(keys, args, ⟦now⟧) return now or 'none' end\nredis.register_function('f', f)",
		Library:  true,
		Function: "f",
		Severity: new(Warning),
		Say:      "'now' is always nil: a callback is given keys and arguments, two tables",
		Returns:  `"none"`,
	},
	{
		Lua:    "return 1",
		Sites:  func() []luacheck.Site { return fcall(luacheck.ModeFunctionRO, "get") },
		With:   []Script{{Lua: "#!lua name=g19\n" + getter + "redis.register_function('get', get)"}},
		AtSite: true, Part: PartName,
		Say:      "'get' is not registered with no-writes: FCALL_RO refuses it; add flags = {'no-writes'} or call FCALL",
		NotRun:   "the library and its call are two scripts",
		Recorded: []Recorded{{"redis 7.0.15", "-ERR Can not execute a script with write flag using *_ro command.", "FCALL_RO get 1 k"}},
	},
	{
		Lua:    "return 1",
		Sites:  func() []luacheck.Site { return fcall(luacheck.ModeFunction, "gett") },
		With:   []Script{{Lua: "#!lua name=g20\n" + getter + "redis.register_function('get', get)"}},
		AtSite: true, Part: PartName,
		Severity: new(Warning),
		Say:      "'gett' is registered by no library of this package: FCALL answers 'Function not found'; did you mean 'get'?",
	},
}

var functionLibraryGood = []Example{
	{Lua: "#!lua name=h30\nredis.register_function('write_log', redis.log)", Library: true},
	{Lua: "#!lua name=h1\n" + getter + "redis.register_function{function_name = 'lookup', callback = get, flags = {'no-writes'}}", Library: true},
	{Lua: "#!LUA name=h2\nfor i = 1, 2 do\n  redis.register_function('f' .. i, function() return i end)\nend", Library: true},
	{
		Lua:     "#!lua name=h3\nlocal sizes = {a = 1}\nlocal function size(keys, args)\n  return string.len(args[1]) + (sizes[args[1]] or 0)\nend\nredis.register_function{FUNCTION_NAME = 'size', callback = size, description = 'sizes', flags = {'no-writes'}}",
		Library: true,
	},
	{
		Lua:   "return 1",
		Sites: func() []luacheck.Site { return fcall(luacheck.ModeFunctionRO, "GET") },
		With:  []Script{{Lua: "#!lua name=h4\n" + getter + "redis.register_function{function_name = 'get', callback = get, flags = {'no-writes'}}"}},
	},
	{Lua: "return 1", Sites: func() []luacheck.Site { return fcall(luacheck.ModeFunction, "elsewhere") }},
}
