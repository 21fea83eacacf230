package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

var scriptHeader = &Rule{
	Name:     "script-header",
	Title:    "a #!lua line that the server refuses, or that promises less than the script keeps",
	Severity: ErrorSeverity,
	Group:    "Load time: syntax, globals, sandbox",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `Since Redis 7.0 a script may begin with ` + "`#!lua flags=no-writes,allow-stale`" + `. It must be the very first bytes, end with a line feed, name the
engine lua, and know only the option flags with no-writes, allow-oom, allow-stale, no-cluster and allow-cross-slot-keys, separated by commas
without blanks. Anything else is refused when the script is loaded.

A script with the line and without no-writes counts as one that writes: it is refused on replicas, when memory is short and by EVAL_RO, also where it
only reads.`,
	Bad:     scriptHeaderBad,
	Good:    scriptHeaderGood,
	Program: checkHeader,
}

// scriptFlags are the flags of scripts and functions that all servers know.
var scriptFlags = []string{"no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"}

func checkHeader(p *Pass) {
	if at, stray := strayHeader(p.Source.Text); stray {
		f := In(at, ErrorSeverity, "'#!' stands behind "+leading(p.Source.Text[:at.Start])+": the server takes it for code and refuses to load the script; it must be the first bytes")
		f.Fixes = []Fix{{Title: "remove what stands before the line", Edits: []Edit{{Span: syntax.Span{Start: 0, End: at.Start}}}}}
		p.Report(f)
		return
	}
	h := p.Chunk.Header
	if h == nil || isLibraryText(p.Program) && !evaluated(p.Program) {
		return // function-library
	}
	if headerRefused(p, h) || flagsRefused(p, h) {
		return
	}
	if old := p.Target.NoShebang(); len(old) > 0 {
		p.Report(In(h.Span, ErrorSeverity, "'#!' is a syntax error on "+buildWords(old)+": it came with Redis 7.0; remove the line or raise the target"))
		return
	}
	if p.Target.Profile == server.Dragonfly {
		p.Report(In(h.Span, Warning, "'#!' lines are not read by Dragonfly; write its flags as --!df flags=... instead"))
		return
	}
	promisesLess(p, h)
}

func leading(before string) string {
	if strings.HasPrefix(before, "\xef\xbb\xbf") {
		return "a byte order mark"
	}
	if strings.ContainsAny(before, "\r\n") {
		return "a line break"
	}
	return "a blank"
}

// isLibraryText: the text is loaded by FUNCTION LOAD.
func isLibraryText(p *luacheck.Program) bool {
	return p.Facts.Library != nil || slices.ContainsFunc(p.Sites, func(s luacheck.Site) bool { return s.Mode == luacheck.ModeLibrary })
}

// evaluated: some call takes the text for a script.
func evaluated(p *luacheck.Program) bool {
	return slices.ContainsFunc(p.Sites, func(s luacheck.Site) bool {
		return s.Mode >= luacheck.ModeEval && s.Mode <= luacheck.ModeShaRO || s.Mode == luacheck.ModeLoad || s.Mode == luacheck.ModeDefine
	})
}

// headerRefused checks the engine and the end of the line.
func headerRefused(p *Pass, h *syntax.Header) bool {
	switch {
	case h.Engine == "":
		p.Report(In(h.Span, ErrorSeverity, "'#!' is not followed by the engine: the server refuses to load the script; write #!lua without a blank"))
	case !strings.EqualFold(h.Engine, "lua"):
		p.Report(In(h.At, ErrorSeverity, "'"+h.Engine+"' is no engine of the server, which refuses to load the script; write #!lua"))
	case h.Engine != "lua":
		refuse := without(p.Target.Builds, p.Target.EngineAnyCase())
		if len(refuse) == 0 {
			p.Report(In(h.At, Warning, "'"+h.Engine+"' is taken in capitals by Valkey from 8.1 on only; write #!lua"))
			return true
		}
		p.Report(In(h.At, ErrorSeverity, "'"+h.Engine+"' in capitals is refused by "+buildWords(refuse)+"; write #!lua"))
	case !splits(codeOf(p.Source.Text, h.Span)):
		p.Report(In(h.Span, ErrorSeverity, "the first line has a quote that is not closed, or text behind a closing one: the server refuses to load the script; remove the quotes"))
	case !h.Terminated:
		p.Report(In(h.Span, ErrorSeverity, "'#!lua' is not ended by a line feed: the server refuses to load the script; put the code on the next line"))
	default:
		return false
	}
	return true
}

// splits reports whether the server can cut the line into words: a quote must be closed, and a blank or the end stand behind it.
func splits(line string) bool {
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == '\\' && i+1 < len(line) && (quote == '"' || line[i+1] == quote):
			i++
		case quote != 0 && c == quote:
			quote = 0
			if i+1 < len(line) && !strings.ContainsRune(" \t\r\f\v", rune(line[i+1])) {
				return false
			}
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		}
	}
	return quote == 0
}

// flagsRefused checks the options.
func flagsRefused(p *Pass, h *syntax.Header) bool {
	bad := false
	for _, o := range h.Options {
		if o.Name != "flags" || !o.HasEq {
			bad = true
			p.Report(In(o.Span, ErrorSeverity, optionWords(p, &o)))
			continue
		}
		if o.Value == "" {
			continue
		}
		for _, flag := range strings.Split(o.Value, ",") {
			if slices.Contains(scriptFlags, flag) || flag == "allow-key-locking" && onlyUpstash(p.Target) {
				continue
			}
			bad = true
			p.Report(In(flagSpan(p.Source.Text, o.Span, flag), ErrorSeverity, flagWords(flag)))
		}
	}
	return bad
}

func onlyUpstash(t server.Target) bool { return t.Profile == server.Upstash && len(t.Builds) == 1 }

func optionWords(p *Pass, o *syntax.HeaderOption) string {
	switch {
	case o.Name == "name" && o.HasEq:
		return "'name' makes a FUNCTION library: EVAL and SCRIPT LOAD refuse the text; load it with FUNCTION LOAD or remove the option"
	case slices.Contains(scriptFlags, strings.TrimPrefix(o.Name, ",")):
		return "'" + o.Name + "' stands alone, where the server wants an option, and it refuses to load the script; write flags=a,b with commas and no blanks"
	}
	return "'" + codeOf(p.Source.Text, o.Span) + "' is no option of a #!lua line: the server refuses to load the script; only flags= is known"
}

func codeOf(text string, at syntax.Span) string { return text[at.Start:at.End] }

// flagSpan is where a flag stands in its option; the whole option where quotes and escapes hide it.
func flagSpan(text string, option syntax.Span, flag string) syntax.Span {
	if flag == "" {
		return option
	}
	at := strings.Index(text[option.Start:option.End], flag)
	if at < 0 {
		return option
	}
	at += int(option.Start)
	return syntax.SpanOf(at, at+len(flag))
}

func flagWords(flag string) string {
	switch near := server.NearestWord(flag, scriptFlags); {
	case flag == "":
		return "'flags' holds an empty flag: the server refuses to load the script; remove the comma"
	case flag == "allow-key-locking":
		return "'allow-key-locking' belongs to Upstash: Redis and Valkey refuse to load the script; remove it"
	case near != "":
		return "'" + flag + "' is no flag of a script: the server refuses to load it; did you mean '" + near + "'?"
	}
	return "'" + flag + "' is no flag of a script: the server refuses to load it; known are " + joinWords(scriptFlags, "and")
}

// promisesLess: a script that only reads, without no-writes.
func promisesLess(p *Pass, h *syntax.Header) {
	if !p.Complete || hasFlag(p.Program, "no-writes") || !onlyReads(p) || p.Facts.Library != nil {
		return
	}
	f := In(h.Span, Warning, "'#!lua' without no-writes counts as a script that writes, and this one only reads: replicas, EVAL_RO and a full memory refuse it; write flags=no-writes")
	if slices.ContainsFunc(p.Sites, func(s luacheck.Site) bool { return s.Mode.ReadOnly() }) {
		f.Severity = ErrorSeverity
		f.Message = "'#!lua' without no-writes counts as a script that writes: EVAL_RO refuses it; write flags=no-writes"
	}
	at, text := h.At.End, " flags=no-writes"
	for _, o := range h.Options {
		if o.Name == "flags" {
			at, text = o.End, ",no-writes"
			if o.Value == "" {
				text = "no-writes"
			}
			if strings.ContainsAny(p.Source.Text[o.Start:o.End], `"'`) {
				p.Report(f)
				return
			}
		}
	}
	f.Fixes = []Fix{{Title: "add no-writes", Edits: []Edit{{Span: syntax.Span{Start: at, End: at}, New: text}}}}
	p.Report(f)
}

// onlyReads: there are commands, and none that read-only scripts refuse.
func onlyReads(p *Pass) bool {
	for _, c := range p.Facts.Calls {
		if c.Command == nil || c.Command.Flags&(server.Write|server.MayReplicate) != 0 {
			return false
		}
	}
	return len(p.Facts.Calls) > 0
}
