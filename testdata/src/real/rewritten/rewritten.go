// Package rewritten puts things into texts in loops and on conditions: as they are written they may never run.
package rewritten

import (
	"context"
	"os"
	"strings"

	"github.com/redis/go-redis/v9"
)

const template = `
local p = @@PREFIX@@
return redis.call('GET', p .. KEYS[1])
`

const uses = `
-- use: helper
if redis.call('GET', KEYS[1]) == nil then return 1 end -- want nil-reply@4
return helper(KEYS[1])
`

func render(s string, vars map[string]string) string {
	for k, v := range vars {
		s = strings.ReplaceAll(s, k, v)
	}
	return s
}

func use(ctx context.Context, c *redis.Client, vars map[string]string, key string) {
	text := template
	for k, v := range vars {
		text = strings.ReplaceAll(text, k, v)
	}
	c.Eval(ctx, text, []string{key})
	c.Eval(ctx, render(template, vars), []string{key})
	c.Eval(ctx, render(uses, vars), []string{key})
	long := "return redis.call('GET', KEYS[2])"
	if os.Getenv("LONG") != "" {
		long = long + " -- long"
	}
	c.Eval(ctx, long, []string{key}) // want numkeys@20
}

var _ = use
