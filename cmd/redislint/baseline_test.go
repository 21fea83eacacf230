package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBaseline(t *testing.T) {
	name := filepath.Join(t.TempDir(), "base.json")
	all := sample().findings
	twice := append(all[:len(all):len(all)], all[0])
	if err := writeBaseline(name, twice); err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "findings": [
    {
      "rule": "nil-reply",
      "script": "a.lua",
      "line": "if v == nil then",
      "count": 2
    },
    {
      "rule": "syntax",
      "script": "a.lua",
      "line": "return 'é', v",
      "count": 1
    }
  ]
}
`
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	counts, err := readBaseline(name)
	if err != nil {
		t.Fatal(err)
	}
	moved := all[0]
	moved.startLine, moved.line = 99, "\tif v ==  nil then"
	left, stale := subtract([]finding{moved, all[0], all[0]}, counts, func(string) bool { return false })
	if len(left) != 1 || left[0].startLine != 2 || stale != 1 {
		t.Errorf("got %d left, %d stale; want the third of three alike, and one entry that is not needed", len(left), stale)
	}
}
