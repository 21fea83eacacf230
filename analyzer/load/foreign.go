package load

import (
	"go/token"
	"os"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/analyzer"
)

// foreign is the packages of other modules that nodes import, directly or through each other. They are not analysed, but nodes may call a client
// that they declare; their syntax tells whether they do.
type foreign struct {
	isNode   map[*packages.Package]bool
	isClient func(path string) bool
	all      []*packages.Package
	seen     map[*packages.Package]bool
	near     map[*packages.Package]bool // it declares a client that no table knows, or imports such
}

func newForeign(nodes []*node, isClient func(path string) bool) *foreign {
	f := &foreign{isNode: map[*packages.Package]bool{}, isClient: isClient, seen: map[*packages.Package]bool{}, near: map[*packages.Package]bool{}}
	for _, n := range nodes {
		f.isNode[n.Package] = true
		for _, p := range n.same {
			f.isNode[p] = true
		}
	}
	for _, n := range nodes {
		f.visit(n.Package)
	}
	declares := make([]bool, len(f.all))
	each(len(f.all), mostText, func(int) int64 { return 0 }, func(i int) { declares[i] = declaresClient(f.all[i]) })
	for i, p := range f.all { // behind what it imports
		f.near[p] = declares[i] || f.importedBy(p)
	}
	return f
}

func (f *foreign) visit(p *packages.Package) {
	if f.seen[p] {
		return
	}
	f.seen[p] = true
	for _, path := range sortedKeys(p.Imports) {
		dep := p.Imports[path]
		if dep.Module != nil && !f.isNode[dep] && !f.isClient(dep.PkgPath) {
			f.visit(dep)
		}
	}
	if !f.isNode[p] {
		f.all = append(f.all, p)
	}
}

// importedBy reports whether a package imports one that is near a client.
func (f *foreign) importedBy(p *packages.Package) bool {
	for _, dep := range p.Imports {
		if f.near[dep] {
			return true
		}
	}
	return false
}

// declaresClient parses the files that hold the name of a client's method; most hold none.
func declaresClient(p *packages.Package) bool {
	var names []string
	for _, name := range p.CompiledGoFiles {
		if text, err := os.ReadFile(name); err == nil && analyzer.MayNameClient(text) {
			names = append(names, name)
		}
	}
	files, _, _ := parse(token.NewFileSet(), names)
	client, _ := analyzer.Glance(files)
	return client
}

// node stands for the packages that are near a client, which is the only fact of them.
func (f *foreign) node() *node {
	fact := &analyzer.ClientFact{}
	return &node{facts: facts{pkg: map[reflect.Type]analysis.Fact{reflect.TypeOf(fact): fact}}}
}
