package value_test

import (
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// FuzzAnalyze: no text makes the stage panic, run long, or report a place outside the text.
func FuzzAnalyze(f *testing.F) {
	ar, err := txtar.ParseFile("testdata/facts.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range ar.Files {
		f.Add(string(file.Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		c, facts := analyze(t, text)
		if d := time.Since(start); d > 20*time.Second {
			t.Fatalf("%d bytes took %v", len(text), d)
		}
		for _, k := range facts.Calls {
			if !c.Span.Contains(k.At) {
				t.Fatalf("call at %v is outside the text", k.At)
			}
		}
		for _, x := range facts.Failures {
			if !c.Span.Contains(x.At) {
				t.Fatalf("failure at %v is outside the text: %s", x.At, x.Why)
			}
		}
	})
}
