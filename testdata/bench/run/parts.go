package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/redislint/redislint/testdata/bench/lua"
)

var luacheckFlags = []string{"-q", "--no-color", "--globals", "redis", "KEYS", "ARGV", "cjson", "--"}

// bareFiles compares the analysis of .lua files with luacheck and with luac -p, which only parses.
func (b *bench) bareFiles() error {
	defer func(runs int) { b.runs = runs }(b.runs)
	b.runs *= 4 // they are short
	lines := 20000
	if b.short {
		lines = 5000
	}
	dir := filepath.Join(b.work, "lua")
	var names []string
	total := 0
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i, text := range lua.Scripts(lines) {
		names = append(names, fmt.Sprintf("s%04d.lua", i))
		total += strings.Count(text, "\n")
		if err := os.WriteFile(filepath.Join(dir, names[i]), []byte(text), 0o644); err != nil {
			return err
		}
	}
	rate := func(u usage) string {
		return fmt.Sprintf("%.0f lines/s, real time %.0f", float64(total)/u.cpu.Seconds(), float64(total)/u.real.Seconds())
	}
	ours := command{dir: dir, args: append([]string{b.tool("redislint")}, names...)}
	what := fmt.Sprintf("%d .lua files, %d lines, against ", len(names), total)
	for _, t := range []struct {
		name, aim string
		args      []string
	}{
		{"luacheck", "20", append([]string{"luacheck"}, luacheckFlags...)},
		{"luac5.1 -p", "", []string{"luac5.1", "-p"}},
	} {
		if _, err := exec.LookPath(t.args[0]); err != nil {
			b.row(what+t.name, "", "not installed", "", t.aim)
			continue
		}
		u, err := b.compare(nil, ours, command{dir: dir, args: append(t.args, names...), ok: []int{1}})
		if err != nil {
			return err
		}
		b.row(what+t.name, rate(u[0]), rate(u[1]), over(u[1].cpu, u[0].cpu)+" as fast, real time "+over(u[1].real, u[0].real), t.aim)
	}
	return nil
}

var checkLine = regexp.MustCompile(`BenchmarkCheck\S*\s.*?([\d.e+]+) lines/s`)

// analysis compares the analysis alone, on one core, with luacheck without what its start takes.
func (b *bench) analysis() error {
	const what = "the same files, one core, without process start, against luacheck"
	if _, err := exec.LookPath("luacheck"); err != nil {
		b.row(what, "", "not installed", "", "20")
		return nil
	}
	dir := filepath.Join(b.work, "lua")
	names, err := filepath.Glob(filepath.Join(dir, "*.lua"))
	if err != nil {
		return err
	}
	lines := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	empty := filepath.Join(b.work, "empty.lua")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		return err
	}
	lint := append([]string{"luacheck"}, luacheckFlags...)
	best := 0.0
	var theirs usage
	for range b.runs { // in turn, since the machine may be busy for a while
		bench := exec.Command("go", "test", "./rules", "-run", "^$", "-bench", "^BenchmarkCheck$", "-benchtime", "500ms", "-cpu", "1")
		bench.Dir, bench.Env = b.root, append(os.Environ(), "REDISLINT_BENCH="+dir, "GOGC=600") // as the command sets it
		out, err := bench.CombinedOutput()
		m := checkLine.FindSubmatch(out)
		if err != nil || m == nil {
			return fmt.Errorf("analysis: %w: %s", err, out)
		}
		v, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return err
		}
		best = max(best, v)
		u, err := b.compare(nil, command{dir: dir, args: append(lint, names...), ok: []int{1}}, command{args: append(lint, empty), ok: []int{1}})
		if err != nil {
			return err
		}
		if cpu := u[0].cpu - u[1].cpu; theirs.cpu == 0 || cpu < theirs.cpu {
			theirs.cpu = cpu
		}
	}
	rate := float64(lines) / theirs.cpu.Seconds()
	b.row(what, fmt.Sprintf("%.0f lines/s", best), fmt.Sprintf("%.0f lines/s", rate), ratio(best, rate)+" as fast", "20")
	return nil
}

// start is what the process costs before it does anything.
func (b *bench) start() error {
	u, err := b.compare(nil, command{args: []string{b.tool("redislint"), "-version"}}, command{args: []string{b.tool("nop"), "-V=full"}})
	if err != nil {
		return err
	}
	b.row("process start: -version, against -V=full of a tool that does nothing", ms(u[0].cpu), ms(u[1].cpu), "", "")
	return nil
}

var benchLine = regexp.MustCompile(`Benchmark(Parse|GopherLua)/(\w+)\S*\s.*?([\d.]+) MB/s`)

// parser compares MB/s of the parser with gopher-lua's; both build a tree.
func (b *bench) parser() error {
	cmd := exec.Command("go", "test", "./luacheck/syntax", "-run", "^$", "-bench", "Parse|GopherLua", "-benchtime", "200ms", "-count", strconv.Itoa(b.runs))
	cmd.Dir = b.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("parser: %w: %s", err, out)
	}
	best := map[string]float64{}
	var sizes []string
	for _, m := range benchLine.FindAllStringSubmatch(string(out), -1) {
		v, _ := strconv.ParseFloat(m[3], 64)
		if best[m[1]+m[2]] == 0 && m[1] == "Parse" {
			sizes = append(sizes, m[2])
		}
		best[m[1]+m[2]] = max(best[m[1]+m[2]], v)
	}
	for _, s := range sizes {
		ours, theirs := best["Parse"+s], best["GopherLua"+s]
		b.row("parser, a script of "+strings.TrimSuffix(s, "lines")+" lines, against gopher-lua (real time)", fmt.Sprintf("%.1f MB/s", ours), fmt.Sprintf("%.1f MB/s", theirs),
			ratio(ours, theirs)+" as fast", "4")
	}
	return nil
}

// vet compares go vet with a tool that does nothing. Cold: no package was vetted with the tool before; the compiler's results are there, so
// that the ratio is that of vetting alone.
func (b *bench) vet() error {
	list := exec.Command("go", "list", "-deps", "-tags", "tools", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	list.Dir = filepath.Join(b.root, "testdata/bench")
	out, err := list.Output()
	if err != nil {
		return err
	}
	pkgs := strings.Fields(string(out))
	if n := len(pkgs); b.short && n > 30 {
		pkgs = pkgs[n-30:]
	} else if n > 200 {
		pkgs = pkgs[n-200:] // the last are those that import the most, clients among them
	}
	vet := func(tool string) command {
		return command{dir: list.Dir, args: append([]string{"go", "vet", "-vettool=" + b.tool(tool)}, pkgs...), ok: []int{1}}
	}
	tools := []string{"redislint", "nop"}
	for _, t := range tools { // compiles what they need
		if _, err := b.measure(vet(t)); err != nil {
			return err
		}
	}
	n := 0
	fresh := func(i int) error { // another file for cmd/go, the same program
		n++
		f, err := os.OpenFile(b.tool(tools[i]), os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = fmt.Fprintf(f, "\n%d %s", n, b.work)
			if closed := f.Close(); err == nil {
				err = closed
			}
		}
		return err
	}
	for _, x := range []struct {
		name, aim string
		before    func(int) error
	}{{"cold", "1.10", fresh}, {"warm", "1.05", nil}} {
		runs := b.runs
		if x.before == nil {
			b.runs *= 2 // short, and the two differ by a few milliseconds only
		}
		u, err := b.compare(x.before, vet("redislint"), vet("nop"))
		b.runs = runs
		if err != nil {
			return err
		}
		b.row(fmt.Sprintf("go vet over %d packages, %s, against a tool that does nothing", len(pkgs), x.name), ms(u[0].cpu), ms(u[1].cpu), over(u[0].cpu, u[1].cpu), x.aim)
	}
	return nil
}

// standalone compares the command over a real module with loading it.
func (b *bench) standalone() error {
	const pattern = "github.com/hibiken/asynq/..."
	dir := filepath.Join(b.root, "testdata/bench")
	u, err := b.compare(nil, command{dir: dir, args: []string{b.tool("redislint"), pattern}, ok: []int{1}}, command{dir: dir, args: []string{b.tool("load"), pattern}})
	if err != nil {
		return err
	}
	b.row("redislint over asynq, against loading it", ms(u[0].cpu), ms(u[1].cpu), over(u[0].cpu, u[1].cpu), "1.25")
	b.row("the same, peak memory", mb(u[0].memory), mb(u[1].memory), ratio(float64(u[0].memory), float64(u[1].memory)), "1.20")
	return nil
}

// scripts shows growth with the number of scripts in one package.
func (b *bench) scripts() error {
	sizes := []int{10, 100, 1000, 10000}
	if b.short {
		sizes = sizes[:3]
	}
	short := lua.Scripts(400)
	for _, n := range sizes {
		dir := filepath.Join(b.work, fmt.Sprintf("scripts%d", n))
		if err := b.module(dir); err != nil {
			return err
		}
		var text bytes.Buffer
		text.WriteString("package p\n\nimport \"github.com/redis/go-redis/v9\"\n\n")
		lines := 0
		for i := range n {
			s := short[i%len(short)]
			lines += strings.Count(s, "\n")
			fmt.Fprintf(&text, "var S%d = redis.NewScript(`%s`)\n\n", i, s)
		}
		if err := os.WriteFile(filepath.Join(dir, "p.go"), text.Bytes(), 0o644); err != nil {
			return err
		}
		u, err := b.compare(nil, command{dir: dir, args: []string{b.tool("redislint"), "./..."}}, command{dir: dir, args: []string{b.tool("load"), "./..."}})
		if err != nil {
			return err
		}
		b.row(fmt.Sprintf("%d scripts in a package (%d lines), against loading it", n, lines), ms(u[0].cpu), ms(u[1].cpu),
			fmt.Sprintf("%.0f µs more a script", float64((u[0].cpu-u[1].cpu).Microseconds())/float64(n)), "linear")
	}
	return nil
}

// module makes a module with the requirements of redislint, go-redis among them.
func (b *bench) module(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(b.root, "go.mod"))
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/p\n"+rest), 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(b.root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}

// lines shows growth with the length of one script.
func (b *bench) lines() error {
	sizes := []int{1000, 10000, 100000}
	if b.short {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		text := lua.Long(n)
		name := filepath.Join(b.work, fmt.Sprintf("long%d.lua", n))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
		u, err := b.compare(nil, command{args: []string{b.tool("redislint"), name}})
		if err != nil {
			return err
		}
		got := strings.Count(text, "\n")
		b.row(fmt.Sprintf("one script of %d lines", got), ms(u[0].cpu), "", fmt.Sprintf("%.1f µs a line", float64(u[0].cpu.Microseconds())/float64(got)), "linear")
	}
	return nil
}

// golangci compares golangci-lint with and without the plugin, over redislint itself.
func (b *bench) golangci() error {
	const what = "golangci-lint with the plugin, against without"
	if b.short {
		return nil
	}
	if _, err := b.measure(command{dir: filepath.Join(b.root, "testdata/gcl"), args: []string{"go", "build", "-o", b.tool("gcl"), "."}}); err != nil {
		b.row(what, "", fmt.Sprintf("could not be built: %v", err), "", "")
		return nil
	}
	dir := filepath.Join(b.work, "scripts100")
	run := func(name, linters string) (command, error) {
		config := filepath.Join(b.work, name+".yml")
		text := "version: \"2\"\nlinters:\n  default: none\n  enable: [" + linters + "]\n  settings:\n    custom:\n      redislint:\n        type: module\n"
		return command{dir: dir, args: []string{b.tool("gcl"), "run", "-c", config, "./..."}, ok: []int{1},
			env: []string{"GOLANGCI_LINT_CACHE=" + filepath.Join(b.work, "gclcache")}}, os.WriteFile(config, []byte(text), 0o644)
	}
	with, err := run("with", "govet, redislint")
	if err != nil {
		return err
	}
	without, err := run("without", "govet")
	if err != nil {
		return err
	}
	fresh := func(int) error { return os.RemoveAll(filepath.Join(b.work, "gclcache")) }
	u, err := b.compare(fresh, with, without)
	if err != nil {
		return err
	}
	b.row(what+", 100 scripts", ms(u[0].cpu), ms(u[1].cpu), over(u[0].cpu, u[1].cpu), "")
	return nil
}
