// Package keys has the ways in which calls pass keys.
package keys

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"
)

var s = redis.NewScript(`return #KEYS + #ARGV`) // want lossy-reply@33

const prefix = "app:"

func qkey(q string) string { return fmt.Sprintf("%s{%s}", prefix, q) }

func pending(q string) string { return qkey(q) + ":pending" }

func keysFor(q string) []string { return []string{pending(q), qkey(q) + ":active"} }

type store struct {
	prefix string
	key    string
	keys   []string
}

func newStore(p string) *store { return &store{prefix: p, key: "fixed", keys: []string{"a", "b"}} } // want cross-slot@93

func (t *store) name(id string) string { return t.prefix + ":{" + id + "}" }

func all(ctx context.Context, c redis.Scripter, id string, n int, more []string, flag bool, t *store, args ...any) {
	s.Run(ctx, c, []string{"cart:{" + id + "}:items", "cart:{" + id + "}:total"})
	s.Run(ctx, c, []string{qkey(id), pending(id), fmt.Sprintf("%d:%v", n, id), strconv.Itoa(n)})
	s.Run(ctx, c, keysFor(id))
	s.Run(ctx, c, []string{t.name(id), t.prefix, t.key})
	s.Run(ctx, c, t.keys)
	s.Run(ctx, c, nil)
	s.Run(ctx, c, more)
	s.Run(ctx, c, []string{}, args...)

	local := []string{"a", id}
	s.Run(ctx, c, local)
	local2 := []string{"a"}
	local2 = append(local2, "b", id) // want cross-slot@26
	s.Run(ctx, c, local2)
	local2 = append(local2, "not passed")
	cond := []string{"a"}
	if flag {
		cond = append(cond, "b")
	}
	s.Run(ctx, c, cond)
	var loop []string
	for _, m := range more {
		loop = append(loop, m)
	}
	s.Run(ctx, c, loop, len(loop))
	made := make([]string, 2)
	made[0] = "m0"
	made[1] = "m1:" + id // want cross-slot@12
	s.Run(ctx, c, made)
	sized := make([]any, len(more))
	for i := range more {
		sized[i] = more[i]
	}
	s.Run(ctx, c, []string{"k"}, sized...)
	s.Run(ctx, c, append([]string{"first"}, more...))
	var two []string
	if flag {
		two = []string{"x", "y"}
	} else {
		two = []string{"x"}
	}
	s.Run(ctx, c, two)

	// One slice alone is spread by the client.
	s.Run(ctx, c, []string{"k"}, []string{"a", "b"})
	s.Run(ctx, c, []string{"k"}, more)
	s.Run(ctx, c, []string{"k"}, []any{1, "x"}...)

	// The same variable with another value in between.
	a := "x:" + id
	id = "other"
	s.Run(ctx, c, []string{a, "y:" + id}) // want cross-slot@28
	same := id
	s.Run(ctx, c, []string{"p:" + same, "q:" + id}) // want cross-slot@38

	conv := []any{"EVAL", "return 1", len(more)}
	for _, m := range more {
		conv = append(conv, m)
	}
	if d, ok := c.(redis.UniversalClient); ok {
		d.Do(ctx, conv...)
	}
}

var _, _ = all, newStore

// A variable that holds something else later.
func reused(ctx context.Context, c redis.Scripter, id string) error {
	values := []any{1, 2, id}
	v, err := s.Run(ctx, c, []string{"k"}, values...).Result()
	if err != nil {
		return err
	}
	values = v.([]any)
	key := "a"
	s.Run(ctx, c, []string{key}, len(values))
	key = "b:" + id
	s.Run(ctx, c, []string{key})
	var list []string
	list = append(list, "x")
	s.Run(ctx, c, list)
	list = []string{"y", "z"} // want cross-slot@23
	s.Run(ctx, c, list)
	for i := 0; i < 2; i++ {
		s.Run(ctx, c, []string{key})
		key = "loop"
	}
	return nil
}

var _ = reused

// Wrappers that change what they get.
func stamped(ctx context.Context, c redis.Scripter, key string, args ...any) {
	key = "p:" + key
	args = append(args, "now")
	s.Run(ctx, c, []string{key}, args...)
}

func maybe(ctx context.Context, c redis.Scripter, keys []string, flag bool) {
	if flag {
		keys = append(keys, "extra")
	}
	s.Run(ctx, c, keys)
}

func replaced(ctx context.Context, c redis.Scripter, keys []string, flag bool) {
	if flag {
		keys = []string{"other"}
	}
	s.Run(ctx, c, keys)
}

func addPrefix(k string) string {
	k = "pre:" + k
	return k
}

func changing(ctx context.Context, c redis.Scripter, id string, anything any, flag bool) {
	stamped(ctx, c, "k", 1, 2)
	maybe(ctx, c, []string{"a", "b"}, flag) // want cross-slot@30
	replaced(ctx, c, []string{"a", "b"}, flag)
	s.Run(ctx, c, []string{addPrefix(id)}, anything)
	s.Run(ctx, c, nil, struct{ A int }{1}) // want call-argument@21
	var boxed any = []string{"x", "y"}
	s.Run(ctx, c, nil, boxed)
}

var _ = changing
