// Package keys makes keys with helpers of all kinds.
package keys

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

var s = redis.NewScript(`redis.call('SET', KEYS[1], 1) return redis.call('SET', KEYS[2], 1)`)

type kind string

const (
	active kind = "active"
	done   kind = "done"
)

func (k kind) key(id int64) string {
	return strings.Join([]string{"jobs", string(k), strconv.FormatInt(id, 10)}, ":")
}

type builder struct{ parts []string }

func (b builder) with(p string) builder { return builder{append(b.parts, p)} }

func (b builder) String() string { return strings.Join(b.parts, ":") }

func tag(id int64) string { return fmt.Sprintf("{job:%d}", id) }

func use(ctx context.Context, c redis.Scripter, id int64, user string, ids [2]string) {
	s.Run(ctx, c, []string{active.key(id), done.key(id)}) // want cross-slot@41
	s.Run(ctx, c, []string{tag(id) + ":a", tag(id) + ":b"})
	s.Run(ctx, c, []string{tag(id) + ":a", tag(id+1) + ":b"}) // want cross-slot@41
	s.Run(ctx, c, []string{fmt.Sprintf("{%s}:%d", user, id), fmt.Sprintf("{%[2]s}:%[1]d", id, user)})
	s.Run(ctx, c, []string{builder{}.with("a").with(user).String(), builder{}.with("b").with(user).String()})
	s.Run(ctx, c, ids[:])
	pair := [2]string{"x:{" + user + "}", "y:{" + user + "}"}
	s.Run(ctx, c, pair[:])
	keys := make([]string, 0, 2)
	for _, k := range []kind{active, done} {
		keys = append(keys, "{"+user+"}:"+string(k))
	}
	s.Run(ctx, c, keys)
	s.Run(ctx, c, strings.Fields("a b"))
	s.Run(ctx, c, strings.Split("{a}:1,{a}:2", ","))
}

var _ = use
