// Package goredis8 has one call of each row of go-redis v8.
package goredis8

import (
	"context"
	"time"

	"github.com/go-redis/redis/v8"
)

var get = redis.NewScript(`return redis.call('GET', KEYS[1])`)

const incr = `return redis.call('INCR', KEYS[1])`

// Objects calls every method of a script.
func Objects(ctx context.Context, c redis.Scripter, id string) {
	get.Run(ctx, c, []string{"a:" + id})
	get.Eval(ctx, c, []string{"a:" + id}, 1)
	get.EvalSha(ctx, c, []string{"a:" + id}) // want noscript-fallback@2
	get.Load(ctx, c)
	get.Exists(ctx, c)
}

// Clients runs texts on every kind of client.
func Clients(ctx context.Context, c *redis.Client, cc *redis.ClusterClient, ring *redis.Ring, u redis.UniversalClient, cmd redis.Cmdable, conn *redis.Conn, tx *redis.Tx) {
	c.Eval(ctx, incr, []string{"k"})
	cc.Eval(ctx, incr, []string{"k"})
	u.EvalSha(ctx, get.Hash(), []string{"k"}) // want noscript-fallback@2
	conn.Eval(ctx, incr, []string{"k"})
	tx.Eval(ctx, incr, []string{"k"})
	c.ScriptLoad(ctx, incr)
}

// Raw sends commands as words.
func Raw(ctx context.Context, c *redis.Client, keys []string) {
	c.Do(ctx, "EVAL", incr, 1, "k")
	c.Do(ctx, "EVALSHA", get.Hash(), len(keys), keys[0]) // want noscript-fallback@2
	c.Do(ctx, "FCALL", "f", "1", "k", "a")
	c.Do(ctx, "SCRIPT", "LOAD", incr)
	c.Do(ctx, "GET", "k")
	cmd := redis.NewCmd(ctx, "EVAL", incr, 1, "k")
	_ = c.Process(ctx, cmd)
	words := []any{"EVAL", incr, 1, "k"}
	words = append(words, "a", "b")
	c.Do(ctx, words...)
}

// Queued puts calls on pipelines and into transactions.
func Queued(ctx context.Context, c *redis.Client, cc *redis.ClusterClient) {
	pipe := c.Pipeline()
	get.Run(ctx, pipe, []string{"k"}) // want noscript-fallback@2
	pipe.Eval(ctx, incr, []string{"k"})
	pipe.EvalSha(ctx, get.Hash(), []string{"k"}) // want noscript-fallback@2
	_, _ = c.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Eval(ctx, incr, []string{"k"})
		return nil
	})
	_ = cc.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		return node.ScriptLoad(ctx, incr).Err()
	})
}

// Embedded has a client without a name.
type Embedded struct{ *redis.Client }

// Get calls a promoted method.
func (e Embedded) Get(ctx context.Context) { e.Eval(ctx, incr, []string{"k"}) }

// Old passes what this version cannot send, and a duration, which it can.
func Old(ctx context.Context, c *redis.Client, d time.Duration, n *int, v struct{ N int }) {
	c.Eval(ctx, `return redis.call('INCRBY', KEYS[1], ARGV[1])`, []string{"k"}, n) // want call-argument@78
	c.Eval(ctx, `return redis.call('INCRBY', KEYS[1], ARGV[1])`, []string{"k"}, v) // want call-argument@78
	c.Eval(ctx, `return redis.call('INCRBY', KEYS[1], ARGV[1])`, []string{"k"}, d)
}
