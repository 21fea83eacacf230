// Package turns fills its scripts in loops over tables that are written out.
package turns

import (
	"context"

	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
)

var scripts map[string]*redis.Script

func init() {
	scripts = make(map[string]*redis.Script)
	for name, text := range map[string]string{
		"get": `return redis.call('GET', KEYS[1])`,
		"set": `return redis.call('SET', KEYS[1], ARGV[1])`,
	} {
		scripts[name] = redis.NewScript(-1, text)
	}
}

func run(c redis.Conn, name string, keys int, words ...interface{}) (interface{}, error) {
	return scripts[name].Do(c, append([]interface{}{keys}, words...)...)
}

func use(c redis.Conn, name string) {
	run(c, "get", 1, "a")
	run(c, "set", 1, "a", "v")
	run(c, "set", 1, "a") // want missing-argv@2
	run(c, name, 1, "a")
}

type store struct {
	c          *goredis.Client
	incr, decr *goredis.Script
	shas       map[string]string
	byName     map[string]*goredis.Script
}

var table = []struct {
	name string
	text string
}{
	{"incrby", `return redis.call('INCRBY', KEYS[1], ARGV[1])`},
	{"decrby", `return redis.call('DECRBY', KEYS[1], ARGV[1])`},
}

func (s *store) register(name, text string) {
	s.byName[name] = goredis.NewScript(text)
}

func newStore(ctx context.Context, c *goredis.Client) (*store, error) {
	s := &store{c: c, shas: map[string]string{}, byName: map[string]*goredis.Script{}}
	for _, t := range table {
		sha, err := c.ScriptLoad(ctx, t.text).Result()
		if err != nil {
			return nil, err
		}
		s.shas[t.name] = sha
		s.register(t.name, t.text+" -- again")
	}
	for _, t := range []struct {
		to   **goredis.Script
		text string
	}{
		{&s.incr, `return redis.call('INCR', KEYS[1])`},
		{&s.decr, `return redis.call('DECR', KEYS[2])`},
	} {
		*t.to = goredis.NewScript(t.text)
	}
	return s, nil
}

func (s *store) use(ctx context.Context, key string) {
	s.c.EvalSha(ctx, s.shas["incrby"], []string{key}, 1) // want noscript-fallback@2
	s.c.EvalSha(ctx, s.shas["decrby"], []string{key})    // want missing-argv@2 noscript-fallback@2
	s.byName["decrby"].Run(ctx, s.c, []string{key})      // want missing-argv@2
	s.incr.Run(ctx, s.c, []string{key})
	s.decr.Run(ctx, s.c, []string{key}) // want numkeys@23
}

var _, _, _ = use, newStore, (*store).use
