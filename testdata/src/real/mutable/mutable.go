// Package mutable changes scripts and texts after they are made: nothing certain may be said of them.
package mutable

import (
	"context"
	"flag"
	"os"

	"github.com/redis/go-redis/v9"
)

// Source can be set by users of the package.
var Source = `return redis.call('GET', KEYS[1])` // want Source:"text return redis.call('GET', KEYS[1])"

// Opts holds a text.
type Opts struct{ Script string }

var path = flag.String("script", "", "a file")

func run(ctx context.Context, c redis.UniversalClient, o *Opts) error {
	if o.Script == "" {
		o.Script = `return redis.call('TTL', KEYS[1])`
	}
	c.Eval(ctx, o.Script, nil) // want numkeys@24
	c.Eval(ctx, Source, nil)   // want numkeys@22
	src := `return redis.call('PTTL', KEYS[1])`
	if *path != "" {
		data, err := os.ReadFile(*path)
		if err != nil {
			return err
		}
		src = string(data)
	}
	change(&src)
	c.Eval(ctx, src, nil)
	return c.Eval(ctx, os.Getenv("SCRIPT"), nil).Err()
}

func change(s *string) { *s += " " }

var _ = run
