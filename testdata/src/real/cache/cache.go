// Package cache makes its scripts where they are asked for the first time, and keeps them by name, or their digests by text.
package cache

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

//go:embed *.lua
var files embed.FS

var (
	made = map[string]*redis.Script{}
	mu   sync.RWMutex

	push, move *redis.Script
)

func load(name string) (*redis.Script, error) {
	mu.RLock()
	script, ok := made[name]
	mu.RUnlock()
	if ok {
		return script, nil
	}
	mu.Lock()
	defer mu.Unlock()
	if script, ok := made[name]; ok {
		return script, nil
	}
	text, err := files.ReadFile(fmt.Sprintf("%s.lua", name))
	if err != nil {
		return nil, err
	}
	script = redis.NewScript(string(text))
	made[name] = script
	return script, nil
}

func init() {
	var err error
	if push, err = load("push"); err != nil {
		panic(err)
	}
	if move, err = load("move"); err != nil {
		panic(err)
	}
}

func use(ctx context.Context, c *redis.Client, key string) {
	push.Run(ctx, c, []string{key}, "v")
	move.Run(ctx, c, []string{key}) // want numkeys@19
}

type client interface {
	Eval(script string, keys []string, args []any) (any, error)
	EvalSha(sha string, keys []string, args []any) (any, error)
	ScriptLoad(script string) (string, error)
}

type queue struct {
	c    client
	shas map[string]string
}

func newQueue(c client) *queue { return &queue{c: c, shas: make(map[string]string)} }

func (q *queue) load(script string) (string, error) {
	sha, err := q.c.ScriptLoad(script)
	if err != nil {
		return "", err
	}
	q.shas[script] = sha
	return sha, nil
}

func (q *queue) eval(script string, keys []string, args ...any) (any, error) {
	sha, ok := q.shas[script]
	if !ok {
		var err error
		if sha, err = q.load(script); err != nil {
			return nil, err
		}
	}
	reply, err := q.c.EvalSha(sha, keys, args)
	if err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT") {
		return q.c.Eval(script, keys, args)
	}
	return reply, err
}

func (q *queue) run(key string) {
	q.eval(`return redis.call('SADD', KEYS[1], ARGV[1])`, []string{key}, "v")
	q.eval(`return redis.call('SREM', KEYS[1], ARGV[1])`, []string{key}) // want missing-argv@2
}

var _, _, _ = use, newQueue, (*queue).run
