// Package library loads a library of functions and calls them.
package library

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// The functions of the library.
const (
	Move  = "move" // want Move:"function move keys=2 args=0"
	Take  = "take" // want Take:"function take keys=1 args=2"
	Peek  = "peek" // want Peek:"function peek keys=0 args=0"
	Other = "other"
)

const source = `#!lua name=items
local function rename(from, to)
  return redis.call('RENAME', from, to)
end
redis.register_function('move', function(keys, args)
  return rename(keys[1], keys[2])
end)
redis.register_function('take', function(keys, args)
  return redis.call('INCRBY', keys[1], args[1] * args[2])
end)
redis.register_function{function_name='peek', flags={'no-writes'}, callback=function(names, args)
  if names[2] and #args > 0 then
    return redis.call('GET', names[2])
  end
  return redis.call('GET', names[1])
end}
`

func load(ctx context.Context, c redis.UniversalClient) error {
	return c.FunctionLoadReplace(ctx, source).Err()
}

func use(ctx context.Context, c redis.UniversalClient, id string, more []string) {
	c.FCall(ctx, Move, []string{"{a}1", "{a}2"})
	c.FCall(ctx, Move, []string{"{a}1", "{a}2", "{a}3"}, 1)
	c.FCall(ctx, Move, []string{"{a}1"}) // want numkeys@21
	c.FCall(ctx, Move, more)
	c.FCall(ctx, Move, []string{"a", "b"}) // want cross-slot@35
	c.FCall(ctx, "take", []string{id}, 1, 2)
	c.FCall(ctx, "take", []string{id}, 1) // want missing-argv@37
	c.FCall(ctx, "TAKE", nil, 1, 2)       // want numkeys@23
	c.FCall(ctx, Peek, []string{id})
	c.FCallRO(ctx, Peek, []string{id, id}, "x")
	c.FCallRO(ctx, Take, []string{id}, 1, 2) // want function-library@17
	c.FCall(ctx, Other, []string{id})        // want function-library@15
	c.Do(ctx, "FCALL", "take", 1, id, 3)     // want missing-argv@36
	call(ctx, c, Move, id, id)
	call(ctx, c, Move, id) // want numkeys@21
}

// call hands the function's name on.
func call(ctx context.Context, c redis.UniversalClient, name string, keys ...string) *redis.Cmd {
	return c.FCall(ctx, name, keys)
}

// Call does so for other packages.
func Call(ctx context.Context, c redis.UniversalClient, name string, keys []string, args ...any) error { // want Call:"runs FCall( function=2 keys=3 args=4)"
	return c.FCall(ctx, name, keys, args...).Err()
}

var _, _ = load, use
