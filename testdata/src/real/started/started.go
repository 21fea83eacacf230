// Package started makes its scripts once, when the program starts, and loads them in front of pipelines.
package started

import (
	"context"
	"fmt"
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

func numbered(list string, n int) string {
	var all []string
	for i := 1; i <= n; i++ {
		all = append(all, fmt.Sprintf("%s[%d]", list, i))
	}
	return strings.Join(all, ", ")
}

var unlink = redis.NewScript("return redis.call('UNLINK', " + numbered("KEYS", 2) + ")")

var exists = "return redis.call('EXISTS', " + numbered("KEYS", 2) + ")"

// Two runs texts that a function helped to make when the program started.
func Two(ctx context.Context, c redis.Cmdable, id string) error {
	if err := c.Eval(ctx, exists, []string{"{" + id + "}a", "{" + id + "}b"}).Err(); err != nil {
		return err
	}
	return unlink.Run(ctx, c, []string{"{" + id + "}a", "{" + id + "}b"}).Err()
}

// Store has the scripts of its configuration.
type Store struct{ put, del *redis.Script }

// New makes one script of each number, and one of each name.
func New(ttl int, name string) *Store {
	return &Store{
		put: redis.NewScript(fmt.Sprintf("return redis.call('SET', KEYS[1], ARGV[1], 'EX', %d)", ttl)),
		del: redis.NewScript("return redis.call('HDEL', KEYS[1], '" + name + "')"), // want script-text-varies@65
	}
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
