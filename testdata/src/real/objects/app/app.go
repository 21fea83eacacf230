// Package app says what its users may do with the server.
package app

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// App runs scripts.
type App interface {
	RunScript(ctx context.Context, script *redis.Script, keys []string, args ...any) *redis.Cmd
	Eval(script string, keyCount int, keysAndArgs ...any) (any, error)
	EvalSHA(ctx context.Context, sha string, keys []string, args ...any) (any, error)
	EvalCtx(ctx context.Context, script string, keys []string, args ...string) (any, error)
	Evaluate(expr string, version int, args ...any) (any, error)
}
