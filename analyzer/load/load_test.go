package load

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/rules"
)

func everyRule(t *testing.T) analyzer.Config {
	t.Helper()
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	return analyzer.Config{Target: target, Rules: rules.All()}
}

// lines are a package's errors, findings and scripts, each with its place.
func lines(fset *token.FileSet, path string, errs []packages.Error, r *analyzer.Result) []string {
	var all []string
	for _, e := range errs {
		if e.Kind != packages.ListError || !strings.HasPrefix(e.Msg, "# ") { // the compiler's text
			all = append(all, path+": "+e.Error())
		}
	}
	for _, f := range r.Findings {
		line := fmt.Sprintf("%s-%s: %s: %s", fset.PositionFor(f.Pos, false), fset.PositionFor(f.End, false), f.Rule.Name, f.Message)
		for _, rel := range f.Related {
			line += fmt.Sprintf(" (%s: %s)", fset.PositionFor(rel.Pos, false), rel.Message)
		}
		all = append(all, line)
	}
	for _, s := range r.Scripts {
		all = append(all, fmt.Sprintf("%s: script %q, keys %v, args %v, %d calls, %s", fset.PositionFor(s.Pos, false), s.Name, s.Keys, s.Args, s.Calls, s.Reason))
	}
	slices.Sort(all)
	return all
}

// usual loads everything with go/packages and analyses it with go/analysis/checker.
func usual(t *testing.T, c Config, patterns []string) (all []string) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: c.Dir, Tests: true}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	variant := map[string]bool{}
	for _, p := range pkgs {
		if isVariant(p) {
			variant[p.PkgPath] = true
		}
		for path, dep := range p.Imports {
			if dep.Syntax == nil {
				delete(p.Imports, path)
			}
		}
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool { return strings.HasSuffix(p.ID, ".test") })
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.New(c.Analyzer)}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if p := act.Package; isVariant(p) || !variant[p.PkgPath] {
			all = append(all, lines(p.Fset, p.PkgPath, p.Errors, act.Result.(*analyzer.Result))...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func ours(t *testing.T, c Config, patterns []string) (all []string) {
	t.Helper()
	got, err := Run(c, patterns, func(p *Package) []string {
		if p.Err != nil {
			t.Errorf("%s: %v", p.Path, p.Err)
		}
		return lines(p.Fset, p.Path, p.Errors, p.Result)
	})
	if err != nil {
		t.Fatal(err)
	}
	all = slices.Concat(got...)
	slices.Sort(all)
	return slices.Compact(all)
}

// withoutReasons leaves out why an import failed: of what is not there, go/packages says that its name is empty.
func withoutReasons(all []string) []string {
	for i, l := range all {
		if at := strings.Index(l, ": could not import "); at >= 0 {
			what, _, _ := strings.Cut(l[at:], " (")
			all[i] = l[:at] + what
		}
	}
	return all
}

func compare(t *testing.T, c Config, patterns ...string) {
	t.Helper()
	want, got := withoutReasons(usual(t, c, patterns)), withoutReasons(ours(t, c, patterns))
	if len(want) == 0 {
		t.Fatal("nothing to compare")
	}
	for _, l := range want {
		if !slices.Contains(got, l) {
			t.Errorf("missing:    %s", l)
		}
	}
	for _, l := range got {
		if !slices.Contains(want, l) {
			t.Errorf("unexpected: %s", l)
		}
	}
}

// TestAgrees compares errors, findings and scripts of all packages of the nested module with what go/packages and go/analysis/checker give.
func TestAgrees(t *testing.T) {
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, Config{Dir: dir, Analyzer: everyRule(t)}, "./...")
}

// unpack writes a module and gives its folder and the patterns to look at.
func unpack(t *testing.T, name string) (dir string, patterns []string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, strings.Fields(string(archive.Comment))
}

// TestOddModules does the same for modules in odd states; what is wrong in them must be told in the same words.
func TestOddModules(t *testing.T) {
	for _, name := range []string{"testdata/broken.txtar", "testdata/facts.txtar"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			dir, patterns := unpack(t, name)
			compare(t, Config{Dir: dir, Analyzer: everyRule(t)}, patterns...)
		})
	}
}

// TestNamed looks at a few packages of a module: what they import is looked at for its facts, and nothing else is said.
func TestNamed(t *testing.T) {
	dir, _ := unpack(t, "testdata/facts.txtar")
	c := Config{Dir: dir, Analyzer: everyRule(t)}
	all := ours(t, c, []string{"./..."})
	for _, named := range []string{"app", "lib/tested", "lib/circle/a", "hidden/use"} {
		want := slices.DeleteFunc(slices.Clone(all), func(l string) bool { return !strings.HasPrefix(l, filepath.Join(dir, named)) })
		got := ours(t, c, []string{"./" + named + "/..."})
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s alone:\n%s\nas one of all:\n%s", named, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestCycle looks at packages that import each other, which cmd/go tells.
func TestCycle(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "a/a.go": "package a\n\nimport _ \"m/b\"\n", "b/b.go": "package b\n\nimport _ \"m/a\"\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := strings.Join(ours(t, Config{Dir: dir, Analyzer: everyRule(t)}, []string{"./..."}), "\n")
	for _, want := range []string{"import cycle not allowed", "a.go:3:10: could not import m/b (import cycle"} {
		if !strings.Contains(got, want) {
			t.Errorf("nothing of %q in:\n%s", want, got)
		}
	}
}

// TestRefused looks at a module that cmd/go refuses, since go.mod is behind what it requires: no package is no answer there.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	head := "module m\n\ngo 1.24\n\n"
	for name, text := range map[string]string{
		"go.mod":   head + "require (\n\tx.test/a v1.0.0\n\tx.test/b v1.0.0\n)\n\nreplace (\n\tx.test/a => ./a\n\tx.test/b => ./b\n)\n",
		"m.go":     "package m\n\nimport (\n\t_ \"x.test/a\"\n\t_ \"x.test/b\"\n)\n",
		"a/go.mod": "module x.test/a\n\ngo 1.24\n\nrequire x.test/b v1.1.0\n", "a/a.go": "package a\n",
		"b/go.mod": "module x.test/b\n\ngo 1.24\n", "b/b.go": "package b\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Run(Config{Dir: dir, Analyzer: everyRule(t)}, []string{"./..."}, func(*Package) int { return 0 })
	if err == nil || !strings.HasPrefix(err.Error(), "updates to go.mod needed") {
		t.Errorf("the module is taken: %v", err)
	}
}

// TestCompiledAgain looks at an outer test that imports what is compiled again for it: a function there hands a script on, as go vet knows, too.
func TestCompiledAgain(t *testing.T) {
	dir, patterns := unpack(t, "testdata/again.txtar")
	got := strings.Join(ours(t, Config{Dir: dir, Analyzer: everyRule(t)}, patterns), "\n")
	if want := "tested/out_test.go:11:2-" + dir + "/tested/out_test.go:11:52: numkeys: the script uses 'KEYS[3]', the call passes 2 keys"; !strings.Contains(got, want) {
		t.Errorf("nothing of %q in:\n%s", want, got)
	}
}

// TestOtherModules follows a function of another module whose package imports a client.
func TestOtherModules(t *testing.T) {
	dir, patterns := unpack(t, "testdata/modules.txtar")
	got := ours(t, Config{Dir: dir, Analyzer: everyRule(t)}, patterns)
	at := func(column int) string { return fmt.Sprintf("%s/app.go:10:%d", dir, column) }
	want := []string{
		at(14) + `: script "f", keys 3, args 0, 1 calls, `,
		at(69) + "-" + at(77) + ": numkeys: the script uses 'KEYS[3]', the call passes 2 keys: it is nil there, which redis.call refuses; pass 3 keys (" + at(58) + ": it is used here)",
		at(74) + "-" + at(77) + ": cross-slot: 'a' (slot 15495) and 'b' (slot 3300) lie in different slots: a cluster refuses the call with CROSSSLOT; put what the keys share in braces (" + at(14) + ": the script f is here)",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestForeignClients looks at calls of clients that packages of other modules declare: these are not analysed, but what they declare is seen.
func TestForeignClients(t *testing.T) {
	dir, patterns := unpack(t, "testdata/foreign.txtar")
	got := ours(t, Config{Dir: dir, Analyzer: everyRule(t)}, patterns)
	for _, want := range []string{"direct/a.go:5:68", "indirect/a.go:5:52"} {
		if !slices.ContainsFunc(got, func(l string) bool {
			return strings.HasPrefix(l, filepath.Join(dir, want)+"-") && strings.Contains(l, "numkeys")
		}) {
			t.Errorf("nothing at %s in:\n%s", want, strings.Join(got, "\n"))
		}
	}
}
