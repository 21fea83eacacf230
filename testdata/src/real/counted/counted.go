// Package counted says how many keys there are by the length of their list.
package counted

import (
	"context"
	"fmt"

	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
)

var first = redis.NewScript(-1, `
for _, key in ipairs(KEYS) do
	local value = redis.call('HGET', key, ARGV[1])
	if value then return value end
end
return redis.call('HGET', ARGV[2], 'f')
`)

type series struct {
	base string
	size int
}

func (s *series) keys() []string {
	keys := make([]string, s.size)
	for i := range keys {
		keys[i] = fmt.Sprintf("%s:%d", s.base, i)
	}
	return keys
}

func (s *series) get(c redis.Conn, field string, fields ...string) {
	keys := s.keys()
	first.Do(c, redis.Args{}.Add(len(keys)).AddFlat(keys).Add(field, "")...)
	first.Do(c, redis.Args{}.Add(len(keys)).AddFlat(keys).Add(field)...) // want missing-argv@14
	first.Do(c, redis.Args{}.Add(len(keys)).AddFlat(keys).AddFlat(fields)...)
	args := redis.Args{len(keys)}.AddFlat(keys)
	if field != "" {
		args = args.Add(field)
	}
	first.Do(c, args...)
	first.Do(c, redis.Args{}.Add(len(fields)).AddFlat(keys).Add(field)...)
}

func call(ctx context.Context, c *goredis.Client, keys []string, some bool) {
	words := []any{"EVAL", `return redis.call('MSET', KEYS[1], ARGV[1], KEYS[2], ARGV[2])`, len(keys)}
	for _, k := range keys {
		words = append(words, k)
	}
	words = append(words, "v")
	c.Do(ctx, words...) // want missing-argv@2

	words = []any{"EVAL", `return redis.call('SET', KEYS[1], ARGV[1])`, len(keys)}
	if some {
		for _, k := range keys {
			words = append(words, k)
		}
	}
	c.Do(ctx, words...)

	two := []string{"{t}a", "{t}b"}
	words = append([]any{"EVAL", `return redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])`, len(two)}, two[0], two[1]) // want numkeys@98
	c.Do(ctx, words...)
}

var _, _ = (*series).get, call
