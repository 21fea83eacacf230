package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

func TestParseDirective(t *testing.T) {
	named := func(text string, names ...string) []Named {
		var list []Named
		for _, n := range names {
			at := strings.Index(text, n)
			list = append(list, Named{n, syntax.SpanOf(at, at+len(n))})
		}
		return list
	}
	for _, c := range []struct {
		text  string
		verb  Verb
		names []string
		why   string // reason
		wrong string
	}{
		{" redislint:ignore a-rule it is fine", Ignore, []string{"a-rule"}, "it is fine", ""},
		{"redislint:ignore one,two both are fine \r", Ignore, []string{"one", "two"}, "both are fine", ""},
		{"redislint:ignore one, two both", Ignore, []string{"one", "two"}, "both", ""},
		{"redislint:ignore one , two both", Ignore, []string{"one", "two"}, "both", ""},
		{"redislint:ignore one: the reason -- with dashes", Ignore, []string{"one"}, "the reason -- with dashes", ""},
		{"redislint:ignore one -- the reason", Ignore, []string{"one"}, "the reason", ""},
		{"redislint:ignore one --", Ignore, []string{"one"}, "", `"redislint:ignore one" gives no reason; write why behind the rule`},
		{"redislint:ignore one", Ignore, []string{"one"}, "", `"redislint:ignore one" gives no reason; write why behind the rule`},
		{"redislint:ignore", Ignore, nil, "", `"redislint:ignore" names no rule; write redislint:ignore RULE reason`},
		{"redislint:ignore ,", Ignore, nil, "", `"redislint:ignore" names no rule; write redislint:ignore RULE reason`},
		{"redislint:ignore-file one generated", IgnoreFile, []string{"one"}, "generated", ""},
		{"redislint:off one a block\nsecond line", Off, []string{"one"}, "a block", ""},
		{"redislint:on one", On, []string{"one"}, "", ""},
		{"redislint:on", On, nil, "", `"redislint:on" names no rule; write redislint:on RULE`},
		{"redislint:", Ignore, nil, "", `no word stands behind "redislint:"; write ignore, ignore-file, off, on or script`},
		{"redislint: ignore one x", Ignore, nil, "", `no word stands behind "redislint:"; write ignore, ignore-file, off, on or script`},
		{"redislint:ingore one x", Ignore, nil, "", `unknown directive "ingore", did you mean "ignore"; write ignore, ignore-file, off, on or script`},
	} {
		d, ok := ParseDirective(c.text)
		if !ok {
			t.Errorf("%q: no directive", c.text)
			continue
		}
		if d.Verb != c.verb || d.Reason != c.why || d.Wrong != c.wrong {
			t.Errorf("%q: got %v, reason %q, wrong %q", c.text, d.Verb, d.Reason, d.Wrong)
		}
		if diff := cmp.Diff(named(c.text, c.names...), d.Names); diff != "" {
			t.Errorf("%q: names (-want +got)\n%s", c.text, diff)
		}
	}
}

func TestParseScriptMark(t *testing.T) {
	for text, want := range map[string]Directive{
		"redislint:script keys=2 args=1": {Keys: 2, Args: 1},
		"redislint:script args=0":        {Keys: -1, Args: 0},
		"redislint:script":               {Keys: -1, Args: -1},
		"redislint:script keys=-1":       {Keys: -1, Args: -1, Wrong: `"keys=-1" is not understood; write redislint:script keys=2 args=1`},
		"redislint:script keys=1 keys=2": {Keys: 1, Args: -1, Wrong: `"keys=2" is not understood; write redislint:script keys=2 args=1`},
		"redislint:script keys=99999999": {Keys: -1, Args: -1, Wrong: `"keys=99999999" is not understood; write redislint:script keys=2 args=1`},
	} {
		want.Verb, want.Span = ScriptMark, syntax.SpanOf(0, len(text))
		if d, ok := ParseDirective(text); !ok || cmp.Diff(want, d) != "" {
			t.Errorf("%q: ok %v (-want +got)\n%s", text, ok, cmp.Diff(want, d))
		}
	}
}

func TestNoDirective(t *testing.T) {
	for _, text := range []string{"", " ", "redislint", "see redislint:ignore", "nolint:redislint", "REDISLINT:ignore x y", "redislint ignore x"} {
		if d, ok := ParseDirective(text); ok {
			t.Errorf("%q was read as %+v", text, d)
		}
	}
}

func FuzzDirective(f *testing.F) {
	for _, seed := range []string{" redislint:ignore a,b why", "redislint:off x:", "redislint:script keys=1", "redislint:on ,,", "\tredislint:ignore a ,b\r\nz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		script := "local a = 1 --" + text
		for _, c := range Suppress(luacheck.Analyze(syntax.Source{Text: script}, nil, luacheck.Options{}), nil, All()) {
			if c.Span.Start < 0 || int(c.Span.End) > len(script) || c.Span.Start > c.Span.End {
				t.Errorf("finding outside %q: %v", script, c.Span)
			}
		}
		d, ok := ParseDirective(text)
		if !ok {
			return
		}
		if got := text[d.Span.Start:d.Span.End]; !strings.HasPrefix(got, "redislint:") || strings.ContainsAny(got, "\r\n") {
			t.Errorf("span of %q is %q", text, got)
		}
		at := d.Span.Start
		for _, n := range d.Names {
			if n.Span.Start < at || n.Span.End > d.Span.End || text[n.Span.Start:n.Span.End] != n.Name || n.Name == "" {
				t.Errorf("name %q of %q at %v", n.Name, text, n.Span)
			}
			at = n.Span.End
		}
		if d.Wrong == "" && d.Verb != ScriptMark && (len(d.Names) == 0 || d.Reason == "" && d.Verb != On) {
			t.Errorf("%q: nothing wrong with %+v", text, d)
		}
		d.Complaints()
	})
}
