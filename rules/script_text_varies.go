package rules

import (
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

var scriptTextVaries = &Rule{
	Name:     "script-text-varies",
	Title:    "script text that is put together at run time",
	Severity: Warning,
	Group:    "The Go side",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `A value that is put into the text makes a new script of each value. The server compiles every one of them and keeps it: Redis up to 7.2
and Valkey 7.2 for ever, so that memory grows until SCRIPT FLUSH; Redis 7.4 and Valkey 8.0 keep the last 500 that came by EVAL, so that other
scripts are dropped. A quote or a backslash in a value that stands between quotes ends the text there: the rest is run as program.

Keep the text constant, pass names in KEYS and values in ARGV. Constants, embedded files, and constants that are joined, trimmed or formatted
with constants are constant text, and so is what a package-level variable is made of when the program starts.`,
	Bad: []Example{
		{
			Lua:   "redis.call('SET', KEYS[1], '⟦⟪name⟫⟧') return 1",
			Sites: func() []luacheck.Site { return []luacheck.Site{varyingSite(luacheck.ModeEval, "name")} },
			Say: "'name' is put between quotes in the script's text: a quote in it ends the text and the rest runs as program, and the server keeps a " +
				"script for each value; pass it in KEYS or ARGV",
		},
		{
			Lua:   "return redis.call('INCRBY', KEYS[1], ⟦⟪7⟫⟧)",
			Sites: func() []luacheck.Site { return []luacheck.Site{varyingSite(luacheck.ModeDefine, "step")} },
			Say:   "'step' is put into the script's text at run time: the server compiles and keeps a script for each value; pass it in KEYS or ARGV",
		},
		{
			Lua:    "return redis.call('INCRBY', KEYS[1], ⟦⟪7⟫⟧)",
			Target: "redis@7.4+",
			Sites:  func() []luacheck.Site { return []luacheck.Site{varyingSite(luacheck.ModeDefine, "step")} },
			Say:    "'step' is put into the script's text at run time: the server compiles a script for each value and drops others for it; pass it in KEYS or ARGV",
		},
		{
			Lua: "redis.call('HSET', KEYS[1], 'owner', [[⟦⟪me⟫⟧]], 'state', '⟪st⟫') return 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{varyingSite(luacheck.ModeEval, "owner, state"), varyingSite(luacheck.ModeLoad, "owner, state")}
			},
			Say: "'owner, state' is put between quotes in the script's text: a quote in it ends the text and the rest runs as program, and the server keeps a " +
				"script for each value; pass it in KEYS or ARGV",
		},
		{
			// A number has no quote.
			Lua: "return redis.call('HGET', KEYS[1], 'shard-⟦⟪7⟫⟧')",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{{Mode: luacheck.ModeDefine, Library: "go-redis", Callee: "NewScript", TextVaries: "shard"}}
			},
			Say: "'shard' is put into the script's text at run time: the server compiles and keeps a script for each value; pass it in KEYS or ARGV",
		},
	},
	Good: []Example{
		{Lua: "redis.call('SET', KEYS[1], ARGV[1]) return 1", Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("v"))))}
		}},
		// Made once, when the program starts.
		{Lua: "return redis.call('INCRBY', KEYS[1], ⟪7⟫)", Sites: func() []luacheck.Site { return []luacheck.Site{varyingSite(luacheck.ModeDefine, "")} }},
	},
	Program: checkScriptTextVaries,
}

func varyingSite(mode luacheck.Mode, varies string) luacheck.Site {
	return luacheck.Site{Mode: mode, Library: "go-redis", Callee: "Eval", Keys: exactly(tmpl(hole("key"))), Args: exactly(), TextVaries: varies,
		TextUnsafe: true, Fallback: true}
}

// checkScriptTextVaries reports a text once, at the first of the values, however many calls run it.
func checkScriptTextVaries(p *Pass) {
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.TextVaries == "" || s.HandsOn {
			continue
		}
		text := "'" + s.TextVaries + "' is put into the script's text at run time: " + keptHow(p)
		if s.TextUnsafe && betweenQuotes(p) {
			text = "'" + s.TextVaries + "' is put between quotes in the script's text: a quote in it ends the text and the rest runs as program, and the server " +
				"keeps a script for each value"
		}
		text += "; pass it in KEYS or ARGV"
		if len(p.Source.Holes) == 0 {
			p.Report(At(i, PartText, 0, Warning, text))
			return
		}
		p.Report(In(p.Source.Holes[0], Warning, text))
		return
	}
}

// keptHow says what becomes of many scripts on the servers of the target.
func keptHow(p *Pass) string {
	if len(p.Target.EvictsScripts()) < len(p.Target.Builds) {
		return "the server compiles and keeps a script for each value"
	}
	return "the server compiles a script for each value and drops others for it"
}

// betweenQuotes reports whether a value stands inside a string of the script.
func betweenQuotes(p *Pass) bool {
	found := false
	syntax.Walk(p.Chunk, func(n syntax.Node) bool {
		text, ok := n.(*syntax.String)
		found = found || ok && text.Holed
		return !found
	})
	return found
}
