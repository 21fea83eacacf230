// Package redigo uses redigo with pools, helpers and redis.Args.
package redigo

import (
	"context"

	"github.com/gomodule/redigo/redis"
)

type script struct {
	*redis.Script
	name string
}

func newScript(name string, keys int, src string) script {
	return script{redis.NewScript(keys, src), name}
}

var (
	move = newScript("move", 2, `return redis.call('RENAME', KEYS[1], KEYS[2])`)
	incr = redis.NewScript(1, `return redis.call('INCRBY', KEYS[1], ARGV[1])`)
)

// Pool wraps a pool.
type Pool struct{ p *redis.Pool }

func (p *Pool) do(ctx context.Context, s *redis.Script, keysAndArgs ...interface{}) (interface{}, error) {
	c, err := p.p.GetContext(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return s.Do(c, keysAndArgs...)
}

func (p *Pool) use(ctx context.Context, id string, vals []string) error {
	if _, err := p.do(ctx, incr, "n:"+id, 1); err != nil {
		return err
	}
	if _, err := p.do(ctx, incr, "n:"+id); err != nil { // want missing-argv@31
		return err
	}
	args := redis.Args{}.Add("{a}1", "{a}2").AddFlat(vals)
	if _, err := p.do(ctx, move.Script, args...); err != nil {
		return err
	}
	c := p.p.Get()
	defer c.Close()
	c.Send("MULTI")
	move.Send(c, "{a}1", "{a}2")
	incr.SendHash(c, id, 1) // want noscript-fallback@2
	_, err := redis.Values(c.Do("EXEC"))
	if err != nil {
		return err
	}
	_, err = redis.Int(move.Do(c, "{a}1")) // want numkeys@32
	return err
}

var _ = (*Pool).use

// counted is a text with its count of keys.
type counted struct {
	keys int
	text string
}

// eval joins the words of EVAL.
func (p *Pool) eval(s counted, keysAndArgs ...any) error {
	c := p.p.Get()
	defer c.Close()
	words := make([]any, 0, len(keysAndArgs)+2)
	words = append(words, s.text, s.keys)
	words = append(words, keysAndArgs...)
	_, err := c.Do("EVAL", words...)
	return err
}

func (p *Pool) count(id string) error {
	by := counted{1, `return redis.call('INCRBY', KEYS[1], ARGV[1])`}
	if err := p.eval(by, "n:"+id, 1); err != nil {
		return err
	}
	return p.eval(by, "n:"+id) // want missing-argv@9
}

var _ = (*Pool).count
