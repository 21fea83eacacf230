package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// Texts that other packages hold: a folder of scripts often is a package of its own, with an exported variable for each or for all of them, and
// imports no client.

// EmbedFact is what other packages must know of an exported variable with go:embed directives: the folder of its Go file, and the patterns.
type EmbedFact struct {
	Dir      string
	Patterns []string
}

// AFact marks the type as a fact of go/analysis.
func (*EmbedFact) AFact() {}

// String shows the fact for tests.
func (f *EmbedFact) String() string { return "embeds " + strings.Join(f.Patterns, " ") }

// embedOf returns the embed directive of a variable, also of another package; at is the use that stands for it then. It is nil for others.
func (x *Index) embedOf(obj types.Object, at token.Pos) *embedded {
	if em := x.embeds[obj]; em != nil {
		return em
	}
	v := x.foreign(obj)
	if v == nil {
		return nil
	}
	f := x.ImportedEmbed(v)
	if f == nil {
		return nil
	}
	em := &embedded{dir: f.Dir, patterns: f.Patterns, at: at, foreign: true}
	x.embeds[obj] = em
	return em
}

// foreign is the variable of another package that an object is; nil for others.
func (x *Index) foreign(obj types.Object) *types.Var {
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Pkg() == x.Types || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// importedVar is the text of another package's variable; nil where no fact tells it.
func (e *evaluator) importedVar(use *ast.SelectorExpr) *Text {
	v := e.x.foreign(e.x.Info.ObjectOf(use.Sel))
	if v == nil {
		return nil
	}
	f := e.x.Imported(v)
	if f == nil || len(f.Parts) != 1 {
		return nil
	}
	return valueText(f.Parts[0].Lit, use)
}

// ExportTexts gives the facts of the exported variables of a package that hold texts: embedded files, and literals that name the library of
// scripts (any other is no script, and needs no fact). Variables that the package itself assigns are left out.
func ExportTexts(fset *token.FileSet, files []*ast.File, info *types.Info, pkg *types.Package, embeds func(*types.Var, *EmbedFact), text func(*types.Var, *StringFact)) {
	literals, embedded := map[types.Object]string{}, map[types.Object]*EmbedFact{}
	for _, f := range files {
		for _, d := range f.Decls {
			n, ok := d.(*ast.GenDecl)
			if !ok || n.Tok != token.VAR {
				continue
			}
			for name, em := range embedsOf(fset, n) {
				if v, ok := info.Defs[name].(*types.Var); ok && v.Exported() {
					embedded[v] = &EmbedFact{em.dir, em.patterns}
				}
			}
			literalVars(n, info, literals)
		}
	}
	if len(literals)+len(embedded) == 0 {
		return
	}
	for _, f := range files {
		forAssigned(f, info, func(obj types.Object) {
			delete(literals, obj)
			if isText(obj.Type()) { // the address of a file system is but handed on
				delete(embedded, obj)
			}
		})
	}
	for _, name := range pkg.Scope().Names() {
		v, ok := pkg.Scope().Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		if s, held := literals[v]; held {
			text(v, &StringFact{Parts: []FactPart{{Lit: s, Param: -1}}})
		}
		if em := embedded[v]; em != nil {
			embeds(v, em)
		}
	}
}

// literalVars notes the exported variables of a declaration whose value is a constant text that may be a script.
func literalVars(n *ast.GenDecl, info *types.Info, found map[types.Object]string) {
	for _, spec := range n.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || len(vs.Values) != len(vs.Names) {
			continue
		}
		for i, name := range vs.Names {
			v := info.Types[vs.Values[i]].Value
			if !name.IsExported() || v == nil || v.Kind() != constant.String || info.Defs[name] == nil {
				continue
			}
			if s := constant.StringVal(v); NamesLibrary(s) {
				found[info.Defs[name]] = s
			}
		}
	}
}

// NamesLibrary reports whether a text, or a literal of one, names the library that scripts use: any other is no script.
func NamesLibrary(text string) bool {
	return strings.Contains(text, "redis.") || strings.Contains(text, "server.")
}

// forAssigned calls drop for the variables that a file assigns, or whose address it takes.
func forAssigned(f *ast.File, info *types.Info, drop func(types.Object)) {
	named := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && info.Uses[id] != nil {
			drop(info.Uses[id])
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				named(l)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				named(n.X)
			}
		}
		return true
	})
}
