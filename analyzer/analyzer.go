package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/redislint/redislint/analyzer/source"
)

// New returns the analyzer for a configuration. Its Run returns a *Result.
func New(cfg Config) *analysis.Analyzer {
	t := newTable()
	return &analysis.Analyzer{
		Name:             "redislint",
		Doc:              "find what Redis and Valkey servers refuse in Lua scripts, and what the calls that run them get wrong",
		URL:              "https://github.com/redislint/redislint",
		RunDespiteErrors: true,
		ResultType:       reflect.TypeFor[*Result](),
		FactTypes: []analysis.Fact{new(WrapperFact), new(ScriptFact), new(source.StringFact), new(ClientFact), new(FunctionFact),
			new(source.EmbedFact)},
		Run: func(pass *analysis.Pass) (any, error) { return run(pass, cfg, t) },
	}
}

// ClientFact marks a package that declares a client interface or script type of its own, or imports a client, directly or not. What the compiler
// writes of a package names only the imports that its exported declarations show, so those further away would not know.
type ClientFact struct{}

// AFact marks the type as a fact of go/analysis.
func (*ClientFact) AFact() {}

// String shows the fact for tests.
func (*ClientFact) String() string { return "client" }

func run(pass *analysis.Pass, cfg Config, t *table) (any, error) {
	if pass.Pkg == nil || pass.TypesInfo == nil {
		return &Result{}, nil
	}
	own := declaresClient(pass.Pkg)
	near := own || reaches(pass, t)
	if near {
		pass.ExportPackageFact(&ClientFact{})
	}
	if !own && !hasMark(pass.Files) && (!near || !usesClient(pass, t)) {
		if cfg.Part != FindingsOnly {
			exportStrings(pass, near)
		}
		return &Result{}, nil
	}
	a := newRun(pass, t, cfg)
	a.collect()
	if cfg.Part != FindingsOnly {
		a.exportFacts()
	}
	if cfg.Part == FactsOnly {
		return &Result{}, nil
	}
	return a.report(), nil
}

// declaresClient reports whether a package declares a type with a method that has the shape of a client's.
func declaresClient(pkg *types.Package) bool {
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		n, ok := types.Unalias(tn.Type()).(*types.Named)
		if !ok {
			continue
		}
		for m := range n.Methods() {
			if shape(m) != nil {
				return true
			}
		}
		if iface, ok := n.Underlying().(*types.Interface); ok {
			for m := range iface.ExplicitMethods() {
				if shape(m) != nil {
					return true
				}
			}
		}
	}
	return false
}

// reaches reports whether a package imports a client, directly or not: only then can it hold a call of one.
func reaches(pass *analysis.Pass, t *table) bool {
	seen := map[*types.Package]bool{}
	var visit func(p *types.Package) bool
	visit = func(p *types.Package) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		if t.library(p) != nil || pass.ImportPackageFact(p, new(ClientFact)) {
			return true
		}
		for _, dep := range p.Imports() {
			if visit(dep) {
				return true
			}
		}
		return false
	}
	for _, p := range pass.Pkg.Imports() {
		if visit(p) {
			return true
		}
	}
	return false
}

// exportStrings notes the functions of a package without calls of clients that make keys, for those that call them. A package near a client
// is looked at whole, any other by the files of its shortest functions.
func exportStrings(pass *analysis.Pass, near bool) {
	if pass.Module == nil {
		return // the standard library
	}
	exportTexts(pass)
	var files []*ast.File
	for _, f := range pass.Files {
		if slices.ContainsFunc(f.Decls, func(d ast.Decl) bool { return makesString(d, near) }) {
			files = append(files, f)
		}
	}
	if near && len(files) > 0 {
		files = pass.Files
	}
	if len(files) == 0 {
		return
	}
	exportStringFacts(pass, source.NewIndex(pass.Fset, files, pass.TypesInfo, pass.Pkg, pass.ReadFile))
}

// makesString reports whether a declaration is an exported function that returns a concatenation or a call, as text: as its only statement,
// or as its last one where long bodies count.
func makesString(d ast.Decl, long bool) bool {
	fn, ok := d.(*ast.FuncDecl)
	if !ok || !fn.Name.IsExported() || fn.Body == nil || len(fn.Body.List) == 0 || fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
		return false
	}
	if id, ok := fn.Type.Results.List[0].Type.(*ast.Ident); !ok || id.Name != "string" && !long || len(fn.Body.List) > 1 && !long {
		return false
	}
	ret, ok := fn.Body.List[len(fn.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	switch e := ret.Results[0].(type) {
	case *ast.BinaryExpr:
		return e.Op == token.ADD
	case *ast.CallExpr:
		return true
	}
	return long
}

// exportTexts notes the variables that hold texts, for packages that run them as scripts.
func exportTexts(pass *analysis.Pass) {
	source.ExportTexts(pass.Fset, pass.Files, pass.TypesInfo, pass.Pkg,
		func(v *types.Var, f *source.EmbedFact) { pass.ExportObjectFact(v, f) },
		func(v *types.Var, f *source.StringFact) { pass.ExportObjectFact(v, f) })
}

func exportStringFacts(pass *analysis.Pass, x *source.Index) {
	for _, f := range x.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Body == nil {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			res := obj.Type().(*types.Signature).Results()
			if res.Len() != 1 || !isBasicString(res.At(0).Type()) {
				continue
			}
			if fact := x.StringFact(x.Func(obj)); fact != nil {
				pass.ExportObjectFact(obj, fact)
			}
		}
	}
}

// exportFacts exports what packages that import this one must know.
func (a *packageRun) exportFacts() {
	for obj, f := range a.wrappers {
		a.pass.ExportObjectFact(obj, f)
	}
	exportStringFacts(a.pass, a.x)
	exportTexts(a.pass)
	a.exportFunctions()
	scope := a.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !v.Exported() || !a.holdsScript(v) {
			continue
		}
		defs, _, _ := a.x.Defs(v)
		if len(defs) != 1 || defs[0].Kind != source.Plain {
			continue
		}
		b := source.Bound{Expr: defs[0].Expr, Index: defs[0].Index}
		targets := a.objects(b)
		if len(targets) == 1 {
			if f := a.scriptFact(targets[0]); f != nil {
				f.Label = v.Name()
				a.pass.ExportObjectFact(v, f)
			}
		}
	}
}

// holdsScript reports whether a variable's type is a client's script type, or an own one.
func (a *packageRun) holdsScript(v *types.Var) bool {
	t := v.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (a.table.library(n.Obj().Pkg()) != nil && isScriptType(n.Obj().Name()) || isScriptStruct(n))
}
