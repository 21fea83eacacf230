package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// unprivileged runs redislint in a folder as a user whom modes of files stop. Tests may run as root, whom they do not: then the process loses
// the two capabilities that make root pass, and stays root otherwise, so that it reads root's own caches.
func unprivileged(t *testing.T, dir string, args ...string) (status int, output string) {
	t.Helper()
	tool, err := exec.LookPath("redislint")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread() // the thread ends with the goroutine, and with it what it has given up
			const prCapbsetDrop, dacOverride, dacReadSearch = 24, 1, 2
			for _, capability := range []uintptr{dacOverride, dacReadSearch} {
				if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prCapbsetDrop, capability, 0); errno != 0 {
					t.Errorf("prctl: %v", errno)
				}
			}
		}
		out, err := cmd.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Error(err)
		}
		output = string(out)
	}()
	<-done
	if t.Failed() {
		t.FailNow()
	}
	return cmd.ProcessState.ExitCode(), output
}

const nilTest = nilPattern + "return v\n"

// chmod changes a mode and changes it back, so that the folder of the test can go.
func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(name, 0o755) })
}

// TestUnreadable: files that may not be read give one line each and status 3; the rest is looked at.
func TestUnreadable(t *testing.T) {
	dir := module(t, map[string]string{
		"bare.lua": "return 1\n", "good.lua": "return redis.call('GETT', KEYS[1])\n", "secret/s.lua": "return 1\n",
		"p/p.go": "package p\n\nimport (\n\t_ \"embed\"\n\n\t\"github.com/redis/go-redis/v9\"\n)\n\n//go:embed e.lua\nvar e string\n\nvar S = redis.NewScript(e)\n\n" +
			"var T = redis.NewScript(`return redis.call('GETT', KEYS[1])`)\n",
		"p/e.lua": "return 1\n",
	})
	for _, name := range []string{"bare.lua", "secret", "p/e.lua"} {
		chmod(t, filepath.Join(dir, name), 0)
	}
	status, out := unprivileged(t, dir, "bare.lua", "secret/s.lua", "good.lua", "./p")
	if status != exitProblem {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		"redislint: bare.lua: permission denied\n", "redislint: secret/s.lua: permission denied\n",
		"redislint: p/e.lua:1: e.lua: cannot be read: permission denied, findings may be missing\n",
		"good.lua:1:19: error: unknown-command", "p/p.go:14:44: error: unknown-command",
	} {
		mustContain(t, out, want)
	}
}

// TestReadOnlyTree: -fix and -write-baseline say that they cannot write, once for each file, and leave everything as it was.
func TestReadOnlyTree(t *testing.T) {
	dir := module(t, map[string]string{"sub/a.lua": nilTest, "ro.lua": nilTest, "rw.lua": nilTest})
	chmod(t, filepath.Join(dir, "sub"), 0o555)
	chmod(t, filepath.Join(dir, "ro.lua"), 0o444)
	status, out := unprivileged(t, dir, "-fix", "sub/a.lua", "ro.lua", "rw.lua")
	if status != exitProblem {
		t.Errorf("status %d", status)
	}
	mustContain(t, out, "redislint: sub/a.lua: not fixed: cannot write in its folder: permission denied\n")
	mustContain(t, out, "redislint: ro.lua: not fixed: it is read-only\n")
	for name, want := range map[string]string{"sub/a.lua": nilTest, "ro.lua": nilTest,
		"rw.lua": "local v = redis.call('GET', KEYS[1])\nif v == false then return 0 end\nreturn v\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*/.redislint*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	status, out = unprivileged(t, dir, "-baseline=sub/b.json", "-write-baseline", "ro.lua")
	if status != exitProblem {
		t.Errorf("status %d", status)
	}
	mustContain(t, out, "redislint: cannot write the baseline: cannot write in its folder: permission denied\n")
}
