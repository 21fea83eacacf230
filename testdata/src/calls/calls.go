// Package calls has calls whose arguments a client refuses or changes, calls by digest, and texts made at run time, with what is to be
// reported on each line.
package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
	goredis "github.com/redis/go-redis/v9"
)

var count = goredis.NewScript(`redis.call('DEL', KEYS[1]) return #ARGV`)

type (
	level  int
	blob   []byte
	tagged struct {
		Name string `redis:"name"`
	}
	plain   struct{ Name string }
	onValue struct{ n byte }
	onPtr   struct{ n byte }
	headers map[string]any
	names   []string
)

// MarshalBinary writes it.
func (o onValue) MarshalBinary() ([]byte, error) { return []byte{o.n}, nil }

// MarshalBinary writes it.
func (o *onPtr) MarshalBinary() ([]byte, error) { return []byte{o.n}, nil }

func values(ctx context.Context, c goredis.UniversalClient, key string, list []string, p *string, d time.Duration, t time.Time, v any) {
	k := []string{key}
	count.Run(ctx, c, k, "a", 1, 2.5, true, []byte("x"), p, d, t, v)
	count.Run(ctx, c, k, onValue{1}, &onValue{1}, &onPtr{1}, net.IP{127, 0, 0, 1}, &d, &t)
	count.Run(ctx, c, k, list)
	count.Run(ctx, c, k, map[string]any{"a": 1})
	count.Run(ctx, c, k, tagged{"x"})
	count.Run(ctx, c, k, &tagged{"x"})
	count.Run(ctx, c, k, "a", onPtr{1})                                        // want call-argument@28
	count.Run(ctx, c, k, "a", big.NewInt(1))                                   // want call-argument@28
	count.Run(ctx, c, k, plain{"x"})                                           // want call-argument@23
	count.Run(ctx, c, k, "a", tagged{"x"})                                     // want call-argument@28
	count.Run(ctx, c, k, "a", list)                                            // want call-argument@28
	count.Run(ctx, c, k, names(list))                                          // want call-argument@23
	count.Run(ctx, c, k, map[string]int{"a": 1})                               // want call-argument@23
	count.Run(ctx, c, k, headers{"a": 1})                                      // want call-argument@23
	count.Run(ctx, c, k, level(1))                                             // want call-argument@23
	count.Run(ctx, c, k, blob("x"))                                            // want call-argument@23
	count.Run(ctx, c, k, json.RawMessage("x"))                                 // want call-argument@23
	count.Run(ctx, c, k, "a", nil)                                             // want call-argument@28
	count.Run(ctx, c, k, []any{"a", time.Monday}...)                           // want call-argument@34
	c.Do(ctx, "EVAL", `redis.call('DEL', KEYS[1]) return #ARGV`, 1, key, list) // want call-argument@71
	spread(ctx, c, key, []any{"a", 1})
}

// spread hands its arguments on one by one.
func spread(ctx context.Context, c goredis.Scripter, key string, args []any) {
	count.Run(ctx, c, []string{key}, args...)
}

var hold = goredis.NewScript(`redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1`)

var window = goredis.NewScript(`return redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, tonumber(ARGV[1]) - tonumber(ARGV[2]))`)

func units(ctx context.Context, c goredis.UniversalClient, key string, d time.Duration, f float64) {
	k := []string{key}
	hold.Run(ctx, c, k, "x", d.Milliseconds())
	hold.Run(ctx, c, k, "x", int64(d/time.Millisecond))
	hold.Run(ctx, c, k, "x", math.Ceil(f))
	hold.Run(ctx, c, k, "x", d)                      // want ttl-unit@27
	hold.Run(ctx, c, k, "x", time.Second)            // want ttl-unit@27
	window.Run(ctx, c, k, time.Now().UnixMilli(), d) // want call-argument@48
	window.Run(ctx, c, k, time.Now().UnixNano(), d)
}

var holdSeconds = goredis.NewScript(`redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) return 1`)

const always = 5 * time.Minute

// cut passes whole seconds of durations: of one that is known, of ones that are compared before, and of ones that may be too short.
func cut(ctx context.Context, c goredis.UniversalClient, key string, c1, c2, d, e time.Duration) error {
	k := []string{key}
	holdSeconds.Run(ctx, c, k, "x", int(always.Seconds()))
	holdSeconds.Run(ctx, c, k, "x", strconv.Itoa(int(always/time.Second)))
	if c1 < time.Second {
		return errors.New("too short")
	}
	holdSeconds.Run(ctx, c, k, "x", int(c1.Seconds()))
	whole := int64(c2 / time.Second)
	if whole == 0 {
		return errors.New("too short")
	}
	holdSeconds.Run(ctx, c, k, "x", whole)
	if d > 0 {
		holdSeconds.Run(ctx, c, k, "x", int(d.Seconds())) // want ttl-unit@35
	}
	rest := int64(e / time.Second)
	return holdSeconds.Run(ctx, c, k, "x", rest).Err() // want ttl-unit@41
}

var counted = redis.NewScript(1, `redis.call('DEL', KEYS[1]) return #ARGV`)

func printed(c redis.Conn, key string, list []string, p *string, d time.Duration) {
	counted.Do(c, key, "a", 1, true, level(1), errors.New("x"))
	counted.Do(c, redis.Args{}.Add(key).AddFlat(list)...)
	counted.Do(c, key, list)       // want call-argument@21
	counted.Do(c, key, plain{"x"}) // want call-argument@21
	counted.Do(c, key, d)          // want call-argument@21
	counted.Do(c, key, p)          // want call-argument@21
	counted.Do(c, list)            // want call-argument@16
}

const getText = `return redis.call('GET', KEYS[1])`

var get = goredis.NewScript(getText)

func loaded(ctx context.Context, c *goredis.Client, key string) error {
	sha, err := c.ScriptLoad(ctx, getText).Result()
	if err != nil {
		return err
	}
	if err := c.EvalSha(ctx, sha, []string{key}).Err(); err != nil { // want noscript-fallback@12
		return err
	}
	return c.Eval(ctx, `return redis.call('DEL', KEYS[1])`, []string{key}).Err()
}

func retried(ctx context.Context, c *goredis.Client, key string) (string, error) {
	s, err := get.EvalSha(ctx, c, []string{key}).Text()
	if err == nil {
		return s, nil
	}
	return get.Eval(ctx, c, []string{key}).Text()
}

func looped(ctx context.Context, c *goredis.Client, key string) (err error) {
	for range 2 {
		if err = get.EvalSha(ctx, c, []string{key}).Err(); err == nil {
			return nil
		}
		get.Load(ctx, c)
	}
	return err
}

func asked(ctx context.Context, c *goredis.Client, key string) error {
	if ok, err := get.Exists(ctx, c).Result(); err != nil || !ok[0] {
		get.Load(ctx, c)
	}
	return get.EvalSha(ctx, c, []string{key}).Err()
}

type store struct{ c *goredis.Client }

func (s *store) byDigest(ctx context.Context, key string) error {
	return get.EvalSha(ctx, s.c, []string{key}).Err()
}

// Get looks at the answer.
func (s *store) Get(ctx context.Context, key string) error {
	err := s.byDigest(ctx, key)
	if err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT") {
		return get.Eval(ctx, s.c, []string{key}).Err()
	}
	return err
}

// EvalSha hands the digest on: its callers look at the answer.
func (s *store) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *goredis.Cmd { // want EvalSha:"runs EvalSha( script=1 keys=2 args=3)"
	return s.c.EvalSha(ctx, sha, keys, args...)
}

func queued(ctx context.Context, c *goredis.Client, keys []string) error {
	_, err := c.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for _, k := range keys {
			get.Run(ctx, p, []string{k}) // want noscript-fallback@4
		}
		return nil
	})
	return err
}

func queuedBehindLoad(ctx context.Context, c *goredis.Client, keys []string) error {
	if err := get.Load(ctx, c).Err(); err != nil {
		return err
	}
	p := c.Pipeline()
	for _, k := range keys {
		get.Run(ctx, p, []string{k})
	}
	_, err := p.Exec(ctx)
	return err
}

// Made when the program starts: one text.
var atStart = goredis.NewScript(fmt.Sprintf(`return redis.call('HGET', KEYS[1], '%s')`, os.Args[0]))

func made(ctx context.Context, c *goredis.Client, key, field string, n int) {
	atStart.Run(ctx, c, []string{key})
	c.Eval(ctx, fmt.Sprintf(`return redis.call('HGET', KEYS[1], '%s')`, field), []string{key})            // want script-text-varies@70
	c.Eval(ctx, fmt.Sprintf(`return redis.call('HINCRBY', KEYS[1], 'n', %d)`, n), []string{key})          // want script-text-varies@76
	c.Eval(ctx, strings.Replace(`return redis.call('HGET', KEYS[1], $f)`, "$f", field, 1), []string{key}) // want script-text-varies@78
	c.Eval(ctx, fmt.Sprintf(`return redis.call('HGET', KEYS[1], '%s')`, "name"), []string{key})
	var b strings.Builder
	b.WriteString("return {")
	for i := range n {
		fmt.Fprintf(&b, "redis.call('HGET', KEYS[1], '%d'),", i)
	}
	c.Eval(ctx, b.String()+"}", []string{key}) // want script-text-varies@14
	c.Eval(ctx, b.String(), []string{key})     // want script-text-varies@14
	frag := "GET"
	if n > 1 {
		frag = "STRLEN"
	}
	c.Eval(ctx, "return redis.call('"+frag+"', KEYS[1])", []string{key})
}

func onEachMaster(ctx context.Context, c *goredis.ClusterClient, key string) error {
	load := func(ctx context.Context, m *goredis.Client) error { return m.ScriptLoad(ctx, getText).Err() }
	if err := c.ForEachMaster(ctx, load); err != nil {
		return err
	}
	return c.EvalSha(ctx, get.Hash(), []string{key}).Err() // want noscript-fallback@9
}

// appended puts arguments into a list in a loop or on a condition: it is told where each is appended.
func appended(ctx context.Context, c goredis.UniversalClient, key string, list []plain, ts []time.Duration, names [][]string, on bool, rc redis.Conn) {
	args := []any{key}
	for _, p := range list {
		args = append(args, p.Name, p) // want call-argument@31
	}
	count.Run(ctx, c, []string{key}, args...)

	words := []any{len(list)}
	if on {
		words = append(words, list[0])                // want call-argument@25
		words = append(words, names[0], list[0].Name) // want call-argument@25
	}
	count.Run(ctx, c, []string{key}, words...)

	var slices []any
	for _, n := range names {
		slices = append(slices, n) // want call-argument@27
	}
	count.Run(ctx, c, []string{key}, slices...)

	times := make([]any, 0, len(ts))
	for _, d := range ts {
		times = append(times, d) // want call-argument@25
	}
	count.Run(ctx, c, []string{key}, times...)
	expire.Run(ctx, c, []string{key}, times...)

	vars := redis.Args{}.Add(key)
	for _, d := range ts {
		vars = vars.Add(d) // want call-argument@19
	}
	counted.Do(rc, vars...)
	more := []any{key}
	for _, d := range ts {
		more = append(more, d) // want call-argument@23
	}
	counted.Do(rc, more...)

	later := []any{key}
	count.Run(ctx, c, []string{key}, later...)
	for _, p := range list {
		later = append(later, p)
	}
	_ = later
}

var expire = goredis.NewScript(`for i = 1, #ARGV do redis.call('PEXPIRE', KEYS[1], ARGV[i]) end return 1`)

// closed makes one text in a closure, and one that varies.
func closed(ctx context.Context, c goredis.UniversalClient, key, field string) {
	s := "return redis.call("
	add := func(part string) { s += part }
	add(`'GET',`)
	add(` KEYS[1])`)
	c.Eval(ctx, s, []string{key})
	t := "return redis.call("
	put := func(part string) { t += part }
	put(`'HGET', KEYS[1], `)
	put(field + ")")
	c.Eval(ctx, t, []string{key}) // want script-text-varies@14
}
