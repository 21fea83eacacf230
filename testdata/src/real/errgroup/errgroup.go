// Package errgroup runs scripts in goroutines, deferred calls and callbacks.
package errgroup

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

var unlock = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)

type unlocker func(context.Context) error

func lock(ctx context.Context, c redis.UniversalClient, name, token string) (unlocker, error) {
	if err := c.SetNX(ctx, name, token, time.Minute).Err(); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return unlock.Run(ctx, c, []string{name}, token).Err() }, nil
}

func with(ctx context.Context, c redis.UniversalClient, name string, f func() error) error {
	defer unlock.Run(ctx, c, []string{name}) // want missing-argv@8
	go func() {
		_ = unlock.Run(context.Background(), c, []string{}, "t").Err() // want numkeys@43
	}()
	return f()
}

var _, _ = lock, with
