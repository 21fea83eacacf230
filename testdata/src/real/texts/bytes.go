// Package texts holds texts as bytes, runes and in arrays.
package texts

import (
	"bytes"
	"context"
	_ "embed"

	"github.com/redis/go-redis/v9"
)

//go:embed raw.lua
var raw []byte

var lines = []byte("return redis.call('GET', KEYS[1])\n")

var trimmed = redis.NewScript(string(bytes.TrimSpace(raw)))

var fromLines = redis.NewScript(string(lines))

type pair [2]string

var both = pair{`return redis.call('TTL', KEYS[1])`, `return redis.call('PTTL', KEYS[1])`}

func use(ctx context.Context, c redis.UniversalClient) {
	trimmed.Run(ctx, c, nil)   // want numkeys@22
	fromLines.Run(ctx, c, nil) // want numkeys@24
	c.Eval(ctx, both[0], nil)  // want numkeys@23
	c.Eval(ctx, both[1], []string{"a"})
	b := append([]byte(nil), lines...)
	c.Eval(ctx, string(b), nil)
}

var _ = use
