// Package decorators has implementations of interfaces that change what they hand on, and some that do not.
package decorators

import (
	"context"
	"log"
	"time"

	"github.com/redis/go-redis/v9"
)

// Backend is implemented by a client, and by one that adds the time.
type Backend interface {
	Exec(ctx context.Context, script string, keys []string, args ...any) (any, error)
}

type backend struct{ c redis.UniversalClient }

func (b *backend) Exec(ctx context.Context, script string, keys []string, args ...any) (any, error) { // want Exec:"runs Eval( script=1 keys=2 args=3)"
	return b.c.Eval(ctx, script, keys, args...).Result()
}

type stamped struct{ Backend }

func (s stamped) Exec(ctx context.Context, script string, keys []string, args ...any) (any, error) {
	return s.Backend.Exec(ctx, script, keys, append([]any{time.Now().Unix()}, args...)...)
}

func touch(ctx context.Context, b Backend, direct *backend) error {
	_, err := b.Exec(ctx, `return redis.call('HSET', KEYS[1], 'at', ARGV[1], 'by', ARGV[2])`, []string{"a"}, "me")
	if err == nil {
		_, err = direct.Exec(ctx, `return redis.call('HSET', KEYS[1], 'at', ARGV[1], 'by', ARGV[2])`, []string{"a"}, "me") // want missing-argv@112
	}
	return err
}

// Runner is implemented by those that hand all on, and so counts.
type Runner interface {
	Run(ctx context.Context, s *redis.Script, keys []string, args ...any) *redis.Cmd
}

type plain struct{ c redis.Scripter }

func (p plain) Run(ctx context.Context, s *redis.Script, keys []string, args ...any) *redis.Cmd { // want Run:"runs Run( script=1 keys=2 args=3)"
	return s.Run(ctx, p.c, keys, args...)
}

type timed struct{ next Runner }

func (t timed) Run(ctx context.Context, s *redis.Script, keys []string, args ...any) *redis.Cmd { // want Run:"runs Run( script=1 keys=2 args=3)"
	start := time.Now()
	defer func() { log.Print(time.Since(start)) }()
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return t.next.Run(ctx, s, keys, args...)
}

var set = redis.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)

func run(ctx context.Context, r Runner, key string) {
	r.Run(ctx, set, []string{key}, 1, 1000)
	r.Run(ctx, set, []string{key}, 1) // want missing-argv@33
}

// Stamper is implemented by one that appends, and by one that calls a type instead of the interface.
type Stamper interface {
	Do(ctx context.Context, s *redis.Script, keys []string, args ...any) *redis.Cmd
}

type last struct{ c redis.Scripter }

func (l *last) Do(ctx context.Context, s *redis.Script, keys []string, args ...any) *redis.Cmd { // want Do:"runs Run( script=1 keys=2 args=3)"
	return s.Run(ctx, l.c, keys, args...)
}

type first struct{ l *last }

func (f first) Do(ctx context.Context, s *redis.Script, keys []string, args ...any) *redis.Cmd { // want Do:"runs Run( script=1 keys=2 args=3)"
	args = append(args, 1000)
	return f.l.Do(ctx, s, keys, args...)
}

func stamp(ctx context.Context, s Stamper, l *last, key string) {
	s.Do(ctx, set, []string{key}, 1)
	l.Do(ctx, set, []string{key}, 1) // want missing-argv@32
}

// Client has the shape of a client; its keys are not those that arrive.
type Client interface {
	Eval(ctx context.Context, script string, keys []string, args ...any) (any, error)
}

type locked struct {
	c redis.Cmdable
	p string
}

func (l *locked) Eval(ctx context.Context, script string, keys []string, args ...any) (any, error) { // want Eval:"runs Eval( script=1 ?l.p:lock args=3)"
	all := []string{l.p + ":lock"}
	for _, k := range keys {
		all = append(all, l.p+k)
	}
	return l.c.Eval(ctx, script, all, args...).Result()
}

func work(ctx context.Context, c Client) error {
	_, err := c.Eval(ctx, `if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end return redis.call('SET', KEYS[2], ARGV[1])`, []string{"a"}, 1)
	if err == nil {
		_, err = c.Eval(ctx, `return redis.call('SET', KEYS[2], ARGV[1])`, []string{"a"}) // want missing-argv@12
	}
	return err
}

// Stamping is a client whose scripts get an argument more.
type Stamping struct{ redis.UniversalClient }

// EvalSha appends the time.
func (s Stamping) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd { // want EvalSha:"runs EvalSha( script=1 keys=2 args=3)"
	return s.UniversalClient.EvalSha(ctx, sha, keys, append(args, time.Now().Unix())...)
}

func given(ctx context.Context, s Stamping, key string) {
	set.Run(ctx, s, []string{key}, 1)
	set.Run(ctx, s.UniversalClient, []string{key}, 1) // want missing-argv@49
}

var _, _, _, _, _ = touch, run, stamp, work, given
var _, _ = []Backend{stamped{}, &backend{}}, []Runner{plain{}, timed{}}
var _, _ = []Stamper{first{}, &last{}}, Client(&locked{})
