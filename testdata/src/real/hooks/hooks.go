// Package hooks runs scripts in methods of types that interfaces hide, with embedded interfaces and funcs in fields.
package hooks

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type store interface {
	redis.Scripter
	Close() error
}

type svc struct {
	store
	runScript func(ctx context.Context, s *redis.Script, keys []string, args ...any) (any, error)
	eval      func(ctx context.Context, src string, keys []string, args ...any) *redis.Cmd
}

var incr = redis.NewScript(`return redis.call('INCRBY', KEYS[1], ARGV[1])`)

func newSvc(s store) *svc {
	v := &svc{store: s}
	v.runScript = func(ctx context.Context, sc *redis.Script, keys []string, args ...any) (any, error) {
		return sc.Run(ctx, v.store, keys, args...).Result()
	}
	v.eval = s.Eval
	return v
}

func (s *svc) use(ctx context.Context) {
	incr.Run(ctx, s, []string{"a"})                                                  // want missing-argv@2
	s.runScript(ctx, incr, []string{"a"})                                            // want missing-argv@2
	s.eval(ctx, `return redis.call('DECRBY', KEYS[1], ARGV[1])`, []string{"a"})      // want missing-argv@2
	s.Eval(ctx, `return redis.call('DECRBY', KEYS[1], ARGV[1]) -- 2`, []string{"a"}) // want missing-argv@2
}

var _, _ = newSvc, (*svc).use
