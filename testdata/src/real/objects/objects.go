// Package objects gives script objects and texts to interfaces, its own and those of another package.
package objects

import (
	"context"

	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"

	"github.com/redislint/redislint/testdata/src/real/objects/app"
)

var get = redis.NewScript(`return redis.call('GET', KEYS[1])`)

type runner interface {
	Run(ctx context.Context, c redis.Scripter, s *redis.Script, keys []string, args ...any) error
}

func use(ctx context.Context, a app.App, r runner, c redis.Scripter) {
	a.RunScript(ctx, get, nil) // want numkeys@24
	r.Run(ctx, c, get, []string{"a"})
	r.Run(ctx, c, get, nil, 1) // want numkeys@21
	a.Eval(`return redis.call('SET', KEYS[1], ARGV[1])`, 1, "a", "b")
	a.Eval(`return redis.call('SET', KEYS[1], ARGV[1])`, 1, "a")                // want missing-argv@58
	a.EvalSHA(ctx, "9b1e", nil)                                                 // want noscript-fallback@2
	a.EvalCtx(ctx, `return redis.call('SET', KEYS[1], ARGV[1])`, []string{"x"}) // want missing-argv@2
	a.Evaluate("a +", 1, "a")
}

// filter reads only, or not.
type filter struct {
	c      rueidis.Client
	exists *rueidis.Lua
}

func newFilter(c rueidis.Client, readOnly bool) *filter {
	var exists *rueidis.Lua
	if readOnly {
		exists = rueidis.NewLuaScriptReadOnly(`return redis.call('GETBIT', KEYS[1], ARGV[1])`)
	} else {
		exists = rueidis.NewLuaScript(`redis.call('INCR', KEYS[1] .. ':n') return redis.call('GETBIT', KEYS[1], ARGV[1])`)
	}
	return &filter{c: c, exists: exists}
}

func (f *filter) has(ctx context.Context, key string) (int64, error) {
	return f.exists.Exec(ctx, f.c, []string{key}, []string{"1"}).AsInt64()
}

var _, _, _ = use, newFilter, (*filter).has

// timed is implemented here, with an argument more.
type timed interface {
	Run(ctx context.Context, s *redis.Script, keys []string, args ...any) error
}

type clock struct{ c redis.Scripter }

func (k clock) Run(ctx context.Context, s *redis.Script, keys []string, args ...any) error { // want Run:"runs Run( script=1 keys=2 args=3)"
	return s.Run(ctx, k.c, keys, append([]any{1}, args...)...).Err()
}

var touch = redis.NewScript(`return redis.call('EXPIRE', KEYS[1], ARGV[2], ARGV[1])`)

func useTimed(ctx context.Context, t timed) {
	t.Run(ctx, touch, []string{"a"}, "NX")
	t.Run(ctx, touch, []string{"a"}) // want missing-argv@2
}

var _, _ = useTimed, timed(clock{})
