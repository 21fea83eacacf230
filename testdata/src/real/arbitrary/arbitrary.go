// Package arbitrary builds commands of rueidis word by word.
package arbitrary

import (
	"context"

	"github.com/redis/rueidis"
)

const add = `return redis.call('SET', KEYS[1], ARGV[1])`

// Run gives the words as tokens, as arguments, and as keys.
func Run(ctx context.Context, c rueidis.Client, key, value string) {
	c.Do(ctx, c.B().Arbitrary("EVAL").Args(add, "1").Keys(key).Args(value).Build())
	c.Do(ctx, c.B().Arbitrary("EVAL").Args(add).Args("1").Keys(key).Build()) // want missing-argv@12
	c.Do(ctx, c.B().Arbitrary("EVAL", add, "1").Keys(key).Args(value).Build())
	c.Do(ctx, c.B().Arbitrary("EVAL").Args(add, "1", key, value).Build())
	c.Do(ctx, c.B().Arbitrary("EVAL").Args(add, "0").Args(key, value).Build()) // want numkeys@12
	c.Do(ctx, c.B().Arbitrary("FCALL").Args("f", "1").Keys(key).Args(value).Build())
}

// Load keeps the digest.
func Load(ctx context.Context, c rueidis.Client, key string) error {
	sha, err := c.Do(ctx, c.B().Arbitrary("SCRIPT", "LOAD").Args(`return redis.call('DEL', KEYS[1])`).Build()).ToString()
	if err != nil {
		return err
	}
	return c.Do(ctx, c.B().Arbitrary("EVALSHA").Args(sha, "1").Keys(key).Build()).Error() // want noscript-fallback@19
}
