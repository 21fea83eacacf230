package analyzer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// FunctionFact is what other packages must know of an exported constant that is the name of a function in a library of its package.
type FunctionFact struct {
	Function  string
	Interface luacheck.Interface
}

// AFact marks the type as a fact of go/analysis.
func (*FunctionFact) AFact() {}

// String shows the fact for tests.
func (f *FunctionFact) String() string {
	return fmt.Sprintf("function %s keys=%d args=%d", f.Function, f.Interface.KeysRequired, f.Interface.ArgsRequired)
}

// importedFunction returns the fact of a constant of another package that names a function; nil where there is none.
func (a *packageRun) importedFunction(b source.Bound) *FunctionFact {
	for _, to := range a.x.Follow(b, true) {
		c := a.foreignConst(to.Expr)
		var f FunctionFact
		if c != nil && a.pass.ImportObjectFact != nil && a.pass.ImportObjectFact(c, &f) {
			return &f
		}
	}
	return nil
}

// maxConsts bounds how often a constant is followed to the one that it is declared as.
const maxConsts = 4

// foreignConst is the constant of another package that an expression names, also by way of constants of this package; nil for none.
func (a *packageRun) foreignConst(e ast.Expr) *types.Const {
	for range maxConsts {
		var id *ast.Ident
		switch n := ast.Unparen(e).(type) {
		case *ast.Ident:
			id = n
		case *ast.SelectorExpr:
			id = n.Sel
		default:
			return nil
		}
		c, ok := a.x.Info.ObjectOf(id).(*types.Const)
		if !ok || c.Pkg() == nil {
			return nil
		}
		if c.Pkg() != a.pass.Pkg {
			return c
		}
		if e = a.x.ConstExpr(c); e == nil {
			return nil
		}
	}
	return nil
}

// functionParam is the parameter of owner that holds the name of FCALL's function, -1 where it is none.
func (a *packageRun) functionParam(m *match, env *source.Env, owner *source.Func) int {
	fn := first(m.roles["function"])
	if fn == nil {
		return -1
	}
	p := a.x.ParamIn(source.At(fn, env))
	if p == nil {
		return -1
	}
	if f, i := a.x.ParamOf(p); f == owner {
		return i
	}
	return -1
}

// exportFunctions exports facts of the constants that name functions of this package's libraries. A name that two libraries register is
// left out.
func (a *packageRun) exportFunctions() {
	libs := map[string]*script{}
	for _, s := range a.order {
		if s.text == nil || len(s.sites) == 0 || s.sites[0].site.Mode != lib {
			continue
		}
		p := luacheck.Analyze(s.text.Source(), nil, luacheck.Options{Target: a.cfg.Target})
		if !p.Complete {
			continue
		}
		for _, name := range p.Interface.Functions {
			if _, twice := libs[name]; twice {
				libs[name] = nil
				continue
			}
			libs[name] = s
		}
	}
	if len(libs) == 0 {
		return
	}
	scope := a.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !c.Exported() || c.Val().Kind() != constant.String {
			continue
		}
		fn := constant.StringVal(c.Val())
		if s := libs[fn]; s != nil && fn != "" {
			a.pass.ExportObjectFact(c, a.functionFact(s, fn))
		}
	}
}

func (a *packageRun) functionFact(s *script, fn string) *FunctionFact {
	opt := luacheck.Options{Target: a.cfg.Target, Function: fn}
	p := luacheck.Analyze(s.text.Source(), nil, opt)
	in := p.Interface
	in.Require(p, opt)
	return &FunctionFact{fn, in}
}
