package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated files are what the dumps give. To renew them: go run ./luacheck/server/gen
func TestGenerated(t *testing.T) {
	files, err := generate("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from what gen writes: run go run ./luacheck/server/gen", name)
		}
	}
}

// A dump that is written reads back as it was, under the name of its server.
func TestDumpRoundTrip(t *testing.T) {
	d, err := readDump(filepath.Join("testdata", "redis-7.0.15.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, err := writeDump(dir, d)
	if err != nil {
		t.Fatal(err)
	}
	again, err := readDump(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Commands) != 240 || again.product() != "redis" || again.version() != "7.0.15" || again.patched() {
		t.Errorf("read back %s with %d commands", again.Server, len(again.Commands))
	}
	if got := commandLiteral(entry{command: again.Commands[0]}); got != commandLiteral(entry{command: d.Commands[0]}) {
		t.Errorf("first command reads back as %s", got)
	}
}

func TestServerName(t *testing.T) {
	for info, want := range map[string]string{
		"# Server\r\nredis_version:7.0.15\r\nredis_git_sha1:0\r\n":                          "redis-7.0.15",
		"# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\n": "valkey-8.1.1",
		"# Server\r\n": "",
	} {
		if got := serverName(info); got != want {
			t.Errorf("%q: %q, want %q", info, got, want)
		}
	}
}
