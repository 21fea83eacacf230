// Package radix has one call of each row of radix.
package radix

import (
	"context"

	"github.com/mediocregopher/radix/v4"
)

var get = radix.NewEvalScript(`return redis.call('GET', KEYS[1])`)

// Run runs scripts and raw commands.
func Run(ctx context.Context, c radix.Client, id string) (n int, err error) {
	if err := c.Do(ctx, get.Cmd(&n, []string{"a:" + id}, "1")); err != nil {
		return 0, err
	}
	if err := c.Do(ctx, get.FlatCmd(&n, []string{id}, 1, 2.5)); err != nil {
		return 0, err
	}
	if err := c.Do(ctx, radix.Cmd(&n, "EVAL", `return 1`, "1", "k", "a")); err != nil {
		return 0, err
	}
	return n, c.Do(ctx, radix.FlatCmd(&n, "EVALSHA", "0123", 1, "k")) // want noscript-fallback@22
}
