// Package registry registers scripts by name in init functions of several files.
package registry

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

var registry = map[string]*redis.Script{}

func register(name, src string) {
	if _, dup := registry[name]; dup {
		panic("twice: " + name)
	}
	registry[name] = redis.NewScript(src)
}

func exec(ctx context.Context, c redis.Scripter, name string, keys []string, args ...interface{}) (interface{}, error) {
	s, ok := registry[name]
	if !ok {
		return nil, fmt.Errorf("no script %q", name)
	}
	return s.Run(ctx, c, keys, args...).Result()
}

func use(ctx context.Context, c redis.Scripter, id string) {
	exec(ctx, c, "push", []string{"q:" + id}, "x")
	exec(ctx, c, "pop", []string{"q:" + id})
	exec(ctx, c, "push", []string{"q:" + id}) // want missing-argv@2
}

var _ = use
