// Package caller calls functions of a library that another package loads.
package caller

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/redislint/redislint/testdata/src/functions/library"
)

const move = library.Move

func use(ctx context.Context, c redis.UniversalClient, id string, list []string) {
	c.FCall(ctx, library.Move, []string{"{a}1", "{a}2"})
	c.FCall(ctx, library.Move, []string{"{a}1", "{a}2", "{a}3"}, 1)
	c.FCall(ctx, library.Move, []string{"{a}1"}) // want numkeys@29
	c.FCall(ctx, move, []string{"{a}1"})         // want numkeys@21
	c.FCall(ctx, library.Move, list)
	c.FCall(ctx, library.Take, []string{id}, 1, 2)
	c.FCall(ctx, library.Take, []string{id}, 1)      // want missing-argv@43
	c.FCallRO(ctx, library.Take, []string{id}, 1, 2) // want function-library@17
	c.FCallRO(ctx, library.Peek, []string{id})
	c.FCall(ctx, library.Other, []string{id})
	c.FCall(ctx, "move", []string{id})
	if err := library.Call(ctx, c, library.Move, []string{id}); err != nil { // want numkeys@47
		return
	}
	library.Call(ctx, c, library.Take, []string{id}, 1) // want missing-argv@51
	library.Call(ctx, c, library.Take, []string{id}, 1, 2)
}

var _ = use
