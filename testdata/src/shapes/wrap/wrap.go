// Package wrap exports wrappers, scripts and key helpers to package outer.
package wrap

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Release is a script for others.
var Release = redis.NewScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`) // want Release:"script Release keys=1 args=1"

// Text is a script's text for others.
const Text = `return redis.call('GET', KEYS[1])`

// Run takes the script.
func Run(ctx context.Context, c redis.Scripter, script *redis.Script, keys []string, args ...any) *redis.Cmd { // want Run:"runs Run( script=2 keys=3 args=4)"
	return script.Run(ctx, c, keys, args...)
}

// Eval takes the text, and puts arguments in front.
func Eval(ctx context.Context, c redis.Scripter, src string, keys []string, args ...any) error { // want Eval:"runs Eval( script=2 keys=3 args=4)"
	return c.Eval(ctx, src, keys, append([]any{"v1"}, args...)...).Err()
}

// Unlock runs a script of this package with the keys of its caller.
func Unlock(ctx context.Context, c redis.Scripter, keys []string, token string) error { // want Unlock:"runs Run( keys=2)"
	return Release.Run(ctx, c, keys, token).Err()
}

// Key builds a key.
func Key(queue, id string) string { return "q:{" + queue + "}:" + id } // want Key:"text q:{$0}:$1"

// New makes script objects for others.
func New(src string) *redis.Script { return redis.NewScript(src) } // want New:"runs NewScript( script=0)"

// Mixed puts keys in front of which one is not known to anybody.
func Mixed(ctx context.Context, c redis.Scripter, s *redis.Script, id string, more ...string) error { // want Mixed:"runs Run( script=2 ? a:{$3} keys=4)"
	return s.Run(ctx, c, append([]string{now(), "a:{" + id + "}"}, more...), now()).Err()
}

func now() string { return time.Now().String() }
