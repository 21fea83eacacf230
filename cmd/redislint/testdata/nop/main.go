// Nop is a vet tool that does nothing: what go vet itself costs, for testdata/bench.
package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() {
	unitchecker.Main(&analysis.Analyzer{Name: "nop", Doc: "does nothing", Run: func(*analysis.Pass) (any, error) { return nil, nil }})
}
