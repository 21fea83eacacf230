// Package config keeps scripts with their keys in a table of descriptions.
package config

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type spec struct {
	Name string
	Src  string
	Keys func(id string) []string
	Args []any
}

var specs = []spec{
	{Name: "touch", Src: `return redis.call('PEXPIRE', KEYS[1], ARGV[1])`, Keys: func(id string) []string { return []string{"a:" + id} }, Args: []any{1000}},
	{Name: "read", Src: `return redis.call('GET', KEYS[1])`, Keys: func(id string) []string { return []string{"b:" + id} }},
}

var byName = func() map[string]spec {
	m := make(map[string]spec, len(specs))
	for _, s := range specs {
		m[s.Name] = s
	}
	return m
}()

func all(ctx context.Context, c redis.Scripter, id string) error {
	for i := range specs {
		s := &specs[i]
		if err := c.Eval(ctx, s.Src, s.Keys(id), s.Args...).Err(); err != nil {
			return err
		}
	}
	one := byName["read"]
	return c.Eval(ctx, one.Src, one.Keys(id), one.Args...).Err()
}

var _ = all
