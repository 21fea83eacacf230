package main

import (
	"fmt"
	"go/build"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/analyzer/load"
	"github.com/redislint/redislint/analyzer/source"
)

// lookAtPackages analyses the packages that the patterns name, one load for each module that they lie in.
func lookAtPackages(out *outcome, patterns []string, cfg analyzer.Config, sys system) {
	for _, group := range byModule(patterns, sys.dir) {
		lookAtModule(out, group, cfg)
	}
}

// moduleGroup is the patterns that cmd/go can take together.
type moduleGroup struct {
	dir      string // where cmd/go runs
	patterns []string
}

// byModule groups patterns by module: cmd/go run in one folder refuses a path in a module below it, and pre-commit and monorepos have such.
func byModule(patterns []string, dir string) []moduleGroup {
	home := moduleRoot(dir)
	groups := []moduleGroup{{dir: dir}}
	for _, p := range patterns {
		path, dots := strings.CutSuffix(p, "/...")
		root := home
		if build.IsLocalImport(path) || filepath.IsAbs(path) {
			root = moduleRoot(inDir(dir, path))
		}
		if root == home || root == "" {
			groups[0].patterns = append(groups[0].patterns, p)
			continue
		}
		if rel, err := filepath.Rel(root, inDir(dir, path)); err == nil {
			p = "./" + filepath.ToSlash(rel)
			if dots {
				p += "/..."
			}
		}
		at := slices.IndexFunc(groups, func(g moduleGroup) bool { return g.dir == root })
		if at < 0 {
			at = len(groups)
			groups = append(groups, moduleGroup{dir: root})
		}
		groups[at].patterns = append(groups[at].patterns, p)
	}
	return slices.DeleteFunc(groups, func(g moduleGroup) bool { return len(g.patterns) == 0 })
}

// moduleRoot is the folder of the go.mod that a folder belongs to, "" where there is none.
func moduleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// lookAtModule looks at the packages that are named; what they import of the main module tells them what its functions do.
func lookAtModule(out *outcome, group moduleGroup, cfg analyzer.Config) {
	boundHeap()
	pkgs, err := load.Run(load.Config{Dir: group.dir, Analyzer: cfg}, group.patterns, out.take)
	if err != nil {
		out.problems = append(out.problems, fmt.Sprintf("cannot load packages: %v", oneLine(err.Error())))
		return
	}
	for _, p := range pkgs {
		for _, text := range p.loading {
			if !slices.Contains(out.problems, text) {
				out.problems = append(out.problems, text)
			}
		}
	}
	for _, p := range pkgs {
		out.packages++
		if p.problem != "" {
			out.problems = append(out.problems, p.problem)
		}
		out.findings = append(out.findings, p.findings...)
		out.scripts = append(out.scripts, p.scripts...)
	}
}

// looked is what is kept of a package.
type looked struct {
	loading  []string // why it does not load or compile
	problem  string   // why it was not analysed
	findings []finding
	scripts  []script
}

// take keeps what is printed of a package, and the files that its findings lie in.
func (o *outcome) take(p *load.Package) looked {
	out := looked{loading: packageErrors(p.Errors, o.files)}
	if p.Err != nil {
		out.problem = fmt.Sprintf("%s: not analysed: %v", p.Path, p.Err)
	}
	if p.Result == nil {
		return out
	}
	c := converter{o.files, p}
	for _, f := range p.Result.Findings {
		out.findings = append(out.findings, c.finding(f))
	}
	for _, s := range p.Result.Scripts {
		out.scripts = append(out.scripts, c.script(s))
	}
	return out
}

// packageErrors lists why a package does not load or compile.
func packageErrors(errs []packages.Error, files *fileSet) []string {
	var out []string
	for _, e := range errs {
		if len(errs) > 1 && e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "# ") {
			continue // the compiler's text of what the other errors say with positions
		}
		text := oneLine(e.Msg)
		if name, rest, ok := strings.Cut(e.Pos, ":"); ok && name != "-" {
			text = files.short(name) + ":" + rest + ": " + text
		}
		out = append(out, text)
	}
	return out
}

// oneLine joins the lines of a message of cmd/go.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// converter turns token.Pos into places.
type converter struct {
	files *fileSet
	pkg   *load.Package
}

func (c converter) finding(f analyzer.Finding) finding {
	out := finding{rule: f.Rule, severity: f.Severity, place: c.place(f.Pos, f.End), message: f.Message, script: f.Script, line: f.Line}
	for _, rel := range f.Related {
		out.related = append(out.related, related{c.place(rel.Pos, rel.End), rel.Message})
	}
	for _, x := range f.Fixes {
		conv := fix{title: x.Message}
		for _, e := range x.TextEdits {
			conv.edits = append(conv.edits, edit{c.place(e.Pos, e.End), string(e.NewText)})
		}
		out.fixes = append(out.fixes, conv)
	}
	return out
}

func (c converter) script(s analyzer.Script) script {
	p := c.place(s.Pos, s.Pos)
	return script{name: s.Name, file: p.file, line: p.startLine, library: s.Library, keys: s.Keys, args: s.Args, calls: s.Calls, counted: s.Counted,
		analysed: s.Analysed, reason: s.Reason, failed: s.Failed}
}

// place ignores //line comments, since edits and carets need the file that was read, but for those of cgo: what it makes of a Go file lies in the
// compiler's cache, and has the same bytes wherever no C name stands.
func (c converter) place(pos, end token.Pos) place {
	file := c.pkg.Fset.File(pos)
	if file == nil {
		return place{}
	}
	if !end.IsValid() || end < pos || c.pkg.Fset.File(end) != file {
		end = pos
	}
	text := c.pkg.Texts[file.Name()]
	if name := source.GoFile(c.pkg.Fset, pos); name != file.Name() && text != nil {
		at := file.PositionFor(pos, true)
		return c.files.like(name, at.Line, at.Column, text[file.Offset(pos):file.Offset(end)])
	}
	if text != nil && c.files.files[file.Name()] == nil {
		c.files.put(file.Name(), text)
	}
	return c.files.at(file.Name(), file.Offset(pos), file.Offset(end))
}
