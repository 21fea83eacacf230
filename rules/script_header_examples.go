package rules

import "github.com/redislint/redislint/luacheck"

var scriptHeaderBad = []Example{
	{
		Lua:    "\n⟦#!lua flags=no-writes⟧\nreturn redis.call('GET', KEYS[1])",
		Say:    "'#!' stands behind a line break: the server takes it for code and refuses to load the script; it must be the first bytes",
		Fixed:  "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])",
		Keys:   []string{"k"},
		Raises: "ERR Error compiling script (new function): user_script:2: unexpected symbol near '#'",
	},
	{
		Lua:    "#!lua flags=⟦allow-key-locking⟧\nreturn 1",
		Say:    "'allow-key-locking' belongs to Upstash: Redis and Valkey refuse to load the script; remove it",
		Raises: "ERR Unexpected flag in script shebang: allow-key-locking",
	},
	{
		Lua:    "#!lua flags=⟦no-write⟧\nreturn redis.call('GET', KEYS[1])",
		Say:    "'no-write' is no flag of a script: the server refuses to load it; did you mean 'no-writes'?",
		Keys:   []string{"k"},
		Raises: "ERR Unexpected flag in script shebang: no-write",
	},
	{
		Lua:    "#!lua flags=allow-oom ⟦no-writes⟧\nreturn redis.call('GET', KEYS[1])",
		Say:    "'no-writes' stands alone, where the server wants an option, and it refuses to load the script; write flags=a,b with commas and no blanks",
		Keys:   []string{"k"},
		Raises: "ERR Unknown lua shebang option: no-writes",
	},
	{
		Lua:    "#!lua ⟦name=tools⟧\nreturn redis.call('SET', KEYS[1], 1)",
		Sites:  func() []luacheck.Site { return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly())} },
		Say:    "'name' makes a FUNCTION library: EVAL and SCRIPT LOAD refuse the text; load it with FUNCTION LOAD or remove the option",
		Also:   []string{"function-library"},
		Keys:   []string{"k"},
		Raises: "ERR Unknown lua shebang option: name=tools",
	},
	{
		Lua:    "#!⟦LUA⟧\nreturn redis.call('SET', KEYS[1], 1)",
		Say:    "'LUA' in capitals is refused by Redis 7.0 to 8.6 and Valkey 7.2 to 8.0; write #!lua",
		Keys:   []string{"k"},
		Raises: "ERR Unexpected engine in script shebang: #!LUA",
	},
	{
		Lua:    "#!⟦/usr/bin/lua⟧\nreturn redis.call('SET', KEYS[1], 1)",
		Say:    "'/usr/bin/lua' is no engine of the server, which refuses to load the script; write #!lua",
		Keys:   []string{"k"},
		Raises: "ERR Unexpected engine in script shebang: #!/usr/bin/lua",
	},
	{
		Lua:    "⟦#!lua⟧",
		Say:    "'#!lua' is not ended by a line feed: the server refuses to load the script; put the code on the next line",
		Raises: "ERR Invalid script shebang",
	},
	{
		Lua:      "⟦#!lua⟧\nreturn redis.call('GET', KEYS[1])",
		Severity: new(Warning),
		Say:      "'#!lua' without no-writes counts as a script that writes, and this one only reads: replicas, EVAL_RO and a full memory refuse it; write flags=no-writes",
		Fixed:    "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])",
		Keys:     []string{"k"},
		Returns:  "(nil)",
		Differs:  map[string]string{"miniredis": "it knows no #! line"},
	},
	{
		Lua: "⟦#!lua flags=allow-stale⟧\nreturn redis.call('GET', KEYS[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{{Mode: luacheck.ModeEvalRO, Keys: exactly(tmpl(hole("key"))), Args: exactly()}}
		},
		Say:      "'#!lua' without no-writes counts as a script that writes: EVAL_RO refuses it; write flags=no-writes",
		Fixed:    "#!lua flags=allow-stale,no-writes\nreturn redis.call('GET', KEYS[1])",
		Keys:     []string{"k"},
		ReadOnly: true,
		Raises:   "ERR Can not execute a script with write flag using *_ro command.",
	},
	{
		Lua:      "⟦#!lua⟧\nreturn redis.call('SET', KEYS[1], 1)",
		Target:   "redis@6.2+",
		Say:      "'#!' is a syntax error on Redis 6.2: it came with Redis 7.0; remove the line or raise the target",
		NotRun:   "the server at hand is newer",
		Recorded: []Recorded{{"redis 6.2.16", "-ERR Error compiling script (new function): user_script:1: unexpected symbol near '#'", "a build of that tag"}},
	},
}

var scriptHeaderGood = []Example{
	{Lua: "#!lua flags=no-writes,allow-stale\nreturn redis.call('GET', KEYS[1])"},
	{Lua: "#!lua flags=no-writes flags=allow-oom\r\nreturn redis.call('GET', KEYS[1])"},
	{Lua: "#!lua\nreturn redis.call('INCR', KEYS[1])"},
	{Lua: "#!lua flags=\nreturn redis.call('INCR', KEYS[1])"},
	{Lua: "#!lua flags=allow-key-locking\nreturn redis.call('INCR', KEYS[1])", Target: "upstash"},
	{Lua: "-- #!lua flags=bogus\nreturn redis.call('GET', KEYS[1])"},
}
