// Package missing has scripts that say with a null that there is nothing.
package missing

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

var pop = redis.NewScript(`
local id = redis.call('RPOPLPUSH', KEYS[1], KEYS[2])
if not id then return false end
return redis.call('HGET', KEYS[3], id)`)

// Pop hands redis.Nil on.
func Pop(ctx context.Context, c redis.Scripter, q string) (string, error) {
	return pop.Run(ctx, c, []string{"{" + q + "}:w", "{" + q + "}:a", "{" + q + "}:t"}).Text()
}

// PopAll hands it on wrapped.
func PopAll(ctx context.Context, c redis.Scripter, q string) (string, error) {
	s, err := pop.Run(ctx, c, []string{"{" + q + "}:w", "{" + q + "}:a", "{" + q + "}:t"}).Text()
	if err != nil {
		return "", errors.Join(errors.New("pop"), err)
	}
	return s, nil
}

var held = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return true end
return false`) // want lossy-reply@8

// Held is told by an error that it is not held.
func Held(ctx context.Context, c redis.Scripter, name, token string) (bool, error) {
	return held.Run(ctx, c, []string{name}, token).Bool()
}
