package syntax

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/parse"
)

// benchScripts are scripts of about 20, 100 and 500 lines: the one of testdata, repeated in functions.
func benchScripts(b *testing.B) map[string]string {
	raw, err := os.ReadFile("testdata/bench.lua")
	if err != nil {
		b.Fatal(err)
	}
	unit := string(raw)
	out := map[string]string{}
	for _, n := range []int{1, 5, 25} {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, "local function part%d(KEYS, ARGV)\n%send\n", i, unit)
		}
		out[fmt.Sprintf("%dlines", strings.Count(all.String(), "\n"))] = all.String()
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	for name, text := range benchScripts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if c := Parse(Source{Text: text}, Lua51); len(c.Errors) > 0 {
					b.Fatal(c.Errors)
				}
			}
		})
	}
}

// BenchmarkGopherLua is the same with the parser of gopher-lua, for comparison.
func BenchmarkGopherLua(b *testing.B) {
	for name, text := range benchScripts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parse.Parse(strings.NewReader(text), "bench"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWalk(b *testing.B) {
	for name, text := range benchScripts(b) {
		c := Parse(Source{Text: text}, Lua51)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Walk(c, func(Node) bool { return true })
			}
		})
	}
}
