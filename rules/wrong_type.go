package rules

import (
	"fmt"

	"github.com/redislint/redislint/luacheck/value"
)

var wrongTypeRule = &Rule{
	Name:     "wrong-type",
	Title:    "one key used as two data types",
	Severity: Warning,
	Group:    "Commands",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `A key holds one data type. A command for another type fails with WRONGTYPE, so where two commands of different types run on one key, one of
them fails as soon as the key exists; only on a key that is missing do both pass. Most often one of the two names the wrong key.

Keys that are deleted, renamed or overwritten in between are left alone, and so are branches that exclude each other.`,
	Bad: []Example{
		{
			Lua:    "redis.call('RPUSH', KEYS[1], ARGV[1])\nlocal n = redis.call('STRLEN', ⟦KEYS[1]⟧)\nreturn n",
			Say:    `"KEYS[1]" is used as a list by "RPUSH" before, and "STRLEN" wants a string: one of the two fails with WRONGTYPE`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "WRONGTYPE Operation against a key holding the wrong kind of value",
		},
		{
			Lua:    "local key = 'job:' .. KEYS[1]\nif redis.call('HGET', key, 'state') == 'x' then return 0 end\nreturn redis.call('SADD', ⟦key⟧, ARGV[1])",
			Say:    `"key" is used as a hash by "HGET" before, and "SADD" wants a set: one of the two fails with WRONGTYPE`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Setup:  [][]string{{"HSET", "job:k", "state", "y"}},
			Raises: "WRONGTYPE Operation against a key holding the wrong kind of value",
			Also:   []string{"dynamic-key"},
		},
		{
			Lua:    "redis.call('SET', KEYS[1], ARGV[1])\nif ARGV[2] then redis.call('ZADD', ⟦KEYS[1]⟧, 1, ARGV[2]) end\nreturn 1",
			Say:    `"KEYS[1]" is used as a string by "SET" before, and "ZADD" wants a sorted set: one of the two fails with WRONGTYPE`,
			Keys:   []string{"k"},
			Args:   []string{"v", "m"},
			Raises: "WRONGTYPE Operation against a key holding the wrong kind of value",
		},
		{
			Lua:    "local function size(key) return redis.call('LLEN', ⟦key⟧) end\nredis.call('SADD', KEYS[1], ARGV[1])\nreturn size(KEYS[1])",
			Say:    `"key" is used as a set by "SADD" before, and "LLEN" wants a list: one of the two fails with WRONGTYPE`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "WRONGTYPE Operation against a key holding the wrong kind of value",
		},
		{
			Library:  true,
			Function: "count",
			Lua: "#!lua name=l\nredis.register_function('count', function(keys, args)\n  redis.call('XADD', keys[1], '*', 'f', args[1])\n" +
				"  return redis.call('ZCARD', ⟦keys[1]⟧)\nend)",
			Say:    `"keys[1]" is used as a stream by "XADD" before, and "ZCARD" wants a sorted set: one of the two fails with WRONGTYPE`,
			Keys:   []string{"k"},
			Args:   []string{"v"},
			Raises: "WRONGTYPE Operation against a key holding the wrong kind of value",
		},
	},
	Good: []Example{
		{Lua: "redis.call('RPUSH', KEYS[1], ARGV[1])\nredis.call('DEL', KEYS[1])\nreturn redis.call('SADD', KEYS[1], ARGV[1])"},
		{Lua: "local kind = redis.call('TYPE', KEYS[1]).ok\nif kind == 'list' then return redis.call('LLEN', KEYS[1]) end\nif kind == 'hash' then return redis.call('HLEN', KEYS[1]) end\nreturn 0"},
		{Lua: "redis.call('LPUSH', KEYS[1], ARGV[1])\nredis.call('SET', KEYS[1], ARGV[1])\nreturn redis.call('GET', KEYS[1])"},
		{Lua: "redis.call('LPUSH', KEYS[1], 'a')\nredis.call('RENAME', KEYS[1], KEYS[2])\nreturn redis.call('INCR', KEYS[1])"},
		{Lua: "redis.call('GEOADD', KEYS[1], 1, 2, 'm')\nredis.call('PFADD', KEYS[2], 'x')\nreturn {redis.call('ZCARD', KEYS[1]), redis.call('STRLEN', KEYS[2])}"},
		{Lua: "if ARGV[1] == 'list' then redis.call('LPUSH', KEYS[1], 'a') else redis.call('SADD', KEYS[1], 'a') end\nreturn redis.call('EXPIRE', KEYS[1], 60)"},
		{Lua: "if ARGV[1] == 'list' then redis.call('LPUSH', KEYS[1], 'a') end\nif ARGV[1] == 'set' then redis.call('SADD', KEYS[1], 'a') end\nreturn 1"},
	},
	Call: checkWrongType,
}

func checkWrongType(p *Pass, c *value.Call) {
	x := c.Conflict
	if x == nil {
		return
	}
	at := c.Args[x.Arg].At
	f := In(at, Warning, fmt.Sprintf("%s is used as a %s by %q before, and %q wants a %s: one of the two fails with WRONGTYPE",
		codeWords(p, at), x.Was, x.Earlier.Label(), c.Label(), c.Command.KeyType()))
	f.Related = []Related{{Span: x.Earlier.At, Site: -1, Message: "the other use"}}
	p.Report(f)
}
