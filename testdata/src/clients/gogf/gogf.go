// Package gogf has one call of each row of gogf's gredis.
package gogf

import (
	"context"

	"github.com/gogf/gf/v2/database/gredis"
)

const get = `return redis.call('GET', KEYS[1])`

// Run runs scripts and raw commands.
func Run(ctx context.Context, r *gredis.Redis, g gredis.IGroupScript, id string) error {
	if _, err := r.GroupScript().Eval(ctx, get, 1, []string{"a:" + id}, []any{1}); err != nil {
		return err
	}
	sha, err := g.ScriptLoad(ctx, get)
	if err != nil {
		return err
	}
	if _, err := g.EvalSha(ctx, sha, 2, []string{"a"}, nil); err != nil { // want noscript-fallback@15 numkeys@35
		return err
	}
	_, err = r.Do(ctx, "EVAL", get, 1, "k")
	return err
}
