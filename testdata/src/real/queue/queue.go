// Package queue sends work with scripts through channels.
package queue

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type job struct {
	script *redis.Script
	keys   []string
	args   []any
}

var (
	one = redis.NewScript(`return redis.call('GET', KEYS[1])`)
	two = redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1])`)
)

func worker(ctx context.Context, c redis.Scripter, jobs <-chan job) {
	for j := range jobs {
		j.script.Run(ctx, c, j.keys, j.args...)
	}
}

func send(jobs chan<- job) {
	jobs <- job{script: one, keys: []string{"a"}}
	jobs <- job{two, []string{"a"}, []any{1}}
	jobs <- job{script: two, keys: []string{"a"}}
}

var _, _ = worker, send
