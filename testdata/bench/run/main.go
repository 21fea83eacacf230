// Run measures redislint against what people would use instead, and writes the table to docs/performance.md. All times are CPU time, user
// and system, with the processes that a command starts; what is compared is run in turn, and the least of several runs counts. From the
// root of the tree:
//
//	go -C testdata/bench run ./run          the whole table, some minutes
//	go -C testdata/bench run ./run -short   a small one for CI, which is printed only
//
// It needs luacheck and luac5.1 (Debian: lua-check, lua5.1) for the first rows; without them these are left out, and said to be.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/redislint/redislint/testdata/bench/section"
)

func main() {
	short := flag.Bool("short", false, "a small table that is printed and not written")
	flag.Parse()
	if err := run(*short); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run of all measurements.
type bench struct {
	short      bool
	root, work string // the tree, and a folder that goes away
	runs       int
	out        strings.Builder
}

func run(short bool) error {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "redislint-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := &bench{short: short, root: filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), "../.."), work: work, runs: 4}
	if short {
		b.runs = 2
	}
	for name, pkg := range map[string]string{"redislint": "./cmd/redislint", "nop": "./cmd/redislint/testdata/nop", "load": "./cmd/redislint/testdata/load"} {
		if _, err := b.measure(command{dir: b.root, args: []string{"go", "build", "-o", b.tool(name), pkg}}); err != nil {
			return err
		}
	}
	b.head()
	for _, part := range []func() error{b.bareFiles, b.analysis, b.start, b.parser, b.vet, b.standalone, b.scripts, b.lines, b.golangci} {
		if err := part(); err != nil {
			return err
		}
	}
	b.out.WriteString(notes)
	fmt.Print(b.out.String())
	if short {
		return nil
	}
	name := filepath.Join(b.root, "docs/performance.md")
	if old, err := os.ReadFile(name); err == nil { // the long fuzz run has a section of its own
		if kept := section.Of(string(old), "Fuzzing"); kept != "" {
			b.out.WriteString("\n" + kept)
		}
	}
	return os.WriteFile(name, []byte(b.out.String()), 0o644)
}

func (b *bench) tool(name string) string { return filepath.Join(b.work, name) }

func (b *bench) head() {
	cpu := "an unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(text), "model name\t: "); ok {
			cpu, _, _ = strings.Cut(rest, "\n")
		}
	}
	fmt.Fprintf(&b.out, "# Performance\n\nWritten by `go -C testdata/bench run ./run`. %s/%s, %d processors (%s), %s. Times are CPU time, user and system, of the least\n"+
		"of %d runs; what is compared ran in turn. Rows with \"real time\" depend on what else the machine did.\n\n"+
		"| what | redislint | compared with | ratio | aim |\n|---|---|---|---|---|\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu, runtime.Version(), b.runs)
}

func (b *bench) row(what, ours, theirs, ratio, aim string) {
	line := fmt.Sprintf("| %s | %s | %s | %s | %s |\n", what, ours, theirs, ratio, aim)
	fmt.Fprint(os.Stderr, line)
	b.out.WriteString(line)
}

// command is a process to measure.
type command struct {
	dir  string
	args []string
	env  []string
	ok   []int // exit statuses besides 0 that are fine
}

// usage is what a process and those that it waited for took.
type usage struct {
	cpu, real time.Duration
	memory    int64 // the largest process, in bytes
}

func (b *bench) measure(c command) (usage, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	var said strings.Builder
	cmd.Stderr = &said
	start := time.Now()
	err := cmd.Run()
	u := usage{real: time.Since(start)}
	if s := cmd.ProcessState; s != nil {
		u.cpu = s.UserTime() + s.SystemTime()
		if r, ok := s.SysUsage().(*syscall.Rusage); ok {
			u.memory = r.Maxrss << 10
		}
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		for _, code := range c.ok {
			if exit.ExitCode() == code {
				return u, nil
			}
		}
	}
	if err != nil {
		return u, fmt.Errorf("%s: %w: %.300s", strings.Join(c.args[:min(3, len(c.args))], " "), err, said.String())
	}
	return u, nil
}

// compare runs commands in turn and gives the least that each took. before, where not nil, prepares a command.
func (b *bench) compare(before func(i int) error, list ...command) ([]usage, error) {
	best := make([]usage, len(list))
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	for n := range b.runs {
		if n > 0 {
			slices.Reverse(order) // whoever comes first finds other caches than whoever comes last
		}
		for _, i := range order {
			c := list[i]
			if before != nil {
				if err := before(i); err != nil {
					return nil, err
				}
			}
			u, err := b.measure(c)
			if err != nil {
				return nil, err
			}
			if n == 0 {
				best[i] = u
				continue
			}
			best[i] = usage{min(best[i].cpu, u.cpu), min(best[i].real, u.real), min(best[i].memory, u.memory)}
		}
	}
	return best, nil
}

func ms(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000) }

func mb(n int64) string { return fmt.Sprintf("%d MB", n>>20) }

func ratio(a, b float64) string { return fmt.Sprintf("%.2f", a/b) }

func over(a, b time.Duration) string { return ratio(float64(a), float64(b)) }

const notes = `
## How to read it

- luacheck and redislint look for different things: luacheck follows scopes, redislint also what each value may be, on each server of the target.
  A ratio that misses its aim is not reached yet.
- go vet, cold: nothing was vetted with the tool before, and the compiler's results are there. Warm: cmd/go reads what it kept.
- A script of any length takes time in proportion: rules/hostile_test.go checks it for some sixty shapes of scripts, analyzer/growth_test.go for
  some twenty shapes of packages. What nests and multiplies is bounded by a budget, and exit status 3 says so.
- A warm go vet starts the tool twice, for -flags and -V=full, and runs it for no package. The second hashes the tool's file: that is the
  difference to a smaller tool, some 5 ms.
- The heap may grow to seven times what is live before it is cleared for bare files and go vet. Over packages it is held near 48 MB, or half
  as much again as is live (GOGC sets something else), and packages are let go one by one.
`
