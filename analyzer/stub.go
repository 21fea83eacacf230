package analyzer

import (
	"reflect"

	"golang.org/x/tools/go/analysis"
)

// New stands here only until the Go side lands; delete this file then.
func New(Config) *analysis.Analyzer {
	return &analysis.Analyzer{Name: "redislint", Doc: "finds scripts", RunDespiteErrors: true, ResultType: reflect.TypeFor[*Result](),
		Run: func(*analysis.Pass) (any, error) { return &Result{}, nil }}
}
