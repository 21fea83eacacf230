// Package replace fills in names with strings.Replace and keeps versions of a text.
package replace

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"
)

const tmpl = `
local n = redis.call('__CMD__', KEYS[1], ARGV[1])
if n == nil then return 0 end -- want nil-reply@4 nil-reply@4 nil-reply@4
return n`

func script(cmd string) *redis.Script {
	return redis.NewScript(strings.Replace(tmpl, "__CMD__", cmd, -1))
}

var (
	incr = script("INCRBY")
	decr = script("DECRBY")
	trim = redis.NewScript(strings.TrimLeft(strings.ReplaceAll(tmpl, "__CMD__", "HGET"), "\n"))
)

func minified(src string) string {
	var out []string
	for _, l := range strings.Split(src, "\n") {
		out = append(out, strings.TrimSpace(l))
	}
	return strings.Join(out, "\n")
}

var small = redis.NewScript(minified(`
  return redis.call('GET', KEYS[1])
`))

func use(ctx context.Context, c redis.Scripter) {
	incr.Run(ctx, c, []string{"a"}) // want missing-argv@2
	decr.Run(ctx, c, []string{"a"}, 1)
	trim.Run(ctx, c, []string{"a"}, "f")
	small.Run(ctx, c, nil)
}

var _ = use
