package analyzer

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// Clients returns a function that reports whether an import path is that of a client library that the analyzer knows.
func Clients() func(path string) bool {
	t := newTable()
	return func(path string) bool { return t.libraryAt(path) != nil }
}

// Glance tells from the syntax alone what Run may find in a package that imports no client, directly or not: whether it may declare a client
// of its own, which puts those that import it near a client, and whether it may have a finding or a fact at all. Both may be said in vain;
// what is denied is certain.
func Glance(files []*ast.File) (client, any bool) {
	for _, f := range files {
		for _, d := range f.Decls {
			client = client || namesClient(d)
			any = any || makesString(d, false) || holdsText(d)
		}
	}
	return client, any || client || hasMark(files)
}

// namesClient reports whether a declaration has a method whose name is that of a client's.
func namesClient(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Recv != nil && mayHaveShape(d.Name.Name, d.Type)
	case *ast.GenDecl:
		found := false
		for _, s := range d.Specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				ast.Inspect(t.Type, func(n ast.Node) bool {
					if i, ok := n.(*ast.InterfaceType); ok {
						found = found || slices.ContainsFunc(i.Methods.List, func(m *ast.Field) bool {
							fn, ok := m.Type.(*ast.FuncType)
							return ok && slices.ContainsFunc(m.Names, func(id *ast.Ident) bool { return mayHaveShape(id.Name, fn) })
						})
					}
					return !found
				})
			}
		}
		return found
	}
	return false
}

// holdsText reports whether a declaration may be of a variable whose text other packages run, as exportTexts tells.
func holdsText(d ast.Decl) bool {
	n, ok := d.(*ast.GenDecl)
	if !ok || n.Tok != token.VAR {
		return false
	}
	for _, s := range n.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok || !slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
			continue
		}
		if source.IsEmbedded(n.Doc) || source.IsEmbedded(spec.Doc) || slices.ContainsFunc(spec.Values, mayBeScript) {
			return true
		}
	}
	return false
}

// mayBeScript reports whether an expression may be a constant text that holds a script.
func mayBeScript(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING && source.NamesLibrary(e.Value)
	case *ast.Ident, *ast.SelectorExpr:
		return true // of a constant
	case *ast.BinaryExpr:
		return e.Op == token.ADD
	case *ast.CallExpr:
		return len(e.Args) == 1 && mayBeScript(e.Fun) && mayBeScript(e.Args[0]) // a conversion
	}
	return false
}

const scriptLoad = "ScriptLoad"

// mayHaveShape reports whether shape may take a method for a client's: by its name and how many parameters it has, perhaps with a context.
func mayHaveShape(name string, fn *ast.FuncType) bool {
	n := fn.Params.NumFields()
	return shapeMode(name) != luacheck.ModeUnknown && n >= 2 && n <= 4 || strings.HasPrefix(name, scriptLoad) && n >= 1 && n <= 2
}

// MayNameClient reports whether the text of a Go file may declare a method that Glance takes for a client's.
func MayNameClient(text []byte) bool {
	return bytes.Contains(text, []byte(scriptLoad)) ||
		slices.ContainsFunc(shapeModes, func(s shapeStart) bool { return bytes.Contains(text, []byte(s.start)) })
}
