// Package generic decodes replies with a generic helper.
package generic

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Script is a script with the type of its reply.
type Script[T any] struct {
	s      *redis.Script
	decode func(*redis.Cmd) (T, error)
}

// New makes one.
func New[T any](src string, decode func(*redis.Cmd) (T, error)) Script[T] { // want New:"runs NewScript( script=0)"
	return Script[T]{s: redis.NewScript(src), decode: decode}
}

// Run runs it.
func (s Script[T]) Run(ctx context.Context, c redis.Scripter, keys []string, args ...any) (T, error) {
	return s.decode(s.s.Run(ctx, c, keys, args...))
}

var incr = New(`return redis.call('INCRBY', KEYS[1], ARGV[1])`, (*redis.Cmd).Int64)

var get = New(`return redis.call('GET', KEYS[1])`, func(c *redis.Cmd) (string, error) { return c.Text() })

func run[T any](ctx context.Context, c redis.Scripter, s *redis.Script, decode func(*redis.Cmd) (T, error), keys ...string) (T, error) {
	return decode(s.Run(ctx, c, keys))
}

var del = redis.NewScript(`return redis.call('DEL', KEYS[1], KEYS[2])`)

func use(ctx context.Context, c redis.Scripter) {
	incr.Run(ctx, c, []string{"n"}, 1)
	incr.Run(ctx, c, []string{"n"}) // want missing-argv@2
	get.Run(ctx, c, []string{"n"})
	run(ctx, c, del, (*redis.Cmd).Int64, "{a}1") // want numkeys@39
	run[int64](ctx, c, del, (*redis.Cmd).Int64, "{a}1", "{a}2")
}

var _ = use
