package load

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"runtime"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// exports reads the types of imported packages from what the compiler wrote. It keeps them in the packages' Types field: one types.Package for
// each ID, first empty where another one mentions it. Reading fills packages that are there already, so it is done by one goroutine, before any
// other looks at types.
type exports struct {
	fset  *token.FileSet
	plain map[string]*types.Package // by path, of packages that are not compiled for a test
	fail  map[*packages.Package]error
}

func newExports(fset *token.FileSet) *exports {
	return &exports{fset: fset, plain: map[string]*types.Package{}, fail: map[*packages.Package]error{}}
}

// read makes the types of what a package imports ready.
func (x *exports) read(p *packages.Package) {
	for _, path := range sortedKeys(p.Imports) {
		x.ready(p.Imports[path])
	}
}

// importFor resolves the imports of a package that read was called for.
func (x *exports) importFor(p *packages.Package) func(path string) (*types.Package, error) {
	return func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		dep := p.Imports[path]
		if dep == nil {
			return nil, errors.New("import cycle, or its file changed just now")
		}
		if err := x.fail[dep]; err != nil {
			return nil, err
		}
		if dep.Name == "" && len(dep.Errors) > 0 {
			return nil, errors.New(dep.Errors[0].Msg) // it was not found
		}
		return dep.Types, nil
	}
}

// ready reads a package's types, or remembers why that is not possible.
func (x *exports) ready(p *packages.Package) {
	if p.PkgPath == "unsafe" || p.Types != nil && p.Types.Complete() || x.fail[p] != nil {
		return
	}
	if p.ExportFile == "" {
		x.check(p)
		return
	}
	f, err := os.Open(p.ExportFile)
	if err == nil {
		defer f.Close()
		r, err := gcexportdata.NewReader(f)
		if err == nil {
			p.Types, err = gcexportdata.Read(r, x.fset, x.view(p), p.PkgPath)
		}
	}
	if err != nil {
		x.fail[p] = fmt.Errorf("its compiled form cannot be read (%v): redislint was built with %s, build it again with the Go in use", err, runtime.Version())
	}
}

// view is the packages by path that a package's compiled form may mention.
func (x *exports) view(p *packages.Package) map[string]*types.Package {
	if !isVariant(p) {
		return x.plain // it imports no variant
	}
	view := maps.Clone(x.plain)
	packages.Visit([]*packages.Package{p}, nil, func(dep *packages.Package) {
		if isVariant(dep) {
			view[dep.PkgPath] = x.place(dep)
		} else if dep.PkgPath != "unsafe" {
			x.plain[dep.PkgPath] = x.place(dep)
			view[dep.PkgPath] = dep.Types
		}
	})
	return view
}

// place is the types.Package of a package, empty where it was not read yet.
func (x *exports) place(p *packages.Package) *types.Package {
	if p.Types == nil && !isVariant(p) {
		p.Types = x.plain[p.PkgPath]
	}
	if p.Types == nil {
		p.Types = types.NewPackage(p.PkgPath, p.Name)
	}
	return p.Types
}

// check makes the types of a package that does not compile from its source, as far as it goes. Its own errors are told where it is looked at.
func (x *exports) check(p *packages.Package) {
	x.read(p)
	files, _, _ := parse(x.fset, p.CompiledGoFiles)
	cfg := config(p, x.importFor(p), func(error) {})
	cfg.IgnoreFuncBodies = true
	pkg := x.place(p)
	if !isVariant(p) {
		x.plain[p.PkgPath] = pkg
	}
	types.NewChecker(cfg, x.fset, pkg, &types.Info{}).Files(files)
}
