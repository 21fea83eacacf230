package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// slowly is standard input that ends after a while, so that a run takes as long.
type slowly struct{ text io.Reader }

func (s slowly) Read(p []byte) (int, error) {
	n, err := s.text.Read(p)
	if err == io.EOF {
		time.Sleep(2200 * time.Millisecond)
	}
	return n, err
}

// TestProgress: who waits at a terminal is told so each second, and the line is gone in the end; nobody else is told anything.
func TestProgress(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out, errs bytes.Buffer
		sys := system{stdin: slowly{strings.NewReader("return 1\n")}, stdout: &out, stderr: &errs, dir: t.TempDir(), errTerminal: terminal}
		if status := run([]string{"-"}, sys); status != exitClean || out.Len() > 0 {
			t.Errorf("status %d, %s", status, out.String())
		}
		want := ""
		if terminal {
			want = "\rredislint: looking at the code, 1 s\rredislint: looking at the code, 2 s\r\x1b[K"
		}
		if errs.String() != want {
			t.Errorf("terminal %v: got %q, want %q", terminal, errs.String(), want)
		}
	}
}

// TestProgressOnTerminal runs the command on a terminal of its own, which script(1) makes.
func TestProgressOnTerminal(t *testing.T) {
	tool, err := exec.LookPath("redislint")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("script(1) is not installed:", err)
	}
	cmd := exec.Command("script", "-qec", "sh -c 'sleep 2; echo return 1' | "+tool+" -", "/dev/null")
	cmd.Env = append(os.Environ(), "NO_COLOR=")
	out, err := cmd.Output()
	if got := string(out); err != nil || !strings.HasSuffix(got, "\r\x1b[K") || !strings.Contains(got, "\rredislint: looking at the code, 1 s") {
		t.Errorf("got %q, %v", got, err)
	}
}
