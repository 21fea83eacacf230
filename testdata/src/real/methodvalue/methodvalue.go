// Package methodvalue runs scripts through method values and function variables.
package methodvalue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var take = redis.NewScript(`return redis.call('DECRBY', KEYS[1], ARGV[1])`)

type evaluator func(ctx context.Context, script string, keys []string, args ...interface{}) *redis.Cmd

func use(ctx context.Context, c *redis.Client) {
	run := take.Run
	run(ctx, c, []string{"a"}, 1)
	run(ctx, c, []string{"a"}) // want missing-argv@2
	eval := c.Eval
	eval(ctx, `return redis.call('GET', KEYS[1])`, nil) // want numkeys@49
	var ev evaluator = c.Eval
	ev(ctx, `return redis.call('TTL', KEYS[1])`, []string{"a"})
	call(ctx, c.Eval)
	(*redis.Script).Run(take, ctx, c, []string{"a"}) // want missing-argv@2
}

func call(ctx context.Context, ev evaluator) {
	ev(ctx, `return redis.call('PTTL', KEYS[1])`, []string{"a"})
}

var _ = use
