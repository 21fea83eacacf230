package luacheck

import (
	"testing"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

func text(s string) Element {
	return Element{Text: Template{Parts: []Part{{Lit: s}}}, Kind: ArgKind{Type: TypeString}}
}

func exact(items ...Element) List {
	return List{Items: items, Exact: true, Min: len(items), Max: len(items)}
}

// TestConstantElementsKeepTheirOrigin: what a caller passes is known, and it still is an element of KEYS or ARGV.
func TestConstantElementsKeepTheirOrigin(t *testing.T) {
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	site := Site{Mode: ModeEval, Keys: exact(text("a")), Args: exact(text("b"))}
	for script, want := range map[string]string{
		"return redis.call('GET', KEYS[1] .. ':x')":                                   `KEYS[1] .. ":x"`,
		"return redis.call('GET', string.format('%s:%s', KEYS[1], ARGV[1]))":          `KEYS[1] .. ":" .. ARGV[1]`,
		"return redis.call('GET', 'a' .. ':x')":                                       `"a:x"`,
		"return redis.call('GET', tostring(KEYS[1]))":                                 `KEYS[1]`,
		"local n = tonumber(ARGV[2])\nreturn redis.call('INCRBY', KEYS[1], n + 1, n)": `KEYS[1]`,
	} {
		p := Analyze(syntax.Source{Text: script}, []Site{site}, Options{Target: target, SitesComplete: true})
		if len(p.Facts.Failures) == 1 && p.Facts.Failures[0].Value.From.String() == "ARGV[2]" {
			continue // arithmetic on the nil of an argument that is not passed
		}
		if len(p.Facts.Calls) != 1 {
			t.Fatalf("%s: %d calls", script, len(p.Facts.Calls))
		}
		if got := p.Facts.Calls[0].Args[1].Value.From.String(); got != want {
			t.Errorf("%s: the key comes from %s, want %s", script, got, want)
		}
	}
}

func TestAtMost(t *testing.T) {
	for _, c := range []struct {
		list List
		n    int
		ok   bool
	}{
		{exact(), 0, true},
		{exact(text("a"), text("b")), 2, true},
		{List{Items: []Element{text("a")}, Min: 1, Max: 2}, 2, true},
		{List{Min: 1, Max: -1}, 0, false},
		{List{}, 0, false}, // nothing is known
	} {
		if n, ok := c.list.AtMost(); n != c.n || ok != c.ok {
			t.Errorf("%+v: at most %d, %t, want %d, %t", c.list, n, ok, c.n, c.ok)
		}
	}
}
