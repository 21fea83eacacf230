package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"golangci-lint": main}) }

// TestScripts runs golangci-lint with the plugin on small modules.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOFLAGS", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	testscript.Run(t, testscript.Params{
		Dir:           "script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			for i, name := range names {
				if values[i] != "" {
					e.Setenv(name, values[i])
				}
			}
			e.Setenv("GOLANGCI_LINT_CACHE", filepath.Join(e.WorkDir, ".cache"))
			return copyModule(root, e.WorkDir)
		},
	})
}

// copyModule gives the module of a script the requirements of redislint, among them go-redis.
func copyModule(root, dir string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"+rest), 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
}
