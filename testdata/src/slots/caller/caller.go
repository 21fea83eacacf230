// Package caller calls functions of another package that take keys one by one.
package caller

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/redislint/redislint/testdata/src/slots/helpers"
)

var pair = redis.NewScript(`return redis.call('RENAME', KEYS[1], KEYS[2])`)

func calls(ctx context.Context, c redis.Scripter, id, other string) {
	helpers.Move(ctx, c, "{"+id+"}:a", "{"+id+"}:b")
	helpers.Move(ctx, c, "a:{"+id+"}", "b:{"+other+"}") // want cross-slot@37
	helpers.Move(ctx, c, "a", "b")                      // want cross-slot@28
	helpers.Move(ctx, c, id, other)
	helpers.Archive(ctx, c, "list:{"+id+"}")
	helpers.Archive(ctx, c, "list:"+id) // want cross-slot@26
	helpers.Archive(ctx, c, "list")     // want cross-slot@26
	helpers.Swap(ctx, c, id, id)
	helpers.Swap(ctx, c, id, other)
	helpers.Swap(ctx, c, "one", "two")
	helpers.Same(ctx, c, id)
	helpers.Apart(ctx, c, id)
	helpers.Run(ctx, c, pair, id, []string{helpers.ItemKey(id)})
	helpers.Run(ctx, c, pair, id, []string{helpers.ItemKey(other)}) // want cross-slot@41
	helpers.Run(ctx, c, pair, id, nil)                              // want numkeys@32
	again(ctx, c, id, id)
	again(ctx, c, id, other)
	again(ctx, c, "a", "b")
	Further(ctx, c, "{a}", id)
}

// again hands them on once more.
func again(ctx context.Context, c redis.Scripter, a, b string) {
	helpers.Move(ctx, c, helpers.ItemKey(a), helpers.ItemKey(b)) // want cross-slot@43
}

// Further tells the next package.
func Further(ctx context.Context, c redis.Scripter, a, b string) error { // want Further:"runs Move( x:$2 $3)"
	return helpers.Move(ctx, c, "x:"+a, b)
}

var _ = calls
