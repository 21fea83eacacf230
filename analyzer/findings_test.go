package analyzer

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/rules"
)

// A comment `want` holds what is to be reported on its line: RULE@COLUMN, and NAME:"FACT" for a name that is declared there.
var (
	wanted  = regexp.MustCompile(`(?://|--|/\*) want ((?:(?:[a-z-]+@[0-9]+|\w+:"[^"]*") ?)+)`)
	wantOne = regexp.MustCompile(`[a-z-]+@[0-9]+|\w+:"[^"]*"`)
)

func everyRule(t *testing.T) Config {
	t.Helper()
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Target: target, Rules: rules.All()}
}

// goRules are the rules that look at calls and at how texts are put together, and a few that look at the text, for positions.
var goRules = []string{"numkeys", "missing-argv", "cross-slot", "value-as-key", "script-text-varies", "noscript-fallback", "call-argument",
	"function-library", "readonly-write", "ttl-unit", "lossy-reply", "bad-directive", "syntax", "nil-reply"}

// TestFindings compares what goRules report in the packages of the nested modules with their comments `want RULE@COLUMN`, in Go and Lua
// files, and the facts of each package with its comments `want NAME:"FACT"`, on the line that declares the name.
func TestFindings(t *testing.T) {
	pkgs := loadAll(t)
	cfg := everyRule(t)
	cfg.Rules = slices.DeleteFunc(cfg.Rules, func(r *rules.Rule) bool { return !slices.Contains(goRules, r.Name) })
	graph, err := checker.Analyze([]*analysis.Analyzer{New(cfg)}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		t.Run(sourceName(act.Package), func(t *testing.T) { checkFindings(t, act) })
	}
}

func checkFindings(t *testing.T, act *checker.Action) {
	if act.Err != nil {
		t.Fatal(act.Err)
	}
	var got []string
	for _, d := range act.Diagnostics {
		p := act.Package.Fset.Position(d.Pos)
		got = append(got, fmt.Sprintf("%s:%d: %s@%d", filepath.Base(p.Filename), p.Line, d.Category, p.Column))
		if !strings.HasPrefix(d.Message, d.Category+": ") || d.URL == "" {
			t.Errorf("diagnostic without rule or address: %+v", d)
		}
	}
	for _, f := range act.AllObjectFacts() {
		if f.Object.Pkg() == act.Package.Types {
			p := act.Package.Fset.Position(f.Object.Pos())
			got = append(got, fmt.Sprintf("%s:%d: %s:%q", filepath.Base(p.Filename), p.Line, f.Object.Name(), fmt.Sprint(f.Fact)))
		}
	}
	want := wants(t, act.Package.Dir)
	sort.Strings(got)
	sort.Strings(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s", diffLines(strings.Join(want, "\n")+"\n", strings.Join(got, "\n")+"\n"))
	}
	if r := act.Result.(*Result); len(r.Findings) != len(act.Diagnostics) || !slices.IsSortedFunc(r.Findings, func(a, b Finding) int {
		return strings.Compare(place(act.Package, a.Pos), place(act.Package, b.Pos))
	}) {
		t.Errorf("findings and diagnostics differ, or are not sorted")
	}
}

func place(p *packages.Package, pos token.Pos) string {
	at := p.Fset.Position(pos)
	return fmt.Sprintf("%s %08d", at.Filename, at.Offset)
}

// wants reads the comments of all files of a package, in the folders of its scripts too.
func wants(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	if filepath.Base(dir) == "example" { // the README shows it, without comments for tests
		all = append(all, "example.go:12: nil-reply@4")
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != dir {
			if inner, _ := filepath.Glob(filepath.Join(path, "*.go")); len(inner) > 0 {
				return fs.SkipDir // another package
			}
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".lua" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if m := wanted.FindStringSubmatch(line); m != nil {
				for _, w := range wantOne.FindAllString(m[1], -1) {
					all = append(all, fmt.Sprintf("%s:%d: %s", d.Name(), i+1, w))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGoLinesOnly: a finding in an embedded file is reported at the variable that embeds it.
func TestGoLinesOnly(t *testing.T) {
	pkgs := loadNested(t, "./src/findings")
	cfg := everyRule(t)
	cfg.GoLinesOnly = true
	graph, err := checker.Analyze([]*analysis.Analyzer{New(cfg)}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, d := range graph.Roots[0].Diagnostics {
		p := pkgs[0].Fset.Position(d.Pos)
		if filepath.Ext(p.Filename) != ".go" {
			t.Errorf("%v: not in a Go file", p)
		}
		found = found || strings.HasPrefix(d.Message, "nil-reply: embedded.lua:2:4: ")
	}
	if !found {
		t.Errorf("the finding in embedded.lua is missing: %+v", graph.Roots[0].Diagnostics)
	}
}

// TestBrokenPackages cuts packages off at many places and analyses what is left, which rarely compiles.
func TestBrokenPackages(t *testing.T) {
	cfg := everyRule(t)
	tab := newTable()
	analysed := 0
	for _, p := range loadNested(t, "./src/...") {
		imports := map[string]*types.Package{}
		for path, dep := range p.Imports {
			imports[path] = dep.Types
		}
		for _, dep := range p.Types.Imports() {
			imports[dep.Path()] = dep
		}
		for _, name := range p.GoFiles {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for cut := len(src) / 3; cut < len(src); cut += 1 + len(src)/40 {
				analysed += len(runCut(name, src[:cut], imports, tab, cfg).Scripts)
			}
		}
	}
	if analysed < 1000 {
		t.Errorf("only %d scripts found in packages that do not compile", analysed)
	}
}

type importMap map[string]*types.Package

func (m importMap) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// runCut analyses the start of a file.
func runCut(name string, src []byte, imports importMap, tab *table, cfg Config) *Result {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.AllErrors)
	if file == nil || file.Name == nil {
		return &Result{}
	}
	pass := &analysis.Pass{Fset: fset, Files: []*ast.File{file}, Report: func(analysis.Diagnostic) {},
		ImportObjectFact: func(types.Object, analysis.Fact) bool { return false }, ExportObjectFact: func(types.Object, analysis.Fact) {},
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false }, ExportPackageFact: func(analysis.Fact) {},
		ReadFile: func(string) ([]byte, error) { return src, nil }}
	pass.TypesInfo = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: imports, Error: func(err error) {
		if te, ok := err.(types.Error); ok {
			pass.TypeErrors = append(pass.TypeErrors, te)
		}
	}}
	pass.Pkg, _ = conf.Check("cut", fset, pass.Files, pass.TypesInfo)
	_ = err // the syntax error of the cut
	res, _ := run(pass, cfg, tab)
	return res.(*Result)
}
