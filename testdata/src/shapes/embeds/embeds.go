// Package embeds has scripts in files.
package embeds

import (
	"context"
	"embed"
	"io/fs"
	"path"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed one.lua
var one string

//go:embed two.lua
var two []byte

//go:embed lua
var dir embed.FS

//go:embed walk/*.lua
var walked embed.FS

var (
	oneScript = redis.NewScript(one)
	twoScript = redis.NewScript(string(two))
	get       = mustLoad("get")
	withParts = mustLoad("include")
)

func mustLoad(name string) *redis.Script {
	b, err := dir.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err)
	}
	return redis.NewScript(string(b))
}

var scripts = map[string]*redis.Script{}

func loadAll() error {
	return fs.WalkDir(walked, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := walked.ReadFile(p)
		if err != nil {
			return err
		}
		scripts[strings.TrimSuffix(path.Base(p), ".lua")] = redis.NewScript(string(b))
		return nil
	})
}

func all(ctx context.Context, db redis.UniversalClient) {
	oneScript.Run(ctx, db, []string{"a"})
	twoScript.Run(ctx, db, nil)
	get.Run(ctx, db, []string{"k"})
	withParts.Run(ctx, db, []string{"k"})
	_ = loadAll()
	scripts["first"].Run(ctx, db, nil)
}

var _ = all

// Variables that are set through pointers, by file name.
var firstPtr, secondPtr *redis.Script

func loadPointers() error {
	return loadMap(map[string]**redis.Script{
		"first.lua":  &firstPtr,
		"second.lua": &secondPtr,
	})
}

func loadMap(all map[string]**redis.Script) error {
	for file, script := range all {
		text, err := fs.ReadFile(walked, "walk/"+file)
		if err != nil {
			return err
		}
		*script = redis.NewScript(string(text))
	}
	return nil
}

var single *redis.Script

func set(dst **redis.Script, name string) {
	b, _ := dir.ReadFile("lua/" + name)
	*dst = redis.NewScript(string(b))
}

func pointers(ctx context.Context, db redis.UniversalClient) error {
	if err := loadPointers(); err != nil {
		return err
	}
	set(&single, "get.lua")
	firstPtr.Run(ctx, db, []string{"1"})
	secondPtr.Run(ctx, db, []string{"2"})
	single.Run(ctx, db, []string{"3"})
	return nil
}

var _ = pointers

var wrongFile = mustLoad("wrong")

// wrong leaves out keys and arguments of scripts in files.
func wrong(ctx context.Context, db redis.UniversalClient) {
	oneScript.Run(ctx, db, nil)                            // want numkeys@25
	wrongFile.Run(ctx, db, []string{"k"})                  // want numkeys@25
	scripts["third"].Run(ctx, db, []string{"k"})           // want missing-argv@2
	scripts["third"].Run(ctx, db, []string{"a", "b"}, "v") // want cross-slot@46 numkeys@46
}

var _ = wrong
