// Package other has methods with the names of a client's and nothing to do with one.
package other

import (
	"context"

	_ "github.com/redis/go-redis/v9"
)

// Policy evaluates expressions.
type Policy struct{}

// Eval is no EVAL.
func (Policy) Eval(ctx context.Context, expr string, env map[string]any) (any, error) {
	return nil, nil
}

// Script is no Lua.
type Script struct{ src string }

// NewScript is no constructor of a client.
func NewScript(src string) *Script { return &Script{src} }

// Run runs something else.
func (s *Script) Run(ctx context.Context, args ...any) error { return nil }

// Use calls them all.
func Use(ctx context.Context) {
	Policy{}.Eval(ctx, "a + b", nil)
	NewScript("print('x')").Run(ctx, 1)
}
