package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// suppressed runs Suppress over a script with a finding of the rule script-header at each `!!`, one of the call that runs it where site
// is set, and returns what is left as "line rule: message".
func suppressed(t *testing.T, text string, site bool) []string {
	t.Helper()
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	p := luacheck.Analyze(syntax.Source{Text: text}, make([]luacheck.Site, 1), luacheck.Options{Target: target})
	var found []Finding
	for at := 0; ; at++ {
		i := strings.Index(text[at:], "!!")
		if i < 0 {
			break
		}
		at += i
		f := In(syntax.SpanOf(at, at+2), Warning, "found")
		f.Rule = scriptHeader
		found = append(found, f)
	}
	if site {
		f := At(0, PartCall, 0, Warning, "found")
		f.Rule = scriptHeader
		found = append(found, f)
	}
	var left []string
	for _, f := range Suppress(p, found, All()) {
		line := fmt.Sprint(1 + strings.Count(text[:f.Span.Start], "\n"))
		if f.Site >= 0 {
			line = "site"
		}
		left = append(left, line+" "+f.Rule.Name+": "+f.Message)
	}
	return left
}

func TestSuppress(t *testing.T) {
	const found = "script-header: found"
	for _, c := range []struct {
		name, text string
		site       bool
		left       []string
	}{
		{name: "nothing", text: "local a = '!!'", left: []string{"1 " + found}},
		{name: "same line", text: "local a = '!!' -- redislint:ignore script-header tested\nlocal b = '!!'", left: []string{"2 " + found}},
		{name: "next line", text: "-- redislint:ignore script-header tested\nlocal a = '!!'\nlocal b = '!!'", left: []string{"3 " + found}},
		{name: "next line with code", text: "-- redislint:ignore script-header tested\n\n-- text\n--[[ more\n]]\nlocal a = '!!'\nlocal b = '!!'", left: []string{"7 " + found}},
		{name: "long comment", text: "--[[ redislint:ignore script-header tested\nmore ]] local a = '!!'\nlocal b = '!!'", left: []string{"3 " + found}},
		{name: "statement over lines", text: "-- redislint:ignore script-header tested\nreturn {\n '!!',\n '!!'}", left: nil},
		{name: "head of a block", text: "-- redislint:ignore script-header tested\nif KEYS[1]\n  == '!!' then\n  return '!!'\nend", left: []string{"4 " + found}},
		{name: "not a function's body", text: "-- redislint:ignore script-header tested\nlocal f = function(a)\n  return '!!'\nend", left: []string{
			`1 bad-directive: "redislint:ignore script-header" suppresses nothing; remove it`, "3 " + found}},
		{name: "CRLF", text: "-- redislint:ignore script-header tested\r\nlocal a = '!!'\r\nlocal b = '!!'", left: []string{"3 " + found}},
		{name: "file", text: "-- redislint:ignore-file script-header generated\nlocal a = '!!'\nlocal b = '!!'", site: true, left: nil},
		{name: "file too late", text: "local a = '!!'\n-- redislint:ignore-file script-header generated\nlocal b = '!!'", left: []string{
			"1 " + found, `2 bad-directive: "redislint:ignore-file" must stand above the first statement; write redislint:off here`, "3 " + found}},
		{name: "off and on", text: "local a = '!!'\n-- redislint:off script-header tested\nlocal b = '!!'\n-- redislint:on script-header\nlocal c = '!!'",
			left: []string{"1 " + found, "5 " + found}},
		{name: "off to the end", text: "-- redislint:off script-header tested\nlocal b = '!!'\nreturn '!!'", site: true, left: []string{"site " + found}},
		{name: "on alone", text: "-- redislint:on script-header\nlocal b = '!!'", left: []string{
			`1 bad-directive: "redislint:on script-header" ends nothing; no redislint:off of it stands above`, "2 " + found}},
		{name: "another rule", text: "local a = '!!' -- redislint:ignore syntax tested", left: []string{
			"1 " + found, `1 bad-directive: "redislint:ignore syntax" suppresses nothing; remove it`}},
		{name: "two rules", text: "local a = '!!' -- redislint:ignore syntax,script-header tested", left: []string{
			`1 bad-directive: "redislint:ignore syntax" suppresses nothing; remove it`}},
		{name: "no reason still suppresses", text: "local a = '!!' -- redislint:ignore script-header", left: []string{
			`1 bad-directive: "redislint:ignore script-header" gives no reason; write why behind the rule`}},
		{name: "unknown rule", text: "local a = '!!' -- redislint:ignore script-headers tested", left: []string{
			"1 " + found, `1 bad-directive: "script-headers" is no rule, did you mean "script-header"; redislint -rules lists them`}},
		{name: "bad-directive itself", text: "local a = 1 -- redislint:ignore bad-directive tested", left: []string{
			`1 bad-directive: "bad-directive" cannot be suppressed by a comment; turn it off with -disable=bad-directive`}},
		{name: "malformed", text: "-- redislint:ingore script-header tested\nlocal a = '!!'", left: []string{
			`1 bad-directive: unknown directive "ingore", did you mean "ignore"; write ignore, ignore-file, off, on or script`, "2 " + found}},
		{name: "idle is not said of a broken script", text: "local a = = -- redislint:ignore script-header tested", left: nil},
		{name: "in a string", text: "local a = '-- redislint:ignore script-header tested'\nlocal b = '!!'", left: []string{"2 " + found}},
		{name: "script mark", text: "-- redislint:script keys=1 args=0\nlocal a = '!!'", left: []string{"2 " + found}},
		{name: "at the end", text: "local a = '!!'\n-- redislint:ignore script-header tested", left: []string{
			"1 " + found, `2 bad-directive: "redislint:ignore script-header" suppresses nothing; remove it`}},
	} {
		if diff := cmp.Diff(c.left, suppressed(t, c.text, c.site)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestSuppressDisabled: a rule that is off is not looked for, so its comments are not idle; with bad-directive off nothing is complained of.
func TestSuppressDisabled(t *testing.T) {
	text := "local a = 1 -- redislint:ignore script-header tested\nlocal b = 1 -- redislint:ignore no-such tested"
	p := luacheck.Analyze(syntax.Source{Text: text}, nil, luacheck.Options{})
	if got := Suppress(p, nil, []*Rule{badDirective}); len(got) != 1 || !strings.Contains(got[0].Message, `"no-such"`) {
		t.Errorf("only the unknown rule is wrong, got %+v", got)
	}
	if got := Suppress(p, nil, []*Rule{scriptHeader}); len(got) != 0 {
		t.Errorf("bad-directive is off, got %+v", got)
	}
}

func TestUndeclaredAllowed(t *testing.T) {
	for text, want := range map[string]bool{
		"!df flags=allow-undeclared-keys":                    true,
		"!df flags=disable-atomicity,allow-undeclared-keys":  true,
		"!df flags=disable-atomicity allow-undeclared-keys ": true,
		"!df flags=disable-atomicity;allow-undeclared-keys":  true,
		"!df flags=disable-atomicity":                        false,
		" !df flags=allow-undeclared-keys":                   false,
		"df flags=allow-undeclared-keys":                     false,
	} {
		if got := undeclaredAllowed(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
