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

// check parses a package and checks its types. Of types.Info it fills what package analyzer reads.
func check(fset *token.FileSet, p *packages.Package, imported importer) *checked {
	c := &checked{pkg: types.NewPackage(p.PkgPath, p.Name), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	var errs []error
	c.files, c.texts, errs = parse(fset, p.CompiledGoFiles)
	for _, err := range errs {
		c.addError(err)
	}
	err := types.NewChecker(config(p, imported, c.addError), fset, c.pkg, c.info).Files(c.files)
	if err != nil && len(c.errors) == 0 {
		c.addError(err)
	}
	return c
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
