// Package findings has mistakes, with what is to be reported on each line, and comments that leave some of them out.
package findings

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/redis/go-redis/v9"
)

var raw = redis.NewScript(`
local v = redis.call('GET', KEYS[1])
if v == nil then return 0 end -- want nil-reply@4
return v
`)

var few = redis.NewScript(`return redis.call('GET', KEYS[1])`)

var quoted = redis.NewScript("local v = redis.call(\"GET\", KEYS[1])\nif v == nil then return 0 end return v") // want nil-reply@74

var joined = redis.NewScript(`local v = redis.call('GET', KEYS[1]) ` +
	"if v == nil then return 0 end return v") // want nil-reply@6

var formatted = redis.NewScript(fmt.Sprintf(`local v = redis.call('GET', %s) %% 2
if v == nil then return 0 end return v`, "KEYS[1]"))

//go:embed embedded.lua
var embedded string

//redislint:ignore nil-reply the file is kept as it is upstream
//go:embed ignored.lua
var ignored string

func calls(ctx context.Context, c redis.UniversalClient, id string) {
	raw.Run(ctx, c, []string{"k"})
	few.Run(ctx, c, nil) // want numkeys@18
	quoted.Run(ctx, c, []string{"k"})
	joined.Run(ctx, c, []string{"k"})
	formatted.Run(ctx, c, []string{"k"})
	c.Eval(ctx, embedded, []string{"k"})
	c.Eval(ctx, ignored, []string{"k"})
	c.Eval(ctx, `return redis.call('SET', KEYS[1], ARGV[1])`, []string{"k"}) // want missing-argv@2
	//redislint:ignore missing-argv the caller is a test
	c.Eval(ctx, `return redis.call('SET', KEYS[1], ARGV[1])`, []string{"k"})
	c.Eval(ctx, `return redis.call('SET', KEYS[1], ARGV[1])`, []string{"k"}) //redislint:ignore missing-argv the caller is a test
}

//redislint:ignore nil-reply above a literal of several lines it covers all of them
var covered = redis.NewScript(`
local v = redis.call('GET', KEYS[1])
if v == nil then return 0 end
return v
`)

//redislint:off nil-reply for a while
var off = redis.NewScript(`local v = redis.call('GET', KEYS[1]) if v == nil then return 0 end return v`)

//redislint:on nil-reply
var on = redis.NewScript(`local v = redis.call('GET', KEYS[1]) if v == nil then return 0 end return v`) // want nil-reply@67

var inLua = redis.NewScript(`
local v = redis.call('GET', KEYS[1])
-- redislint:ignore nil-reply in the script
if v == nil then return 0 end
return v
`)

/* want bad-directive@48 */ //redislint:ignore nil-reply nothing is wrong below
var fine = redis.NewScript(`return 1`)

/* want bad-directive@48 */ //redislint:ignore no-such-rule a name that does not exist
var fine2 = redis.NewScript(`return 2`)

type store struct {
	c   redis.Scripter
	put *redis.Script
}

func newStore(c redis.Scripter) *store {
	return &store{c, redis.NewScript(`redis.call('SET', KEYS[2], 1) return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])`)}
}

func (s *store) run(ctx context.Context, script *redis.Script, keys []string, args ...any) error {
	return script.Run(ctx, s.c, keys, args...).Err()
}

func (s *store) one(ctx context.Context, script *redis.Script, key string, args ...any) error {
	return s.run(ctx, script, []string{key}, args...)
}

// What a helper is given is reported where it is given.
func (s *store) use(ctx context.Context, k string) {
	s.run(ctx, s.put, []string{k}, 1, 2)     // want numkeys@20
	s.run(ctx, s.put, []string{k, k}, 1)     // want missing-argv@36
	s.run(ctx, s.put, []string{k, k}, "x"+k) // want missing-argv@36
	s.run(ctx, s.put, []string{k, k})        // want missing-argv@2
	s.one(ctx, s.put, k, 1, 2)               // want numkeys@2
}

var _, _ = calls, newStore

var pair = redis.NewScript(`return redis.call('RENAME', KEYS[1], KEYS[2])`)

// onPair takes the keys one by one, so what is wrong with them stands at its callers.
func onPair(ctx context.Context, c redis.Scripter, s *redis.Script, from, to string) error {
	return s.Run(ctx, c, []string{from, to}).Err()
}

func pairs(ctx context.Context, c redis.UniversalClient, id string) {
	onPair(ctx, c, pair, "a", "b")         // want cross-slot@28
	onPair(ctx, c, pair, "a:"+id, "b:"+id) // want cross-slot@32
	onPair(ctx, c, pair, "a:{"+id+"}", "{"+id+"}")
}
