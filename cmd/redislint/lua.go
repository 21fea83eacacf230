package main

import (
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// luaFile is one bare script.
type luaFile struct {
	name    string // absolute, or "-"
	source  sourceFile
	err     error // it could not be read
	program *luacheck.Program
	found   []rules.Finding
	// joined: found lacks what CheckPackage has to say and is not suppressed yet.
	joined bool
	// declared is the declaration of the script's keys and arguments, where there is one.
	declared syntax.Span
}

// lookAtLua analyses bare .lua files: each on its own, then the checks that join scripts, over all of them.
func lookAtLua(out *outcome, names []string, cfg analyzer.Config, sys system) {
	all := make([]luaFile, len(names))
	outside := foldersOutside(names, sys.dir)
	inParallel(len(all), func() func(int) {
		scratch, in := &luacheck.Scratch{}, &reader{sys: sys, outside: outside}
		return func(i int) {
			f := &all[i]
			f.name = names[i]
			if f.source.text, f.err = in.read(f.name); f.err != nil {
				return
			}
			if f.analyse(cfg, scratch); f.joined {
				scratch = &luacheck.Scratch{} // the facts are needed to the end
			}
		}
	})
	files := make([]*luaFile, 0, len(all))
	for i := range all {
		f := &all[i]
		if f.err != nil {
			out.problems = append(out.problems, f.err.Error())
			continue
		}
		out.files.files[f.name] = &f.source
		files = append(files, f)
	}
	programs := make([]*luacheck.Program, len(files))
	for i, f := range files {
		programs[i] = f.program
	}
	for i, more := range rules.CheckPackage(programs, cfg.Rules) {
		if f := files[i]; f.joined {
			f.found = rules.Suppress(programs[i], append(f.found, more...), cfg.Rules)
		}
	}
	out.scripts = slices.Grow(out.scripts, len(files))
	for _, f := range files {
		f.collect(out, cfg)
	}
}

// inParallel calls a function for each number below n on all processors; worker makes one for each of them.
func inParallel(n int, worker func() func(int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			f := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

func (f *luaFile) analyse(cfg analyzer.Config, scratch *luacheck.Scratch) {
	src := syntax.Source{Text: f.source.text}
	f.program = luacheck.Analyze(src, siteOf(src, f.label()), luacheck.Options{Target: cfg.Target, Scratch: scratch})
	f.found = rules.Check(f.program, cfg.Rules)
	f.declared, _, _ = declaration(f.program.Chunk)
	if f.joined = rules.Joins(f.program, cfg.Rules); !f.joined {
		f.found = rules.Suppress(f.program, f.found, cfg.Rules)
		f.program = f.program.Outline() // or all texts and facts would be kept to the end
	}
}

// label names the script for people.
func (f *luaFile) label() string {
	if f.name == "-" {
		return "stdin"
	}
	return filepath.Base(f.name)
}

// collect turns what was found into the report's terms.
func (f *luaFile) collect(out *outcome, cfg analyzer.Config) {
	for _, x := range f.found {
		if x.Severity >= cfg.Severity {
			out.findings = append(out.findings, f.finding(x, out.files))
		}
	}
	out.scripts = append(out.scripts, f.script())
}

func (f *luaFile) script() script {
	s := script{name: f.label(), file: f.name, line: 1, keys: f.program.Interface.Keys, args: f.program.Interface.Args, analysed: true}
	for _, site := range f.program.Sites {
		if site.Mode.Runs() {
			s.calls++
			if site.Keys.Exact || site.NumKeys.Known {
				s.counted++
			}
		}
	}
	if f.program.OverBudget {
		s.analysed, s.failed, s.reason = false, true, analyzer.BudgetReason
	}
	return s
}

func (f *luaFile) finding(x rules.Finding, files *fileSet) finding {
	out := finding{rule: x.Rule, severity: x.Severity, place: f.place(x.Span, x.Site, files), message: x.Message, script: f.label()}
	for _, rel := range x.Related {
		out.related = append(out.related, related{f.place(rel.Span, rel.Site, files), rel.Message})
	}
	for _, fx := range x.Fixes {
		conv := fix{title: fx.Title}
		for _, e := range fx.Edits {
			conv.edits = append(conv.edits, edit{files.at(f.name, int(e.Span.Start), int(e.Span.End)), e.New})
		}
		out.fixes = append(out.fixes, conv)
	}
	return out
}

// place is where a finding is shown. What is wrong with the declared call is shown at the declaration.
func (f *luaFile) place(span syntax.Span, site int, files *fileSet) place {
	if site >= 0 {
		span = f.declared
	}
	return files.at(f.name, int(span.Start), int(span.End))
}
