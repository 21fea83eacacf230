// Package routes has the ways from a script to the client.
package routes

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	own_ "github.com/redislint/redislint/testdata/src/clients/own"
)

var (
	enqueue = redis.NewScript(`return redis.call('LPUSH', KEYS[1], ARGV[1])`)
	dequeue = redis.NewScript(`return redis.call('RPOP', KEYS[1])`)
	shared  = redis.NewScript(`return redis.call('DEL', unpack(KEYS))`)
)

const (
	incrText = `return redis.call('INCR', KEYS[1])`
	decrText = `return redis.call('DECR', KEYS[1])`
)

// DB is a store.
type DB struct {
	c   redis.UniversalClient
	sha string
}

// run is an own helper that takes the script.
func (d *DB) run(ctx context.Context, op string, script *redis.Script, keys []string, args ...any) error {
	if err := script.Run(ctx, d.c, keys, args...).Err(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// count hands the script on to another helper.
func (d *DB) count(ctx context.Context, script *redis.Script, keys []string, args ...any) (int64, error) {
	res, err := script.Run(ctx, d.c, keys, args...).Result()
	if err != nil {
		return 0, err
	}
	n, ok := res.(int64)
	if !ok {
		return 0, fmt.Errorf("unexpected %v", res)
	}
	return n, nil
}

func (d *DB) twice(ctx context.Context, script *redis.Script, key string) error {
	return d.run(ctx, "twice", script, []string{key, key + ":2"}, 1, 2)
}

// Put and the others call the helpers.
func (d *DB) Put(ctx context.Context, q, v string) error {
	return d.run(ctx, "put", enqueue, []string{"q:" + q}, v)
}

func (d *DB) Take(ctx context.Context, q string) (int64, error) {
	return d.count(ctx, dequeue, []string{"q:" + q})
}

func (d *DB) Both(ctx context.Context, q string) error { return d.twice(ctx, shared, q) } // want Both:"runs Run( $1 $1:2)"

// text is a helper that takes the text.
func text(ctx context.Context, c redis.Scripter, src, key string) *redis.Cmd {
	return c.Eval(ctx, src, []string{key})
}

func counters(ctx context.Context, c redis.Scripter, id string) (int, error) {
	if _, err := text(ctx, c, decrText, "d:"+id).Int(); err != nil {
		return 0, err
	}
	return text(ctx, c, incrText, "c:"+id).Int()
}

// Load keeps the digest in a field, Incr uses it.
func (d *DB) Load(ctx context.Context) (err error) {
	d.sha, err = d.c.ScriptLoad(ctx, incrText).Result()
	return err
}

func (d *DB) Incr(ctx context.Context, k string) (int64, error) {
	n, err := d.c.EvalSha(ctx, d.sha, []string{k}).Int64()
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		return d.c.Eval(ctx, incrText, []string{k}).Int64()
	}
	return n, err
}

// A closure is a helper too.
func closures(ctx context.Context, c redis.Scripter) {
	run := func(s *redis.Script, keys ...string) *redis.Cmd { return s.Run(ctx, c, keys) }
	run(enqueue, "a")          // want missing-argv@2
	run(shared, "a", "b", "c") // want cross-slot@19
}

// An own interface of another shape, with one implementation.
type runner interface {
	exec(ctx context.Context, name string, keys []string, args ...any) error
}

type named struct {
	c       redis.Scripter
	scripts map[string]*redis.Script
}

func newNamed(c redis.Scripter) *named {
	return &named{c, map[string]*redis.Script{
		"enqueue": redis.NewScript(`return redis.call('LPUSH', KEYS[1], ARGV[1]) -- named`),
		"dequeue": redis.NewScript(`return redis.call('RPOP', KEYS[1]) -- named`),
	}}
}

func (n *named) exec(ctx context.Context, name string, keys []string, args ...any) error {
	s, ok := n.scripts[name]
	if !ok {
		return errors.New("no script")
	}
	return s.Run(ctx, n.c, keys, args...).Err()
}

func useNamed(ctx context.Context, r runner) error {
	if err := r.exec(ctx, "enqueue", []string{"q"}, 1); err != nil {
		return err
	}
	return r.exec(ctx, "dequeue", []string{"q"})
}

// An own script type around a text.
type luaScript struct {
	src string
	n   int
}

func newLua(src string, n int) *luaScript { return &luaScript{src: src, n: n} }

func (s *luaScript) do(ctx context.Context, c redis.Scripter, keys ...string) *redis.Cmd {
	return c.Eval(ctx, s.src, keys)
}

var (
	luaA = newLua(`return KEYS[1] -- a`, 1)
	luaB = newLua(`return KEYS[2] -- b`, 2)
)

func own(ctx context.Context, c redis.Scripter) {
	luaA.do(ctx, c, "x")
	luaB.do(ctx, c, "x", "y") // want cross-slot@23
}

// An own script type around the client's.
type wrapped struct {
	*redis.Script
	name string
}

var w = wrapped{redis.NewScript(`return 'wrapped'`), "w"}

func embedded(ctx context.Context, c redis.Scripter) { w.Run(ctx, c, nil) }

// FromOutside is called with what nobody here knows.
func FromOutside(ctx context.Context, c redis.Scripter, src string, keys []string) error { // want FromOutside:"runs Eval( script=2 keys=3)"
	return c.Eval(ctx, src, keys).Err()
}

var _, _, _, _, _, _ = counters, closures, useNamed, newNamed, own, embedded

// A digest behind a function that a helper gets.
func (d *DB) digest() string { return d.sha }

func bySha(ctx context.Context, c redis.Scripter, sha func() string, key string) *redis.Cmd {
	return c.EvalSha(ctx, sha(), []string{key})
}

func (d *DB) byFunc(ctx context.Context) { bySha(ctx, d.c, d.digest, "k") } // want noscript-fallback@44

// Script objects of another package with a shape of their own.
var foreign = own_.NewScript(1, `return redis.call('GET', KEYS[1]) -- foreign`)

func useForeign(c own_.Conn) { c.Eval(foreign, "key", 1) }

var _, _ = (*DB).byFunc, useForeign
