// Package wrap exports wrappers, scripts and key helpers to package outer.
package wrap

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Release is a script for others.
var Release = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)

// Text is a script's text for others.
const Text = `return redis.call('GET', KEYS[1])`

// Run takes the script.
func Run(ctx context.Context, c redis.Scripter, script *redis.Script, keys []string, args ...any) *redis.Cmd {
	return script.Run(ctx, c, keys, args...)
}

// Eval takes the text, and puts arguments in front.
func Eval(ctx context.Context, c redis.Scripter, src string, keys []string, args ...any) error {
	return c.Eval(ctx, src, keys, append([]any{"v1"}, args...)...).Err()
}

// Unlock runs a script of this package with the keys of its caller.
func Unlock(ctx context.Context, c redis.Scripter, keys []string, token string) error {
	return Release.Run(ctx, c, keys, token).Err()
}

// Key builds a key.
func Key(queue, id string) string { return "q:{" + queue + "}:" + id }

// New makes script objects for others.
func New(src string) *redis.Script { return redis.NewScript(src) }
