package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var commandNotAllowed = &Rule{
	Name:     "command-not-allowed",
	Title:    "a command that the server refuses inside scripts",
	Severity: ErrorSeverity,
	Group:    "Commands",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `Scripts may not call transactions, subscriptions, what changes the connection, most of the administration, or other scripts. The server
refuses them whenever the line is reached, also under redis.pcall, which then gives an error reply.

Blocking commands were refused until Redis 7.0. Later servers take them and act as if the time had passed at once: a script never waits.
That is a note only; write the form that does not block, which says what happens.`,
	Bad: []Example{
		{
			Lua:    "return redis.call(⟦'CLIENT'⟧, 'LIST')",
			Say:    `"CLIENT LIST" is not allowed from scripts: the server refuses the call`,
			Raises: "ERR This Redis command is not allowed from script",
		},
		{
			Lua:    "redis.call(⟦'MULTI'⟧)\nredis.call('INCR', KEYS[1])",
			Say:    `"MULTI" is not allowed from scripts: the server refuses the call; a script runs alone from its start to its end, leave it out`,
			Keys:   []string{"k"},
			Raises: "ERR This Redis command is not allowed from script",
		},
		{
			Lua:    "return redis.call(⟦'EVALSHA'⟧, ARGV[1], 1, KEYS[1])",
			Say:    `"EVALSHA" is not allowed from scripts: the server refuses the call; put what it does into a local function`,
			Keys:   []string{"k"},
			Args:   []string{"x"},
			Raises: "ERR This Redis command is not allowed from script",
		},
		{
			Lua:    "return redis.call(⟦'CONFIG'⟧, 'GET', 'maxmemory')",
			Say:    `"CONFIG GET" is not allowed from scripts: the server refuses the call; pass the value in ARGV`,
			Raises: "ERR This Redis command is not allowed from script",
		},
		{
			Lua:      "return redis.call(⟦'BLPOP'⟧, KEYS[1], 1)",
			Say:      `"BLPOP" is not allowed from scripts on Redis 7.0: the server refuses the call; write "LPOP"`,
			Keys:     []string{"k"},
			NotRun:   "miniredis hangs on BLPOP in a script",
			Recorded: []Recorded{{"redis 7.0.15", "-ERR This Redis command is not allowed from script", "a build of that tag"}},
		},
		{
			Lua:      "return redis.call('XREAD', ⟦'BLOCK'⟧, 100, 'STREAMS', KEYS[1], '$')",
			Say:      `"XREAD" is not allowed from scripts with BLOCK on Redis 7.0 to 7.2 and Valkey 7.2: the server refuses the call; leave "BLOCK" out`,
			Recorded: []Recorded{{"redis 7.0.15", "-ERR xread command is not allowed with BLOCK option from scripts", "a build of that tag"}},
		},
		{
			Lua:      "return redis.call(⟦'BLPOP'⟧, KEYS[1], 1)",
			Target:   "redis@7.2+",
			Say:      `"BLPOP" never waits inside a script, it acts as if the time had passed at once; write "LPOP"`,
			Severity: new(Note),
		},
		{
			Lua:      "local ok = redis.pcall(⟦'WATCH'⟧, KEYS[1])\nif ok.err then return 0 end\nreturn 1",
			Say:      `"WATCH" is not allowed from scripts: the server refuses the call; a script runs alone from its start to its end, leave it out`,
			Severity: new(Warning),
			Keys:     []string{"k"},
			Returns:  ":0",
		},
		{
			Library:  true,
			Function: "f",
			Lua:      "#!lua name=l\nlocal function reset() return redis.call(⟦'SCRIPT'⟧, 'FLUSH') end\nredis.register_function('f', function() return reset() end)",
			Say:      `"SCRIPT FLUSH" is not allowed from scripts: the server refuses the call`,
			Raises:   "ERR This Redis command is not allowed from script",
		},
	},
	Good: []Example{
		{Lua: "redis.call('SELECT', 0)\nreturn redis.call('DBSIZE')"},
		{Lua: "return redis.call('XREAD', 'COUNT', 1, 'STREAMS', KEYS[1], '0')"},
		{Lua: "return redis.call('COMMAND', 'COUNT')"},
	},
	Call: checkCommandNotAllowed,
}

func checkCommandNotAllowed(p *Pass, c *value.Call) {
	if c.Command == nil || c.Form.Accepted() {
		return
	}
	refused, why := p.Target.Allowed(c.Command, c.Words, c.Ctx)
	if len(refused) == 0 {
		if c.Command.NeverBlocks(c.Words) {
			p.Report(In(blockAt(c), Note, fmt.Sprintf("%q never waits inside a script, it acts as if the time had passed at once%s", c.Label(), insteadOfCommand(c))))
		}
		return
	}
	where := ""
	if len(refused) < len(p.Target.Having(c.Command)) {
		where = " on " + buildWords(refused)
	}
	p.Report(In(blockAt(c), callRank(c), fmt.Sprintf("%q is %s%s: the server refuses the call%s", c.Label(), why, where, insteadOfCommand(c))))
}

// blockAt is the command's name, or the word BLOCK of XREAD and XREADGROUP, which is what they stumble over.
func blockAt(c *value.Call) syntax.Span {
	if c.Name == "xread" || c.Name == "xreadgroup" {
		for i, w := range c.Words {
			if i > 0 && w.Known && strings.EqualFold(w.Text, "BLOCK") {
				return c.Args[i].At
			}
		}
	}
	return c.NameAt
}

// insteadOfCommand says what to write instead of a command that scripts may not call, or that never blocks in them.
func insteadOfCommand(c *value.Call) string {
	write := func(name string) string { return fmt.Sprintf("; write %q", name) }
	switch c.Command.Base() {
	case "blpop", "brpop", "blmove", "blmpop", "bzpopmin", "bzpopmax", "bzmpop":
		return write(strings.ToUpper(strings.Replace(c.Command.Base(), "b", "", 1)))
	case "brpoplpush":
		return write("RPOPLPUSH")
	case "xread", "xreadgroup":
		return `; leave "BLOCK" out`
	case "multi", "exec", "discard", "watch", "unwatch":
		return "; a script runs alone from its start to its end, leave it out"
	case "eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro":
		return "; put what it does into a local function"
	case "config":
		if c.Command.Sub() == "get" {
			return "; pass the value in ARGV"
		}
	}
	return ""
}
