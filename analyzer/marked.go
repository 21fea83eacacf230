package analyzer

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
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
	rest, ok := strings.CutPrefix(comment, "//redislint:script")
	if !ok || rest != "" && rest[0] != ' ' {
		return luacheck.Site{}, false
	}
	s := luacheck.Site{Mode: eval, Callee: "redislint:script", Keys: luacheck.List{Max: -1}, Args: luacheck.List{Max: -1}}
	for _, word := range strings.Fields(rest) {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			continue
		}
		l := luacheck.List{Items: make([]luacheck.Element, min(n, 64)), Exact: true, Min: n, Max: n}
		switch name {
		case "keys":
			s.Keys = l
		case "args":
			s.Args = l
		}
	}
	if !s.Keys.Exact && !s.Args.Exact {
		s.Mode = define
	}
	return s, true
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
