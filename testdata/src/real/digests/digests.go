// Package digests makes the digests of its scripts itself.
package digests

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/redis/go-redis/v9"
)

const unlock = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

const extend = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`

type script struct{ text, digest string }

func newScript(text string) *script {
	h := sha1.New()
	_, _ = io.WriteString(h, text)
	return &script{text: text, digest: hex.EncodeToString(h.Sum(nil))}
}

func (s *script) run(ctx context.Context, c redis.Cmdable, keys []string, args ...any) *redis.Cmd {
	cmd := c.EvalSha(ctx, s.digest, keys, args...)
	if err := cmd.Err(); err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT ") {
		return c.Eval(ctx, s.text, keys, args...)
	}
	return cmd
}

var unlocking = newScript(unlock)

// Locker holds the digest of its other script.
type Locker struct {
	c      redis.UniversalClient
	extend string
	plain  string
}

// New makes the digests.
func New(c redis.UniversalClient) *Locker {
	sum := sha1.Sum([]byte(extend))
	h := sha1.New()
	h.Write([]byte(extend))
	return &Locker{c: c, extend: hex.EncodeToString(sum[:]), plain: fmt.Sprintf("%x", h.Sum(nil))}
}

// Unlock falls back.
func (l *Locker) Unlock(ctx context.Context, name, token string) error {
	return unlocking.run(ctx, l.c, []string{"lock:" + name}, token).Err()
}

// Extend falls back to nothing.
func (l *Locker) Extend(ctx context.Context, name, token string) error {
	if err := l.c.EvalSha(ctx, l.plain, []string{"lock:" + name}, token, 10).Err(); err == nil { // want noscript-fallback@12
		return nil
	}
	return l.c.EvalSha(ctx, l.extend, []string{"lock:" + name}, token).Err() // want missing-argv@62 noscript-fallback@9
}
