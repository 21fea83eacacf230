package analyzer

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/rules"
)

// marked adds the literals that a comment marks as scripts: `// language=lua`, or `//redislint:script keys=2 args=1`, on the line of the
// literal's start or the line before the statement that holds it.
func (a *packageRun) marked() {
	for _, f := range a.pass.Files {
		marks := map[int]luacheck.Site{}
		for _, g := range f.Comments {
			for _, c := range g.List {
				if s, ok := mark(c.Text); ok {
					marks[a.pass.Fset.Position(c.End()).Line] = s
				}
			}
		}
		if len(marks) == 0 {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			line := a.pass.Fset.Position(lit.Pos()).Line
			for _, l := range []int{line, line - 1} {
				if site, ok := marks[l]; ok {
					a.markedLiteral(lit, site)
					delete(marks, l)
					break
				}
			}
			return true
		})
	}
}

// mark reads a comment. keys and args say how many a caller passes.
func mark(comment string) (luacheck.Site, bool) {
	text := strings.TrimSpace(strings.TrimPrefix(comment, "//"))
	if strings.EqualFold(text, "language=lua") {
		return luacheck.Site{Mode: define}, true
	}
	d, ok := rules.ParseDirective(strings.TrimPrefix(comment, "//"))
	if !ok || d.Verb != rules.ScriptMark || d.Wrong != "" {
		return luacheck.Site{}, false
	}
	s := luacheck.Site{Mode: define, Callee: "redislint:script", Keys: passed(d.Keys), Args: passed(d.Args)}
	if s.Keys.Exact || s.Args.Exact {
		s.Mode = eval
	}
	return s, true
}

// passed is a list of n unknown elements; of any number where n is negative.
func passed(n int) luacheck.List {
	if n < 0 {
		return luacheck.List{Max: -1}
	}
	return luacheck.List{Items: make([]luacheck.Element, min(n, 64)), Exact: true, Min: n, Max: n}
}

// hasMark reports whether a comment marks a script in any of the files.
func hasMark(files []*ast.File) bool {
	for _, f := range files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if _, ok := mark(c.Text); ok {
					return true
				}
			}
		}
	}
	return false
}

func (a *packageRun) markedLiteral(lit *ast.BasicLit, site luacheck.Site) {
	texts := a.x.Texts(source.At(lit, nil))
	if len(texts) != 1 {
		return
	}
	t := target{text: texts[0], label: a.label(lit, texts[0], nil)}
	rec := &siteRecord{site: site, call: spanOf(lit), text: spanOf(lit), targets: []target{t}}
	if s := a.scripts[texts[0].Key()]; s != nil && site.Mode == define {
		return
	}
	s := a.scriptOf(t, rec)
	rec.site.Label = s.label
	s.sites = append(s.sites, rec)
}
