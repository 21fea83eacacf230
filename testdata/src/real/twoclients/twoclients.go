// Package twoclients runs one script with two clients.
package twoclients

import (
	"context"

	redigo "github.com/gomodule/redigo/redis"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
)

const text = `return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])`

var (
	a = redis.NewScript(text)
	b = redigo.NewScript(1, text)
	c = rueidis.NewLuaScript(text)
)

func use(ctx context.Context, x redis.UniversalClient, y redigo.Conn, z rueidis.Client) {
	a.Run(ctx, x, []string{"h"}, "f", 1)
	b.Do(y, "h", "f", 1)
	c.Exec(ctx, z, []string{"h"}, []string{"f", "1"})
	a.Run(ctx, x, []string{"h"}, "f")                                    // want missing-argv@31
	b.Do(y, "h", "f")                                                    // want missing-argv@15
	c.Exec(ctx, z, []string{"h"}, []string{"f"})                         // want missing-argv@32
	y.Do("EVAL", text, "1", "h", "f")                                    // want missing-argv@31
	y.Do("EVAL", redigo.Args{text, 1, "h", "f"}...)                      // want missing-argv@41
	z.Do(ctx, z.B().Arbitrary("EVAL").Args(text, "1", "h", "f").Build()) // want missing-argv@12
	x.Do(ctx, []any{"eval", text, 1, "h", "f"}...)                       // want missing-argv@40
}

var _ = use
