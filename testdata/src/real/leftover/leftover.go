// Package leftover makes its scripts of embedded files in a way that is not followed: nothing certain may be said of what a file lacks.
package leftover

import (
	"bytes"
	"context"
	"embed"
	"text/template"

	"github.com/redis/go-redis/v9"
)

//go:embed lua
var files embed.FS

var templates = template.Must(template.ParseFS(files, "lua/*.lua"))

func load(prefix string) map[string]*redis.Script {
	all := map[string]*redis.Script{}
	for _, t := range templates.Templates() {
		var text bytes.Buffer
		if err := t.Execute(&text, map[string]string{"Prefix": prefix}); err != nil {
			panic(err)
		}
		all[t.Name()] = redis.NewScript(text.String())
	}
	return all
}

func use(ctx context.Context, c *redis.Client) {
	load("p")["get.lua"].Run(ctx, c, []string{"a"})
}

var _ = use
