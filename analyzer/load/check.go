package load

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/packages"
)

// checked is a package with its trees and types.
type checked struct {
	files      []*ast.File
	texts      map[string][]byte // by file name
	pkg        *types.Package
	info       *types.Info
	typeErrors []types.Error
	errors     []packages.Error // in the order that parser and type checker report them
}

// parse reads files and makes trees of those that can be read, also where they have errors.
func parse(fset *token.FileSet, names []string) (files []*ast.File, texts map[string][]byte, errs []error) {
	texts = make(map[string][]byte, len(names))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		texts[name] = text
		f, err := parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, err)
		}
		if f != nil {
			files = append(files, f)
		}
	}
	return files, texts, errs
}

// importer is types.Importer for one package.
type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

func config(p *packages.Package, imported importer, report func(error)) *types.Config {
	cfg := &types.Config{Importer: imported, Sizes: p.TypesSizes, Error: report}
	if p.Module != nil && p.Module.GoVersion != "" {
		cfg.GoVersion = "go" + p.Module.GoVersion
	}
	return cfg
}

// check parses a package and checks its types.
func check(fset *token.FileSet, p *packages.Package, imported importer) *checked {
	c := &checked{pkg: types.NewPackage(p.PkgPath, p.Name)}
	var errs []error
	c.files, c.texts, errs = parse(fset, p.CompiledGoFiles)
	for _, err := range errs {
		c.addError(err)
	}
	c.info = newInfo(c.texts)
	err := types.NewChecker(config(p, imported, c.addError), fset, c.pkg, c.info).Files(c.files)
	if err != nil && len(c.errors) == 0 {
		c.addError(err)
	}
	return c
}

// newInfo makes what package analyzer reads of types.Info, with about the room that Go code of this size needs: growing by steps costs a tenth
// of the time of the check.
func newInfo(texts map[string][]byte) *types.Info {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	return &types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue, size/14),
		Uses:       make(map[*ast.Ident]types.Object, size/18),
		Defs:       make(map[*ast.Ident]types.Object, size/100),
		Selections: make(map[*ast.SelectorExpr]*types.Selection, size/150),
	}
}

// addError keeps an error as go/packages tells it.
func (c *checked) addError(err error) {
	var (
		path   *os.PathError
		syntax scanner.ErrorList
		typ    types.Error
	)
	switch {
	case errors.As(err, &path):
		c.errors = append(c.errors, packages.Error{Pos: path.Path + ":1", Msg: path.Err.Error(), Kind: packages.ParseError})
	case errors.As(err, &syntax):
		for _, e := range syntax {
			c.errors = append(c.errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case errors.As(err, &typ):
		c.typeErrors = append(c.typeErrors, typ)
		c.errors = append(c.errors, packages.Error{Pos: typ.Fset.Position(typ.Pos).String(), Msg: typ.Msg, Kind: packages.TypeError})
	default:
		c.errors = append(c.errors, packages.Error{Pos: "-", Msg: err.Error()})
	}
}
