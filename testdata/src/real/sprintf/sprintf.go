// Package sprintf formats texts with indexed and padded verbs, in constants and variables.
package sprintf

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

const format = `
-- %[1]s counts
local n = redis.call('HINCRBY', KEYS[1], '%[1]s', %[2]d)
redis.call('PEXPIRE', KEYS[1], %[3]d)
return {n, ARGV[1] .. %[1]q}
`

const (
	field = "count"
	ttl   = 60 * 1000
)

var counted = redis.NewScript(fmt.Sprintf(format, field, 1, ttl))

var replaced = redis.NewScript(strings.NewReplacer("$FIELD", field, "$TTL", fmt.Sprint(ttl)).Replace(`
redis.call('HSET', KEYS[1], '$FIELD', ARGV[1])
return redis.call('PEXPIRE', KEYS[1], $TTL)`))

var lines = redis.NewScript(strings.Join([]string{
	"local v = redis.call('GET', KEYS[1])",
	"if v == nil then return 0 end", // want nil-reply@6
	"return v .. ARGV[1]",
}, "\n"))

var parts = []string{`local k = KEYS[1]`, `return redis.call('GET', k .. ARGV[1])`}

var joined = redis.NewScript(strings.Join(parts, "\n"))

func perField(ctx context.Context, c redis.UniversalClient, f string, n int) {
	c.Eval(ctx, fmt.Sprintf("return redis.call('HINCRBY', KEYS[1], %q, %d + ARGV[1])", f, n), []string{"h"}) // want script-text-varies@85
	counted.Run(ctx, c, []string{"h"})                                                                       // want missing-argv@2
	replaced.Run(ctx, c, []string{"h"})                                                                      // want missing-argv@2
	lines.Run(ctx, c, []string{"h"})                                                                         // want missing-argv@2
	joined.Run(ctx, c, []string{"h"})                                                                        // want missing-argv@2
}

var _ = perField
