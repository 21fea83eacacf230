package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var scriptHeader = &Rule{
	Name:     "script-header",
	Title:    "a `#!lua` line that the server refuses",
	Severity: ErrorSeverity,
	Group:    "Load time: syntax, globals, sandbox",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `From Redis 7.0 on a script may start with ` + "`#!lua flags=…`" + `. The line must be the very first bytes of the script and end with a
newline. EVAL knows the one option flags, with no-writes, allow-oom, allow-stale, no-cluster and allow-cross-slot-keys between commas without
blanks; FUNCTION LOAD knows the one option name. Anything else is refused before the script runs, and a server before 7.0 refuses the line itself.`,
	Bad: []Example{
		{
			Lua:    "#!lua flags=⟦no-write⟧\nreturn redis.call('GET', KEYS[1])",
			Say:    `unknown flag "no-write", did you mean "no-writes": the server refuses to load the script; known are no-writes, allow-oom, allow-stale, no-cluster and allow-cross-slot-keys`,
			Keys:   []string{"k"},
			Fixed:  "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])",
			Raises: "ERR Unexpected flag in script shebang: no-write",
		},
		{
			Lua:    "#!lua ⟦flags=no-writes,,allow-oom⟧\nreturn 1",
			Say:    `empty flag between commas: the server refuses to load the script; write the flags without blanks around the commas`,
			Raises: "ERR Unexpected flag in script shebang: ",
		},
		{
			Lua:    "#!⟦LUA⟧\nreturn 1",
			Say:    `engine "LUA" is unknown to Redis 7.0 to 8.6 and Valkey 7.2 to 8.0, which refuse to load the script; write #!lua`,
			Fixed:  "#!lua\nreturn 1",
			Raises: "ERR Unexpected engine in script shebang: #!LUA",
		},
		{
			Lua:    "#!lua ⟦name=cart⟧\nreturn redis.call('GET', KEYS[1])",
			Say:    `"name=cart" is for FUNCTION LOAD: the server refuses to load a script with it; remove it`,
			Sites:  []luacheck.Site{{Mode: luacheck.ModeEval, Keys: luacheck.List{Items: []luacheck.Element{{}}, Exact: true}}},
			Keys:   []string{"k"},
			Raises: "ERR Unknown lua shebang option: name=cart",
		},
		{
			Lua:    "\n⟦#!lua⟧\nreturn 1",
			Say:    `"#!" is not at the first byte of the script: the server refuses to load it; remove what stands before`,
			Fixed:  "#!lua\nreturn 1",
			Raises: "ERR Error compiling script (new function): user_script:2: unexpected symbol near '#'",
		},
	},
	Good: []Example{
		{Lua: "#!lua flags=allow-oom,allow-stale\r\nredis.call('SET', KEYS[1], ARGV[1])\nreturn 1", Keys: []string{"k"}, Args: []string{"v"}, Returns: ":1",
			Differs: map[string]string{"miniredis": "it reads the line as Lua and refuses it"}},
		{Lua: "#!lua name=cart\nredis.register_function('add', function(keys, args) return redis.call('SADD', keys[1], args[1]) end)",
			Library: true, Function: "add", Keys: []string{"k"}, Args: []string{"v"}, Returns: ":1"},
	},
	Program: checkHeader,
}

// scriptFlags are the flags that EVAL takes, on every known server with headers.
var scriptFlags = []string{"no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"}

const refusesIt = ": the server refuses to load the script; "

func checkHeader(p *Pass) {
	if at, stray := strayHeader(p.Source.Text); stray {
		f := In(at, ErrorSeverity, `"#!" is not at the first byte of the script: the server refuses to load it; remove what stands before`)
		f.Fixes = []Fix{{"Remove what stands before the #! line", []Edit{{syntax.Span{Start: 0, End: at.Start}, ""}}}}
		p.Report(f)
		return
	}
	h := p.Chunk.Header
	if h == nil || slices.ContainsFunc(p.Source.Holes, func(hole syntax.Span) bool { return hole.Start < h.End }) {
		return
	}
	if old := p.Target.NoShebang(); len(old) > 0 {
		p.Report(In(h.Span, ErrorSeverity, `"#!" is refused by `+buildWords(old)+", which read it as Lua; remove the line"))
		return
	}
	switch {
	case !h.Terminated:
		p.Report(In(h.Span, ErrorSeverity, "the header does not end with a newline"+refusesIt+"put the code on the next line"))
	case brokenQuotes(p.Source.Text[:h.End]):
		p.Report(In(h.Span, ErrorSeverity, "the quotes in the header do not match"+refusesIt+"remove them"))
	default:
		ok := checkEngine(p, h)
		for i := range h.Options {
			ok = checkOption(p, &h.Options[i]) && ok
		}
		if ok && onlyReads(p.Program) {
			reportReader(p, h)
		}
	}
}

// onlyReads is whether a script calls commands and none that a read-only script may not call.
func onlyReads(p *luacheck.Program) bool {
	if isLibrary(p) || !p.Complete || p.OverBudget || len(p.Facts.Calls) == 0 {
		return false
	}
	for _, c := range p.Facts.Calls {
		if c.Command == nil || c.Command.Flags&(server.Write|server.MayReplicate) != 0 {
			return false
		}
	}
	// Code made at run time may write.
	return !slices.ContainsFunc(p.Facts.Libs, func(l *value.LibCall) bool { return l.Name == "loadstring" || l.Name == "load" })
}

// reportReader reports a header that makes a script count as a write though it only reads.
func reportReader(p *Pass, h *syntax.Header) {
	at, text := h.At.End, " flags=no-writes"
	for i := range h.Options {
		if slices.Contains(strings.Split(h.Options[i].Value, ","), "no-writes") {
			return
		}
		if at = h.Options[i].End; h.Options[i].Value == "" {
			text = "no-writes"
		} else {
			text = ",no-writes"
		}
	}
	f := In(h.Span, Warning, "the script only reads, and without no-writes it counts as a write: EVAL_RO refuses it, and so do replicas and a server out of memory; write flags=no-writes")
	if !strings.ContainsAny(p.Source.Text[:h.End], `'"`) {
		f.Fixes = []Fix{{"Add no-writes", []Edit{{syntax.Span{Start: at, End: at}, text}}}}
	}
	p.Report(f)
}

// checkEngine reports an engine that is not lua, and returns whether it is.
func checkEngine(p *Pass, h *syntax.Header) bool {
	builds := p.Target.Builds
	anyCase := strings.EqualFold(h.Engine, "lua")
	if anyCase {
		builds = without(builds, p.Target.EngineAnyCase())
	}
	switch {
	case h.Engine == "lua" || anyCase && isLibrary(p.Program) || len(builds) == 0:
		return true
	case h.Engine == "":
		p.Report(In(h.Span, ErrorSeverity, `no engine stands right behind "#!"`+refusesIt+"write #!lua"))
	case anyCase:
		f := In(h.At, ErrorSeverity, fmt.Sprintf("engine %q is unknown to %s, which refuse to load the script; write #!lua", h.Engine, buildWords(builds)))
		f.Fixes = []Fix{{"Write lua", []Edit{{h.At, "lua"}}}}
		p.Report(f)
	default:
		p.Report(In(h.At, ErrorSeverity, fmt.Sprintf("unknown engine %q"+refusesIt+"write #!lua", h.Engine)))
	}
	return false
}

// checkOption reports an option that servers refuse, and returns whether they take it.
func checkOption(p *Pass, o *syntax.HeaderOption) bool {
	word := p.Source.Text[o.Start:o.End]
	switch {
	case isLibrary(p.Program):
		if o.Name == "name" && o.HasEq {
			return true
		}
		p.Report(In(o.Span, ErrorSeverity, fmt.Sprintf("%q is no option of a library: FUNCTION LOAD refuses it; give flags to redis.register_function", word)))
	case o.Name == "name" && o.HasEq:
		p.Report(In(o.Span, ErrorSeverity, fmt.Sprintf("%q is for FUNCTION LOAD: the server refuses to load a script with it; remove it", word)))
	case o.Name != "flags" || !o.HasEq:
		p.Report(In(o.Span, ErrorSeverity, fmt.Sprintf("unknown option %q"+refusesIt+"write flags=… with commas and no blanks", word)))
	default:
		return checkFlags(p, o, word)
	}
	return false
}

// checkFlags looks at each flag of one flags option; an empty value is none.
func checkFlags(p *Pass, o *syntax.HeaderOption, word string) bool {
	if o.Value == "" {
		return true
	}
	ok := true
	at := o.Start + strings.Index(word, "=") + 1
	for _, flag := range strings.Split(o.Value, ",") {
		span := syntax.Span{Start: at, End: at + len(flag)}
		if span.End > o.End || p.Source.Text[span.Start:span.End] != flag {
			span = o.Span // quotes stand between
		}
		if why, near := flagProblem(p.Target, flag); why != "" {
			ok = false
			f := In(span, ErrorSeverity, why)
			if flag == "" {
				f.Span = o.Span
			}
			if near != "" && span != o.Span {
				f.Fixes = []Fix{{"Write " + near, []Edit{{span, near}}}}
			}
			p.Report(f)
		}
		at += len(flag) + 1
	}
	return ok
}

// flagProblem says why some server of the target refuses a flag ("" where none does), and the flag that may be meant.
func flagProblem(target server.Target, flag string) (why, near string) {
	switch {
	case slices.Contains(scriptFlags, flag):
		return "", ""
	case flag == "":
		return "empty flag between commas" + refusesIt + "write the flags without blanks around the commas", ""
	case flag == "allow-key-locking":
		if !slices.ContainsFunc(target.Builds, func(b server.Build) bool { return b.Profile != server.Upstash }) {
			return "", ""
		}
		return `flag "allow-key-locking" is known to Upstash only` + refusesIt + "remove it", ""
	}
	return fmt.Sprintf("unknown flag %q%s"+refusesIt+"known are %s", flag, suggest(flag, scriptFlags), joinWords(scriptFlags, "and")),
		server.NearestWord(flag, scriptFlags)
}

// isLibrary is whether the text goes to FUNCTION LOAD: its sites say so, or, where none is known, its header has a name.
func isLibrary(p *luacheck.Program) bool {
	for i := range p.Sites {
		switch mode := p.Sites[i].Mode; {
		case mode == luacheck.ModeLibrary || mode == luacheck.ModeFunction || mode == luacheck.ModeFunctionRO:
			return true
		case mode == luacheck.ModeLoad || mode.Runs():
			return false
		}
	}
	return p.Chunk.Header != nil && slices.ContainsFunc(p.Chunk.Header.Options, func(o syntax.HeaderOption) bool { return o.Name == "name" && o.HasEq })
}

// brokenQuotes is whether a quote in the header is not closed, or is closed within a word: servers refuse both.
func brokenQuotes(header string) bool {
	quote := byte(0)
	for i := 0; i < len(header); i++ {
		c := header[i]
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0:
		case c == '\\' && i+1 < len(header) && (quote == '"' || header[i+1] == quote):
			i++
		case c == quote:
			if i+1 < len(header) && strings.IndexByte(" \t\v\f\r", header[i+1]) < 0 {
				return true
			}
			quote = 0
		}
	}
	return quote != 0
}
