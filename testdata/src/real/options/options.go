// Package options configures scripts by functional options.
package options

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type options struct {
	script *redis.Script
	prefix string
}

// Option changes an option.
type Option func(*options)

// WithScript sets the script.
func WithScript(s *redis.Script) Option { return func(o *options) { o.script = s } }

// WithPrefix sets the prefix.
func WithPrefix(p string) Option { return func(o *options) { o.prefix = p } }

var fixed = redis.NewScript(`return redis.call('INCR', KEYS[1])`)

var sliding = redis.NewScript(`redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2]) return redis.call('ZCARD', KEYS[1])`)

// Limiter counts.
type Limiter struct {
	c    redis.Scripter
	opts options
}

// New makes one.
func New(c redis.Scripter, opts ...Option) *Limiter {
	o := options{script: fixed, prefix: "limit:"}
	for _, opt := range opts {
		opt(&o)
	}
	return &Limiter{c, o}
}

// Allow counts.
func (l *Limiter) Allow(ctx context.Context, key string) (int64, error) {
	return l.opts.script.Run(ctx, l.c, []string{l.opts.prefix + key}, 1, key).Int64()
}

var _ = New(nil, WithScript(sliding))
