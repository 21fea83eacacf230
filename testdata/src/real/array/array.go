// Package array keeps scripts in arrays that are filled one by one.
package array

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const (
	get = iota
	set
	last
)

var shared [last]*redis.Script

func init() {
	shared[get] = redis.NewScript(`return redis.call('GET', KEYS[1])`)
	shared[set] = redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1])`)
}

type limiter struct {
	c       *redis.Client
	scripts [2]*redis.Script
}

func newLimiter(c *redis.Client) *limiter {
	l := &limiter{c: c}
	l.scripts[0] = redis.NewScript(`return redis.call('INCR', KEYS[1])`)
	l.scripts[1] = redis.NewScript(`return redis.call('DEL', KEYS[2])`)
	return l
}

func (l *limiter) use(ctx context.Context, key string) {
	l.scripts[0].Run(ctx, l.c, []string{key})
	l.scripts[1].Run(ctx, l.c, []string{key}) // want numkeys@29
	shared[get].Run(ctx, l.c, nil)            // want numkeys@28
	shared[set].Run(ctx, l.c, []string{key})  // want missing-argv@2
}

var _, _ = newLimiter, (*limiter).use
