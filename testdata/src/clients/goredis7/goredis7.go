// Package goredis7 has one call of each row of go-redis v7.
package goredis7

import (
	"time"

	"github.com/go-redis/redis/v7"
)

var get = redis.NewScript(`return redis.call('GET', KEYS[1])`)

const incr = `return redis.call('INCR', KEYS[1])`

// Objects calls every method of a script.
func Objects(c redis.UniversalClient, id string) {
	get.Run(c, []string{"a:" + id})
	get.Eval(c, []string{"a:" + id}, 1)
	get.EvalSha(c, []string{"a:" + id}) // want noscript-fallback@2
	get.Load(c)
	get.Exists(c)
}

// Clients runs texts on every kind of client.
func Clients(c *redis.Client, cc *redis.ClusterClient, ring *redis.Ring, u redis.UniversalClient, cmd redis.Cmdable, conn *redis.Conn, tx *redis.Tx) {
	c.Eval(incr, []string{"k"})
	cc.Eval(incr, []string{"k"})
	cmd.Eval(incr, []string{"k"})
	ring.Eval(incr, []string{"k"})
	u.EvalSha(get.Hash(), []string{"k"}) // want noscript-fallback@2
	conn.Eval(incr, []string{"k"})
	tx.Eval(incr, []string{"k"})
	c.ScriptLoad(incr)
}

// Raw sends commands as words.
func Raw(c *redis.Client, keys []string) {
	c.Do("EVAL", incr, 1, "k")
	c.Do("EVALSHA", get.Hash(), len(keys), keys[0]) // want noscript-fallback@2
	c.Do("FCALL", "f", "1", "k", "a")
	c.Do("SCRIPT", "LOAD", incr)
	c.Do("GET", "k")
	cmd := redis.NewCmd("EVAL", incr, 1, "k")
	_ = c.Process(cmd)
	words := []any{"EVAL", incr, 1, "k"}
	words = append(words, "a", "b")
	c.Do(words...)
}

// Queued puts calls on pipelines and into transactions.
func Queued(c *redis.Client, cc *redis.ClusterClient) {
	pipe := c.Pipeline()
	get.Run(pipe, []string{"k"}) // want noscript-fallback@2
	pipe.Eval(incr, []string{"k"})
	pipe.EvalSha(get.Hash(), []string{"k"}) // want noscript-fallback@2
	_, _ = c.TxPipelined(func(p redis.Pipeliner) error {
		p.Eval(incr, []string{"k"})
		return nil
	})
	_ = cc.ForEachMaster(func(node *redis.Client) error {
		return node.ScriptLoad(incr).Err()
	})
}

// Embedded has a client without a name.
type Embedded struct{ *redis.Client }

// Get calls a promoted method.
func (e Embedded) Get() { e.Eval(incr, []string{"k"}) }

var put = redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)

// Wrong has calls that leave something out.
func Wrong(c redis.UniversalClient, id string, list []string) error {
	put.Run(c, []string{id}, "x")                                                           // want missing-argv@27
	put.Run(c, nil, "x", 1)                                                                 // want numkeys@13
	put.Run(c, []string{id}, "x", list)                                                     // want call-argument@32
	c.Eval(`return redis.call('RENAME', KEYS[1], KEYS[2])`, []string{"a:" + id, "b:" + id}) // want cross-slot@78
	c.Eval(`return redis.call('RENAME', KEYS[1], KEYS[2])`, []string{"a", "b"})             // want cross-slot@72
	return put.EvalSha(c, []string{id}, "x", 1).Err()                                       // want noscript-fallback@9
}

// Old passes what this version cannot send.
func Old(c *redis.Client, d time.Duration, s *string) {
	c.Eval(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`, []string{"k"}, s, 1)  // want call-argument@85
	c.Eval(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`, []string{"k"}, "", d) // want call-argument@89
}
