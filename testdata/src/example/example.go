// Package example is a token bucket with mistakes that tests against one server do not show. The README runs redislint on it.
package example

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var take = redis.NewScript(`
local tokens = redis.call('GET', KEYS[1])
if tokens == nil then
  tokens = ARGV[1]
end
if tonumber(tokens) <= 0 then
  redis.call('INCR', 'refused:' .. ARGV[2])
  return 0
end
redis.call('DECR', KEYS[1])
return 1
`)

// Take takes one token of a user's bucket.
func Take(ctx context.Context, client redis.UniversalClient, user string) (bool, error) {
	return take.Run(ctx, client, []string{"bucket:" + user}, 100, user).Bool()
}
