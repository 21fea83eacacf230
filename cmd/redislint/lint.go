package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/rules"
)

// outcome is what looking at the arguments gave.
type outcome struct {
	report
	problems []string // what could not be loaded or analysed, one line each
	packages int
}

// lint looks at the arguments, changes files where that is asked for, prints, and returns the exit status.
func lint(opt options, args []string, sys system) int {
	cfg, err := opt.Settings.Config()
	var in inputs
	if err == nil {
		in, err = sortArguments(args, sys)
	}
	if err == nil && opt.fix && !opt.diff && slices.Contains(in.lua, "-") {
		err = errors.New("-fix cannot change standard input; -fix -diff shows the changes")
	}
	if err != nil {
		fmt.Fprintln(sys.stderr, "redislint:", err)
		return exitUsage
	}
	start := time.Now()
	least := cfg.Severity
	if opt.baseline != "" && !opt.writeBaseline && !opt.fix {
		cfg.Severity = rules.Note // what is not shown is still there, and its entries are needed
	}
	out := look(in, cfg, sys)
	if opt.fix && opt.diff {
		return showDiff(out, sys)
	}
	if opt.fix {
		out = fixAll(out, in, cfg, sys)
	}
	if opt.writeBaseline {
		return makeBaseline(out, opt, sys)
	}
	hidden, stale := out.useBaseline(opt, cfg, sys)
	out.findings = slices.DeleteFunc(out.findings, func(f finding) bool { return f.severity < least })
	out.color = opt.color == "always" || opt.color == "auto" && sys.outTerminal && !sys.noColor
	if err := printerFor(opt.format)(sys.stdout, out.report); err != nil {
		out.problems = append(out.problems, fmt.Sprintf("cannot print: %v", err))
	}
	printProblems(out, sys)
	if opt.verbose {
		summarise(out, sys, time.Since(start), hidden, stale)
	}
	return out.status()
}

// useBaseline takes out the findings of the baseline: how many, and how many entries hide nothing.
func (o *outcome) useBaseline(opt options, cfg analyzer.Config, sys system) (hidden, stale int) {
	if opt.baseline == "" {
		return 0, 0
	}
	counts, err := readBaseline(inDir(sys.dir, opt.baseline))
	if err != nil {
		o.problems = append(o.problems, err.Error())
		return 0, 0
	}
	before := len(o.findings)
	o.findings, stale = subtract(o.findings, counts, func(rule string) bool {
		known := slices.ContainsFunc(rules.All(), func(r *rules.Rule) bool { return r.Name == rule })
		return known && !slices.ContainsFunc(cfg.Rules, func(r *rules.Rule) bool { return r.Name == rule })
	})
	return before - len(o.findings), stale
}

func (o outcome) status() int {
	switch {
	case len(o.problems) > 0:
		return exitProblem
	case len(o.findings) > 0:
		return exitFindings
	}
	return exitClean
}

func printProblems(out outcome, sys system) {
	for _, p := range out.problems {
		fmt.Fprintln(sys.stderr, "redislint:", p)
	}
}

// look analyses all inputs once.
func look(in inputs, cfg analyzer.Config, sys system) outcome {
	stop := progress(sys, "looking at the code")
	defer stop()
	out := outcome{report: report{files: newFileSet(sys.dir)}}
	lookAtLua(&out, in.lua, cfg, sys)
	lookAtPackages(&out, in.patterns, cfg, sys)
	out.findings = sortFindings(out.findings)
	for i := range out.findings {
		if f := &out.findings[i]; f.line == "" {
			f.line = out.files.get(f.file).line(f.startLine)
		}
	}
	out.scripts = sortScripts(out.scripts)
	for _, s := range out.scripts {
		if s.failed {
			out.problems = append(out.problems, fmt.Sprintf("%s:%d: %s: %s, findings may be missing", out.files.short(s.file), s.line, s.name, s.reason))
		}
	}
	return out
}

// maxRounds bounds how often files are analysed again because fixes overlapped or made others possible.
const maxRounds = 10

// fixAll applies fixes until none is left, and gives the outcome of the last look.
func fixAll(out outcome, in inputs, cfg analyzer.Config, sys system) outcome {
	total := 0
	var refused []string
	for range maxRounds {
		patches := choose(out.findings)
		fixed, problems := writePatches(patches, out.files)
		refused = problems
		total += fixed
		if fixed == 0 {
			break
		}
		before := out
		out = look(in, cfg, sys)
		undone := undoBroken(patches, before, out)
		if len(undone) > 0 {
			refused = append(refused, undone...)
			out = look(in, cfg, sys)
			break
		}
	}
	out.problems = append(out.problems, refused...)
	if total > 0 {
		fmt.Fprintf(sys.stderr, "redislint: applied %s\n", count(total, "fix", "fixes"))
	}
	return out
}

// undoBroken puts back the files whose scripts stopped parsing: a fix must never make things worse, whatever a rule promised.
func undoBroken(patches []patch, before, after outcome) (problems []string) {
	for _, p := range patches {
		if syntaxErrors(after, p.file) <= syntaxErrors(before, p.file) {
			continue
		}
		err := replaceFile(p.file, []byte(before.files.get(p.file).text))
		problems = append(problems, fmt.Sprintf("%s: not fixed: the result would not parse", after.files.short(p.file)))
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems
}

func syntaxErrors(o outcome, file string) int {
	n := 0
	for _, f := range o.findings {
		if f.file == file && f.rule.Name == "syntax" {
			n++
		}
	}
	return n
}

// showDiff is -fix -diff: the changes of the first round stand for the findings that they fix.
func showDiff(out outcome, sys system) int {
	problems, err := printDiff(sys.stdout, choose(out.findings), out.files)
	if err != nil {
		problems = append(problems, fmt.Sprintf("cannot print: %v", err))
	}
	out.problems = append(out.problems, problems...)
	printProblems(out, sys)
	out.findings = slices.DeleteFunc(out.findings, func(f finding) bool { return len(f.fixes) == 0 })
	return out.status()
}

func makeBaseline(out outcome, opt options, sys system) int {
	if err := writeBaseline(inDir(sys.dir, opt.baseline), out.findings); err != nil {
		out.problems = append(out.problems, fmt.Sprintf("cannot write the baseline: %v", err))
	} else {
		fmt.Fprintf(sys.stderr, "redislint: wrote %s to %s\n", count(len(out.findings), "finding", "findings"), opt.baseline)
	}
	printProblems(out, sys)
	out.findings = nil
	return out.status()
}

func inDir(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// summarise is -v.
func summarise(out outcome, sys system, took time.Duration, hidden, stale int) {
	calls, left := 0, 0
	for _, s := range out.scripts {
		calls += s.calls
		if !s.analysed {
			left++
			name := s.name
			if name == "" {
				name = "script"
			}
			fmt.Fprintf(sys.stderr, "not analysed: %s:%d: %s: %s\n", out.files.short(s.file), s.line, name, s.reason)
		}
	}
	if hidden+stale > 0 {
		fmt.Fprintf(sys.stderr, "baseline: %d hidden, %d not found any more\n", hidden, stale)
	}
	fmt.Fprintf(sys.stderr, "%s, %s, %s, %d not analysed, %s, %s\n", count(out.packages, "package", "packages"),
		count(len(out.scripts), "script", "scripts"), count(calls, "call", "calls"), left, count(len(out.findings), "finding", "findings"),
		took.Round(time.Millisecond))
	if out.packages > 0 {
		fmt.Fprintln(sys.stderr, "functions of other modules are followed here where their package imports a client; go vet -vettool follows all")
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// progress tells someone who waits at a terminal for over a second that work goes on. The returned function clears the line.
func progress(sys system, what string) (stop func()) {
	if !sys.errTerminal {
		return func() {}
	}
	begin, done, ended := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(sys.stderr, "\rredislint: %s, %d s", what, int(time.Since(begin).Seconds()))
			case <-done:
				if time.Since(begin) > time.Second {
					fmt.Fprint(sys.stderr, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}
