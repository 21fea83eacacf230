// Package outer uses what package wrap exports.
package outer

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/redislint/redislint/testdata/src/shapes/wrap"
)

var mine = redis.NewScript(`return redis.call('GET', KEYS[1])`)

func all(ctx context.Context, c redis.Scripter, q string) error {
	wrap.Run(ctx, c, mine, []string{wrap.Key(q, "a"), wrap.Key(q, "b")}, 1) // want numkeys@52
	if err := wrap.Eval(ctx, c, `return ARGV[2]`, []string{"k"}, "x"); err != nil {
		return err
	}
	wrap.Release.Run(ctx, c, []string{wrap.Key(q, "a")})
	c.Eval(ctx, wrap.Text, []string{"k"})
	return wrap.Unlock(ctx, c, []string{"a", "b"}, "t") // want cross-slot@43
}

var made = wrap.New(`return redis.call('TTL', KEYS[1])`)

func useMade(ctx context.Context, c redis.Scripter) { made.Run(ctx, c, []string{"k"}) }

var _, _ = all, useMade

func mixed(ctx context.Context, c redis.Scripter, id, other string) {
	wrap.Mixed(ctx, c, mine, id)                  // want numkeys@27
	wrap.Mixed(ctx, c, mine, id, "{"+other+"}:b") // want cross-slot@31 numkeys@27
}

var _ = mixed
