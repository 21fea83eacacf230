package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var unknownCommand = &Rule{
	Name:     "unknown-command",
	Title:    "a command or subcommand that no server of the target has",
	Severity: ErrorSeverity,
	Group:    "Commands",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `redis.call with a name that is no command raises an error whenever the line is reached, after everything the script has written before.
SCRIPT LOAD does not notice. Letter case does not count; blanks do, and neither ` + "`\"GET k\"`" + ` nor ` + "`\"CONFIG|GET\"`" + ` is a name: the name and each
argument are arguments of their own. A number as the name is no command either.

Commands of modules (a name with a dot) are left alone: whether a server has loaded the module cannot be seen.`,
	Bad: []Example{
		{
			Lua:    "local function on(c, ...)\n  return redis.call(c, KEYS[1], ...)\nend\nreturn on(⟦'LPUSHH'⟧, ARGV[1])",
			Say:    `"LPUSHH" is no command: the server refuses the call; did you mean "LPUSH"`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "if redis.call(⟦'exist'⟧, KEYS[1]) == 1 then return 1 end\nreturn 0",
			Say:    `"exist" is no command: the server refuses the call; did you mean "EXISTS"`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "local cmd = 'HGTE'\nreturn redis.call(⟦cmd⟧, KEYS[1], 'f')",
			Say:    `"HGTE" is no command: the server refuses the call; did you mean "HGET"`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "local function run(...) return redis.call(...) end\nreturn run(⟦'INCRBI'⟧, KEYS[1], 1)",
			Say:    `"INCRBI" is no command: the server refuses the call; did you mean "INCRBY"`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "return redis.call('OBJECT', ⟦'ENCODNG'⟧, KEYS[1])",
			Say:    `"OBJECT" has no subcommand "ENCODNG": the server refuses the call; did you mean "ENCODING"`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "return redis.call(⟦\"GET k\"⟧)",
			Say:    `"GET k" is no command: the server refuses the call; write the name and each argument as an argument of its own`,
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "return redis.call(⟦' GET'⟧, KEYS[1])",
			Say:    `" GET" is no command: the server refuses the call; blanks count, write "GET"`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "for i = 1, #KEYS do\n  redis.call(⟦'CONFIG|GET'⟧, KEYS[i])\nend",
			Say:    `"CONFIG|GET" is no command: the server refuses the call; write the subcommand as an argument of its own`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "return redis.call(⟦12⟧, KEYS[1])",
			Say:    `a number is no command: the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:      "local r = redis.pcall(⟦'HGETT'⟧, KEYS[1], 'f')\nif r and r.err then return 0 end\nreturn r",
			Say:      `"HGETT" is no command: the server refuses the call; did you mean "HGET"`,
			Severity: new(Warning),
			Keys:     []string{"k"},
			Returns:  ":0",
		},
		{
			Lua:    "local args = {'SADDD', KEYS[1]}\nfor i = 1, #ARGV do args[#args + 1] = ARGV[i] end\nreturn redis.call(⟦unpack(args)⟧)",
			Say:    `"SADDD" is no command: the server refuses the call; did you mean "SADD"`,
			Keys:   []string{"k"},
			Args:   []string{"a", "b"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Library:  true,
			Function: "put",
			Lua:      "#!lua name=l\nlocal function put(keys, args)\n  return redis.call(⟦'SETT'⟧, keys[1], args[1])\nend\nredis.register_function('put', put)",
			Say:      `"SETT" is no command: the server refuses the call; did you mean "SET"`,
			Keys:     []string{"k"},
			Args:     []string{"v"},
			Raises:   "ERR Unknown Redis command called from script",
		},
	},
	Good: []Example{
		{Lua: "local function on(c, ...) return redis.call(c, KEYS[1], ...) end\non('SET', ARGV[1])\nreturn on('GET')"},
		{Lua: "redis.call('xgroup', 'CREATE', KEYS[1], 'g', '$', 'MKSTREAM')\nreturn redis.call('Object', 'encoding', KEYS[1])"},
		{Lua: "return redis.call('JSON.GET', KEYS[1], '$')"},
		{Lua: "local call = redis.call\nreturn call('GeT', KEYS[1])"},
	},
	Call: checkUnknownCommand,
}

func checkUnknownCommand(p *Pass, c *value.Call) {
	if len(c.Args) == 0 {
		return
	}
	name := c.Args[0].Value
	if name.Only(value.Number) {
		p.Report(In(c.Args[0].At, callRank(c), "a number is no command: the server refuses the call"))
		return
	}
	if !c.Lookup.UnknownEverywhere || onlyElsewhere(p, c) {
		return
	}
	sev := callRank(c)
	if onlyProfiles(p.Target) {
		sev = Warning // such servers have commands of their own, which no table here holds
	}
	if c.Lookup.Container && len(c.Args) > 1 && c.Args[1].Value.Const {
		msg := fmt.Sprintf("%q has no subcommand %q: the server refuses the call", strings.ToUpper(name.Text), c.Args[1].Value.Text)
		p.Report(In(c.Args[1].At, sev, msg+meant(p.Target.NearestCommand(name.Text, c.Args[1].Value.Text))))
		return
	}
	p.Report(In(c.NameAt, sev, fmt.Sprintf("%q is no command: the server refuses the call", name.Text)+nameHint(p, name.Text)))
}

// onlyElsewhere: other versions or the other product have the command, so that command-version says it.
func onlyElsewhere(p *Pass, c *value.Call) bool {
	return c.Lookup.Other != nil && !onlyProfiles(p.Target)
}

func onlyProfiles(t server.Target) bool {
	for _, b := range t.Builds {
		if b.Profile == server.NoProfile {
			return false
		}
	}
	return true
}

func meant(nearest string) string {
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", nearest)
}

// nameHint says what to write instead of a name that is none.
func nameHint(p *Pass, name string) string {
	words := strings.Fields(name)
	known := func(s string) bool { return !p.Target.Lookup(s, "").UnknownEverywhere }
	base, sub, piped := strings.Cut(name, "|")
	switch {
	case len(words) == 1 && words[0] != name && known(words[0]):
		return fmt.Sprintf("; blanks count, write %q", words[0])
	case len(words) > 1 && known(words[0]):
		return "; write the name and each argument as an argument of its own"
	case piped && sub != "" && known(base):
		return "; write the subcommand as an argument of its own"
	}
	return meant(p.Target.NearestCommand(name, ""))
}
