// Package includes walks over embedded files, and puts those that others name into them.
package includes

import (
	"context"
	"embed"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/redis/rueidis"
)

//go:embed lua
var files embed.FS

var (
	scripts = map[string]*rueidis.Lua{}
	include = regexp.MustCompile(`(?m)^-- \$include\(([\w./]+)\)$`)
)

func init() {
	entries, err := files.ReadDir("lua")
	if err != nil {
		panic(err)
	}
	read("lua", entries)
}

func read(path string, entries []fs.DirEntry) {
	for _, e := range entries {
		if e.IsDir() {
			if more, err := files.ReadDir(path + "/" + e.Name()); err == nil && e.Name() != "includes" {
				read(path+"/"+e.Name(), more)
			}
			continue
		}
		data, err := files.ReadFile(filepath.Join(path, e.Name()))
		if err != nil {
			panic(err)
		}
		text := string(data)
		for _, m := range include.FindAllStringSubmatch(text, -1) {
			if data, err = files.ReadFile("lua/includes/" + m[1]); err != nil {
				panic(err)
			}
			text = strings.ReplaceAll(text, m[0], string(data))
		}
		name := strings.TrimPrefix(path+"/"+e.Name(), "lua/")
		scripts[strings.TrimSuffix(name, ".lua")] = rueidis.NewLuaScript(text)
	}
}

func use(ctx context.Context, c rueidis.Client, key string) (int64, error) {
	scripts["queue/drop"].Exec(ctx, c, []string{key}, nil)                                // want missing-argv@52
	return scripts["queue/add"].Exec(ctx, c, []string{key}, []string{"a", "1"}).AsInt64() // want numkeys@43
}

var _ = use
