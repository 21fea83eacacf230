package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// maxLuaFile is the largest .lua file that is looked at, in bytes.
const maxLuaFile = source.MaxScript

// luaFile is one bare script.
type luaFile struct {
	name    string // absolute, or "-"
	text    []byte
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
	all := make([]*luaFile, len(names))
	for i, name := range names {
		all[i] = &luaFile{name: name}
	}
	outside := foldersOutside(names, sys.dir)
	inParallel(all, func() func(*luaFile) {
		scratch := &luacheck.Scratch{}
		return func(f *luaFile) {
			if f.text, f.err = readLua(f.name, sys, outside[filepath.Dir(f.name)]); f.err != nil {
				return
			}
			if f.analyse(cfg, scratch); f.joined {
				scratch = &luacheck.Scratch{} // the facts are needed to the end
			}
		}
	})
	var files []*luaFile
	for _, f := range all {
		if f.err != nil {
			out.problems = append(out.problems, f.err.Error())
			continue
		}
		out.files.put(f.name, f.text)
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
	for _, f := range files {
		f.collect(out, cfg)
	}
}

// foldersOutside are the folders of files that symbolic links lead out of their project.
func foldersOutside(names []string, workDir string) map[string]bool {
	outside := map[string]bool{}
	for _, name := range names {
		dir := filepath.Dir(name)
		if _, known := outside[dir]; name == "-" || known {
			continue
		}
		real, err := filepath.EvalSymlinks(dir)
		outside[dir] = err == nil && real != dir && leaves(dir, real, workDir)
	}
	return outside
}

// readLua reads a file or standard input. An error is one line. outside: its folder lies outside its project.
func readLua(name string, sys system, outside bool) ([]byte, error) {
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(sys.stdin, maxLuaFile+1))
		return text, tooLarge(err, "standard input", int64(len(text)))
	}
	if outside || leavesProject(name, sys.dir) {
		return nil, fmt.Errorf("%s: a symbolic link leads out of the project, not read; name the file itself", newFileSet(sys.dir).short(name))
	}
	text, err := readFile(name)
	if err == nil {
		return text, nil
	}
	short := newFileSet(sys.dir).short(name)
	var path *fs.PathError
	switch {
	case errors.Is(err, errFolder):
		return nil, fmt.Errorf("%s: is a folder", short)
	case errors.Is(err, errTooLarge):
		return nil, tooLarge(nil, short, maxLuaFile+1)
	case errors.As(err, &path):
		err = path.Err
	}
	return nil, fmt.Errorf("%s: %w", short, err)
}

var errFolder, errTooLarge = errors.New("a folder"), errors.New("too large")

// readFile reads a file of at most maxLuaFile bytes.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errFolder
	case info.Size() > maxLuaFile:
		return nil, errTooLarge
	}
	text := bytes.NewBuffer(make([]byte, 0, int(info.Size())+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(f, maxLuaFile+1)); err != nil {
		return nil, err
	}
	if text.Len() > maxLuaFile {
		return nil, errTooLarge
	}
	return text.Bytes(), nil
}

func tooLarge(err error, name string, size int64) error {
	if err == nil && size > maxLuaFile {
		return fmt.Errorf("%s: %s", name, source.TooLong)
	}
	return err
}

// inParallel calls a function for each item on all processors; worker makes one for each of them.
func inParallel[T any](items []T, worker func() func(T)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		wg.Go(func() {
			f := worker()
			for i := next.Add(1) - 1; i < int64(len(items)); i = next.Add(1) - 1 {
				f(items[i])
			}
		})
	}
	wg.Wait()
}

func (f *luaFile) analyse(cfg analyzer.Config, scratch *luacheck.Scratch) {
	src := syntax.Source{Text: string(f.text)}
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
