// Package embedwalk loads a folder of scripts at start.
package embedwalk

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

//go:embed scripts
var files embed.FS

// Scripts are the loaded scripts.
type Scripts struct {
	mu sync.RWMutex
	m  map[string]*redis.Script
}

// Load reads every file.
func Load() (*Scripts, error) {
	s := &Scripts{m: make(map[string]*redis.Script)}
	entries, err := files.ReadDir("scripts")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".lua" {
			continue
		}
		data, err := files.ReadFile("scripts/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", e.Name(), err)
		}
		s.m[strings.TrimSuffix(e.Name(), ".lua")] = redis.NewScript(string(data))
	}
	return s, nil
}

func (s *Scripts) get(name string) *redis.Script {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[name]
}

func (s *Scripts) exec(ctx context.Context, c redis.Scripter, name string, keys []string, args ...any) *redis.Cmd {
	return s.get(name).Run(ctx, c, keys, args...)
}

func (s *Scripts) use(ctx context.Context, c redis.Scripter) {
	s.exec(ctx, c, "push", []string{"q"}, 1)
	s.exec(ctx, c, "pop", []string{"q"})
	s.exec(ctx, c, "push", []string{"q"}) // want missing-argv@2
	s.get("pop").Run(ctx, c, nil)         // want numkeys@27
}

var _, _ = fs.ValidPath, (*Scripts).use
