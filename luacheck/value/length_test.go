package value_test

import (
	"testing"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// TestListLength: a caller passes one argument. What is said of ARGV[2] depends on what the script tests.
func TestListLength(t *testing.T) {
	missing := value.ElementValue([]value.Element{{Missing: true}}, true)
	given := value.ElementValue([]value.Element{{}}, true)
	args := value.List{Elems: []*value.Value{given}, Rest: missing, Counted: true, Min: 1, Max: 1}
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		at   string // of the one sure failure, "" for none of any kind
	}{
		{"return redis.call('SET', KEYS[1], ARGV[2])", "ARGV[2]"},
		{"if #ARGV > 1 then redis.call('SET', KEYS[1], ARGV[2]) end return 1", ""},
		{"if #ARGV == 2 then redis.call('SET', KEYS[1], ARGV[2]) end return 1", ""},
		{"local n = #ARGV if n >= 2 then redis.call('SET', KEYS[1], ARGV[2]) end return 1", ""},
		{"local n = #ARGV if n >= 1 then redis.call('SET', KEYS[1], ARGV[2]) end return 1", "ARGV[2]"},
		{"if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2]) end return 1", ""},
		{"table.insert(ARGV, 'x') if #ARGV > 1 then redis.call('SET', KEYS[1], ARGV[2]) end return 1", "weak"},
		{"ARGV[2] = 'x' return redis.call('SET', KEYS[1], ARGV[2])", ""},
		{"for i = 1, #ARGV do redis.call('SET', KEYS[1], ARGV[i]) end return 1", ""},
		{"local i = 0 while i < #ARGV do i = i + 1 redis.call('SADD', KEYS[1], ARGV[i]) end return 1", ""},
	} {
		chunk := syntax.Parse(syntax.Source{Text: c.text}, syntax.Lua51)
		keys := value.List{Elems: []*value.Value{given}, Rest: missing, Counted: true, Min: 1, Max: 1}
		f := value.Analyze(value.Input{Chunk: chunk, Scope: scope.Bind(chunk), Target: target, Keys: keys, Args: args})
		got := ""
		for _, x := range f.Failures {
			switch {
			case x.Sure:
				got = c.text[x.At.Start:x.At.End]
			case got == "" && !x.Weak:
				got = "perhaps " + c.text[x.At.Start:x.At.End]
			case got == "":
				got = "weak"
			}
		}
		if got != c.at {
			t.Errorf("%s: fails at %q, want %q", c.text, got, c.at)
		}
	}
}
