// Package sha loads every script at start and keeps the digests by name.
package sha

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

const (
	push = `return redis.call('LPUSH', KEYS[1], ARGV[1])`
	pop  = `return redis.call('RPOP', KEYS[1])`
)

type queue struct {
	c      redis.UniversalClient
	hashes map[string]string
	push   string
	popSHA string
}

func open(ctx context.Context, c redis.UniversalClient) (*queue, error) {
	q := &queue{c: c, hashes: map[string]string{}}
	for name, src := range map[string]string{"push": push, "pop": pop} {
		sha, err := c.ScriptLoad(ctx, src).Result()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		q.hashes[name] = sha
	}
	var err error
	if q.push, err = c.ScriptLoad(ctx, push).Result(); err != nil {
		return nil, err
	}
	q.popSHA = c.ScriptLoad(ctx, pop).Val()
	return q, nil
}

func (q *queue) run(ctx context.Context, key string) error {
	if err := q.c.EvalSha(ctx, q.hashes["push"], []string{key}, 1).Err(); err != nil { // want noscript-fallback@12
		return err
	}
	if err := q.c.EvalSha(ctx, q.push, []string{key}).Err(); err != nil { // want missing-argv@12 noscript-fallback@12
		return err
	}
	return q.c.EvalSha(ctx, q.popSHA, []string{key}).Err() // want noscript-fallback@9
}

var _, _ = open, (*queue).run
