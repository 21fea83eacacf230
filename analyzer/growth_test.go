//go:build unix

package analyzer

import (
	"fmt"
	"go/types"
	"strings"
	"syscall"
	"testing"
	"time"
)

const growthHead = "package p\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\nvar _ = fmt.Sprint\nvar ctx = context.Background()\nvar rdb *redis.Client\n\n"

// each writes f for 0 … n-1; each $ in it is the number.
func each(n int, f string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(f, "$", fmt.Sprint(i)))
	}
	return b.String()
}

const get = "`return redis.call('GET', KEYS[1])`"

// packageFamilies are packages of any size.
var packageFamilies = []struct {
	name string
	text func(n int) string
}{
	{"scripts", func(n int) string {
		return each(n, "var s$ = redis.NewScript("+get+")\nfunc F$(id string) { s$.Run(ctx, rdb, []string{\"k:\"+id}, 1) }\n")
	}},
	{"sites", func(n int) string {
		return "var s = redis.NewScript(" + get + ")\n" + each(n, "func F$(id string) { s.Run(ctx, rdb, []string{\"k:\"+id}, $) }\n")
	}},
	{"sites of one function", func(n int) string {
		return "var s = redis.NewScript(" + get + ")\nfunc F(id string) {\n" + each(n, "\ts.Run(ctx, rdb, []string{\"k:\"+id}, $)\n") + "}\n"
	}},
	{"literals", func(n int) string {
		return each(n, "func F$(id string) { rdb.Eval(ctx, "+get+", []string{\"k:\"+id}) }\n")
	}},
	{"calls of a wrapper", func(n int) string {
		return "func run(s string, keys []string) error { return rdb.Eval(ctx, s, keys).Err() }\n" +
			each(n, "func F$(id string) { run("+get+", []string{\"k:\"+id}) }\n")
	}},
	{"wrappers", func(n int) string {
		return each(n, "func run$(s string, keys []string) error { return rdb.Eval(ctx, s, keys).Err() }\nfunc F$(id string) { run$("+get+", []string{id}) }\n")
	}},
	{"chain of wrappers", func(n int) string {
		return "func w(s string) error { return rdb.Eval(ctx, s, nil).Err() }\nfunc w0(s string) error { return w(s) }\n" +
			each(n, "func w$x(s string) error { return w$(s) }\nfunc w$0(s string) error { return w$x(s) }\n") + "func F() { w0(`return 1`) }\n"
	}},
	{"cyclic wrappers", func(n int) string {
		return "func w(s string) { rdb.Eval(ctx, s, nil); w0(s) }\n" + each(n, "func w$(s string) { w(s); w(s + ` `) }\n") + "func F() { w(`return 1`) }\n"
	}},
	{"methods behind an interface", func(n int) string {
		return "type D interface{ Run(s, k string) }\n" +
			each(n, "type T$ struct{}\nfunc (T$) Run(s, k string) { rdb.Eval(ctx, s, []string{k}) }\nfunc F$(d D) { d.Run("+get+", \"a\") }\n")
	}},
	{"sum of literals", func(n int) string {
		return "var S = redis.NewScript(`return ` " + strings.Repeat("+ ` `", 10*n) + " + `1`)\n"
	}},
	{"sum of literals and variables", func(n int) string {
		return "func F(x string) { rdb.Eval(ctx, `return 1 -- ` " + strings.Repeat("+ `a` + x", n) + ", nil) }\n"
	}},
	{"key of a long sum", func(n int) string {
		return "func F(x string) { rdb.Eval(ctx, " + get + ", []string{x" + strings.Repeat(" + \"a\" + x", n) + "}) }\n"
	}},
	{"keys", func(n int) string {
		return "func F(x string) { rdb.Eval(ctx, " + get + ", []string{" + each(n, "\"k$:\" + x, ") + "}) }\n"
	}},
	{"arguments", func(n int) string {
		return "func F(x string) { rdb.Eval(ctx, " + get + ", nil, " + each(n, "\"a$\", ") + "1) }\n"
	}},
	{"appended keys", func(n int) string {
		return "func F(x string) {\n\tvar keys []string\n" + each(n, "\tkeys = append(keys, \"k$:\"+x)\n") + "\trdb.Eval(ctx, " + get + ", keys)\n}\n"
	}},
	{"texts of one variable", func(n int) string {
		return "func F(k int) {\n\tvar s string\n\tswitch k {\n" + each(n, "\tcase $: s = `return $`\n") + "\t}\n\trdb.Eval(ctx, s, nil)\n}\n"
	}},
	{"a variable that grows", func(n int) string {
		return "func F() {\n\ts := `return 1 `\n" + each(n, "\ts += `-- $\n`\n") + "\trdb.Eval(ctx, s, nil)\n}\n"
	}},
	{"a format", func(n int) string {
		return "func F(x string) { rdb.Eval(ctx, fmt.Sprintf(`-- " + strings.Repeat("%s ", n) + "`" + strings.Repeat(", x", n) + "), nil) }\n"
	}},
	{"formats", func(n int) string {
		return each(n, "func F$(x string) { rdb.Eval(ctx, fmt.Sprintf(`return redis.call('GET', '%s')`, x), nil) }\n")
	}},
	{"map of scripts", func(n int) string {
		return "var m = map[string]*redis.Script{\n" + each(n, "\"s$\": redis.NewScript("+get+"),\n") + "}\nfunc F(name string) { m[name].Run(ctx, rdb, nil) }\n"
	}},
	{"table of scripts in a loop", func(n int) string {
		return "var byName = map[string]*redis.Script{}\nfunc init() {\n\tfor name, text := range map[string]string{\n" + each(n, "\"s$\": `return $`,\n") +
			"\t} {\n\t\tbyName[name] = redis.NewScript(text)\n\t}\n}\n" + each(n, "func F$() { byName[\"s$\"].Run(ctx, rdb, nil) }\n")
	}},
	{"cache of digests", func(n int) string {
		return "var shas = map[string]string{}\nfunc load(s string) string { shas[s] = rdb.ScriptLoad(ctx, s).Val(); return shas[s] }\n" +
			"func eval(s string) { rdb.EvalSha(ctx, shas[s], nil); rdb.EvalSha(ctx, load(s), nil) }\n" + each(n, "func F$() { eval(`return $`) }\n")
	}},
	{"functions that hand words on", func(n int) string {
		return "func do0(words ...any) { rdb.Do(ctx, words...) }\n" + each(n, "func do$x(words ...any) { do$(words...) }\nfunc do$0(words ...any) { do$x(words...) }\n") +
			each(n, "func F$() { do0(\"EVAL\", `return $`, 0) }\n")
	}},
	{"calls of functions of a library", func(n int) string {
		return "var lib = rdb.FunctionLoad(ctx, `#!lua name=l\n" + each(n, "redis.register_function('f$', function(keys, args) return redis.call('GET', keys[2]) end)\n") +
			"`)\n" + each(n, "func F$(id string) { rdb.FCall(ctx, \"f$\", []string{id}) }\n")
	}},
	{"scripts by digest", func(n int) string {
		return each(n, "func F$(id string) { sha, _ := rdb.ScriptLoad(ctx, "+get+").Result(); rdb.EvalSha(ctx, sha, []string{id}) }\n")
	}},
	{"findings and comments", func(n int) string {
		return each(n, "//redislint:ignore unknown-command why not\nvar S$ = redis.NewScript(`return redis.call('GETT', KEYS[1])`)\n")
	}},
}

// TestGrowth: four times the package takes about four times as long, in CPU time, of the better of two runs; a family fails only where it is
// far from linear, for other tests run beside this one.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	imports := importMap{}
	for _, p := range loadNested(t, "./src/clients/goredis") {
		for _, dep := range p.Types.Imports() {
			addImports(imports, dep)
		}
	}
	cfg, tab := everyRule(t), newTable()
	for _, f := range packageFamilies {
		const n = 250
		small, large := growth(t, f.text(n), imports, tab, cfg), growth(t, f.text(4*n), imports, tab, cfg)
		if large > 9*small+60*time.Millisecond {
			t.Errorf("%s: %v for %d, %v for %d", f.name, small, n, large, 4*n)
		}
	}
}

func addImports(to importMap, p *types.Package) {
	if to[p.Path()] != nil {
		return
	}
	to[p.Path()] = p
	for _, dep := range p.Imports() {
		addImports(to, dep)
	}
}

func growth(t *testing.T, text string, imports importMap, tab *table, cfg Config) time.Duration {
	t.Helper()
	best := time.Hour
	for range 2 {
		start := cpuTime(t)
		if r := runCut("p.go", []byte(growthHead+text), imports, tab, cfg); len(r.Scripts) == 0 {
			t.Errorf("no script is found in:\n%.300s", text)
		}
		best = min(best, cpuTime(t)-start)
	}
	return best
}

// cpuTime is the time that the process has used.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
