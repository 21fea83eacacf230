package load

import (
	"cmp"
	"errors"
	"go/token"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/analyzer"
)

// mode is what cmd/go is asked for: no syntax and no types, which are made here, for a package at a time.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedExportFile | packages.NeedModule | packages.NeedTypesSizes

// node is a package that is looked at.
type node struct {
	*packages.Package
	named  bool                // its findings are asked for
	near   bool                // it imports a client, directly or not
	looked bool                // it is type-checked and analysed: more than its errors may be in it
	client bool                // it may declare a client of its own
	placed bool                // in the order
	same   []*packages.Package // those that importers see for it
	deps   []*node             // nodes that it imports, directly or through packages that are none
	facts  facts               // of its objects, known when done is closed
	done   chan struct{}
}

// list asks cmd/go for the packages that the patterns name. Where it gives none it may have refused the module: packages.Load does not say so.
func list(c Config, patterns []string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: c.Dir, Tests: !c.Analyzer.SkipTests}, patterns...)
	if err != nil || len(pkgs) > 0 {
		return pkgs, err
	}
	ask := exec.Command("go", append([]string{"list", "--"}, patterns...)...)
	ask.Dir = c.Dir
	var said *exec.ExitError
	if _, err = ask.Output(); errors.As(err, &said) && len(said.Stderr) > 0 {
		err = errors.New(strings.TrimPrefix(strings.TrimSpace(string(said.Stderr)), "go: "))
	}
	return pkgs, err
}

// choose makes nodes of the packages whose findings are asked for, and of what they import of the main module (or workspace) or of the packages
// named, whose facts they may need. Imports come first, else the order is that of the IDs. A package with test files is there twice; its test
// variant knows more and speaks alone, and the other has facts for those that import it.
func choose(pkgs []*packages.Package) []*node {
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	g := graph{nodes: map[*packages.Package]*node{}, named: map[*packages.Package]bool{}, plain: map[string]*packages.Package{},
		below: map[*packages.Package][]*node{}, isClient: analyzer.Clients()}
	variant := map[string]bool{}
	for _, p := range pkgs {
		g.named[p] = true
		if isVariant(p) {
			variant[p.PkgPath] = true
		}
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if !isVariant(p) {
			g.plain[p.PkgPath] = p
		}
	})
	for _, p := range pkgs {
		if strings.HasSuffix(p.ID, ".test") || !isVariant(p) && variant[p.PkgPath] {
			continue // a generated main, or its variant speaks
		}
		g.add(p).named = true
	}
	return g.order
}

// isVariant reports whether a package is compiled for one test, as "p [p.test]".
func isVariant(p *packages.Package) bool { return strings.Contains(p.ID, " ") }

// graph is the packages that are looked at, each behind its imports.
type graph struct {
	nodes map[*packages.Package]*node
	order []*node
	named map[*packages.Package]bool
	plain map[string]*packages.Package  // by path
	below map[*packages.Package][]*node // of packages that are no nodes: the next nodes that they import

	isClient func(path string) bool
}

func (g *graph) add(p *packages.Package) *node {
	if n := g.nodes[p]; n != nil {
		return n
	}
	n := &node{Package: p, done: make(chan struct{})}
	g.nodes[p] = n
	for _, dep := range g.imported(p) {
		if dep.placed { // else in a circle of imports, which does not compile
			n.deps = append(n.deps, dep)
		}
	}
	n.placed = true
	g.order = append(g.order, n)
	return n
}

// imported is the next nodes that a package imports, each once.
func (g *graph) imported(p *packages.Package) []*node {
	var all []*node
	seen := map[*node]bool{}
	add := func(nodes ...*node) {
		for _, n := range nodes {
			if !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	for _, path := range sortedKeys(p.Imports) {
		dep := p.Imports[path]
		of := g.source(dep)
		if !g.mayHaveFacts(of) {
			if _, seen := g.below[of]; !seen {
				g.below[of] = nil
				g.below[of] = g.imported(of)
			}
			add(g.below[of]...)
			continue
		}
		n := g.add(of)
		if !slices.Contains(n.same, dep) {
			n.same = append(n.same, dep)
		}
		add(n)
	}
	return all
}

// mayHaveFacts reports whether a package that is not named is looked at for those that are: it is of the main module, or uses a client directly and
// so may have functions that hand on what they are given.
func (g *graph) mayHaveFacts(p *packages.Package) bool {
	if g.named[p] || p.Module != nil && p.Module.Main {
		return true
	}
	if p.Module == nil || g.isClient(p.PkgPath) {
		return false
	}
	for _, dep := range p.Imports {
		if g.isClient(dep.PkgPath) {
			return true
		}
	}
	return false
}

// source is the package whose facts stand for an imported one: what is compiled again for a test, because it imports what is tested, has the
// facts that it has without.
func (g *graph) source(p *packages.Package) *packages.Package {
	if plain := g.plain[p.PkgPath]; plain != nil && isVariant(p) && !g.named[p] {
		return plain
	}
	return p
}

func sortedKeys(imports map[string]*packages.Package) []string {
	keys := make([]string, 0, len(imports))
	for k := range imports {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// markNear finds the nodes that import a client and so may run a script. Every other one is looked at only for what a glance at its syntax shows.
// It gives what is known of packages of other modules.
func markNear(nodes []*node) *foreign {
	isClient, seen := analyzer.Clients(), map[*packages.Package]bool{}
	others := newForeign(nodes, isClient)
	var reaches func(p *packages.Package) bool
	reaches = func(p *packages.Package) bool {
		near, known := seen[p]
		if known {
			return near
		}
		seen[p] = false
		for _, dep := range p.Imports {
			near = near || isClient(dep.PkgPath) || reaches(dep)
		}
		seen[p] = near
		return near
	}
	var far []*node
	for _, n := range nodes {
		n.near = reaches(n.Package) || others.importedBy(n.Package)
		if !n.near {
			far = append(far, n)
		}
	}
	each(len(far), mostText, func(int) int64 { return 0 }, func(i int) {
		n := far[i]
		files, _, _ := parse(token.NewFileSet(), n.CompiledGoFiles)
		n.client, n.looked = analyzer.Glance(files)
	})
	for _, n := range nodes {
		for _, dep := range n.deps {
			n.near = n.near || dep.near || dep.client
		}
		n.looked = n.looked || n.near || n.named && n.ExportFile == "" // a package without compiled form has errors to tell
	}
	return others
}
