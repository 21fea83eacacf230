package rules

import (
	"fmt"

	"github.com/redislint/redislint/luacheck"
)

var scriptTextVaries = &Rule{
	Name:     "script-text-varies",
	Title:    "script text that is put together at run time",
	Severity: Warning,
	Group:    "The Go side",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `A value that is put into the script's text makes a new script of each call. The server compiles and keeps every one of them (until Redis 7.2
and Valkey 7.2 for ever, later the last 500 that came by EVAL), the digest never matches, and a quote in the value changes the program.

Keep the text constant, pass names in KEYS and values in ARGV. Constants, embedded files and trimmed or joined constants are constant text.`,
	Bad: []Example{
		{
			Lua:    "redis.call('SET', KEYS[1], '⟪name⟫') return 1",
			Sites:  []luacheck.Site{{Mode: luacheck.ModeEval, Callee: "Eval", Keys: oneElement, Args: luacheck.List{Exact: true}, TextVaries: "name"}},
			AtSite: true,
			Part:   PartText,
			Say:    `the script's text is put together at run time from name: each value is a script of its own to the server, and a quote in it changes the program; pass it in KEYS or ARGV`,
		},
		{
			Lua:    "return redis.call('INCRBY', KEYS[1], ⟪7⟫)",
			Sites:  []luacheck.Site{{Mode: luacheck.ModeDefine, Callee: "NewScript", TextVaries: "Sprintf with step"}},
			AtSite: true,
			Part:   PartText,
			Say:    `the script's text is put together at run time from Sprintf with step: each value is a script of its own to the server, and a quote in it changes the program; pass it in KEYS or ARGV`,
		},
	},
	Good: []Example{
		{Lua: "redis.call('SET', KEYS[1], ARGV[1]) return 1", Sites: []luacheck.Site{{Mode: luacheck.ModeEval, Callee: "Eval", Keys: oneElement, Args: oneElement}}},
	},
	Site: checkScriptTextVaries,
}

func checkScriptTextVaries(p *Pass, i int, s *luacheck.Site) {
	if s.TextVaries == "" {
		return
	}
	p.Report(At(i, PartText, 0, Warning, fmt.Sprintf(
		"the script's text is put together at run time from %s: each value is a script of its own to the server, and a quote in it changes the program; pass it in KEYS or ARGV", s.TextVaries)))
}
