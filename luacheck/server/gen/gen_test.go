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
	if got := commandLiteral(entry{command: again.Commands[0]}, 0); got != commandLiteral(entry{command: d.Commands[0]}, 0) {
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

// A COMMAND reply as go-redis gives it becomes the same row as the dump's.
func TestReadCommand(t *testing.T) {
	spec := []any{"flags", []any{"RW", "access", "update"}, "begin_search", []any{"type", "keyword", "spec", []any{"keyword", "STREAMS", "startfrom", int64(1)}},
		"find_keys", []any{"type", "range", "spec", []any{"lastkey", int64(-1), "keystep", int64(1), "limit", int64(2)}}}
	sub := []any{"x|help", int64(2), []any{"STALE", "loading"}, int64(0), int64(0), int64(0), []any{}, []any{}, []any{}, []any{}}
	docs := map[string]any{"X": []any{"since", "5.0.0", "group", "stream", "arguments", []any{[]any{"name", "count", "type", "integer", "token", "COUNT", "flags", []any{"optional"}}},
		"subcommands", []any{"x|help", []any{"since", "6.0.0", "group", "stream"}}}}
	c := readCommand([]any{"X", int64(-4), []any{"readonly"}, int64(0), int64(0), int64(0), []any{}, []any{}, []any{spec}, []any{sub}}, docs)
	const want = `Command{Name: "x", at: 3, Arity: -4, Flags: ReadOnly, Group: "stream", Keys: []KeySpec{{Begin: BeginKeyword, Keyword: "STREAMS", From: 1, ` +
		`Find: FindRange, Last: -1, Step: 1, Limit: 2, Access: AccessRead|AccessUpdate}, }, ` +
		`Args: []ArgSpec{{Name: "count", Kind: ArgInteger, Mode: ArgOptional, Token: "COUNT"}, }, Since: [2]Version{{}, {}}}`
	if got := commandLiteral(entry{command: c}, 3); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(c.Subs) != 1 || c.Subs[0].Name != "x|help" || c.Subs[0].Since != "6.0.0" || !contains(c.Subs[0].Flags, "stale") {
		t.Errorf("subcommands %+v", c.Subs)
	}
	if c := readCommand("no list", nil); c.Name != "" || len(c.Keys) > 0 {
		t.Errorf("a reply that is no list gives %+v", c)
	}
}

// A number of the documentation's history dates a word that the grammar leaves undated, and no other.
func TestAddOptionWords(t *testing.T) {
	args := []arg{{Token: "KEEPREF"}, {Token: "MINID", Since: "6.2.0", Args: []arg{{Token: "KEEPREF"}}}}
	addOptionWords("xadd", args, []optionWord{{"xadd", "8.2.0", "KEEPREF", "redis"}, {"xadd", "9.9.9", "MINID", "redis"}}, "redis")
	if args[0].Since != "8.2.0" || args[1].Since != "6.2.0" || args[1].Args[0].Since != "" {
		t.Errorf("dated %+v", args)
	}
}
