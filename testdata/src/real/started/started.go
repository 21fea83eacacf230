// Package started makes its scripts once, when the program starts, and loads them in front of pipelines.
package started

import (
	"context"
	"strings"
	"text/template"

	"github.com/redis/go-redis/v9"
)

var shape = template.Must(template.New("read").Parse(`return redis.call('{{.Command}}', KEYS[1])`))

var reads = func() map[string]*redis.Script {
	all := map[string]*redis.Script{}
	for _, command := range []string{"GET", "STRLEN"} {
		var b strings.Builder
		if err := shape.Execute(&b, struct{ Command string }{command}); err != nil {
			panic(err)
		}
		all[command] = redis.NewScript(b.String())
	}
	return all
}()

var steps = map[int]*redis.Script{}

func init() {
	for _, step := range []string{"1", "10"} {
		steps[len(step)] = redis.NewScript("return redis.call('INCRBY', KEYS[1], " + step + ")")
	}
}

// Read runs one of them.
func Read(ctx context.Context, c redis.Scripter, command, key string) (any, error) {
	return reads[command].Run(ctx, c, []string{key}).Result()
}

// Step makes one at each call.
func Step(ctx context.Context, c redis.Scripter, key, step string) error {
	return redis.NewScript("return redis.call('INCRBY', KEYS[1], "+step+")").Run(ctx, c, []string{key}).Err() // want script-text-varies@65
}

// Evaler is an own interface.
type Evaler interface {
	Eval(ctx context.Context, script string, keys []string, args ...any) *redis.Cmd
}

const touch = `return redis.call('EXPIRE', KEYS[1], ARGV[1])`

// Touch runs a method of the interface that a variable holds.
func Touch(ctx context.Context, e Evaler, key string) error {
	run := e.Eval
	return run(ctx, touch, []string{key}).Err() // want missing-argv@9
}

var bump = redis.NewScript(`return redis.call('INCR', KEYS[1])`)

func ensure(ctx context.Context, c redis.UniversalClient) error {
	if known, err := bump.Exists(ctx, c).Result(); err != nil || known[0] {
		return err
	}
	return bump.Load(ctx, c).Err()
}

// Bump sees to it that the server has the script, in a function of its own.
func Bump(ctx context.Context, c redis.UniversalClient, keys []string) error {
	if err := ensure(ctx, c); err != nil {
		return err
	}
	_, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, k := range keys {
			bump.EvalSha(ctx, p, []string{k})
		}
		return nil
	})
	return err
}

// Late loads it behind the pipeline.
func Late(ctx context.Context, c redis.UniversalClient, key string) error {
	p := c.Pipeline()
	bump.EvalSha(ctx, p, []string{key}) // want noscript-fallback@2
	_, err := p.Exec(ctx)
	_ = ensure(ctx, c)
	return err
}
