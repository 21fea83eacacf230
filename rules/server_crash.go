package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var serverCrash = &Rule{
	Name:     "server-crash",
	Title:    "what is known to crash a server of the target",
	Severity: ErrorSeverity,
	Group:    "Atomicity, errors, expiry",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `An uncaught ` + "`error(t)`" + ` with a table that has no text in err kills the server process: seen on Redis 7.0.15, 7.2.6, 7.4.1 and 8.0.2
and on Valkey 7.2.7 to 8.1.1; Redis 8.0.6, 8.6.3 and Valkey 9.1.2 answer an error. Return redis.error_reply('CODE text'), or raise
{err = 'CODE text'}. Valkey 9.1.2 aborts when redis.log is called while a function library loads.`,
	Bad: []Example{
		{
			Lua:      "if redis.call('EXISTS', KEYS[1]) == 0 then\n  ⟦error({code = 'MISSING'})⟧\nend\nreturn 1",
			Say:      "a raised table without a text in err kills Redis 7.0 to 7.4 and Valkey 7.2 to 8.1; return redis.error_reply('CODE text')",
			NotRun:   "it crashes the server",
			Recorded: []Recorded{{"redis 7.2.6", "crashed (signal 11)", "error({a=1}) on a build of that tag"}},
		},
		{
			Lua:      "local t = setmetatable({}, {__tostring = function() return 'T' end})\n⟦error(t)⟧",
			Say:      "a raised table without a text in err kills Redis 7.0 to 7.4 and Valkey 7.2 to 8.1; return redis.error_reply('CODE text')",
			NotRun:   "it crashes the server",
			Recorded: []Recorded{{"valkey 8.1.1", "crashed (signal 11)", "the same text on a build of that tag"}},
		},
		{
			Lua:      "local done = redis.call('PING')\n⟦error(done)⟧",
			Say:      "a raised table without a text in err kills Redis 7.0 to 7.4 and Valkey 7.2 to 8.1; return redis.error_reply('CODE text')",
			NotRun:   "it crashes the server",
			Recorded: []Recorded{{"redis 7.0.15", "crashed (signal 11)", "error({ok=\"OK\"}) on a build of that tag"}},
		},
		{
			Lua:      "#!lua name=mylib\nlocal function run(keys)\n  return redis.call('INCR', keys[1])\nend\n⟦redis.log(redis.LOG_NOTICE, 'loading')⟧\nredis.register_function('run', run)",
			Say:      "redis.log while the library loads aborts Valkey 9.1.2; leave it out",
			Target:   "valkey@9.1.2",
			Library:  true,
			NotRun:   "it crashes the server",
			Recorded: []Recorded{{"valkey 9.1.2", "aborted", "FUNCTION LOAD of a library that logs"}},
		},
	},
	Good: []Example{
		{Lua: "return redis.error_reply('MISSING no such key')"},
		{Lua: "error({err = 'MISSING no such key'})"},
		{Lua: "local t = {}\nt.err = 'MISSING no such key'\nerror(t)"},
		{Lua: "local ok = pcall(function() error({code = 5}) end)\nreturn ok and 1 or 0"},
		{Lua: "error({code = 5})", Target: "redis@8.2+"},
		{Lua: "error('no such key')"},
	},
	Lib: checkServerCrash,
}

func checkServerCrash(p *Pass, l *value.LibCall) {
	switch l.Name {
	case "error":
		builds := crashing(p)
		if len(builds) > 0 && !l.Protected && len(l.Args) > 0 && lacksErr(l) {
			p.Report(In(l.Node.Span, ErrorSeverity, "a raised table without a text in err kills "+buildWords(builds)+"; return redis.error_reply('CODE text')"))
		}
	case "redis.log", "server.log":
		builds := p.Target.AbortsOnLoadLog()
		if l.Ctx == server.AtLoad && len(builds) > 0 {
			p.Report(In(l.Node.Span, ErrorSeverity, l.Name+" while the library loads aborts "+buildWords(builds)+"; leave it out"))
		}
	}
}

func crashing(p *Pass) []server.Build { return p.Target.CrashesOnRaisedTable() }

// lacksErr reports whether what is raised is surely a table whose err is no text. A number counts as text to the server.
func lacksErr(l *value.LibCall) bool {
	v := l.Args[0].Value
	if o := replyOf(v); o != nil && v.Only(value.Status|value.Table) {
		return true
	}
	if !v.Only(value.Table|value.Status) || l.Shape == nil || l.Shape.Open {
		return false
	}
	i := slices.IndexFunc(l.Shape.Names, func(n string) bool { return strings.EqualFold(n, "err") })
	return i < 0 || l.Shape.Fields[i].Kinds&(value.String|value.Number) == 0
}
