// Package eitherway runs scripts read-only or not, by a field of its own script type.
package eitherway

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// Script is a text with a number of keys.
type Script struct {
	src      string
	numKeys  int
	readOnly bool
}

var errKeys = errors.New("keys")

// NewScript makes one.
func NewScript(src string, numKeys int) *Script { return &Script{src: src, numKeys: numKeys} }

// RO makes it read-only.
func (s *Script) RO() *Script { s.readOnly = true; return s }

// Exec runs it.
func (s *Script) Exec(ctx context.Context, c redis.UniversalClient, keys []string, args ...any) (any, error) {
	if len(keys) != s.numKeys {
		return nil, errKeys
	}
	if s.readOnly {
		return c.EvalRO(ctx, s.src, keys, args...).Result()
	}
	return c.Eval(ctx, s.src, keys, args...).Result()
}

var (
	get = NewScript(`return redis.call('GET', KEYS[1])`, 1).RO()
	set = NewScript(`return redis.call('SET', KEYS[1], ARGV[1])`, 1)
)

// Use runs both.
func Use(ctx context.Context, c redis.UniversalClient) {
	get.Exec(ctx, c, []string{"a"})
	set.Exec(ctx, c, []string{"a"}, 1)
	set.Exec(ctx, c, []string{"a"}) // want missing-argv@2
}

// read runs a script read-only in any case.
func read(ctx context.Context, c redis.UniversalClient, src string, key string) (any, error) {
	return c.EvalRO(ctx, src, []string{key}).Result()
}

// Wrong gives it one that writes.
func Wrong(ctx context.Context, c redis.UniversalClient) {
	read(ctx, c, `return redis.call('DEL', KEYS[1])`, "a") // want readonly-write@23
}
