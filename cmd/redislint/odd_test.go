package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustContain(t *testing.T, out, want string) {
	t.Helper()
	if !strings.Contains(out, want) {
		t.Errorf("the output lacks %q:\n%.3000s", want, out)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// TestLinksOutside: symbolic links that lead out of the module are not read and not written, however they are reached.
func TestLinksOutside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.lua")
	if err := os.WriteFile(outside, []byte(nilPattern), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := module(t, map[string]string{"in.lua": nilPattern, "lua/own.lua": nilPattern})
	link(t, outside, filepath.Join(dir, "out.lua"))
	link(t, outside, filepath.Join(dir, "lua/out.lua"))
	link(t, filepath.Dir(outside), filepath.Join(dir, "away"))
	link(t, "in.lua", filepath.Join(dir, "alias.lua"))
	status, out, errs := lintIn(t, dir, "-fix", "out.lua", "away/secret.lua", "alias.lua", "lua")
	if status != exitProblem || strings.Contains(out+errs, "nil-reply") {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
	for _, name := range []string{"out.lua", "away/secret.lua", "lua/out.lua"} {
		mustContain(t, errs, "redislint: "+name+": a symbolic link leads out of the project, not read; name the file itself\n")
	}
	if got, _ := os.ReadFile(outside); string(got) != nilPattern {
		t.Errorf("the file outside was written: %q", got)
	}
	for _, name := range []string{"in.lua", "lua/own.lua"} {
		if got, _ := os.ReadFile(filepath.Join(dir, name)); !strings.Contains(string(got), "v == false") {
			t.Errorf("%s was not fixed: %q", name, got)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "alias.lua")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link inside is none any more: %v, %v", info, err)
	}
}

const nilPattern = "local v = redis.call('GET', KEYS[1])\nif v == nil then return 0 end\n"

// TestFixKeepsAway: a Go file that is a link out of the module is not written.
func TestFixKeepsAway(t *testing.T) {
	text := "package m\n\nimport \"github.com/redis/go-redis/v9\"\n\nvar S = redis.NewScript(`" + nilPattern + "`)\n"
	outside := filepath.Join(t.TempDir(), "m.go")
	if err := os.WriteFile(outside, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := module(t, map[string]string{})
	link(t, outside, filepath.Join(dir, "m.go"))
	status, _, errs := lintIn(t, dir, "-fix", "./...")
	if got, _ := os.ReadFile(outside); status != exitProblem || string(got) != text {
		t.Errorf("status %d; %q", status, got)
	}
	mustContain(t, errs, "redislint: m.go: not fixed: a symbolic link leads out of the project\n")
}

// TestIncludesOutside: what an include names outside the package's folder, or behind a link, is not read: one line, and the script, which is
// not whole, is not judged.
func TestIncludesOutside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.lua")
	if err := os.WriteFile(outside, []byte("local function f() end\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const head = "package p\n\nimport (\n\t\"embed\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n"
	dir := module(t, map[string]string{
		"other/o.lua": "local function f() end\n",
		"p/p.go": head + "//go:embed *.lua\nvar files embed.FS\n\nfunc load(name string) *redis.Script {\n\tb, _ := files.ReadFile(name)\n\treturn redis.NewScript(string(b))\n}\n\n" +
			"var Up, Abs, Link, Cycle, Good = load(`up.lua`), load(`abs.lua`), load(`link.lua`), load(`cycle.lua`), load(`good.lua`)\n",
		"p/up.lua":    "-- $include(\"../other/o.lua\")\nreturn redis.call('GETT', f())\n",
		"p/abs.lua":   "-- $include(\"" + outside + "\")\nreturn redis.call('GETT', f())\n",
		"p/link.lua":  "-- @include \"linked\"\nreturn redis.call('GETT', f())\n",
		"p/cycle.lua": "-- $include(\"good.lua\")\n-- $include(\"cycle.lua\")\n",
		"p/good.lua":  "-- $include(\"cycle.lua\")\nredis.call('GETT', KEYS[1])\n",
	})
	link(t, outside, filepath.Join(dir, "p/linked.lua"))
	status, out, errs := lintIn(t, dir, "./p")
	if status != exitProblem || strings.Contains(out, "up.lua") || strings.Contains(out, "abs.lua") || strings.Contains(out, "link.lua") {
		t.Errorf("status %d:\n%s", status, out)
	}
	mustContain(t, errs, "redislint: p/up.lua:1: up.lua: the include of \"../other/o.lua\" leaves the folder of the package, not read, findings may be missing\n")
	mustContain(t, errs, "redislint: p/abs.lua:1: abs.lua: the include of \""+outside+"\" leaves the folder of the package, not read")
	mustContain(t, errs, "redislint: p/link.lua:1: link.lua: the include of \"linked\" is no regular file of the package, not read")
	mustContain(t, out, "p/good.lua:2:12: error: unknown-command")
}

// TestEmbedsOutside: patterns that the compiler refuses are an error of the package, in one line, and nothing behind them is read.
func TestEmbedsOutside(t *testing.T) {
	for pattern, want := range map[string]string{"../secret.lua": "invalid pattern", "linked.lua": "irregular file", "none/*.lua": "no matching files"} {
		dir := module(t, map[string]string{"secret.lua": "return 1 2\n",
			"p/p.go": "package p\n\nimport (\n\t_ \"embed\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n//go:embed " + pattern + "\nvar e string\n\nvar S = redis.NewScript(e)\n"})
		link(t, "../secret.lua", filepath.Join(dir, "p/linked.lua"))
		status, out, errs := lintIn(t, dir, "./p")
		if status != exitProblem || strings.Contains(out, "secret") || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %s%s", pattern, status, out, errs)
		}
		mustContain(t, errs, want)
	}
}

// TestTooLarge: a literal, a sum and an embedded file over the limit are said to be so; what stands beside them is looked at.
func TestTooLarge(t *testing.T) {
	half := strings.Repeat("-", maxLuaFile/2+1)
	dir := module(t, map[string]string{
		"p.go": "package p\n\nimport (\n\t_ \"embed\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n//go:embed e.lua\nvar e string\n\n" +
			"var Embedded = redis.NewScript(e)\n\nvar Good = redis.NewScript(`return redis.call('GETT', KEYS[1])`)\n\n" +
			"var Sum = redis.NewScript(half + half)\n\nvar Literal = redis.NewScript(`" + half + half + "`)\n",
		"half.go": "package p\n\nconst half = `" + half + "`\n", "e.lua": half + half,
	})
	status, out, errs := lintIn(t, dir, "./...")
	if status != exitProblem {
		t.Errorf("status %d", status)
	}
	mustContain(t, out, "p.go:14:47: error: unknown-command")
	for _, at := range []string{"e.lua:1: e.lua", "p.go:18: Literal", "half.go:3: Sum"} {
		mustContain(t, errs, fmt.Sprintf("redislint: %s: larger than %d MB, not looked at, findings may be missing\n", at, maxLuaFile>>20))
	}
}

// TestOddBytes: whatever bytes a file holds, each format is well-formed, and the text for people is one line to a finding's head.
func TestOddBytes(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"nul.lua": "return redis.call('GETT\x00', KEYS[1])\n", "utf8.lua": "return redis.call('GETT\xff\xfe', KEYS[1]) -- \xc3\n",
		"cr.lua": "local a = 1\rredis.call('GETT', KEYS[1])\rretur a\r", "bom.lua": "\ufeffreturn redis.call('GETT', KEYS[1])\n",
		"line.lua": "redis.call('GETT', KEYS[1]) local s = '" + strings.Repeat("x", 1<<20) + "'\n", "unended.lua": "redis.call('GETT', [==[" + strings.Repeat("]=]", 1000),
		"locals.lua": strings.Repeat("local a = redis.call('GET', KEYS[1])\n", 100000), "escape.lua": "redis.call('GETT\x1b[2J\u202e', KEYS[1])\n",
	}
	var names []string
	for name, text := range files {
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for format, wellFormed := range map[string]func(string) error{
		"json":       func(s string) error { return json.Unmarshal([]byte(s), new(any)) },
		"sarif":      func(s string) error { return json.Unmarshal([]byte(s), new(any)) },
		"checkstyle": parsesXML,
		"github":     oneLineEach, "text": plain,
	} {
		status, out, errs := lintIn(t, dir, append([]string{"-format=" + format}, names...)...)
		if status != exitFindings || errs != "" {
			t.Errorf("%s: status %d, %.500s", format, status, errs)
		}
		if err := wellFormed(out); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		for _, name := range names {
			mustContain(t, out, name)
		}
	}
}

func parsesXML(s string) error {
	dec := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := dec.Token(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func oneLineEach(s string) error {
	for _, line := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		if !strings.HasPrefix(line, "::") {
			return fmt.Errorf("%.80q is no command", line)
		}
	}
	return plain(s)
}

// plain: nothing moves the cursor, and no line is endless.
func plain(s string) error {
	for _, line := range strings.Split(s, "\n") {
		if i := strings.IndexAny(line, "\x00\x1b\r\u202e"); i >= 0 {
			return fmt.Errorf("%.80q holds a control character", line[i:])
		}
		if len(line) > 5000 {
			return fmt.Errorf("a line of %d bytes", len(line))
		}
	}
	return nil
}
