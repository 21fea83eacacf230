// Package refilled runs embedded files that are filled in before, here and by the package that embeds them.
package refilled

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/redislint/redislint/testdata/src/real/refilled/lua"
)

//go:embed del.lua
var del string

//go:embed del.lua
var later string

//go:embed del.lua
var keyed string

//go:embed del.lua
var twice string

//go:embed del.lua
var raw []byte

//go:embed tested.lua
var tested string

func init() {
	del = strings.ReplaceAll(del, "$KEY", "KEYS[1]")
	raw = []byte(strings.ReplaceAll(string(raw), "$KEY", "KEYS[1]"))
	twice = strings.ReplaceAll(twice, "$KEY", "$K")
	twice = strings.ReplaceAll(twice, "$K", "KEYS[1]")
}

var once sync.Once

func text() string {
	once.Do(func() { later = strings.Replace(later, "$KEY", "KEYS[1]", -1) })
	return later
}

func prepare(key string) { keyed = strings.ReplaceAll(keyed, "$KEY", key) }

// replace is what tests do.
func replace() func() {
	old := tested
	tested = "return 1"
	return func() { tested = old }
}

func use(ctx context.Context, c redis.Scripter, k string) {
	c.Eval(ctx, del, []string{k})
	c.Eval(ctx, del, nil) // want numkeys@19
	c.Eval(ctx, text(), []string{k})
	c.Eval(ctx, keyed, []string{k})
	c.Eval(ctx, twice, []string{k})
	c.Eval(ctx, string(raw), []string{k})
	c.Eval(ctx, tested, []string{k}) // want numkeys@22
	c.Eval(ctx, lua.Get, []string{k})
	c.Eval(ctx, string(lua.Raw), []string{k})
	c.Eval(ctx, lua.Set, []string{k}) // want missing-argv@2
}

// joined changes an element of a list that is written out.
func joined(ctx context.Context, c redis.Scripter, k string) {
	parts := []string{"return redis.call('DEL', ", "KEYS[1])"}
	parts[1] = "KEYS[1], KEYS[2])"
	c.Eval(ctx, strings.Join(parts, ""), []string{"{a}" + k, "{a}b"})
}

// settings are put into texts: one value for each program, or object.
func settings(ctx context.Context, c redis.Scripter, k string) {
	c.Eval(ctx, lua.Prefix+"return redis.call('GET', KEYS[1])", []string{k})
	l := &lazy{n: 3}
	l.get().Run(ctx, c, []string{k})
	once := redis.NewScript(fmt.Sprintf("return redis.call('LTRIM', KEYS[1], 0, %d)", len(k))) // want script-text-varies@84
	once.Run(ctx, c, []string{k})
}

type lazy struct {
	once   sync.Once
	script *redis.Script
	n      int
}

func (l *lazy) get() *redis.Script {
	l.once.Do(func() { l.script = redis.NewScript(fmt.Sprintf("return redis.call('LTRIM', KEYS[1], 0, %d)", l.n)) })
	return l.script
}

var scripts = map[string]*redis.Script{
	"get":  redis.NewScript("return redis.call('GET', KEYS[1])"),
	"void": redis.NewScript("redis.call('SET', KEYS[1], ARGV[1])"),
}

// named runs one of several scripts: what one of them returns tells nothing.
func named(ctx context.Context, c redis.Scripter, name string, keys ...string) error {
	if err := scripts["void"].Run(ctx, c, keys, 1).Err(); err != nil { // want lossy-reply@12
		return err
	}
	return scripts[name].Run(ctx, c, keys, 1).Err()
}

var _, _, _, _, _, _ = use, prepare, replace, joined, named, settings
