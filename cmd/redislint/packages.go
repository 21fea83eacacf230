package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/analyzer"
)

// lookAtPackages analyses the packages that the patterns name, one load for each module that they lie in.
func lookAtPackages(out *outcome, patterns []string, cfg analyzer.Config, sys system) {
	for _, group := range byModule(patterns, sys.dir) {
		lookAtModule(out, group, cfg)
	}
}

// moduleGroup is the patterns that cmd/go can take together.
type moduleGroup struct {
	dir      string // where cmd/go runs
	patterns []string
}

// byModule groups patterns by module: cmd/go run in one folder refuses a path in a module below it, and pre-commit and monorepos have such.
func byModule(patterns []string, dir string) []moduleGroup {
	home := moduleRoot(dir)
	groups := []moduleGroup{{dir: dir}}
	for _, p := range patterns {
		path, dots := strings.CutSuffix(p, "/...")
		root := home
		if build.IsLocalImport(path) || filepath.IsAbs(path) {
			root = moduleRoot(inDir(dir, path))
		}
		if root == home || root == "" {
			groups[0].patterns = append(groups[0].patterns, p)
			continue
		}
		if rel, err := filepath.Rel(root, inDir(dir, path)); err == nil {
			p = "./" + filepath.ToSlash(rel)
			if dots {
				p += "/..."
			}
		}
		at := slices.IndexFunc(groups, func(g moduleGroup) bool { return g.dir == root })
		if at < 0 {
			at = len(groups)
			groups = append(groups, moduleGroup{dir: root})
		}
		groups[at].patterns = append(groups[at].patterns, p)
	}
	return slices.DeleteFunc(groups, func(g moduleGroup) bool { return len(g.patterns) == 0 })
}

// moduleRoot is the folder of the go.mod that a folder belongs to, "" where there is none.
func moduleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// lookAtModule loads the packages that are named, and what they import of the main module, so that facts flow between them; findings
// are kept for the named ones. Everything else comes from export data, which keeps this near the cost of loading.
func lookAtModule(out *outcome, group moduleGroup, cfg analyzer.Config) {
	letHeapGrow(loading)
	load := loader{dir: group.dir, tests: !cfg.SkipTests, fset: token.NewFileSet(), files: out.files}
	pkgs, err := load.load(group.patterns)
	if err != nil {
		out.problems = append(out.problems, fmt.Sprintf("cannot load packages: %v", oneLine(err.Error())))
		return
	}
	named := map[string]bool{}
	for _, p := range pkgs {
		named[p.ID] = true
	}
	if more := missingDeps(pkgs); len(more) > 0 {
		if all, err := load.load(append(slices.Clone(group.patterns), more...)); err == nil {
			pkgs = all
		}
	}
	out.problems = append(out.problems, packageErrors(pkgs, named, out.files)...)
	letHeapGrow(looking)
	pkgs, read := choosePackages(analysable(pkgs), named)
	cfg.FactsOnly = func(p *types.Package) bool { return !read[p] }
	a := oneByOne(analyzer.New(cfg), pkgs)
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
	if err != nil {
		out.problems = append(out.problems, fmt.Sprintf("cannot analyse: %v", err))
		return
	}
	collect(out, graph, read, load.fset)
}

// choosePackages tells the packages whose findings are read: the named ones. One with test files is there twice; its test variant knows more
// and speaks alone, and the other is left out unless something imports it.
func choosePackages(pkgs []*packages.Package, named map[string]bool) (kept []*packages.Package, read map[*types.Package]bool) {
	variant, imported := map[string]bool{}, map[*packages.Package]bool{}
	for _, p := range pkgs {
		if named[p.ID] && strings.Contains(p.ID, " ") {
			variant[p.PkgPath] = true
		}
		for _, dep := range p.Imports {
			imported[dep] = true
		}
	}
	read = map[*types.Package]bool{}
	for _, p := range pkgs {
		if named[p.ID] && !(p.ID == p.PkgPath && variant[p.PkgPath]) {
			read[p.Types] = true
		} else if !imported[p] {
			p.Syntax, p.TypesInfo = nil, nil
			continue
		}
		kept = append(kept, p)
	}
	return kept, read
}

// oneByOne lets an analyzer work on no more packages at a time than there are processors, and lets go of a package's tree and types of
// expressions behind it: the checker starts on all packages at once and keeps everything to the end.
func oneByOne(a *analysis.Analyzer, pkgs []*packages.Package) *analysis.Analyzer {
	loaded := map[*types.Package]*packages.Package{}
	for _, p := range pkgs {
		loaded[p.Types] = p
	}
	work, run := make(chan struct{}, runtime.GOMAXPROCS(0)), a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		work <- struct{}{}
		defer func() { <-work }()
		result, err := run(pass)
		pass.Files, pass.TypesInfo = nil, nil
		if p := loaded[pass.Pkg]; p != nil {
			p.Syntax, p.TypesInfo = nil, nil
		}
		return result, err
	}
	return a
}

// loader loads packages into one FileSet and keeps the text of their files.
type loader struct {
	dir   string
	tests bool
	fset  *token.FileSet
	files *fileSet
	mu    sync.Mutex
}

func (l *loader) load(patterns []string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadSyntax | packages.NeedModule, Dir: l.dir, Tests: l.tests, Fset: l.fset, ParseFile: l.parse,
	}, patterns...)
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	return pkgs, err
}

func (l *loader) parse(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	l.mu.Lock()
	l.files.put(name, text)
	l.mu.Unlock()
	return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
}

// missingDeps lists the packages of the main module (or workspace) that the loaded ones import and that were not loaded from source.
func missingDeps(pkgs []*packages.Package) []string {
	var missing []string
	seen := map[*packages.Package]bool{}
	var visit func(*packages.Package)
	visit = func(p *packages.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		if p.Syntax == nil && p.Module != nil && p.Module.Main && !strings.Contains(p.ID, " ") {
			missing = append(missing, p.PkgPath)
		}
		for _, dep := range p.Imports {
			visit(dep)
		}
	}
	for _, p := range pkgs {
		visit(p)
	}
	slices.Sort(missing)
	return missing
}

// analysable leaves out generated test mains, and cuts off imports that were not loaded from source: there is nothing to analyse in them.
func analysable(pkgs []*packages.Package) []*packages.Package {
	var out []*packages.Package
	for _, p := range pkgs {
		if p.Types == nil || p.TypesInfo == nil || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		for path, dep := range p.Imports {
			if dep.Syntax == nil {
				delete(p.Imports, path)
			}
		}
		out = append(out, p)
	}
	return out
}

// packageErrors lists why packages do not load or compile, each once.
func packageErrors(pkgs []*packages.Package, named map[string]bool, files *fileSet) []string {
	var out []string
	for _, p := range pkgs {
		if !named[p.ID] {
			continue
		}
		for _, e := range p.Errors {
			if len(p.Errors) > 1 && e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "# ") {
				continue // the compiler's text of what the other errors say with positions
			}
			text := oneLine(e.Msg)
			if name, rest, ok := strings.Cut(e.Pos, ":"); ok && name != "-" {
				text = files.short(name) + ":" + rest + ": " + text
			}
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// oneLine joins the lines of a message of cmd/go.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// collect takes the results of the packages whose findings are read.
func collect(out *outcome, graph *checker.Graph, read map[*types.Package]bool, fset *token.FileSet) {
	for _, act := range graph.Roots {
		p := act.Package
		if !read[p.Types] {
			continue
		}
		out.packages++
		if act.Err != nil {
			out.problems = append(out.problems, fmt.Sprintf("%s: not analysed: %v", p.PkgPath, act.Err))
			continue
		}
		if r, ok := act.Result.(*analyzer.Result); ok && r != nil {
			c := converter{out.files, fset}
			for _, f := range r.Findings {
				out.findings = append(out.findings, c.finding(f))
			}
			for _, s := range r.Scripts {
				out.scripts = append(out.scripts, c.script(s))
			}
		}
	}
}

// converter turns token.Pos into places.
type converter struct {
	files *fileSet
	fset  *token.FileSet
}

func (c converter) finding(f analyzer.Finding) finding {
	out := finding{rule: f.Rule, severity: f.Severity, place: c.place(f.Pos, f.End), message: f.Message, script: f.Script, line: f.Line}
	for _, rel := range f.Related {
		out.related = append(out.related, related{c.place(rel.Pos, rel.End), rel.Message})
	}
	for _, x := range f.Fixes {
		conv := fix{title: x.Message}
		for _, e := range x.TextEdits {
			conv.edits = append(conv.edits, edit{c.place(e.Pos, e.End), string(e.NewText)})
		}
		out.fixes = append(out.fixes, conv)
	}
	return out
}

func (c converter) script(s analyzer.Script) script {
	p := c.place(s.Pos, s.Pos)
	return script{name: s.Name, file: p.file, line: p.startLine, library: s.Library, keys: s.Keys, args: s.Args, calls: s.Calls, counted: s.Counted,
		analysed: s.Analysed, reason: s.Reason, failed: s.Failed}
}

// place ignores //line comments: edits and carets need the file that was read.
func (c converter) place(pos, end token.Pos) place {
	file := c.fset.File(pos)
	if file == nil {
		return place{}
	}
	if !end.IsValid() || end < pos || c.fset.File(end) != file {
		end = pos
	}
	return c.files.at(file.Name(), file.Offset(pos), file.Offset(end))
}
