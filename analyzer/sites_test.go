package analyzer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/luacheck/server"
)

var update = flag.Bool("update", false, "write the golden files")

// The nested modules with the real client libraries. What is in heavy needs cgo, or brings many other modules along.
const (
	nested = "../testdata"
	heavy  = "../testdata/heavy"
)

// loadNested loads packages of the nested module with their dependencies inside it.
func loadNested(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	return loadFrom(t, nested, patterns...)
}

// loadAll loads the packages of both nested modules.
func loadAll(t *testing.T) []*packages.Package {
	t.Helper()
	return append(loadFrom(t, nested, "./src/..."), loadFrom(t, heavy, "./src/...")...)
}

// sourceName is the path of a package inside its module's folder src.
func sourceName(p *packages.Package) string {
	_, name, _ := strings.Cut(p.PkgPath, "/src/")
	return name
}

func loadFrom(t *testing.T, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
		for path, dep := range p.Imports {
			if dep.Syntax == nil {
				delete(p.Imports, path)
			}
		}
	}
	return pkgs
}

// sitesOf is an analyzer that gives the sites of a package as lines, and exports the same facts as the real one.
func sitesOf() *analysis.Analyzer {
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		panic(err)
	}
	real := New(Config{})
	return &analysis.Analyzer{Name: "sites", Doc: "lists sites", FactTypes: real.FactTypes, ResultType: reflect.TypeFor[[]string](),
		Run: func(pass *analysis.Pass) (any, error) {
			a := newRun(pass, newTable(), Config{Target: target})
			a.collect()
			a.exportFacts()
			return a.lines(), nil
		}}
}

func (a *packageRun) lines() []string {
	var all []string
	for _, s := range a.order {
		p := a.pass.Fset.Position(s.at)
		state := "text"
		switch {
		case s.fact != nil:
			state = "fact"
		case a.complete(s):
			state = "text, all sites known"
		case s.text == nil:
			state = "unknown: " + s.reason
		}
		all = append(all, fmt.Sprintf("%s:%d %s: %s", filepath.Base(p.Filename), p.Line, s.label, state))
		for _, rec := range s.sites {
			at := a.pass.Fset.Position(rec.call.pos)
			all = append(all, fmt.Sprintf("\t%d %s", at.Line, dump(&rec.site)))
		}
	}
	var facts []string
	for _, f := range a.pass.AllObjectFacts() {
		if f.Object.Pkg() == a.pass.Pkg {
			facts = append(facts, fmt.Sprintf("fact %s: %v", f.Object.Name(), f.Fact))
		}
	}
	sort.Strings(facts)
	return append(all, facts...)
}

// TestSites compares the scripts, sites and facts of each package of the nested modules with its file sites.golden.
func TestSites(t *testing.T) {
	pkgs := loadAll(t)
	graph, err := checker.Analyze([]*analysis.Analyzer{sitesOf()}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		t.Run(sourceName(act.Package), func(t *testing.T) {
			if act.Err != nil {
				t.Fatal(act.Err)
			}
			got := strings.Join(act.Result.([]string), "\n") + "\n"
			golden := filepath.Join(act.Package.Dir, "sites.golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("sites differ from %s; run with -update and look at the change.\n%s", golden, diffLines(string(want), got))
			}
		})
	}
}

// diffLines shows lines that only one side has.
func diffLines(want, got string) string {
	var b strings.Builder
	has := func(all, line string) bool { return strings.Contains("\n"+all, "\n"+line+"\n") }
	for _, l := range strings.Split(strings.TrimSuffix(want, "\n"), "\n") {
		if !has(got, l) {
			fmt.Fprintf(&b, "- %s\n", l)
		}
	}
	for _, l := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if !has(want, l) {
			fmt.Fprintf(&b, "+ %s\n", l)
		}
	}
	return b.String()
}
