// Package rueidis uses rueidis with scripts in fields and builders over several statements.
package rueidis

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/rueidis"
)

type limiter struct {
	client rueidis.Client
	script *rueidis.Lua
	prefix string
}

func newLimiter(c rueidis.Client) *limiter {
	return &limiter{client: c, prefix: "rl:", script: rueidis.NewLuaScript(`
local n = redis.call('INCRBY', KEYS[1], ARGV[1])
if n == tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return n`)}
}

func (l *limiter) allow(ctx context.Context, key string, n int64, d time.Duration) (int64, error) {
	return l.script.Exec(ctx, l.client, []string{l.prefix + "{" + key + "}"}, []string{strconv.FormatInt(n, 10), strconv.FormatInt(d.Milliseconds(), 10)}).AsInt64()
}

func (l *limiter) short(ctx context.Context, key string) error {
	return l.script.Exec(ctx, l.client, []string{l.prefix + key}, []string{"1"}).Error() // want missing-argv@64
}

func (l *limiter) built(ctx context.Context, keys []string, args map[string]string) error {
	b := l.client.B().Eval().Script(`return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])`).Numkeys(int64(len(keys))).Key(keys...)
	for k, v := range args {
		b.Arg(k, v)
	}
	if err := l.client.Do(ctx, b.Arg("x").Build()).Error(); err != nil {
		return err
	}
	cmd := l.client.B().Eval().Script(`return redis.call('HGET', KEYS[1], ARGV[1])`).Numkeys(1).Key("h").Build() // want missing-argv@9
	cmds := rueidis.Commands{cmd, l.client.B().Evalsha().Sha1("ffff").Numkeys(0).Build()}                        // want noscript-fallback@32
	for _, r := range l.client.DoMulti(ctx, cmds...) {
		if r.Error() != nil {
			return r.Error()
		}
	}
	return nil
}

var _, _, _, _ = newLimiter, (*limiter).allow, (*limiter).short, (*limiter).built
