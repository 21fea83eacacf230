// Package alias uses aliases and defined types of the client's.
package alias

import (
	"context"

	"github.com/redis/go-redis/v9"
)

type (
	// Script is an alias.
	Script = redis.Script
	// Client is one too.
	Client = redis.UniversalClient
	keys   = []string
	// Conn embeds the client under another name.
	Conn struct{ Client }
	// Lua is a defined text.
	Lua string
)

var newScript = redis.NewScript

var viaVar = newScript(`return redis.call('GET', KEYS[1])`)

const text Lua = `return redis.call('TTL', KEYS[1])`

func run(ctx context.Context, c Conn, s *Script) {
	s.Run(ctx, c, keys{})
	viaVar.Run(ctx, c, keys{"a"})
	c.Eval(ctx, string(text), nil)         // want numkeys@28
	c.Client.Eval(ctx, text.String(), nil) // want numkeys@36
}

// String is the text.
func (l Lua) String() string { return string(l) }

func use(ctx context.Context, c Conn) { run(ctx, c, viaVar) } // want numkeys@41

var _ = use
