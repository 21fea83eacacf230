// Package gozero has one call of each row of go-zero's redis.
package gozero

import (
	"context"
	_ "embed"

	"github.com/zeromicro/go-zero/core/stores/redis"
)

//go:embed take.lua
var takeText string

var (
	take = redis.NewScript(takeText)
	get  = redis.NewScript(`return redis.call('GET', KEYS[1])`)
)

const incr = `return redis.call('INCR', KEYS[1])`

// Limiter holds the store, as limiters of go-zero do.
type Limiter struct {
	store *redis.Redis
	key   string
}

// Objects runs scripts.
func (l *Limiter) Objects(ctx context.Context, n int) (bool, error) {
	resp, err := l.store.ScriptRunCtx(ctx, take, []string{l.key + ":tokens"}, n, 60)
	if err == redis.Nil {
		return false, nil
	}
	code, ok := resp.(int64)
	if !ok || err != nil {
		return false, err
	}
	l.store.ScriptRun(get, []string{l.key})
	return code == 1, nil
}

// Texts runs texts and digests.
func (l *Limiter) Texts(ctx context.Context, list []string) error { // want Texts:"runs EvalCtx( a:?l.key args=1)"
	l.store.Eval(incr, []string{"a:" + l.key})
	l.store.EvalCtx(ctx, incr, []string{"a:" + l.key}, list)
	sha, err := l.store.ScriptLoad(incr)
	if err != nil {
		return err
	}
	if _, err := l.store.EvalSha(sha, []string{"k"}); err != nil {
		_, err = l.store.Eval(incr, []string{"k"})
		return err
	}
	sha, err = l.store.ScriptLoadCtx(ctx, incr)
	if err != nil {
		return err
	}
	_, err = l.store.EvalShaCtx(ctx, sha, []string{"k"}) // want noscript-fallback@11
	return err
}

// Queued uses the pipeline, which is go-redis' own.
func (l *Limiter) Queued(ctx context.Context) error {
	return l.store.PipelinedCtx(ctx, func(p redis.Pipeliner) error {
		p.Eval(ctx, incr, []string{l.key})
		return nil
	})
}

// Wrong has calls that leave something out.
func (l *Limiter) Wrong(ctx context.Context) {
	l.store.ScriptRun(take, []string{"k"}, 1)    // want missing-argv@41
	l.store.ScriptRunCtx(ctx, get, []string{})   // want numkeys@33
	l.store.Eval(incr, nil)                      // want numkeys@21
	l.store.Eval(incr, []string{"a", "b"})       // want numkeys@35 cross-slot@35
	l.store.EvalCtx(ctx, incr, []string{"k"}, l) // want call-argument@44
}
