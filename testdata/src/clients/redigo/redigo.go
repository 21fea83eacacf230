// Package redigo has one call of each row of redigo.
package redigo

import (
	"context"
	"time"

	"github.com/gomodule/redigo/redis"
)

var (
	one  = redis.NewScript(1, `return redis.call('GET', KEYS[1])`)
	any_ = redis.NewScript(-1, `return #KEYS`)
)

// Objects calls every method of a script.
func Objects(ctx context.Context, c redis.Conn, id string, vars []any) { // want Objects:"runs Do( k args=3) Do( k args=3) Do( keys=3 args=3)"
	one.Do(c, "a:"+id, 1)
	one.DoContext(ctx, c, "a:"+id)
	one.Send(c, "a:"+id, "x")
	one.SendHash(c, "a:"+id) // want noscript-fallback@2
	one.Load(c)
	any_.Do(c, 2, "a", "b", "arg") // want cross-slot@21
	any_.Do(c, len(vars), vars)
	one.Do(c, redis.Args{}.Add("k").Add(1, 2).AddFlat(vars)...)
	one.Do(c, append([]any{"k"}, vars...)...)
	one.Do(c, vars...)
}

// Raw sends commands as words.
func Raw(ctx context.Context, c redis.Conn, t redis.ConnWithTimeout, cc redis.ConnWithContext, id string) (int, error) {
	c.Do("EVALSHA", one.Hash(), 1, id) // want noscript-fallback@2
	c.Send("EVAL", `return 1`, 0)
	t.DoWithTimeout(time.Second, "EVAL", `return 2`, 1, "k", "a")
	cc.DoContext(ctx, "EVAL_RO", `return 3`, 0)
	redis.DoContext(c, ctx, "FCALL", "f", 1, "k")
	redis.DoContext(c, ctx, "EVAL", `return redis.call('GET', KEYS[1])`, 1) // want numkeys@71
	redis.DoWithTimeout(c, time.Second, "SCRIPT", "LOAD", `return 4`)
	return redis.Int(c.Do("EVAL", `return redis.call('INCRBY', KEYS[1], ARGV[1])`, 1, "n:"+id, 5))
}

// Loaded joins a digest with its text.
func Loaded(c redis.Conn, id string) (string, error) {
	sha, err := redis.String(c.Do("SCRIPT", "LOAD", `return redis.call('GET', KEYS[1])`))
	if err != nil {
		return "", err
	}
	return redis.String(c.Do("EVALSHA", sha, 1, id)) // want noscript-fallback@22
}
