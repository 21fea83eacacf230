package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// module makes a module of the files with the requirements of redislint, and gives its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			_, rest, _ := strings.Cut(string(text), "\n")
			text = []byte("module example.com/hostile\n" + rest)
		}
		files[name] = string(text)
	}
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lintIn runs the command in a folder.
func lintIn(t *testing.T, dir string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(args, system{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, dir: dir})
	return status, out.String(), errs.String()
}

// TestNothingRuns: neither the Go code nor the scripts that are looked at are run. Each would leave a file.
func TestNothingRuns(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	script := fmt.Sprintf("local f = io.open(%q, 'w') f:write('x') f:close() os.execute('touch %s') return redis.call('GETT', KEYS[1])", mark, mark)
	dir := module(t, map[string]string{
		"a.go": fmt.Sprintf("package a\n\nimport (\n\t\"net\"\n\t\"os\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n"+
			"var S = redis.NewScript(`%s`)\n\nvar early = os.WriteFile(%q, nil, 0o644)\n\n"+
			"func init() {\n\tos.WriteFile(%q, nil, 0o644)\n\tl, _ := net.Listen(\"unix\", %q)\n\t_ = l\n}\n", script, mark, mark, mark+".sock"),
		"a_test.go": fmt.Sprintf("package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.WriteFile(%q, nil, 0o644) }\n", mark),
		"gen.go":    fmt.Sprintf("package a\n\n//go:generate touch %s\n", mark),
		"b.lua":     script + "\n",
	})
	for _, args := range [][]string{{"./..."}, {"b.lua"}, {"-fix", "-diff", "./..."}} {
		status, out, errs := lintIn(t, dir, args...)
		if status == exitProblem || args[0] != "-fix" && !strings.Contains(out, "unknown-command") {
			t.Errorf("%q: status %d, %s%s", args, status, out, errs)
		}
		for _, name := range []string{mark, mark + ".sock"} {
			if _, err := os.Lstat(name); err == nil {
				t.Fatalf("%q ran the code: %s is there", args, name)
			}
		}
	}
}

// TestHostileModule: Go code made to be hard on whoever reads it. The last script is still found.
func TestHostileModule(t *testing.T) {
	const head = "package a\n\nimport \"github.com/redis/go-redis/v9\"\n\n"
	var chain strings.Builder
	chain.WriteString("package a\n\nconst c0 = `return `\n")
	for i := 1; i <= 2000; i++ {
		fmt.Fprintf(&chain, "const c%d = c%d + ` `\n", i, i-1)
	}
	files := map[string]string{
		"concat.go":  head + "var Concat = redis.NewScript(`return ` " + strings.Repeat("+ ` `", 10000) + " + `1`)\n",
		"chain.go":   chain.String(),
		"chained.go": head + "var Chained = redis.NewScript(c2000 + `1`)\n",
		"sprintf.go": "package a\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\nfunc Format(s string) *redis.Script {\n" +
			"\treturn redis.NewScript(fmt.Sprintf(`-- " + strings.Repeat("%[1]s ", 20000) + "\nreturn 1`, s))\n}\n",
		"width.go": "package a\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n" +
			"var Width = redis.NewScript(fmt.Sprintf(`return '%999999999d%.999999999s%*d'`, 1, `x`, 1<<30, 2))\n",
		"repeat.go": "package a\n\nimport (\n\t\"strings\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n" +
			"var Repeat = redis.NewScript(`return '` + strings.Repeat(`x`, 1<<40) + `'`)\n\nvar Minus = redis.NewScript(strings.Repeat(`x`, -1))\n",
		"cycle.go": "package a\n\nimport (\n\t\"context\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n" +
			"func f(ctx context.Context, c *redis.Client, s string) { g(ctx, c, s+` `); c.Eval(ctx, s, nil) }\n\n" +
			"func g(ctx context.Context, c *redis.Client, s string) { f(ctx, c, ` `+s) }\n\n" +
			"func Cycle(ctx context.Context, c *redis.Client) { f(ctx, c, `return 1`) }\n\n" +
			"var x, y = `a` + z, x\n\nfunc h() string { return `b` + h() }\n\nvar z = func() string { return h() }()\n\n" +
			"var Self = redis.NewScript(y + h())\n",
		"embed.go": "package a\n\nimport (\n\t\"embed\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n//go:embed many\nvar many embed.FS\n\n" +
			"func Many(name string) *redis.Script { b, _ := many.ReadFile(`many/` + name); return redis.NewScript(string(b)) }\n",
		"long.go": head + "var Long = redis.NewScript(`-- " + strings.Repeat("x", 5<<20) + "\nreturn redis.call('GET', KEYS[1])`)\n",
		"zz.go":   head + "var Last = redis.NewScript(`return redis.call('GETT', KEYS[1])`)\n",
	}
	for i := range 1500 {
		files[fmt.Sprintf("many/s%d.lua", i)] = "return redis.call('GET', KEYS[1])\n"
	}
	files["many/cycle1.lua"] = "--- @include \"cycle2\"\nreturn 1\n"
	files["many/cycle2.lua"] = "--- @include \"cycle1\"\nreturn 1\n"
	_, out, errs := lintIn(t, module(t, files), "./...")
	if !strings.Contains(out, "zz.go:5:") || !strings.Contains(out, "unknown-command") {
		t.Errorf("the last script is not looked at:\n%.2000s\n%.2000s", out, errs)
	}
	for _, line := range strings.Split(strings.TrimSuffix(errs, "\n"), "\n") {
		if line != "" && !strings.HasPrefix(line, "redislint: ") || len(line) > 1000 {
			t.Errorf("stderr: %.300s", line)
		}
	}
}

// TestHostileFiles: sizes, links and modes of bare files.
func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("large.lua", strings.Repeat("-", maxLuaFile+1))
	write("budget.lua", "local function f0(k) return redis.call('GET', k) end\n"+doubling(100)+"return f100(KEYS[1])\n")
	write("good.lua", "return redis.call('GETT', KEYS[1])\n")
	if err := os.Symlink("nowhere", filepath.Join(dir, "link.lua")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	status, out, errs := lintIn(t, dir, "large.lua", "budget.lua", "good.lua", "link.lua")
	if status != exitProblem || !strings.Contains(out, "good.lua:1:19: error: unknown-command") {
		t.Errorf("status %d:\n%s", status, out)
	}
	for _, want := range []string{
		fmt.Sprintf("redislint: large.lua: larger than %d MB, not looked at\n", maxLuaFile>>20),
		"redislint: link.lua: no such file or directory\n",
		"redislint: budget.lua:1: budget.lua: ",
	} {
		if !strings.Contains(errs, want) {
			t.Errorf("stderr lacks %q:\n%s", want, errs)
		}
	}
}

// doubling is n functions of which each calls the one before four times.
func doubling(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "local function f%d(k) f%d(k) f%d(k) f%d(k) return f%d(k) end\n", i, i-1, i-1, i-1, i-1)
	}
	return b.String()
}
