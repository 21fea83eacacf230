// Package elsewhere runs scripts that another package holds, which imports no client.
package elsewhere

import (
	"context"
	"io/fs"

	"github.com/redis/go-redis/v9"

	"github.com/redislint/redislint/testdata/src/real/elsewhere/lua"
)

var (
	add   = redis.NewScript(lua.Add)
	take  = redis.NewScript(string(lua.Take))
	count = redis.NewScript(lua.Count)
	other = redis.NewScript(lua.Other)
)

func read(name string) *redis.Script {
	text, err := fs.ReadFile(lua.FS, name+".lua")
	if err != nil {
		panic(err)
	}
	return redis.NewScript(string(text))
}

// Run runs them.
func Run(ctx context.Context, c *redis.Client, key string) {
	add.Run(ctx, c, []string{key}) // want missing-argv@2
	take.Run(ctx, c, nil, "v")     // want numkeys@19
	count.Run(ctx, c, nil)         // want numkeys@20
	other.Run(ctx, c, nil)
	read("add").Run(ctx, c, []string{key}, "v")
	read("take").Run(ctx, c, []string{key}) // want missing-argv@2
}
