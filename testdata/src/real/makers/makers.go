// Package makers makes closures that run scripts, and keeps functions in fields.
package makers

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type call func(ctx context.Context, keys []string, args ...any) *redis.Cmd

// newCall loads a script.
func newCall(ctx context.Context, c *redis.Client, script string) (call, error) {
	sha, err := c.Do(ctx, "SCRIPT", "LOAD", script).Text()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, keys []string, args ...any) *redis.Cmd {
		words := []any{"EVALSHA", sha, len(keys)}
		for _, k := range keys {
			words = append(words, k)
		}
		return c.Do(ctx, append(words, args...)...)
	}, nil
}

// run is for one script object.
func run(c redis.Scripter, s *redis.Script) call {
	return func(ctx context.Context, keys []string, args ...any) *redis.Cmd {
		return s.Run(ctx, c, keys, args...)
	}
}

var trim = redis.NewScript(`return redis.call('LTRIM', KEYS[1], ARGV[1], ARGV[2])`)

type queue struct {
	push, pop, trim call
	other           call
	peek            func(ctx context.Context, c redis.Scripter, key string) error
}

func peek(ctx context.Context, c redis.Scripter, key string) error {
	return c.Eval(ctx, `return redis.call('LINDEX', KEYS[1], ARGV[1])`, []string{key}).Err() // want missing-argv@9
}

func newQueue(ctx context.Context, c *redis.Client, other call) (*queue, error) {
	q := &queue{peek: peek, trim: run(c, trim), other: run(c, trim)}
	var err error
	if q.push, err = newCall(ctx, c, `return redis.call('LPUSH', KEYS[1], ARGV[1])`); err != nil {
		return nil, err
	}
	q.pop, err = newCall(ctx, c, `return redis.call('RPOPLPUSH', KEYS[1], KEYS[2])`)
	if other != nil {
		q.other = other
	}
	return q, err
}

func (q *queue) use(ctx context.Context, c redis.Scripter, key string) {
	q.push(ctx, []string{key}, "v") // want noscript-fallback@2
	q.push(ctx, []string{key})      // want missing-argv@2 noscript-fallback@2
	q.pop(ctx, []string{key})       // want numkeys@2 noscript-fallback@2
	q.trim(ctx, []string{key}, 1)   // want missing-argv@29
	q.other(ctx, []string{key}, 1)
	q.peek(ctx, c, key)
	run(c, trim)(ctx, nil, 1, 2) // want numkeys@20
}

var _, _ = newQueue, (*queue).use
