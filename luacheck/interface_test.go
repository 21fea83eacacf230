package luacheck

import (
	"testing"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// TestRequire: what a call must pass at least, for callers in other packages.
func TestRequire(t *testing.T) {
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	for script, want := range map[string][2]int{
		"return redis.call('RPOPLPUSH', KEYS[1], KEYS[2])":                                                          {2, 0},
		"if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0": {1, 2},
		"redis.call('SET', KEYS[1], ARGV[1]) if ARGV[2] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 1":  {0, 0},
		"if ARGV[1] == 'set' then return redis.call('SET', KEYS[1], ARGV[2]) end return redis.call('DEL', KEYS[1])": {0, 0},
		"for i = 1, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end return redis.call('LLEN', KEYS[2])":          {0, 0},
		"local n = redis.call('INCR', KEYS[1]) if n > tonumber(ARGV[1]) then return 0 end return 'n' .. ARGV[2]":    {1, 2},
		"return ARGV[3] or KEYS[2]": {0, 0},
	} {
		opt := Options{Target: target}
		p := Analyze(syntax.Source{Text: script}, nil, opt)
		in := p.Interface
		in.Require(p, opt)
		if got := [2]int{in.KeysRequired, in.ArgsRequired}; got != want {
			t.Errorf("%s: requires %v, want %v", script, got, want)
		}
	}
}
