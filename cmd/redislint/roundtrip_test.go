package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/redislint/redislint/rules"
)

// literalKinds are the ways in which Go holds a script: how it is written, and whether it can hold the text.
var literalKinds = []struct {
	name  string
	write func(text string) (expr string, ok bool)
}{
	{"raw", func(s string) (string, bool) { return "`" + s + "`", !strings.ContainsAny(s, "`\r") }},
	{"interpreted", func(s string) (string, bool) { return strconv.Quote(s), true }},
	{"escaped", func(s string) (string, bool) { return strconv.QuoteToASCII(s), true }},
	{"joined", func(s string) (string, bool) {
		var parts []string
		for line := range strings.SplitAfterSeq(s, "\n") {
			parts = append(parts, strconv.Quote(line))
		}
		return strings.Join(parts, " +\n\t"), true
	}},
}

// TestFixRoundTrip applies the fix of each rule's examples in each kind of literal, in an embedded and in a bare file: the text afterwards is
// what the example promises, Go is formatted, and the finding is gone.
func TestFixRoundTrip(t *testing.T) {
	type group struct{ target, cluster string }
	tests := map[group][]roundTrip{}
	for _, r := range rules.All() {
		for i := range r.Bad {
			e := &r.Bad[i]
			if e.Fixed == "" || e.Sites != nil || e.AtSite || e.With != nil || strings.ContainsAny(e.Lua, "⟪⟫") {
				continue
			}
			src, _, _, err := e.Marked()
			if err != nil {
				t.Fatal(err)
			}
			g := group{e.Target, strconv.FormatBool(!e.NoCluster)}
			tests[g] = append(tests[g], roundTrip{rule: r, name: fmt.Sprintf("%s%d", strings.ReplaceAll(r.Name, "-", ""), i), before: src.Text, after: e.Fixed, library: e.Library})
		}
	}
	if len(tests) == 0 {
		t.Fatal("no rule has an example with a fix")
	}
	for g, list := range tests {
		t.Run(g.target+"_"+g.cluster, func(t *testing.T) {
			flags := []string{"-cluster=" + g.cluster}
			if g.target != "" {
				flags = append(flags, "-target="+g.target)
			}
			fixModule(t, list, flags)
		})
	}
}

type roundTrip struct {
	rule          *rules.Rule
	name          string
	before, after string
	library       bool
}

// fixModule writes a module with every example in every way, runs -fix over it, and compares.
func fixModule(t *testing.T, list []roundTrip, flags []string) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		write(name, strings.Replace(string(text), "module github.com/redislint/redislint", "module example.com/m", 1))
	}
	args := append(flags, "-fix", "-format=json", ".")
	for _, x := range list {
		for _, kind := range literalKinds {
			if expr, ok := kind.write(x.before); ok {
				write(x.file(kind.name), x.program(kind.name, "var "+x.name+kind.name+" = "+expr+"\n", ""))
			}
		}
		write(x.file("embedded"), x.program("embedded", "//go:embed "+x.name+".lua\nvar "+x.name+"embedded string\n", "\t_ \"embed\"\n"))
		write(x.name+".lua", x.before)
		write("bare/"+x.name+".lua", x.before)
	}
	var out, errs bytes.Buffer
	if code := run(append(args, "bare"), system{stdout: &out, stderr: &errs, dir: dir}); code > exitFindings {
		t.Fatalf("status %d\n%s", code, errs.String())
	}
	var left jsonReport
	if err := json.Unmarshal(out.Bytes(), &left); err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		for _, kind := range literalKinds {
			if _, ok := kind.write(x.before); ok {
				x.checkGo(t, filepath.Join(dir, x.file(kind.name)), kind.name)
			}
		}
		x.check(t, read(t, filepath.Join(dir, x.name+".lua")), "embedded")
		x.check(t, read(t, filepath.Join(dir, "bare", x.name+".lua")), "bare")
		for _, f := range left.Findings {
			if f.Rule == x.rule.Name && strings.HasPrefix(filepath.Base(f.File), x.name) {
				t.Errorf("%s: still there after the fix: %s:%d: %s", x.name, f.File, f.Line, f.Message)
			}
		}
	}
}

// file is the Go file that holds the example in one kind of literal. All are one package, since building one takes longer than the rest.
func (x roundTrip) file(kind string) string { return x.name + "_" + kind + ".go" }

// program is a Go file that runs the script which decl holds.
func (x roundTrip) program(kind, decl, imports string) string {
	name := x.name + kind
	use := "var script" + name + " = redis.NewScript(" + name + ")\n\nfunc F" + name + "(ctx context.Context, c *redis.Client, keys []string, args []any) error {\n" +
		"\treturn script" + name + ".Run(ctx, c, keys, args...).Err()\n}\n"
	if x.library {
		use = "func F" + name + "(ctx context.Context, c *redis.Client) error {\n\treturn c.FunctionLoad(ctx, " + name + ").Err()\n}\n"
	}
	return "package a\n\nimport (\n\t\"context\"\n" + imports + "\n\t\"github.com/redis/go-redis/v9\"\n)\n\n" + decl + "\n" + use
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (x roundTrip) check(t *testing.T, got, kind string) {
	t.Helper()
	if got != x.after {
		t.Errorf("%s %s: got\n%q\nwant\n%q", x.name, kind, got, x.after)
	}
}

// checkGo compares the value of the variable text, and whether the file is formatted.
func (x roundTrip) checkGo(t *testing.T, name, kind string) {
	t.Helper()
	src := read(t, name)
	file, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
	if err != nil {
		t.Errorf("%s %s: %v", x.name, kind, err)
		return
	}
	text := ""
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && g.Specs[0].(*ast.ValueSpec).Names[0].Name == x.name+kind {
			ast.Inspect(g, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok {
					part, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Errorf("%s %s: %v", x.name, kind, err)
					}
					text += part
				}
				return true
			})
		}
	}
	x.check(t, text, kind)
	if formatted, err := format.Source([]byte(src)); err != nil || string(formatted) != src {
		t.Errorf("%s %s: not formatted (%v):\n%s", x.name, kind, err, src)
	}
}
