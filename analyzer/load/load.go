package load

import (
	"cmp"
	"go/token"
	"go/types"
	"os"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/analyzer"
)

// Config says what is looked at, and how.
type Config struct {
	Dir      string // where cmd/go runs
	Analyzer analyzer.Config
}

// Package is a package that was looked at.
type Package struct {
	Path   string // of the import
	Fset   *token.FileSet
	Texts  map[string][]byte // of its Go files, by name; none where its syntax told that nothing is in it
	Errors []packages.Error  // why it does not load or compile
	Result *analyzer.Result  // nil where it could not be analysed
	Err    error             // why it could not
}

// Run looks at the packages that the patterns name, and gives what take makes of each, in the order of their IDs. It calls take for one package
// at a time, in any order; what take keeps stays in memory. An error says why nothing could be loaded.
func Run[T any](c Config, patterns []string, take func(*Package) T) ([]T, error) {
	pkgs, err := list(c, patterns)
	if err != nil {
		return nil, err
	}
	w := newWork(c, choose(pkgs))
	var mu sync.Mutex
	results := make([]T, len(w.nodes))
	w.run(func(i int, p *Package) {
		mu.Lock()
		defer mu.Unlock()
		results[i] = take(p)
	})
	var named []int
	for i, n := range w.nodes {
		if n.named {
			named = append(named, i)
		}
	}
	slices.SortFunc(named, func(i, j int) int { return cmp.Compare(w.nodes[i].ID, w.nodes[j].ID) })
	ordered := make([]T, len(named))
	for i, at := range named {
		ordered[i] = results[at]
	}
	return ordered, nil
}

// work is the look at a graph of packages.
type work struct {
	fset    *token.FileSet
	nodes   []*node
	exports *exports
	known   map[*types.Package]*node // by the types that importers see
	byPart  map[analyzer.Part]*analysis.Analyzer
}

func newWork(c Config, nodes []*node) *work {
	w := &work{fset: token.NewFileSet(), nodes: nodes, byPart: map[analyzer.Part]*analysis.Analyzer{}, known: map[*types.Package]*node{}}
	for _, part := range []analyzer.Part{analyzer.Both, analyzer.FactsOnly, analyzer.FindingsOnly} {
		c.Analyzer.Part = part
		w.byPart[part] = analyzer.New(c.Analyzer)
	}
	w.exports = newExports(w.fset)
	return w
}

// run analyses the nodes on as many processors as there are, and hands over the named ones by their index.
func (w *work) run(take func(int, *Package)) {
	others := markNear(w.nodes)
	for _, n := range w.nodes {
		if n.looked {
			w.exports.read(n.Package)
		}
	}
	for _, n := range w.nodes {
		for _, p := range n.same {
			w.known[w.exports.place(p)] = n
		}
	}
	for p, near := range others.near {
		if near {
			w.known[w.exports.place(p)] = others.node()
		}
	}
	each(len(w.nodes), mostText, func(i int) int64 { return textSize(w.nodes[i]) }, func(i int) {
		n := w.nodes[i]
		defer close(n.done)
		p := &Package{Path: n.PkgPath, Fset: w.fset, Errors: n.Errors, Result: &analyzer.Result{}}
		if n.looked {
			w.look(n, p)
		}
		if n.named {
			take(i, p)
		}
	})
}

// look parses, checks and analyses a package. Its imports' facts are needed only for the last.
func (w *work) look(n *node, p *Package) {
	c := check(w.fset, n.Package, w.exports.importFor(n.Package))
	p.Texts = c.texts
	p.Errors = append(p.Errors[:len(p.Errors):len(p.Errors)], c.errors...)
	for _, dep := range n.deps {
		<-dep.done
	}
	x := newExchange(c.pkg, w.known)
	a := w.byPart[n.part()]
	result, err := a.Run(&analysis.Pass{
		Analyzer: a, Fset: w.fset, Files: c.files, OtherFiles: n.OtherFiles, IgnoredFiles: n.IgnoredFiles,
		Pkg: c.pkg, TypesInfo: c.info, TypesSizes: n.TypesSizes, TypeErrors: c.typeErrors, Module: module(n.Package),
		ReadFile: c.readFile, Report: func(analysis.Diagnostic) {}, // the result has them
		ImportObjectFact: x.importObject, ExportObjectFact: x.exportObject,
		ImportPackageFact: x.importPackage, ExportPackageFact: x.exportPackage,
	})
	n.facts = x.collect()
	p.Result, _ = result.(*analyzer.Result)
	p.Err = err
}

// part is what is read of a node.
func (n *node) part() analyzer.Part {
	switch {
	case !n.named:
		return analyzer.FactsOnly
	case len(n.same) == 0:
		return analyzer.FindingsOnly
	}
	return analyzer.Both
}

// readFile gives the text that was parsed.
func (c *checked) readFile(name string) ([]byte, error) {
	if text, ok := c.texts[name]; ok {
		return text, nil
	}
	return os.ReadFile(name)
}

func module(p *packages.Package) *analysis.Module {
	if p.Module == nil {
		return &analysis.Module{}
	}
	return &analysis.Module{Path: p.Module.Path, Version: p.Module.Version, GoVersion: p.Module.GoVersion}
}
