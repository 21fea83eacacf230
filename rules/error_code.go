package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var errorCode = &Rule{
	Name:     "error-code",
	Title:    "an error whose text does not reach the caller as it stands, or whose code belongs to the server",
	Severity: Note,
	Group:    "Atomicity, errors, expiry",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `The text of error() gets a position in front and the script's digest behind, and each server version does that in its own way, so a
caller that compares the text breaks with the next upgrade. Return ` + "`redis.error_reply('CODE text')`" + `: the first word, in capitals, arrives as it
is. From 7.0 on a text without a blank gets "ERR " in front.

Clients act on the codes of the server: they follow MOVED and ASK, load the script again on NOSCRIPT, and retry on LOADING, READONLY and
TRYAGAIN. A script that answers one of them is run again. Choose a code of your own.`,
	Bad: []Example{
		{
			Lua:    "if redis.call('EXISTS', KEYS[1]) == 0 then ⟦error('ENOENT')⟧ end\nreturn 1",
			Sites:  func() []luacheck.Site { return matching("ENOENT") },
			Say:    "the caller looks for 'ENOENT', and the text of error() arrives with a position in front and more behind, which differ by version; return redis.error_reply('CODE text')",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: ENOENT",
		},
		{
			Lua:    "local function fail(what) ⟦error('no such ' .. what)⟧ end\nif redis.call('EXISTS', KEYS[1]) == 0 then fail('job') end\nreturn 1",
			Sites:  func() []luacheck.Site { return matching("no such job") },
			Say:    "the caller looks for 'no such job', and the text of error() arrives with a position in front and more behind, which differ by version; return redis.error_reply('CODE text')",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: no such job",
		},
		{
			Lua:    "if redis.call('EXISTS', KEYS[1]) == 0 then return ⟦redis.error_reply('ENOENT')⟧ end\nreturn 1",
			Sites:  func() []luacheck.Site { return matching("ENOENT") },
			Say:    "the caller looks for 'ENOENT', and from 7.0 on a text without a blank arrives as 'ERR ENOENT'; write a text behind the code",
			Keys:   []string{"k"},
			Raises: "ERR ENOENT",
		},
		{
			Lua:    "return ⟦redis.error_reply('NOSCRIPT no such job')⟧",
			Say:    "NOSCRIPT is a code of the server: clients load the script and run it again; choose a code of your own",
			Raises: "NOSCRIPT no such job",
		},
		{
			Lua:    "if redis.call('EXISTS', KEYS[1]) == 0 then\n  return ⟦{err = 'MOVED to the archive'}⟧\nend\nreturn 1",
			Say:    "MOVED is a code of the server: clients follow it to another node; choose a code of your own",
			Keys:   []string{"k"},
			Raises: "MOVED to the archive",
		},
		{
			Lua:    "local function refuse(text) return ⟦redis.error_reply('TRYAGAIN ' .. text)⟧ end\nreturn refuse(KEYS[1])",
			Say:    "TRYAGAIN is a code of the server: clients run the call again; choose a code of your own",
			Keys:   []string{"k"},
			Raises: "TRYAGAIN k",
		},
	},
	Good: []Example{
		{Lua: "if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('NOT FOUND') end\nreturn 1", Sites: func() []luacheck.Site { return matching("NOT FOUND") }},
		{Lua: "if redis.call('EXISTS', KEYS[1]) == 0 then return redis.error_reply('ENOENT no such entry') end\nreturn 1", Sites: func() []luacheck.Site { return matching("ENOENT") }},
		{Lua: "error('no such job')"},
		{Lua: "if redis.call('EXISTS', KEYS[1]) == 0 then error('something else') end\nreturn 1", Sites: func() []luacheck.Site { return matching("ENOENT") }},
		{Lua: "return redis.error_reply('MOVEDAWAY no such job')"},
		{Lua: "return redis.error_reply('ERR no such job')"},
	},
	Lib:    checkErrorCode,
	Return: checkErrorTable,
}

// reservedCodes are the codes that clients act on, with what they do.
var reservedCodes = map[string]string{
	"MOVED":       "clients follow it to another node",
	"ASK":         "clients follow it to another node",
	"NOSCRIPT":    "clients load the script and run it again",
	"LOADING":     "clients run the call again",
	"READONLY":    "clients look for another master and run the call again",
	"TRYAGAIN":    "clients run the call again",
	"CLUSTERDOWN": "clients run the call again",
	"MASTERDOWN":  "clients run the call again",
	"NOAUTH":      "clients take the connection for one without a login",
	"NOPERM":      "clients take the user for one without the right",
	"CROSSSLOT":   "people take it for keys in different slots",
	"BUSY":        "people take it for a script that does not end",
}

func checkErrorCode(p *Pass, l *value.LibCall) {
	if len(l.Args) == 0 {
		return
	}
	v := l.Args[0].Value
	switch l.Name {
	case "error":
		if text := matchedText(p, v, false); text != "" {
			p.Report(In(l.Node.Span, Note, "the caller looks for '"+text+"', and the text of error() arrives with a position in front and more behind, "+
				"which differ by version; return redis.error_reply('CODE text')"))
		}
	case "redis.error_reply", "server.error_reply":
		if text := matchedText(p, v, true); text != "" {
			p.Report(In(l.Node.Span, Note, "the caller looks for '"+text+"', and from 7.0 on a text without a blank arrives as 'ERR "+text+
				"'; write a text behind the code"))
			return
		}
		reportReserved(p, l.Node.Span, v)
	}
}

// checkErrorTable: {err = 'CODE text'} that is returned.
func checkErrorTable(p *Pass, r *value.Return) {
	if len(r.Values) == 0 || len(r.Objects) == 0 || r.Objects[0] == nil {
		return
	}
	t, ok := r.Values[0].Value.Made().(*syntax.Table)
	i := slices.Index(r.Objects[0].Names, "err")
	if ok && i >= 0 {
		reportReserved(p, t.Span, r.Objects[0].Fields[i])
	}
}

func reportReserved(p *Pass, at syntax.Span, v *value.Value) {
	code, _, blank := strings.Cut(strings.TrimPrefix(leadingText(v), "-"), " ")
	if what := reservedCodes[code]; what != "" && blank {
		p.Report(In(at, Note, code+" is a code of the server: "+what+"; choose a code of your own"))
	}
}

// leadingText is the text that v starts with, as far as it is constant.
func leadingText(v *value.Value) string {
	switch {
	case v.Const && v.Kinds == value.String:
		return v.Text
	case v.From != nil && v.From.Kind == value.FromConcat && len(v.From.Parts) > 0 && v.From.Parts[0] != nil && v.From.Parts[0].Kind == value.FromLiteral:
		return v.From.Parts[0].Text
	}
	return ""
}

// matchedText is what a caller looks for in errors that is (whole) the text v, or stands in it.
func matchedText(p *Pass, v *value.Value, whole bool) string {
	if !v.Const || v.Kinds != value.String {
		return ""
	}
	for i := range p.Sites {
		for _, want := range p.Sites[i].Result.ErrTexts {
			if whole && want == v.Text && !strings.Contains(want, " ") || !whole && want != "" && strings.Contains(v.Text, want) {
				return want
			}
		}
	}
	return ""
}
