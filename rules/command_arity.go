package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var commandArity = &Rule{
	Name:     "command-arity",
	Title:    "a command called with too few or too many arguments",
	Severity: ErrorSeverity,
	Group:    "Commands",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `The server counts the arguments before it runs a command and refuses the call when the number is wrong, whenever the line is reached.
Of an unpack or a vararg of unknown length only what stands beside it is counted, so that only too many is certain then.

Pairs that do not come out even (HSET, MSET, ZADD) and a count of keys that does not match the keys behind it are refused alike.`,
	Bad: []Example{
		{
			Lua:    "local s = ⟦redis.call('GET', KEYS[1], 'secret')⟧\nreturn s",
			Say:    `"GET" takes 1 argument, not 2: the server refuses the call; for a field of a hash write "HGET"`,
			Keys:   []string{"k"},
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "return ⟦redis.call('SET', KEYS[1])⟧",
			Say:    `"SET" takes at least 2 arguments, not 1: the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "return ⟦redis.call()⟧",
			Say:    "redis.call without a command's name: the server refuses the call",
			Raises: "ERR Please specify at least one argument for this redis lib call",
		},
		{
			Lua:    "return ⟦redis.call('OBJECT')⟧",
			Say:    `"OBJECT" needs a subcommand: the server refuses the call`,
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "return ⟦redis.call('OBJECT', 'ENCODING')⟧",
			Say:    `"OBJECT ENCODING" takes 1 argument, not 0: the server refuses the call`,
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "local function get(...) return redis.call('GET', ...) end\nlocal a = get(KEYS[1])\nreturn ⟦get()⟧",
			Say:    `"GET" takes 1 argument, not 0: the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "return ⟦redis.call('GET', KEYS[1], KEYS[2])⟧",
			Say:    `"GET" takes 1 argument, not 2: the server refuses the call; for a field of a hash write "HGET"`,
			Keys:   []string{"k", "l"},
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "local function get(...) return redis.call('HGET', ...) end\nif ARGV[1] == 'x' then return ⟦get(KEYS[1])⟧ end",
			Say:    `"HGET" takes 2 arguments, not 1: the server refuses the call; for a string write "GET"`,
			Keys:   []string{"k"},
			Args:   []string{"x"},
			Raises: "ERR Wrong number of args calling Redis command from script",
		},
		{
			Lua:    "return ⟦redis.call('HSET', KEYS[1], 'a', 1, 'b')⟧",
			Say:    `"HSET" takes pairs of field and value, and there are 3 arguments for them: the server refuses the call`,
			Keys:   []string{"k"},
			Raises: "ERR wrong number of arguments for 'hset' command",
		},
		{
			Lua:    "return redis.call('ZUNIONSTORE', KEYS[1], ⟦3⟧, KEYS[2], KEYS[3])",
			Say:    `"ZUNIONSTORE" is told of 3 keys, and 2 arguments follow: the server refuses the call`,
			Keys:   []string{"d", "a", "b"},
			Raises: "ERR syntax error",
		},
		{
			Library:  true,
			Function: "drop",
			Lua:      "#!lua name=l\nredis.register_function('drop', function(keys)\n  return ⟦redis.call('DEL')⟧\nend)",
			Say:      `"DEL" takes at least 1 argument, not 0: the server refuses the call`,
			Keys:     []string{"k"},
			Raises:   "ERR Wrong number of args calling Redis command from script",
		},
	},
	Good: []Example{
		{Lua: "return redis.call('HSET', KEYS[1], unpack(ARGV))"},
		{Lua: "return redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])"},
		{Lua: "local pairs_of = {}\nfor i = 1, #ARGV, 2 do\n  table.insert(pairs_of, ARGV[i])\n  table.insert(pairs_of, ARGV[i + 1])\nend\nif #pairs_of > 0 then return redis.call('ZADD', KEYS[1], unpack(pairs_of)) end"},
	},
	Call: checkCommandArity,
}

func checkCommandArity(p *Pass, c *value.Call) {
	if len(c.Args) == 0 {
		p.Report(In(c.At, callRank(c), "redis.call without a command's name: the server refuses the call"))
		return
	}
	if c.Command == nil || c.Form.Accepted() {
		return
	}
	there := p.Target.Having(c.Command)
	if refused, _ := p.Target.Allowed(c.Command, c.Words, c.Ctx); len(refused) == len(there) && len(there) > 0 {
		return // command-not-allowed says it: the number of arguments is the smaller trouble
	}
	n := knownArgs(c)
	if builds := p.Target.ArityProblems(c.Command, n, c.ArgsMany); len(builds) > 0 {
		if len(builds) == len(there) && wrongCount(c, n) {
			p.Report(In(c.At, callRank(c), arityWords(c, n)+": the server refuses the call"+arityHint(c, n)))
		}
		return // command-version says it where only some builds refuse it
	}
	for _, x := range argProblems(p, c) {
		if x.Sure && x.Kind == server.ProblemArity {
			p.Report(In(problemAt(c, x), callRank(c), x.Message+": the server refuses the call"+onlyOn(p, x.Builds)))
		}
	}
}

// wrongCount is whether all known servers refuse n arguments; what newer ones take is a matter of versions.
func wrongCount(c *value.Call, n int) bool {
	if c.Command.ArityOK(n) || c.ArgsMany && n < max(c.Command.Arity, -c.Command.Arity) {
		return false
	}
	return !c.Command.ArityOKLater(n)
}

// argProblems lists what the servers refuse in the call's arguments, where their number is right; of these only the sure ones are certain.
func argProblems(p *Pass, c *value.Call) []server.ArgProblem {
	problems := c.Form.Problems()
	if len(problems) == 0 || len(p.Target.ArityProblems(c.Command, knownArgs(c), c.ArgsMany)) > 0 {
		return nil
	}
	return problems
}

// problemAt is the argument that a problem is about, or the call.
func problemAt(c *value.Call, x server.ArgProblem) syntax.Span {
	if x.Index > 0 && x.Index < len(c.Args) {
		return c.Args[x.Index].At
	}
	return c.At
}

// arityWords says how many arguments the command takes and how many there are, as people count: without the names.
func arityWords(c *value.Call, n int) string {
	names := 1 + strings.Count(c.Command.Name, "|")
	label := fmt.Sprintf("%q", c.Label())
	if c.Lookup.Container && names == 1 && n < 2 {
		return label + " needs a subcommand"
	}
	takes := nth(c.Command.Arity-names, "argument")
	if c.Command.Arity < 0 {
		takes = "at least " + nth(-c.Command.Arity-names, "argument")
	}
	least := ""
	if c.ArgsMany {
		least = "at least "
	}
	return fmt.Sprintf("%s takes %s, not %s%d", label, takes, least, n-names)
}

func arityHint(c *value.Call, n int) string {
	switch {
	case c.Name == "get" && n == 3:
		return `; for a field of a hash write "HGET"`
	case c.Name == "hget" && n == 2:
		return `; for a string write "GET"`
	case c.Name == "hget" && n > 3:
		return `; for several fields write "HMGET"`
	case c.Name == "get" && n > 3:
		return `; for several keys write "MGET"`
	}
	return ""
}
