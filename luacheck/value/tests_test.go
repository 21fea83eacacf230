package value_test

import (
	"slices"
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// TestFailureTests: what a failure's tests look at, and which writes came before a test.
func TestFailureTests(t *testing.T) {
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, lua            string
		early, needs, passed []string
	}{
		{"a later read", "redis.call('INCR', KEYS[1]) if redis.call('LLEN', KEYS[2]) > 3 then error('x') end",
			[]string{"incr"}, []string{"llen"}, nil},
		{"its own reply", "local n = redis.call('INCR', KEYS[1]) if n <= 3 then return n end return redis.error_reply('LIMIT x')",
			[]string{"incr"}, []string{"incr"}, []string{"incr"}},
		{"in the same branch", "if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('INCR', KEYS[2]) return redis.error_reply('NO x') end return 1",
			nil, []string{"exists"}, nil},
		{"a chain", "if redis.call('LREM', KEYS[1], 0, 'a') == 0 then return 0 end if redis.call('ZREM', KEYS[2], 'a') == 0 then error('x') end",
			[]string{"lrem"}, []string{"zrem"}, []string{"zrem", "lrem"}},
		{"assert", "redis.call('INCR', KEYS[1]) assert(redis.call('GET', KEYS[2]) == 'a')", []string{"incr"}, []string{"get"}, nil},
		{"through a helper", "local function die() error('x') end redis.call('INCR', KEYS[1]) if redis.call('LLEN', KEYS[2]) > 3 then die() end",
			[]string{"incr"}, []string{"llen"}, nil},
		{"a turn of a loop", "for i = 1, 3 do local v = redis.call('GET', KEYS[i]) if not v then error('x') end redis.call('INCR', KEYS[4]) end",
			[]string{"incr"}, []string{"get"}, nil},
		{"in an expression", "local n = redis.call('INCR', KEYS[1]) return n < 3 and n or redis.error_reply('LIMIT x')",
			[]string{"incr"}, []string{"incr"}, nil},
	} {
		p := luacheck.Analyze(syntax.Source{Text: c.lua}, nil, luacheck.Options{Target: target})
		var found *value.Failure
		for _, f := range p.Facts.Failures {
			if f.Class == value.FailRaise || f.Class == value.FailReply {
				found = f
			}
		}
		if found == nil {
			t.Errorf("%s: no failure", c.name)
			continue
		}
		for _, w := range []struct {
			what string
			got  []*value.Call
			want []string
		}{{"early", found.Early, c.early}, {"needs", found.Needs, c.needs}, {"passed", found.Passed, c.passed}} {
			var names []string
			for _, call := range w.got {
				names = append(names, call.Name)
			}
			slices.Sort(names)
			want := slices.Sorted(slices.Values(w.want))
			if !slices.Equal(names, want) {
				t.Errorf("%s: %s: got %v, want %v", c.name, w.what, names, want)
			}
		}
	}
}
