package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestRead: the figures are those of the last line of progress, and only a failing input or an unknown error counts as a failure.
func TestRead(t *testing.T) {
	const ran = "fuzz: elapsed: 0s, gathering baseline coverage: 0/12 completed\nfuzz: elapsed: 3s, execs: 325017 (108336/sec), new interesting: 11 (total: 202)\n" +
		"fuzz: elapsed: 6s, execs: 680218 (118402/sec), new interesting: 12 (total: 203)\n"
	failed := errors.New("exit status 1")
	for _, c := range []struct {
		out  string
		err  error
		want string
	}{
		{ran + "PASS\n", nil, "| rules FuzzX | 680218 | 68022 | 12 | 203 | none |\n"},
		{ran + "--- FAIL: FuzzX (6.1s)\n    context deadline exceeded\nFAIL\n", failed, "| rules FuzzX | 680218 | 68022 | 12 | 203 | none |\n"},
		{ran + "    Failing input written to testdata/fuzz/FuzzX/0a1b\n", failed, "| rules FuzzX | 680218 | 68022 | 12 | 203 | 1: testdata/fuzz/FuzzX/0a1b |\n"},
		{"# rules\nx.go:1:1: syntax error\n", failed, "| rules FuzzX | 0 | 0 | 0 | 0 | did not run: exit status 1: # rules |\n"},
	} {
		x := target{pkg: "github.com/redislint/redislint/rules", name: "FuzzX", share: 10 * time.Second}
		x.read(c.out, c.err)
		if got := x.row(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if text := report([]*target{&x}, time.Second); !strings.HasPrefix(text, "## Fuzzing\n") || !strings.HasSuffix(text, c.want) {
			t.Errorf("the section is %q", text)
		}
	}
}
