// Package branches appends one thing or another.
package branches

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

var s = redis.NewScript(`
redis.call('SET', KEYS[1], ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[2])
`)

func anys[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}

func use(ctx context.Context, c *redis.Client, key string, ttl *time.Duration, ids []string) {
	keys := []string{key}
	args := []any{1}
	if ttl != nil {
		args = append(args, int(ttl.Seconds()))
	} else if len(ids) > 0 {
		args = append(args, ids[0])
	} else {
		args = append(args, 0)
	}
	s.Run(ctx, c, keys, args...)

	var short []any
	if ttl != nil {
		short = append(short, int(ttl.Seconds()))
	} else {
		short = append(short, 0)
	}
	s.Run(ctx, c, keys, short...) // want missing-argv@22

	var some []any
	if ttl != nil {
		some = append(some, 1, int(ttl.Seconds()))
	} else {
		some = append(some, 0)
	}
	s.Run(ctx, c, keys, some...)

	open := []any{1}
	if ttl != nil {
		open = append(open, int(ttl.Seconds()))
	} else if len(ids) > 0 {
		open = append(open, ids[0])
	}
	s.Run(ctx, c, keys, open...)

	s.Run(ctx, c, keys, anys([]string{"a"})...) // want missing-argv@22
	s.Run(ctx, c, keys, anys(ids)...)
}

var _ = use
