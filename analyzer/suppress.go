package analyzer

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// goRange is where a comment in a Go file leaves out the findings of one rule.
type goRange struct {
	rule     string
	verb     rules.Verb
	file     string
	from, to token.Pos // the whole file where to is token.NoPos
	at       span      // of the rule's name in the comment
	open     bool
	used     bool
	silent   bool
}

// suppress leaves out the findings that comments in Go files cover, and adds what is wrong with those comments.
func (a *packageRun) suppress(all []Finding, cfg Config) []Finding {
	var ranges []*goRange
	var bad []Finding
	badRule := ruleNamed(cfg.Rules, "bad-directive")
	complain := func(at span, message string) {
		if badRule != nil {
			bad = append(bad, Finding{Rule: badRule, Severity: rules.Warning, Pos: at.pos, End: at.end, Message: message})
		}
	}
	for _, f := range a.pass.Files {
		d := directives{a: a, file: f, complain: complain}
		ranges = append(ranges, d.read()...)
	}
	byRule := sortRanges(ranges)
	var kept []Finding
	for _, f := range all {
		if !a.covered(byRule, &f) {
			kept = append(kept, f)
		}
	}
	if len(a.pass.TypeErrors) == 0 {
		for _, r := range ranges {
			if !r.used && !r.silent && ruleNamed(cfg.Rules, r.rule) != nil {
				complain(r.at, rules.Idle(r.verb, r.rule))
			}
		}
	}
	return append(kept, bad...)
}

func ruleNamed(all []*rules.Rule, name string) *rules.Rule {
	for _, r := range all {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// covered reports whether a comment covers a finding, by its own place or, in an embedded file, by that of the variable.
func (a *packageRun) covered(ranges ruleRanges, f *Finding) bool {
	places := []token.Pos{f.Pos}
	if at := a.x.EmbeddedAt(f.Pos); at.IsValid() {
		places = append(places, at)
	}
	hit := false
	for _, pos := range places {
		tf := a.pass.Fset.File(pos)
		if tf == nil {
			continue
		}
		for r := range ranges[ruleFile{f.Rule.Name, tf.Name()}].around(pos) {
			r.used, hit = true, true
		}
	}
	return hit
}

// directives reads the comments of one file.
type directives struct {
	a        *packageRun
	file     *ast.File
	complain func(span, string)
	ranges   []*goRange
}

func (d *directives) read() []*goRange {
	for _, g := range d.file.Comments {
		for _, c := range g.List {
			text, ok := strings.CutPrefix(c.Text, "//")
			if !ok {
				continue
			}
			if dir, ok := rules.ParseDirective(text); ok {
				d.directive(&dir, c, g)
			}
		}
	}
	return d.ranges
}

func (d *directives) directive(dir *rules.Directive, c *ast.Comment, group *ast.CommentGroup) {
	base := c.Slash + 2
	place := func(s syntax.Span) span { return span{base + token.Pos(s.Start), base + token.Pos(s.End)} }
	for _, complaint := range dir.Complaints() {
		d.complain(place(complaint.Span), complaint.Message)
	}
	if dir.Verb == rules.ScriptMark {
		return
	}
	for _, n := range dir.Names {
		if ruleNamed(rules.All(), n.Name) == nil || n.Name == "bad-directive" {
			continue
		}
		tf := d.a.pass.Fset.File(c.Slash)
		r := &goRange{rule: n.Name, verb: dir.Verb, file: tf.Name(), at: place(n.Span), silent: dir.Wrong != ""}
		switch dir.Verb {
		case rules.Ignore:
			r.from, r.to = d.lines(c, group, tf)
		case rules.IgnoreFile:
			r.from = token.Pos(tf.Base())
			if len(d.file.Decls) > 0 && d.file.Decls[0].Pos() < c.Slash && !isImport(d.file.Decls[0]) {
				d.complain(r.at, "\"redislint:ignore-file\" must stand at the top of the file; write redislint:off here")
				continue
			}
		case rules.Off:
			r.from, r.to, r.open = c.Slash, token.Pos(tf.Base()+tf.Size()), true
		case rules.On:
			if !d.close(n.Name, c.Slash) {
				d.complain(r.at, "\"redislint:on "+n.Name+"\" ends nothing; no redislint:off of it stands above")
			}
			continue
		}
		d.ranges = append(d.ranges, r)
	}
}

func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

func (d *directives) close(rule string, at token.Pos) bool {
	i := slices.IndexFunc(d.ranges, func(r *goRange) bool { return r.rule == rule && r.open })
	if i < 0 {
		return false
	}
	d.ranges[i].open, d.ranges[i].to = false, at
	return true
}

// lines is what an ignore covers: its own line where code stands before it, else the next line with code; and the whole of each literal
// that starts there.
func (d *directives) lines(c *ast.Comment, group *ast.CommentGroup, tf *token.File) (from, to token.Pos) {
	line := rawLine(tf, c.Slash)
	start := tf.LineStart(line)
	if !d.codeBetween(start, c.Slash) {
		line = rawLine(tf, group.End()) + 1
	}
	if line > tf.LineCount() {
		return c.End(), c.End()
	}
	from = tf.LineStart(line)
	to = token.Pos(tf.Base() + tf.Size())
	if line < tf.LineCount() {
		to = tf.LineStart(line + 1)
	}
	lineEnd := to
	d.inspect(from, lineEnd, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && from <= lit.Pos() && lit.Pos() < lineEnd {
			to = max(to, lit.End())
		}
		return n == nil || n.Pos() < lineEnd
	})
	return from, to
}

// inspect walks the package clause and the declarations that meet a range.
func (d *directives) inspect(from, to token.Pos, visit func(ast.Node) bool) {
	ast.Inspect(d.file.Name, visit)
	first, _ := slices.BinarySearchFunc(d.file.Decls, from, func(n ast.Decl, pos token.Pos) int { return int(n.End() - pos) })
	for _, n := range d.file.Decls[first:] {
		if n.Pos() > to {
			return
		}
		ast.Inspect(n, visit)
	}
}

// codeBetween reports whether a node starts or ends on the line in front of a comment.
func (d *directives) codeBetween(from, to token.Pos) bool {
	found := false
	d.inspect(from, to, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return true
		}
		if from <= n.Pos() && n.Pos() < to || from < n.End() && n.End() <= to {
			found = true
		}
		return !found
	})
	return found
}

// rawLine is a position's line in the text that was parsed, from 1: a line directive does not move it.
func rawLine(tf *token.File, pos token.Pos) int { return tf.PositionFor(pos, false).Line }
