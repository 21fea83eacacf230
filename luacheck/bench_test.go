package luacheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// corpus is every .lua part of the case files, joined into scripts of about the size that projects have.
func corpus(tb testing.TB) []string {
	paths, err := filepath.Glob("../testdata/cases/*/*.txtar")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no case files: %v", err)
	}
	var scripts []string
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		_, text, ok := strings.Cut(string(data), "-- case.lua --\n")
		if !ok {
			continue
		}
		text, _, _ = strings.Cut(text, "\n-- ")
		scripts = append(scripts, text+"\n")
	}
	return scripts
}

func defaultTarget(tb testing.TB) server.Target {
	t, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// BenchmarkAnalyze is the whole analysis without rules, a script at a time.
func BenchmarkAnalyze(b *testing.B) {
	scripts := corpus(b)
	t := defaultTarget(b)
	n := 0
	for _, s := range scripts {
		n += len(s)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range scripts {
			luacheck.Analyze(syntax.Source{Text: s}, nil, luacheck.Options{Target: t})
		}
	}
}
