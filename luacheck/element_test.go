package luacheck_test

import (
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// TestNumeralArguments: a text that always spells a number leaves no doubt about tonumber, also where there may be more callers.
func TestNumeralArguments(t *testing.T) {
	const script = "redis.call('SET', KEYS[1], 'x')\nreturn tonumber(ARGV[1]) + 1"
	arg := func(k luacheck.ArgKind) luacheck.Site {
		return luacheck.Site{Mode: luacheck.ModeEval, Keys: luacheck.List{Items: make([]luacheck.Element, 1), Exact: true, Min: 1, Max: 1},
			Args: luacheck.List{Items: []luacheck.Element{{Kind: k}}, Exact: true, Min: 1, Max: 1}}
	}
	for _, tt := range []struct {
		name     string
		kind     luacheck.ArgKind
		complete bool
		fails    bool
	}{
		{"text", luacheck.ArgKind{Type: luacheck.TypeString}, true, true},
		{"numeral", luacheck.ArgKind{Type: luacheck.TypeString, Numeral: true, Whole: true}, true, false},
		{"numeral, more callers", luacheck.ArgKind{Type: luacheck.TypeString, Numeral: true}, false, false},
		{"integer", luacheck.ArgKind{Type: luacheck.TypeInt}, false, false},
	} {
		p := luacheck.Analyze(syntax.Source{Text: script}, []luacheck.Site{arg(tt.kind)},
			luacheck.Options{Target: defaultTarget(t), SitesComplete: tt.complete})
		fails := false
		for _, f := range p.Facts.Failures {
			fails = fails || f.Class == value.FailArith
		}
		if fails != tt.fails {
			t.Errorf("%s: arithmetic may fail: %v", tt.name, fails)
		}
	}
}
