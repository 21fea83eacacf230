package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var commandVersion = &Rule{
	Name:     "command-version",
	Title:    "a command or option that some server of the target lacks",
	Severity: ErrorSeverity,
	Group:    "Commands",
	Claim:    Version,
	Since:    "0.1",
	Doc: `A command, an option or a number of arguments that came with a later version is refused by the older servers of the target, whenever the
line is reached. Redis and Valkey have version axes of their own since they parted: HEXPIRE is in Redis from 7.4 and in Valkey from 9.0.

Write the older form, or name the servers that the script is for with -target. In a script that asks for the server's version (redis.REDIS_VERSION)
it is a warning.`,
	Bad: []Example{
		{
			Lua:    "return redis.call(⟦'HGETDEL'⟧, KEYS[1], 'FIELDS', 1, ARGV[1])",
			Say:    `"HGETDEL" is not in Redis 7.0 to 7.4 and Valkey 7.2 to 9.0, which refuse the call: it came with Redis 8.0 and Valkey 9.1`,
			Keys:   []string{"k"},
			Args:   []string{"f"},
			Raises: "ERR Unknown Redis command called from script",
			Until:  "8.0",
		},
		{
			Lua:    "if redis.call('HLEN', KEYS[1]) == 0 then redis.call(⟦'hexpire'⟧, KEYS[1], 60, 'FIELDS', 1, ARGV[1]) end\nreturn 1",
			Say:    `"HEXPIRE" is not in Redis 7.0 to 7.2 and Valkey 7.2 to 8.1, which refuse the call: it came with Redis 7.4 and Valkey 9.0`,
			Keys:   []string{"k"},
			Args:   []string{"f"},
			Raises: "ERR Unknown Redis command called from script",
			Until:  "7.4",
			Differs: map[string]string{
				"miniredis": "it has the command",
			},
		},
		{
			Lua:    "return redis.call(⟦'DELEX'⟧, KEYS[1], 'IFEQ', ARGV[1])",
			Target: "redis@8.4+,valkey@9.1",
			Say:    `"DELEX" is not in Valkey 9.1, which refuses the call: it came with Redis 8.4, Valkey has none`,
			Recorded: []Recorded{
				{"valkey 9.1.2", "-ERR Unknown command called from script", "the table of commands that this server shows"},
			},
		},
		{
			Lua:    "⟦redis.call('HSET', KEYS[1], 'msg', ARGV[1], 'state', 'pending')⟧\nreturn 1",
			Target: "redis@3.2",
			Say:    `"HSET" with 5 arguments is refused by Redis 3.2; write "HMSET"`,
			Recorded: []Recorded{
				{"redis 3.2.13", "-ERR Error running script (call to f_", "a build of that tag"},
			},
		},
		{
			Lua:    "return redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], ⟦'BYSCORE'⟧)",
			Target: "redis@4.0",
			Say:    `"ZRANGE" has no option "BYSCORE" on Redis 4.0, which refuses the call; write "ZRANGEBYSCORE"`,
			Recorded: []Recorded{
				{"redis 4.0.14", "-ERR Error running script (call to f_", "a build of that tag"},
			},
		},
		{
			Lua:    "return redis.call('SET', KEYS[1], ARGV[1], ⟦'IFEQ'⟧, ARGV[2])",
			Target: "redis@7.0+",
			Say:    `"SET" has no option "IFEQ" on Redis 7.0 to 8.2, which refuse the call`,
			Keys:   []string{"k"},
			Args:   []string{"v", "w"},
			Raises: "ERR syntax error",
			Until:  "8.4",
		},
		{
			Lua:      "if redis.REDIS_VERSION_NUM >= 0x00070400 then\n  redis.call(⟦'HEXPIRE'⟧, KEYS[1], 60, 'FIELDS', 1, ARGV[1])\nend\nreturn 1",
			Say:      `"HEXPIRE" is not in Redis 7.0 to 7.2 and Valkey 7.2 to 8.1, which refuse the call: it came with Redis 7.4 and Valkey 9.0`,
			Severity: new(Warning),
		},
		{
			Lua:    "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end\nreturn redis.call(⟦'DELIFEQ'⟧, KEYS[1], ARGV[1])",
			Target: "redis@7.0",
			Say:    `"DELIFEQ" is not in Redis 7.0, which refuses the call: it came with Valkey 9.0, Redis has none`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "return redis.call('HOTKEYS', ⟦'START'⟧, 'METRICS', 1, 'CPU')",
			Target: "redis@7.0",
			Say:    `"HOTKEYS START" is not in Redis 7.0, which refuses the call: it came with Redis 8.6, Valkey has none`,
			Raises: "ERR Unknown Redis command called from script",
		},
		{
			Lua:    "local ids = redis.call('LRANGE', KEYS[1], 0, 9)\nreturn ⟦redis.call('EXPIRE', KEYS[1], 10, 'NX', 'GT', unpack(ids))⟧",
			Target: "redis@6.2",
			Say:    `"EXPIRE" with at least 4 arguments is refused by Redis 6.2`,
			Recorded: []Recorded{
				{"redis 6.2.16", "-ERR Wrong number of args calling Redis command From Lua script", "a build of that tag"},
			},
		},
	},
	Good: []Example{
		{Lua: "return redis.call('HGETDEL', KEYS[1], 'FIELDS', 1, ARGV[1])", Target: "redis@8.0+,valkey@9.1"},
		{Lua: "redis.call('HMSET', KEYS[1], 'msg', ARGV[1], 'state', 'pending')\nreturn 1", Target: "redis@3.2"},
		{Lua: "local m = redis.call('SRANDMEMBER', KEYS[1])\nif m then redis.call('SREM', KEYS[1], m) end\nreturn m", Also: []string{"time-random"}},
	},
	Call: checkCommandVersion,
}

func checkCommandVersion(p *Pass, c *value.Call) {
	switch {
	case onlyElsewhere(p, c):
		reportLacking(p, c, c.Lookup.Other)
		return
	case c.Command == nil || c.Form.Accepted():
		return
	case len(c.Lookup.Missing) > 0:
		reportLacking(p, c, c.Command)
		return
	}
	n := knownArgs(c)
	if builds := p.Target.ArityProblems(c.Command, n, c.ArgsMany); len(builds) > 0 {
		if len(builds) < len(p.Target.Having(c.Command)) || !wrongCount(c, n) {
			p.Report(In(c.At, versionRank(p, c), fmt.Sprintf("%q with %s is refused by %s%s", c.Label(), givenWords(c, n), buildWords(builds), olderForm(c.Command, ""))))
		}
		return
	}
	for _, x := range argProblems(p, c) {
		if x.Sure && x.Kind == server.ProblemOptionVersion {
			word := ""
			if x.Index < len(c.Words) {
				word = strings.ToUpper(c.Words[x.Index].Text)
			}
			p.Report(In(problemAt(c, x), versionRank(p, c), fmt.Sprintf("%s on %s, which %s the call%s", x.Message, buildWords(x.Builds), refuse(x.Builds), olderForm(c.Command, word))))
		}
	}
}

// givenWords is how many arguments there are, as people count: without the names.
func givenWords(c *value.Call, n int) string {
	words := nth(n-1-strings.Count(c.Command.Name, "|"), "argument")
	if c.ArgsMany {
		return "at least " + words
	}
	return words
}

// reportLacking says which servers of the target lack the command.
func reportLacking(p *Pass, c *value.Call, cmd *server.Command) {
	at := c.NameAt
	if cmd.Sub() != "" && len(c.Args) > 1 {
		at = c.Args[1].At
	}
	missing := c.Lookup.Missing
	p.Report(In(at, versionRank(p, c), fmt.Sprintf("%q is not in %s, which %s the call: %s%s", strings.ToUpper(strings.ReplaceAll(cmd.Name, "|", " ")), buildWords(missing), refuse(missing),
		cameWith(cmd), olderForm(cmd, ""))))
}

// refuse agrees with the number of servers.
func refuse(builds []server.Build) string {
	if len(builds) == 1 {
		return "refuses"
	}
	return "refuse"
}

// cameWith says which version of each product brought the command.
func cameWith(c *server.Command) string {
	var has, none []string
	for product, v := range c.Since {
		name := server.Product(product).String()
		switch {
		case v == (server.Version{}):
			none = append(none, name+" has none")
			continue
		case server.Product(product) == server.Valkey && v.Less(server.FirstValkey):
			continue // it always had it
		}
		has = append(has, fmt.Sprintf("%s %d.%d", name, v.Major, v.Minor))
	}
	words := "no version of either says when it came"
	if len(has) > 0 {
		words = "it came with " + joinWords(has, "and")
	}
	if len(none) == 1 {
		words += ", " + none[0]
	}
	return words
}

// olderForm names what older servers have instead; word is the option, "" for the command itself.
func olderForm(c *server.Command, word string) string {
	write := ""
	switch c.Base() + " " + word {
	case "hset ":
		write = "HMSET"
	case "zrange BYSCORE":
		write = "ZRANGEBYSCORE"
	case "zrange BYLEX":
		write = "ZRANGEBYLEX"
	case "zrange REV":
		write = "ZREVRANGE"
	case "lmove ":
		write = "RPOPLPUSH"
	case "geosearch ":
		write = "GEORADIUS"
	case "sort_ro ":
		write = "SORT"
	case "hrandfield ":
		write = "HKEYS"
	}
	if write == "" {
		return ""
	}
	return fmt.Sprintf("; write %q", write)
}

// versionRank: a script that looks at the server's version anywhere may know what it does.
func versionRank(p *Pass, c *value.Call) Severity {
	if p.shared.asksVersion == value.Unknown {
		p.shared.asksVersion = value.No
		if readsVersion(p) {
			p.shared.asksVersion = value.Yes
		}
	}
	if p.shared.asksVersion == value.Yes {
		return Warning
	}
	return callRank(c)
}

func readsVersion(p *Pass) bool {
	for _, a := range p.Facts.Accesses {
		switch {
		case a.X == nil || a.X.Lib() != "redis" && a.X.Lib() != "server" || a.Key == nil || !a.Key.Const:
		case strings.Contains(a.Key.Text, "VERSION") || a.Key.Text == "SERVER_NAME":
			return true
		}
	}
	return false
}
