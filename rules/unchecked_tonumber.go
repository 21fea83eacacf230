package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/value"
)

var uncheckedTonumber = &Rule{
	Name:     "unchecked-tonumber",
	Title:    "tonumber of a reply that may be missing used as a number",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `tonumber(false) is nil and no error; the error comes one step later, when the nil is compared or added. A missing key, field or
member is false, so ` + "`tonumber(redis.call('GET', KEYS[1])) > 5`" + ` aborts the script for the first caller.

Write a default, ` + "`tonumber(redis.call('GET', KEYS[1]) or 0)`" + `, or test the number for nil.`,
	Bad: []Example{
		{
			Lua:    "if ⟦tonumber(redis.call('GET', KEYS[1]))⟧ > 5 then\n  return 1\nend\nreturn 0",
			Say:    "tonumber gives nil where GET replies false, as it does where the key is missing: attempt to compare nil with number; write tonumber(… or 0) or test for nil",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: attempt to compare number with nil",
		},
		{
			Lua:    "local due = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))\nreturn ⟦due⟧ - 1",
			Say:    "'due' is nil where ZSCORE replies false, as it does where the member is missing: attempt to perform arithmetic on a nil value; write tonumber(… or 0) or test for nil",
			Keys:   []string{"k"},
			Args:   []string{"m"},
			Raises: "ERR user_script:2: attempt to perform arithmetic on local 'due' (a nil value)",
		},
		{
			Lua:    "local n = 0\nfor _, c in ipairs(redis.call('HMGET', KEYS[1], 'a', 'b')) do\n  n = n + ⟦tonumber(c)⟧\nend\nreturn n",
			Say:    "tonumber gives nil where HMGET replies false, as it does where a field is missing: attempt to perform arithmetic on a nil value; write tonumber(… or 0) or test for nil",
			Keys:   []string{"k"},
			Raises: "ERR user_script:3: attempt to perform arithmetic on a nil value",
		},
		{
			Lua:    "local last = tonumber(redis.call('HGET', KEYS[1], 'last'))\nreturn math.floor(⟦last⟧)",
			Say:    "'last' is nil where HGET replies false, as it does where the field is missing: bad argument #1 to 'floor' (number expected, got nil); write tonumber(… or 0) or test for nil",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: bad argument #1 to 'floor' (number expected, got nil)",
		},
		{
			Lua:    "local n = tonumber(redis.call('GET', KEYS[1]))\nfor i = 1, ⟦n⟧ do\n  redis.call('INCR', KEYS[2])\nend\nreturn 1",
			Say:    "'n' is nil where GET replies false, as it does where the key is missing: 'for' limit must be a number; write tonumber(… or 0) or test for nil",
			Keys:   []string{"{k}1", "{k}2"},
			Raises: "ERR user_script:2: 'for' limit must be a number",
		},
		{
			Lua:    "local function num(key) return tonumber(redis.call('GET', key)) end\nreturn ⟦num(KEYS[1])⟧ + 1",
			Say:    "'num(KEYS[1])' is nil where GET replies false, as it does where the key is missing: attempt to perform arithmetic on a nil value; write tonumber(… or 0) or test for nil",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to perform arithmetic on a nil value",
		},
	},
	Good: []Example{
		{Lua: "if tonumber(redis.call('GET', KEYS[1]) or 0) > 5 then\n  return 1\nend\nreturn 0"},
		{Lua: "local n = tonumber(redis.call('GET', KEYS[1]))\nif n == nil or n > 5 then\n  return 1\nend\nreturn 0"},
		{Lua: "local n = tonumber(redis.call('GET', KEYS[1])) or 0\nreturn n + 1"},
		{Lua: "if tonumber(redis.call('GET', KEYS[1])) == tonumber(ARGV[1]) then\n  return 1\nend\nreturn 0"},
		{Lua: "return tonumber(ARGV[1]) + tonumber(ARGV[2])"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif v then\n  return tonumber(v) + 1\nend\nreturn 0"},
		{Lua: "local n = tonumber(redis.call('GET', KEYS[1]))\nif not n then return 0 end\nreturn n * 2"},
		{Lua: "return tonumber(redis.call('INCR', KEYS[1])) + 1"},
	},
	Failure: checkUncheckedTonumber,
}

func checkUncheckedTonumber(p *Pass, f *value.Failure) {
	o := lacking(p, f)
	if o == nil || !fromTonumber(f.Value) {
		return
	}
	what := "tonumber gives nil"
	if !strings.HasPrefix(p.Source.Text[f.At.Start:f.At.End], "tonumber") {
		what = snippet(p, f.At) + " is nil"
	}
	empty := "replies false"
	if o.Path != "" && o.Call.Result != nil && o.Call.Result.Reply != nil && !o.Call.Result.Reply.NonEmpty && missing(o) == "there is no such element" {
		empty = "has nothing there"
	}
	found := In(f.At, Warning, what+" where "+o.Call.Label()+" "+empty+", as it does where "+missing(o)+": "+f.Why+
		"; write tonumber(… or 0) or test for nil")
	found.Related = source(o, f.At)
	p.Report(found)
}
