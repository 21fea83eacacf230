package main

import (
	"encoding/json"
	"flag"
	"fmt"
	goversion "go/version"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/redislint/redislint/analyzer"
)

// vetMain speaks the protocol of cmd/go's vet and fix tools, which owns the global FlagSet: -flags, -V=full, and one .cfg a package. It
// does not return.
func vetMain(args []string) {
	if unit := args[len(args)-1]; strings.HasSuffix(unit, ".cfg") {
		if done := refuseNewerGo(unit, os.Stderr); done >= 0 {
			os.Exit(done)
		}
	}
	settings := analyzer.DefaultSettings()
	settings.Register(flag.CommandLine)
	cfg, err := vetConfig(args)
	if err != nil && skipsUnit(args[len(args)-1]) {
		os.Exit(exitClean) // said once, for the packages that are named
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "redislint:", err)
		os.Exit(exitUsage)
	}
	cfg.ReportFailed = true
	if unit, ok := readUnit(args[len(args)-1]); ok && unit.VetxOnly {
		cfg.Part = analyzer.FactsOnly
	}
	a := analyzer.New(cfg)
	settings.Register(&a.Flags) // unitchecker offers these as -redislint.NAME
	unitchecker.Main(a)
}

// vetConfig reads our own flags among those of the protocol. unitchecker parses all of them again, with the same meaning.
func vetConfig(args []string) (analyzer.Config, error) {
	settings := analyzer.DefaultSettings()
	for _, a := range args {
		name, value, hasValue := strings.Cut(strings.TrimLeft(a, "-"), "=")
		name = strings.TrimPrefix(name, "redislint.")
		for _, o := range analyzer.Options() {
			if o.Name != name || !strings.HasPrefix(a, "-") {
				continue
			}
			if !hasValue { // cmd/go always writes -name=value, but for switches
				value = "true"
			}
			if err := o.Value(&settings).Set(value); err != nil {
				return analyzer.Config{}, fmt.Errorf("-%s: %w", name, err)
			}
		}
	}
	return settings.Config()
}

// vetUnit is what we need of cmd/go's description of a package.
type vetUnit struct {
	GoVersion   string
	VetxOnly    bool
	VetxOutput  string
	PackageVetx map[string]string
}

// readUnit reads a description; false where name is none.
func readUnit(name string) (vetUnit, bool) {
	if !strings.HasSuffix(name, ".cfg") {
		return vetUnit{}, false
	}
	text, err := os.ReadFile(name)
	var unit vetUnit
	return unit, err == nil && json.Unmarshal(text, &unit) == nil
}

// tooNew starts the facts of a package whose Go is newer than ours. A vet tool reads the compiler's own formats, so it must be built with
// the user's Go; cmd/go tells the version with the standard library only and shows nothing of what a tool says there. So the message
// travels as facts to the packages that are shown.
const tooNew = "redislint: "

// refuseNewerGo returns an exit status where the unit comes from a newer Go than redislint was built with, else -1.
func refuseNewerGo(name string, stderr io.Writer) int {
	unit, ok := readUnit(name)
	if !ok {
		return -1 // unitchecker says so
	}
	message := newerGo(unit)
	if message == "" {
		return -1
	}
	if unit.VetxOnly && os.WriteFile(unit.VetxOutput, []byte(message), 0o644) == nil {
		return exitClean
	}
	fmt.Fprintln(stderr, message)
	return exitFindings
}

// skipsUnit leaves empty facts for a package that is not named, as each of the standard library; false for one that is.
func skipsUnit(name string) bool {
	unit, ok := readUnit(name)
	if !ok || !unit.VetxOnly {
		return false
	}
	return os.WriteFile(unit.VetxOutput, nil, 0o644) == nil
}

func newerGo(unit vetUnit) string {
	if goversion.Compare(goversion.Lang(unit.GoVersion), goversion.Lang(runtime.Version())) > 0 {
		return fmt.Sprintf("%sbuilt with %s, which cannot read the packages of %s; build it again with that Go (go install, or go get -tool)",
			tooNew, runtime.Version(), unit.GoVersion)
	}
	head := make([]byte, 1024)
	for _, file := range unit.PackageVetx {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		n, _ := io.ReadFull(f, head)
		f.Close()
		if strings.HasPrefix(string(head[:n]), tooNew) {
			return string(head[:n])
		}
	}
	return ""
}
