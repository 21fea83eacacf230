// Package iface hides go-redis behind interfaces that other packages know.
package iface

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Scripter is a narrow interface of what is used.
type Scripter interface {
	EvalSha(ctx context.Context, sha1 string, keys []string, args ...interface{}) *redis.Cmd
	Eval(ctx context.Context, script string, keys []string, args ...interface{}) *redis.Cmd
	ScriptExists(ctx context.Context, hashes ...string) *redis.BoolSliceCmd
}

// Runner runs named scripts.
type Runner interface {
	Run(ctx context.Context, s Named, keys []string, args ...interface{}) (interface{}, error)
}

// Named is a script with a name.
type Named struct {
	Name   string
	Source string
}

type runner struct{ c Scripter }

func (r runner) Run(ctx context.Context, s Named, keys []string, args ...interface{}) (interface{}, error) {
	return r.c.Eval(ctx, s.Source, keys, args...).Result()
}

var take = Named{"take", `return redis.call('DECRBY', KEYS[1], ARGV[1])`}

var give = Named{Name: "give", Source: `return redis.call('INCRBY', KEYS[1], ARGV[1])`}

func use(ctx context.Context, r Runner, c Scripter) error {
	if _, err := r.Run(ctx, take, []string{"a"}); err != nil { // want missing-argv@15
		return err
	}
	if _, err := (runner{c}).Run(ctx, give, []string{"a"}); err != nil { // want missing-argv@15
		return err
	}
	return c.Eval(ctx, give.Source, []string{"a"}, 1).Err()
}

var _ = use
