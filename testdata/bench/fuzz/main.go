// Fuzz runs every fuzz target of the module, one after another, for an equal share of a total time, and writes what came of it to its own
// section of docs/performance.md:
//
//	go -C testdata/bench run ./fuzz -time 1h
//
// A failing input is written by the go command to testdata/fuzz of the target's package, where it stays as a test; its target stops there.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/redislint/redislint/testdata/bench/section"
)

func main() {
	total := flag.Duration("time", time.Hour, "time over all targets")
	dry := flag.Bool("print", false, "print the section and write nothing")
	flag.Parse()
	failed, err := run(*total, *dry)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
	if failed {
		os.Exit(1)
	}
}

// target is a fuzz target and what its run gave.
type target struct {
	pkg, name     string
	execs         int
	found, corpus int           // new interesting inputs, and all with the seeds
	share         time.Duration // of fuzzing, which begins with all inputs that are known
	took          time.Duration // of the go command, which builds the target first
	crashers      []string
	problem       string // it failed without a failing input
}

const heading = "Fuzzing"

func run(total time.Duration, dry bool) (failed bool, err error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return false, err
	}
	root := filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), "../..")
	targets, err := list(root)
	if err != nil {
		return false, err
	}
	share := (total / time.Duration(len(targets))).Round(time.Second)
	for _, t := range targets {
		t.fuzz(root, share)
		fmt.Fprint(os.Stderr, t.row())
		failed = failed || len(t.crashers) > 0 || t.problem != ""
	}
	text := report(targets, share)
	if dry {
		fmt.Print(text)
		return failed, nil
	}
	name := filepath.Join(root, "docs/performance.md")
	doc, err := os.ReadFile(name)
	if err != nil {
		return failed, err
	}
	return failed, os.WriteFile(name, []byte(section.Replace(string(doc), heading, text)), 0o644)
}

// list finds the targets of all packages of the module.
func list(root string) ([]*target, error) {
	cmd := exec.Command("go", "test", "-list", "^Fuzz", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the targets: %w", err)
	}
	var all []*target
	waiting := 0 // the names of a package stand before its own line
	for _, line := range strings.Split(string(out), "\n") {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "Fuzz"):
			all = append(all, &target{name: line})
		case len(words) > 1 && words[0] == "ok":
			for ; waiting < len(all); waiting++ {
				all[waiting].pkg = words[1]
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no targets in %s", root)
	}
	return all, nil
}

var (
	progress = regexp.MustCompile(`fuzz: elapsed: \S+ execs: (\d+) .*new interesting: (\d+) \(total: (\d+)\)`)
	written  = regexp.MustCompile(`Failing input written to (\S+)`)
)

// fuzz runs one target with one worker, so that two targets or a build beside it do not disturb it.
func (t *target) fuzz(root string, share time.Duration) {
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", share.String(), "-parallel", "1", t.pkg)
	cmd.Dir = root
	t.share = share
	start := time.Now()
	out, err := cmd.CombinedOutput()
	t.took = time.Since(start)
	t.read(string(out), err)
}

// read takes the figures out of what the go command printed.
func (t *target) read(out string, err error) {
	for _, m := range progress.FindAllStringSubmatch(out, -1) {
		t.execs, _ = strconv.Atoi(m[1])
		t.found, _ = strconv.Atoi(m[2])
		t.corpus, _ = strconv.Atoi(m[3])
	}
	for _, m := range written.FindAllStringSubmatch(out, -1) {
		t.crashers = append(t.crashers, m[1])
	}
	// The go command reports its own deadline as a failure when a worker is late.
	if err != nil && len(t.crashers) == 0 && !strings.Contains(out, "context deadline exceeded") {
		lines := strings.Split(strings.TrimSpace(out), "\n")
		t.problem = fmt.Sprintf("%v: %.200s", err, lines[0])
	}
}

func (t *target) row() string {
	result := "none"
	if t.execs == 0 {
		result = "none; the time was too short for more than the known inputs"
	}
	if n := len(t.crashers); n > 0 {
		result = fmt.Sprintf("%d: %s", n, strings.Join(t.crashers, ", "))
	}
	if t.problem != "" {
		result = "did not run: " + strings.ReplaceAll(t.problem, "|", "/")
	}
	pkg := strings.TrimPrefix(t.pkg, "github.com/redislint/redislint/")
	return fmt.Sprintf("| %s %s | %d | %.0f | %d | %d | %s |\n", pkg, t.name, t.execs, float64(t.execs)/t.share.Seconds(), t.found, t.corpus, result)
}

func report(targets []*target, share time.Duration) string {
	var out bytes.Buffer
	took, execs, crashers := time.Duration(0), 0, 0
	for _, t := range targets {
		took, execs, crashers = took+t.took, execs+t.execs, crashers+len(t.crashers)
	}
	fmt.Fprintf(&out, "## %s\n\nWritten by `go -C testdata/bench run ./fuzz`: %d targets of %v each with one worker, %v in all on %s/%s with %s. %d inputs were run, and\n"+
		"%d failed. Inputs are new where they reach code that none before reached; the corpus counts those of earlier runs too.\n\n", heading, len(targets), share,
		took.Round(time.Second), runtime.GOOS, runtime.GOARCH, runtime.Version(), execs, crashers)
	out.WriteString("| target | inputs run | a second | new | corpus | failing |\n|---|---|---|---|---|---|\n")
	for _, t := range targets {
		out.WriteString(t.row())
	}
	return out.String()
}
