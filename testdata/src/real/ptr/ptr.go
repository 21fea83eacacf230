// Package ptr fills keys and arguments through pointers and in helpers.
package ptr

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var two = redis.NewScript(`return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])`)

type call struct {
	keys []string
	args []any
}

func (c *call) key(k string) *call { c.keys = append(c.keys, k); return c }

func (c *call) arg(a ...any) *call { c.args = append(c.args, a...); return c }

func (c *call) run(ctx context.Context, r redis.Scripter) error {
	return two.Run(ctx, r, c.keys, c.args...).Err()
}

func fill(args *[]any, v any) { *args = append(*args, v) }

func use(ctx context.Context, r redis.Scripter) error {
	if err := (&call{}).key("a").arg("f", 1).run(ctx, r); err != nil {
		return err
	}
	args := []any{"f"}
	fill(&args, 1)
	if err := two.Run(ctx, r, []string{"a"}, args...).Err(); err != nil {
		return err
	}
	var keys [1]string
	keys[0] = "a"
	m := map[string]any{"f": 1}
	for f, v := range m {
		if err := two.Run(ctx, r, keys[:], f, v).Err(); err != nil {
			return err
		}
	}
	pairs := make([]any, 0, 2)
	pairs = append(pairs, toPair("f", 1)...)
	return two.Run(ctx, r, []string{"a"}, pairs...).Err()
}

func toPair(f string, v any) []any { return []any{f, v} }

var _ = use
