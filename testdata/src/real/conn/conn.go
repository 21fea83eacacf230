// Package conn wraps every call in a middleware.
package conn

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

type conn struct {
	c       redis.UniversalClient
	timeout time.Duration
}

func (c *conn) retry(ctx context.Context, f func(context.Context) error) (err error) {
	for range 3 {
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		err = f(ctx)
		cancel()
		if err == nil || errors.Is(err, redis.Nil) {
			return err
		}
	}
	return err
}

func (c *conn) script(ctx context.Context, s *redis.Script, keys []string, args ...any) (res any, err error) {
	err = c.retry(ctx, func(ctx context.Context) error {
		res, err = s.Run(ctx, c.c, keys, args...).Result()
		return err
	})
	return res, err
}

func do[T any](ctx context.Context, c *conn, s *redis.Script, keys []string, args ...any) (out T, err error) {
	v, err := c.script(ctx, s, keys, args...)
	if err != nil {
		return out, err
	}
	out, ok := v.(T)
	if !ok {
		return out, errors.New("unexpected reply")
	}
	return out, nil
}

var (
	add = redis.NewScript(`return redis.call('SADD', KEYS[1], ARGV[1])`)
	has = redis.NewScript(`return redis.call('SISMEMBER', KEYS[1], ARGV[1])`)
)

func use(ctx context.Context, c *conn, id string) error {
	if _, err := do[int64](ctx, c, add, []string{"set:" + id}, 1); err != nil {
		return err
	}
	_, err := do[int64](ctx, c, has, []string{"set:" + id}) // want missing-argv@12
	return err
}

var _ = use
