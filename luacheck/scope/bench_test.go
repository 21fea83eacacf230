package scope_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
)

// BenchmarkBind binds scripts of about 20, 100 and 500 lines: the one of the parser's benchmark, repeated in functions.
func BenchmarkBind(b *testing.B) {
	unit, err := os.ReadFile("../syntax/testdata/bench.lua")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 5, 25} {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, "local function part%d(KEYS, ARGV)\n%send\n", i, unit)
		}
		c := syntax.Parse(syntax.Source{Text: all.String()}, syntax.Lua51)
		b.Run(fmt.Sprintf("%dlines", strings.Count(all.String(), "\n")), func(b *testing.B) {
			b.SetBytes(int64(all.Len()))
			b.ReportAllocs()
			for b.Loop() {
				scope.Bind(c)
			}
		})
	}
}
