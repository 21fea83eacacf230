package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/redis/go-redis/v9" // the modules of the scripts import it, so it must be in the module cache
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"redislint": main}) }

// TestScripts runs each file of testdata/script: a shell session with everything that it prints.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := exec.LookPath("redislint") // testscript.Main puts it there
	if err != nil {
		t.Fatal(err)
	}
	env := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK", "GOFLAGS", "GOTOOLCHAIN")
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Setenv("ROOT", root)
			e.Setenv("REDISLINT", tool)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"gomodule": goModule, "status": status, "mode": mode},
	})
}

// goEnv passes settings of go on to the scripts, which have a home of their own.
func goEnv(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var vars []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		if value != "" {
			vars = append(vars, names[i]+"="+value)
		}
	}
	return append(vars, "GOWORK=off")
}

// goModule writes a go.mod and go.sum with this module's own requirements into the current folder: gomodule PATH.
func goModule(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gomodule PATH")
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), name))
		ts.Check(err)
		if name == "go.mod" {
			_, rest, _ := strings.Cut(string(text), "\n")
			text = []byte("module " + args[0] + "\n" + rest)
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), text, 0o644))
	}
}

// status runs redislint and checks its exit status: status N ARG... The output is there for stdout, stderr and cmp.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		got = fmt.Sprint(exit.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("exit status is %s, want %s", got, args[0])
	}
}

// mode checks the mode of a file: mode MODE FILE.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("mode of %s is %s, want %s", args[1], got, args[0])
	}
}
