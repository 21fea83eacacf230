// Package table runs scripts in loops over tables, as tests do.
package table

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type testCase struct {
	name   string
	script string
	keys   []string
	args   []interface{}
}

func cases(ctx context.Context, c *redis.Client) error {
	tests := []testCase{
		{"get", `return redis.call('GET', KEYS[1])`, []string{"a"}, nil},
		{name: "set", script: `return redis.call('SET', KEYS[1], ARGV[1])`, keys: []string{"a"}, args: []interface{}{"v"}},
	}
	for _, tt := range tests {
		if err := c.Eval(ctx, tt.script, tt.keys, tt.args...).Err(); err != nil {
			return err
		}
	}
	for name, src := range map[string]string{
		"incr": `return redis.call('INCR', KEYS[1])`,
		"decr": `return redis.call('DECR', KEYS[1])`,
	} {
		if err := c.Eval(ctx, src, []string{name}).Err(); err != nil {
			return err
		}
	}
	return nil
}

var _ = cases
