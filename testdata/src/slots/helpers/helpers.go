// Package helpers has functions that take the keys of a script one by one, or what keys are made of. Whether the keys share a slot is for
// their callers to say.
package helpers

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

var rename = redis.NewScript(`return redis.call('RENAME', KEYS[1], KEYS[2])`)

// Task is what a key is made of.
type Task struct{ Queue, ID string }

// Move takes both keys.
func Move(ctx context.Context, c redis.Scripter, from, to string) error { // want Move:"runs Run( $2 $3)"
	return rename.Run(ctx, c, []string{from, to}).Err()
}

// Archive hands one key on and makes the other of it.
func Archive(ctx context.Context, c redis.Scripter, key string) error { // want Archive:"runs Run( $2 archive:$2)"
	return Move(ctx, c, key, "archive:"+key)
}

// Swap makes both keys in helpers of two levels.
func Swap(ctx context.Context, c redis.Scripter, a, b string) error {
	return rename.Run(ctx, c, []string{ItemKey(a), ItemKey(b)}).Err() // want cross-slot@49
}

// Same makes two keys with one tag: nobody needs to know.
func Same(ctx context.Context, c redis.Scripter, id string) error {
	return rename.Run(ctx, c, []string{ItemKey(id), itemName(id, "old")}).Err()
}

// Apart makes two keys without a tag, and is told so here, and nowhere else.
func Apart(ctx context.Context, c redis.Scripter, id string) error {
	return rename.Run(ctx, c, []string{"new:" + id, "old:" + id}).Err() // want cross-slot@50
}

// ItemKey is the key of an item.
func ItemKey(id string) string { return itemName(id, "v") } // want ItemKey:"text item:{$0}:v"

func itemName(id, what string) string { return fmt.Sprintf("item:{%s}:%s", id, what) }

// Run takes the script, and puts a key in front.
func Run(ctx context.Context, c redis.Scripter, s *redis.Script, id string, more []string) error { // want Run:"runs Run( script=2 item:{$3}:v keys=4)"
	return s.Run(ctx, c, append([]string{ItemKey(id)}, more...)).Err()
}

type store struct{ c redis.Scripter }

// move is called by methods alone.
func (s *store) move(ctx context.Context, from, to string) error {
	return rename.Run(ctx, s.c, []string{from, to}).Err()
}

func (s *store) twice(ctx context.Context, from, to string) error { return s.move(ctx, from, to) }

func (s *store) tasks(ctx context.Context, t, u *Task) error {
	return rename.Run(ctx, s.c, []string{t.Queue, u.Queue}).Err()
}

func (s *store) calls(ctx context.Context, id, other string) {
	s.move(ctx, "{"+id+"}:a", "{"+id+"}:b")
	s.move(ctx, "{"+id+"}:a", "b:{"+other+"}") // want cross-slot@28
	s.move(ctx, "a:{"+id+"}", "b:{"+other+"}") // want cross-slot@28
	s.move(ctx, "a", "b")                      // want cross-slot@19
	s.twice(ctx, "{a}1", "{a}2")
	s.twice(ctx, "{a}1", "{b}2")                           // want cross-slot@23
	s.twice(ctx, ItemKey(id), ItemKey(other))              // want cross-slot@28
	s.tasks(ctx, &Task{Queue: "{a}"}, &Task{Queue: "{b}"}) // want cross-slot@36
	s.tasks(ctx, &Task{Queue: "{a}"}, &Task{Queue: "{a}:other"})
	move := func(to string) error { return s.move(ctx, "fixed", to) }
	move("fixed")
	move("other") // want cross-slot@7
}

// prefixed makes keys that look apart, of parts that hold the tag that they share, at each of its callers.
func prefixed(ctx context.Context, c redis.Scripter, a, b string) error {
	return rename.Run(ctx, c, []string{"p:" + a, "q:" + b}).Err()
}

func usePrefixed(ctx context.Context, c redis.Scripter, id string) {
	prefixed(ctx, c, "{"+id+"}:a", "{"+id+"}:b")
}

// known is told of at the call, since one of its callers brings no tag.
func known(ctx context.Context, c redis.Scripter, a, b string) error {
	return rename.Run(ctx, c, []string{"p:" + a, "q:" + b}).Err() // want cross-slot@47
}

func useKnown(ctx context.Context, c redis.Scripter, id string) {
	known(ctx, c, "{"+id+"}:a", "{"+id+"}:b")
	known(ctx, c, id, id)
}

var _, _, _ = (*store).calls, usePrefixed, useKnown
