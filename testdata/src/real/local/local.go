// Package local has a client of its own beside the real one: methods with the same names that run something else.
package local

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type policy struct{}

// Eval evaluates an expression of a policy language.
func (policy) Eval(ctx context.Context, expr string, input map[string]any) (bool, error) {
	return true, nil
}

type js struct{}

// Eval runs JavaScript.
func (js) Eval(src string, args ...any) any { return nil }

// Script is JavaScript.
type Script struct{ src string }

// Run runs it.
func (s *Script) Run(ctx context.Context, vm js, names []string, args ...any) any {
	return vm.Eval(s.src, args...)
}

// NewScript makes one.
func NewScript(src string) *Script { return &Script{src} }

var other = NewScript(`console.log(KEYS[2])`)

func use(ctx context.Context, c *redis.Client) {
	policy{}.Eval(ctx, `input.user == "x"`, nil)
	js{}.Eval(`function f() {`)
	other.Run(ctx, js{}, nil)
	c.Get(ctx, "k")
	c.Do(ctx, "SET", "EVAL", "1")
	c.Do(ctx, "CONFIG", "GET", "lua-time-limit")
}

var _ = use
