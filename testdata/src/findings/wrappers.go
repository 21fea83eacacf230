package findings

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var pair = redis.NewScript(`return redis.call('RENAME', KEYS[1], KEYS[2])`)

// onPair takes the keys one by one, so what is wrong with them stands at its callers.
func onPair(ctx context.Context, c redis.Scripter, s *redis.Script, from, to string) error {
	return s.Run(ctx, c, []string{from, to}).Err()
}

func pairs(ctx context.Context, c redis.UniversalClient, id string) {
	onPair(ctx, c, pair, "a", "b")         // want cross-slot@28
	onPair(ctx, c, pair, "a:"+id, "b:"+id) // want cross-slot@32
	onPair(ctx, c, pair, "a:{"+id+"}", "{"+id+"}")
}
