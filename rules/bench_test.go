package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// benchScripts are the .lua files of the folder that REDISLINT_BENCH names, or those of the case files.
func benchScripts(b *testing.B) []string {
	var texts []string
	read := func(pattern string, scripts func(text string) []string) {
		names, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			texts = append(texts, scripts(string(text))...)
		}
	}
	if dir := os.Getenv("REDISLINT_BENCH"); dir != "" {
		read(filepath.Join(dir, "*.lua"), func(text string) []string { return []string{text} })
	} else {
		read("../testdata/cases/*/*.txtar", func(text string) []string {
			_, text, found := strings.Cut(text, "-- case.lua --\n")
			if !found {
				return nil
			}
			text, _, _ = strings.Cut(text, "\n-- ")
			return []string{text + "\n"}
		})
	}
	if len(texts) == 0 {
		b.Fatal("no scripts")
	}
	return texts
}

// BenchmarkCheck is the whole analysis, from the text to the findings of all rules, one script after another as the command does.
func BenchmarkCheck(b *testing.B) {
	texts := benchScripts(b)
	lines, bytes := 0, 0
	for _, t := range texts {
		lines += strings.Count(t, "\n")
		bytes += len(t)
	}
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		b.Fatal(err)
	}
	all := All()
	opt := luacheck.Options{Target: target, Scratch: &luacheck.Scratch{}}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range texts {
			Check(luacheck.Analyze(syntax.Source{Text: t}, nil, opt), all)
		}
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
