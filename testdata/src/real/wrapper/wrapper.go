// Package wrapper hides the client behind an interface of its own with two implementations.
package wrapper

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Cache is the interface.
type Cache interface {
	Eval(ctx context.Context, script string, keys []string, args ...interface{}) (interface{}, error)
	RunLua(ctx context.Context, src string, key string, args ...interface{}) (int64, error)
}

type single struct{ *redis.Client }

func (s single) Eval(ctx context.Context, script string, keys []string, args ...interface{}) (interface{}, error) { // want Eval:"runs Eval( script=1 keys=2 args=3)"
	return s.Client.Eval(ctx, script, keys, args...).Result()
}

func (s single) RunLua(ctx context.Context, src string, key string, args ...interface{}) (int64, error) { // want RunLua:"runs Eval( script=1 $2 args=3)"
	return s.Client.Eval(ctx, src, []string{key}, args...).Int64()
}

type cluster struct{ c *redis.ClusterClient }

func (s cluster) Eval(ctx context.Context, script string, keys []string, args ...interface{}) (interface{}, error) { // want Eval:"runs Eval( script=1 keys=2 args=3)"
	return s.c.Eval(ctx, script, keys, args...).Result()
}

func (s cluster) RunLua(ctx context.Context, src string, key string, args ...interface{}) (int64, error) { // want RunLua:"runs Eval( script=1 $2 args=3)"
	return s.c.Eval(ctx, src, []string{key}, args...).Int64()
}

type service struct{ cache Cache }

func (s *service) bump(ctx context.Context, id string) (int64, error) {
	v, err := s.cache.Eval(ctx, `return redis.call('INCRBY', KEYS[1], ARGV[1])`, []string{"n:" + id}) // want missing-argv@12
	if err != nil {
		return 0, err
	}
	n, _ := v.(int64)
	m, err := s.cache.RunLua(ctx, `return redis.call('DECRBY', KEYS[1], ARGV[1])`, "n:"+id) // want missing-argv@12
	return n + m, err
}

var _, _ Cache = single{}, cluster{}
