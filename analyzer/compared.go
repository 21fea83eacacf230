package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// bounded reports whether some variable that a number is made of is compared somewhere in the package: it is taken not to be too short then.
// That a duration is not 0 says nothing, as a part of a second is not 0 either.
func (a *packageRun) bounded(b source.Bound) bool {
	if a.compared == nil {
		a.compared = map[types.Object]bool{}
		for _, f := range a.pass.Files {
			ast.Inspect(f, a.noteComparison)
		}
	}
	for range maxPath {
		found := false
		a.variables(b.Expr, func(v *types.Var) { found = found || a.compared[v] })
		if found {
			return true
		}
		to := a.x.Follow(b, true)
		if len(to) != 1 || to[0].Expr == nil || to[0].Expr == b.Expr {
			return false
		}
		b = to[0]
		if c, ok := b.Expr.(*ast.CallExpr); ok && len(c.Args) == 1 { // a conversion, or strconv.Itoa
			b = source.At(c.Args[0], b.Env)
		}
	}
	return false
}

func (a *packageRun) noteComparison(n ast.Node) bool {
	e, ok := n.(*ast.BinaryExpr)
	if !ok {
		return true
	}
	switch e.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
	default:
		return true
	}
	for _, side := range [2][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		other := a.x.Info.Types[side[1]].Value
		zero := other != nil && constant.Sign(constant.ToFloat(other)) == 0 && other.Kind() != constant.String
		a.variables(side[0], func(v *types.Var) {
			if !zero || argType(v.Type()) != luacheck.TypeDuration {
				a.compared[v] = true
			}
		})
	}
	return true
}

// variables visits the variables and fields of an expression.
func (a *packageRun) variables(e ast.Expr, visit func(*types.Var)) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := a.x.Info.ObjectOf(id).(*types.Var); ok {
				visit(v)
			}
		}
		_, fn := n.(*ast.FuncLit)
		return !fn
	})
}
