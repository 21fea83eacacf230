// Command gcl is golangci-lint with the redislint plugin: what `golangci-lint custom` builds from .custom-gcl.yml, without a download of
// golangci-lint's repository.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/redislint/redislint/analyzer/gclplugin"
)

func main() {
	// With any other version golangci-lint keeps cached results when it is built again.
	info := commands.BuildInfo{GoVersion: "unknown", Version: "(devel)", Commit: "unknown", Date: "unknown"}
	if err := commands.Execute(info); err != nil {
		fmt.Fprintln(os.Stderr, "failed executing command with error:", err)
		os.Exit(exitcodes.Failure)
	}
}
