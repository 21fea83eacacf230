package analyzer

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// usesClient reports whether a package that reaches a client names anything that makes or runs a script: a function of the table, one with
// the shape of such, or one of which a fact tells. What names none is left before the index of it is made, which costs more than this.
func usesClient(pass *analysis.Pass, t *table) bool {
	seen := map[types.Object]bool{}
	raw := false
	for _, obj := range pass.TypesInfo.Uses {
		if seen[obj] {
			continue
		}
		seen[obj] = true
		if pass.ImportObjectFact(obj, new(ScriptFact)) {
			return true
		}
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		fn = fn.Origin()
		if _, r := t.row(fn); r != nil || shape(fn) != nil || pass.ImportObjectFact(fn, new(WrapperFact)) {
			return true
		}
		if _, r := t.objectShape(fn); r != nil {
			return true
		}
		raw = raw || wordsFrom(fn) >= 0
	}
	return raw && hasRawCall(pass)
}

// hasRawCall reports whether a package gives a method the words of a command that runs or loads a script.
func hasRawCall(pass *analysis.Pass) bool {
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && !found {
				fn, ok := typeutil.Callee(pass.TypesInfo, c).(*types.Func)
				found = ok && rawShape(fn.Origin(), c, pass.TypesInfo) != nil
			}
			return !found
		})
	}
	return found
}
