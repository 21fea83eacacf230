// Package own has clients and scripts of its own that look like those of libraries. It imports no client.
package own

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
)

// Evaler is a client by its shape.
type Evaler interface {
	Eval(ctx context.Context, script string, keys []string, args ...any) (any, error)
	EvalSha(ctx context.Context, sha string, keys []string, args []any) (any, error)
	ScriptLoad(ctx context.Context, script string) (string, error)
}

const unlock = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

// Unlock calls the interface.
func Unlock(ctx context.Context, c Evaler, name, token string) (any, error) {
	return c.Eval(ctx, unlock, []string{"lock:" + name}, token)
}

// Script is a script type as some libraries have their own.
type Script struct {
	KeyCount int
	Src      string
	Hash     string
}

// NewScript makes one.
func NewScript(keyCount int, src string) *Script {
	sum := sha1.Sum([]byte(src))
	return &Script{keyCount, src, hex.EncodeToString(sum[:])}
}

// Conn runs them.
type Conn interface {
	Eval(script *Script, keysAndArgs ...any) (any, error)
}

var extend = NewScript(1, `return redis.call('PEXPIRE', KEYS[1], ARGV[1])`)

// Extend calls the connection.
func Extend(c Conn, name string, ms int) (any, error) {
	return c.Eval(extend, name, ms)
}

var digest = func() string {
	sum := sha1.Sum([]byte(unlock))
	return hex.EncodeToString(sum[:])
}()

// Cached runs a text by the digest that Go computes.
func Cached(ctx context.Context, c Evaler, name string) (any, error) {
	return c.EvalSha(ctx, digest, []string{name}, []any{"t"}) // want noscript-fallback@9
}

// Doer takes commands as words.
type Doer interface {
	DoWrite(ctx context.Context, args ...any) error
	EvalInt(ctx context.Context, script string, keys []string, args ...any) (int, error)
	Log(args ...any)
}

// Words calls it.
func Words(ctx context.Context, d Doer, id string) (int, error) {
	d.Log("EVAL", "is no command here")
	if err := d.DoWrite(ctx, "EVAL", unlock, 1, "lock:"+id, "t"); err != nil {
		return 0, err
	}
	return d.EvalInt(ctx, unlock, []string{"lock:" + id}, "t")
}
