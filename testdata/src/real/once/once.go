// Package once makes scripts when they are needed.
package once

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

var load = sync.OnceValue(func() *redis.Script { return redis.NewScript(`return redis.call('INCRBY', KEYS[1], ARGV[1])`) })

var (
	once   sync.Once
	script *redis.Script
)

func lazy() *redis.Script {
	once.Do(func() { script = redis.NewScript(`return redis.call('DECRBY', KEYS[1], ARGV[1])`) })
	return script
}

type holder struct {
	once sync.Once
	sha  string
}

const text = `return redis.call('HGET', KEYS[1], ARGV[1])`

func (h *holder) eval(ctx context.Context, c redis.UniversalClient, key string) (string, error) {
	var err error
	h.once.Do(func() { h.sha, err = c.ScriptLoad(ctx, text).Result() })
	if err != nil {
		return "", err
	}
	v, err := c.EvalSha(ctx, h.sha, []string{key}).Text() // want missing-argv@12
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		return c.Eval(ctx, text, []string{key}).Text() // want missing-argv@10
	}
	return v, err
}

func use(ctx context.Context, c redis.UniversalClient) {
	load().Run(ctx, c, []string{"a"}) // want missing-argv@2
	lazy().Run(ctx, c, []string{"a"}) // want missing-argv@2
}

var _, _ = use, (*holder).eval
