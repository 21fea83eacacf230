package source

import (
	"strconv"
	"strings"
	"testing"
)

// FuzzMap: whatever a text holds and however it is written, each of its bytes knows its place in the Go file.
func FuzzMap(f *testing.F) {
	f.Add("return 'é'\n\t\"\\x\xff\x00\u202e", "x = [[\r\n]]\r", false)
	f.Add("", "-- é\n", true)
	f.Add("%d%%%s", "日本", true)
	f.Fuzz(func(t *testing.T, quoted, raw string, ascii bool) {
		raw = strings.NewReplacer("`", "", "\x00", "", "\ufeff", "").Replace(strings.ToValidUTF8(raw, ""))
		lit := strconv.Quote(quoted)
		if ascii {
			lit = strconv.QuoteToASCII(quoted)
		}
		x := write(t, map[string]string{"p.go": "package p\n\nconst head = " + lit + "\n\nvar script = head + `" + raw + "`\n"})
		index := x.index(t)
		all := x.script(t, index)
		if want := quoted + strings.ReplaceAll(raw, "\r", ""); len(all) != 1 || all[0].String() != want {
			t.Fatalf("%d texts, want %q", len(all), want)
		}
		positions(t, index, all[0])
	})
}
