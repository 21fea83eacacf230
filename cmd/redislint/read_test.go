package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRead: one reader after another text gives each in full, shorter and longer ones, through a link or not.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	in := &reader{sys: system{dir: dir}}
	for _, size := range []int{10, 0, 1<<15 - 1, 1 << 15, 1<<15 + 1, 1, 1<<17 + 3} {
		name, link := filepath.Join(dir, "a.lua"), filepath.Join(dir, "link.lua")
		want := strings.Repeat("-- abc\n", size/7+1)[:size]
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := in.read(name); got != want || err != nil {
			t.Errorf("%d bytes of %d, %v", len(got), size, err)
		}
		if size == 10 {
			if err := os.Symlink(name, link); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := in.read(link); got != want || err != nil {
			t.Errorf("through a link, %d bytes of %d, %v", len(got), size, err)
		}
	}
	first, err := in.read(filepath.Join(dir, "a.lua"))
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Clone(first)
	if err := os.WriteFile(filepath.Join(dir, "b.lua"), []byte(strings.Repeat("x", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := in.read(filepath.Join(dir, "b.lua")); err != nil || first != before {
		t.Errorf("a text changed when the next was read, %v", err)
	}
}
