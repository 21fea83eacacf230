// Package goredis has one call of each row of go-redis v9.
package goredis

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var get = redis.NewScript(`return redis.call('GET', KEYS[1])`)

var srv = redis.NewScriptServerSHA(`return redis.call('TTL', KEYS[1])`)

const incr = `return redis.call('INCR', KEYS[1])`

const library = `#!lua name=mylib
redis.register_function('f', function(keys, args) return redis.call('GET', keys[1]) end)
`

// Objects calls every method of a script.
func Objects(ctx context.Context, c redis.Scripter, id string) {
	get.Run(ctx, c, []string{"a:" + id})
	get.RunRO(ctx, c, []string{"a:" + id})
	get.Eval(ctx, c, []string{"a:" + id}, 1)
	get.EvalRO(ctx, c, []string{"a:" + id}, 1)
	get.EvalSha(ctx, c, []string{"a:" + id})   // want noscript-fallback@2
	get.EvalShaRO(ctx, c, []string{"a:" + id}) // want noscript-fallback@2
	get.Load(ctx, c)
	get.Exists(ctx, c)
	srv.Run(ctx, c, []string{id})
}

// Clients runs texts on every kind of client.
func Clients(ctx context.Context, c *redis.Client, cc *redis.ClusterClient, ring *redis.Ring, u redis.UniversalClient, cmd redis.Cmdable, conn *redis.Conn, tx *redis.Tx) {
	c.Eval(ctx, incr, []string{"k"})
	cc.Eval(ctx, incr, []string{"k"})
	ring.EvalRO(ctx, incr, []string{"k"})         // want readonly-write@2
	u.EvalSha(ctx, get.Hash(), []string{"k"})     // want noscript-fallback@2
	cmd.EvalShaRO(ctx, get.Hash(), []string{"k"}) // want noscript-fallback@2
	conn.Eval(ctx, incr, []string{"k"})
	tx.Eval(ctx, incr, []string{"k"})
	c.ScriptLoad(ctx, incr)
	c.FunctionLoad(ctx, library)
	c.FunctionLoadReplace(ctx, library)
	c.FCall(ctx, "f", []string{"k"}, 1)
	c.FCallRO(ctx, "f", []string{"k"}) // want function-library@17
	c.FCallRo(ctx, "f", []string{"k"}) // want function-library@17
}

// Raw sends commands as words.
func Raw(ctx context.Context, c *redis.Client, keys []string) {
	c.Do(ctx, "EVAL", incr, 1, "k")
	c.Do(ctx, "eval_ro", incr, 2, "k", "x")              // want cross-slot@37 numkeys@37 readonly-write@2
	c.Do(ctx, "EVALSHA", get.Hash(), len(keys), keys[0]) // want noscript-fallback@2
	c.Do(ctx, "FCALL", "f", "1", "k", "a")
	c.Do(ctx, "SCRIPT", "LOAD", incr)
	c.Do(ctx, "FUNCTION", "LOAD", "REPLACE", library)
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
