package analyzer

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func TestZZDump(t *testing.T) {
	dir := os.Getenv("DUMPDIR")
	if dir == "" {
		t.Skip()
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir}, strings.Fields(os.Getenv("DUMPPKGS"))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for path, dep := range p.Imports {
			if dep.Syntax == nil {
				delete(p.Imports, path)
			}
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{sitesOf()}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			fmt.Println(act.Err)
			continue
		}
		l := act.Result.([]string)
		if len(l) > 0 {
			fmt.Println("==", act.Package.PkgPath)
			fmt.Println(strings.Join(l, "\n"))
		}
	}
}
