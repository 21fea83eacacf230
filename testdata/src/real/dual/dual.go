// Package dual chooses the script together with its arguments.
package dual

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var (
	plain   = redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1])`)
	withTTL = redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)
	indexed = redis.NewScript(`redis.call('SADD', KEYS[2], KEYS[1]) return redis.call('SET', KEYS[1], ARGV[1])`)
)

func set(ctx context.Context, c redis.Scripter, k, v string, ttl int64, index string) error {
	script := plain
	keys := []string{k}
	args := []any{v}
	if ttl > 0 {
		script = withTTL
		args = append(args, ttl)
	}
	if index != "" {
		script, keys = indexed, append(keys, index)
	}
	return script.Run(ctx, c, keys, args...).Err()
}

func pick(ctx context.Context, c redis.Scripter, k string, ttl int64) error {
	var s *redis.Script
	var args []any
	switch {
	case ttl > 0:
		s, args = withTTL, []any{"v", ttl}
	default:
		s, args = plain, []any{"v"}
	}
	return s.Run(ctx, c, []string{k}, args...).Err()
}

type op struct {
	script *redis.Script
	args   []any
}

func ops(ctx context.Context, c redis.Scripter, k string) error {
	for _, o := range []op{{plain, []any{1}}, {withTTL, []any{1, 2}}} {
		if err := o.script.Run(ctx, c, []string{k}, o.args...).Err(); err != nil {
			return err
		}
	}
	return nil
}

func run(ctx context.Context, c redis.Scripter, o op, k string) error {
	return o.script.Run(ctx, c, []string{k}, o.args...).Err()
}

func runs(ctx context.Context, c redis.Scripter) {
	run(ctx, c, op{plain, []any{1}}, "a")
	run(ctx, c, op{withTTL, []any{1, 2}}, "a")
	run(ctx, c, op{script: withTTL, args: []any{1}}, "a")
	o := op{script: withTTL}
	o.args = append(o.args, 1, 2)
	run(ctx, c, o, "a")
}

var _, _, _, _ = set, pick, ops, runs
