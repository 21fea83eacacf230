// Load loads packages as redislint does and does nothing with them: what loading itself costs, for testdata/bench.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Tests: true}, os.Args[1:]...)
	if err != nil || len(pkgs) == 0 {
		fmt.Fprintln(os.Stderr, "load:", len(pkgs), "packages:", err)
		os.Exit(1)
	}
}
