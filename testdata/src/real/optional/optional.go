// Package optional passes fewer elements than a script can take.
package optional

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var s = redis.NewScript(`
local ttl = tonumber(ARGV[2])
redis.call('SET', KEYS[1], ARGV[1])
if ttl and ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl) end
if KEYS[2] then redis.call('DEL', KEYS[2]) end
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
return ARGV[3] or 'none'`)

var multi = redis.NewScript(`
local op = ARGV[1]
if op == 'incr' then return redis.call('INCRBY', KEYS[1], ARGV[2]) end
if op == 'move' then return redis.call('RENAME', KEYS[1], KEYS[2]) end
return redis.call('DEL', KEYS[1])`)

func use(ctx context.Context, c redis.Scripter) {
	s.Run(ctx, c, []string{"a"}, "v")
	s.Run(ctx, c, []string{"{a}1", "{a}2", "{a}3"}, "v", 1, "x")
	multi.Run(ctx, c, []string{"a"}, "incr", 1)
	multi.Run(ctx, c, []string{"{a}1", "{a}2"}, "move")
	multi.Run(ctx, c, []string{"a"}, "del")
	multi.Run(ctx, c, []string{"a"}, "incr") // want missing-argv@35
	multi.Run(ctx, c, []string{"a"}, "move") // want numkeys@20
}

var _ = use
