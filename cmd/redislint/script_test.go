package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"gomodule": goModule, "status": status, "mode": mode, "goproxy": goProxy},
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

// goProxy publishes the work tree as a version of this module in a module proxy of files, and sets the variables with which the go command
// takes this module from there and all others from where it took them before: goproxy VERSION.
func goProxy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: goproxy VERSION")
	}
	const path = "github.com/redislint/redislint"
	root, dir := ts.Getenv("ROOT"), ts.MkAbs("proxy")
	versions := filepath.Join(dir, path, "@v")
	ts.Check(os.MkdirAll(versions, 0o755))
	write := func(name string, text []byte) { ts.Check(os.WriteFile(filepath.Join(versions, name), text, 0o644)) }
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	ts.Check(err)
	write("list", []byte(args[0]+"\n"))
	write(args[0]+".info", fmt.Appendf(nil, `{"Version": %q, "Time": "2026-01-02T03:04:05Z"}`, args[0]))
	write(args[0]+".mod", mod)
	archive, err := moduleZip(root, path+"@"+args[0]+"/")
	ts.Check(err)
	write(args[0]+".zip", archive)
	downloaded := filepath.Join(ts.Getenv("GOMODCACHE"), "cache/download")
	ts.Setenv("GOPROXY", "file://"+filepath.ToSlash(dir)+",file://"+filepath.ToSlash(downloaded)+","+ts.Getenv("GOPROXY"))
	ts.Setenv("GONOSUMDB", path)
	// -trimpath: what is built is the same wherever the cache is, so that a second run finds it built.
	ts.Setenv("GOFLAGS", "-mod=mod -modcacherw -trimpath")
	ts.Setenv("GOMODCACHE", ts.MkAbs("cache"))
}

// moduleZip packs a module as a proxy serves it: each file below the prefix, without hidden folders and modules inside it.
func moduleZip(root, prefix string) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == root {
			return err
		}
		if d.IsDir() {
			if _, nested := os.Stat(filepath.Join(name, "go.mod")); nested == nil || strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f, err := w.Create(prefix + filepath.ToSlash(rel))
		if err == nil {
			_, err = f.Write(text)
		}
		return err
	})
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
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
