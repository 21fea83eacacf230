package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Suppress removes the findings that comments of the script ask to leave out, and adds those of bad-directive where it is among the
// enabled rules. Findings keep their order.
//
// `redislint:ignore` behind code covers what starts on its line; on a line of its own it covers the next line with code, and the rest of the simple
// statement, or of the head of the block, that begins on it. `ignore-file` above the first statement covers the whole script, also what
// is found at its calls; `off` covers what follows, to the `on` of the same rule or the end.
func Suppress(p *luacheck.Program, found []Finding, enabled []*Rule) []Finding {
	s := suppression{program: p, enabled: enabled}
	for i := range p.Chunk.Comments {
		s.comment(&p.Chunk.Comments[i])
	}
	if len(s.ranges) == 0 && len(s.bad) == 0 {
		return found
	}
	var kept []Finding
	for _, f := range found {
		if !s.covers(&f) {
			kept = append(kept, f)
		}
	}
	s.idle()
	if slices.Contains(enabled, badDirective) {
		kept = append(kept, s.bad...)
	}
	return unique(kept)
}

type suppression struct {
	program *luacheck.Program
	enabled []*Rule
	ranges  []covered
	bad     []Finding
}

// covered is where findings of one rule are left out.
type covered struct {
	rule string
	span syntax.Span
	file bool // the whole script and its sites
	verb Verb
	at   syntax.Span // of the rule's name, for bad-directive
	open bool        // an off that no on has ended yet
	used bool
	// silent: nothing is said where it is idle: another tool's comment, or one that is complained of already
	silent bool
}

func (s *suppression) comment(c *syntax.Comment) {
	if undeclaredAllowed(c.Text) {
		for _, rule := range []string{"dynamic-key", "literal-key"} {
			s.ranges = append(s.ranges, covered{rule: rule, file: true, silent: true})
		}
		return
	}
	d, ok := ParseDirective(c.Text)
	if !ok {
		return
	}
	// The text stands somewhere between the dashes and the closing bracket; offsets in it become offsets in the source.
	base := c.Start + syntax.Pos(strings.Index(s.program.Source.Text[c.Start:c.End], c.Text))
	for _, complaint := range d.Complaints() {
		s.complain(shift(complaint.Span, base), complaint.Message)
	}
	for _, n := range d.Names {
		if isRule(n.Name) && n.Name != badDirective.Name {
			s.apply(&d, n, c, shift(n.Span, base))
		}
	}
}

// apply makes one rule's range of a directive.
func (s *suppression) apply(d *Directive, n Named, c *syntax.Comment, at syntax.Span) {
	r := covered{rule: n.Name, verb: d.Verb, at: at, silent: d.Wrong != ""}
	switch d.Verb {
	case Ignore:
		r.span = s.lines(c)
	case IgnoreFile:
		r.file = true
		if stmts := s.program.Chunk.Body.Stmts; len(stmts) > 0 && stmts[0].Bounds().Start < c.Start {
			s.complain(at, "\"redislint:ignore-file\" must stand above the first statement; write redislint:off here")
			return
		}
	case Off:
		r.span, r.open = syntax.SpanOf(int(c.Start), len(s.program.Source.Text)+1), true
	case On:
		if !s.close(n.Name, c.Start) {
			s.complain(at, "\"redislint:on "+n.Name+"\" ends nothing; no redislint:off of it stands above")
		}
		return
	case ScriptMark:
		return
	}
	s.ranges = append(s.ranges, r)
}

// close ends the open off of a rule.
func (s *suppression) close(rule string, at syntax.Pos) bool {
	for i := range s.ranges {
		if r := &s.ranges[i]; r.rule == rule && r.open {
			r.open, r.span.End = false, at
			return true
		}
	}
	return false
}

func (s *suppression) complain(at syntax.Span, message string) {
	f := In(at, Warning, message)
	f.Rule = badDirective
	s.bad = append(s.bad, f)
}

// covers reports whether a finding is left out, and marks what leaves it out as used: all that do, so that none of them is called idle.
func (s *suppression) covers(f *Finding) bool {
	hit := false
	for i := range s.ranges {
		r := &s.ranges[i]
		if r.rule == f.Rule.Name && (r.file || f.Site < 0 && r.span.Start <= f.Span.Start && f.Span.Start < r.span.End) {
			r.used, hit = true, true
		}
	}
	return hit
}

// idle complains of directives that suppressed nothing. It says nothing where the script was not wholly looked at, or the rule is off.
func (s *suppression) idle() {
	if !s.program.Complete || s.program.OverBudget {
		return
	}
	for i := range s.ranges {
		r := &s.ranges[i]
		on := slices.ContainsFunc(s.enabled, func(rule *Rule) bool { return rule.Name == r.rule })
		if !r.used && !r.silent && on {
			s.complain(r.at, Idle(r.verb, r.rule))
		}
	}
}

// lines is what an ignore covers: its own line where code stands before it, else the next line with code.
func (s *suppression) lines(c *syntax.Comment) syntax.Span {
	text := s.program.Source.Text
	start := lineStart(text, c.Start)
	if blank(text[start:c.Start]) {
		start = s.nextCode(c.End)
	}
	end := start
	for int(end) < len(text) && text[end] != '\n' && text[end] != '\r' {
		end++
	}
	line := syntax.Span{Start: start, End: end}
	return syntax.Span{Start: start, End: max(end, s.reach(line)) + 1}
}

// nextCode is the start of the first line after pos that holds more than blanks and comments, or the end of the text.
func (s *suppression) nextCode(pos syntax.Pos) syntax.Pos {
	text := s.program.Source.Text
	for _, c := range s.program.Chunk.Comments {
		if c.Start >= pos && blank(text[pos:c.Start]) {
			pos = c.End
		}
	}
	for int(pos) < len(text) && strings.IndexByte(" \t\r\n\f\v", text[pos]) >= 0 {
		pos++
	}
	return lineStart(text, pos)
}

// reach is where the statements end that begin on a line: simple ones at their end or at the body of a function in them, blocks at the
// end of their head.
func (s *suppression) reach(line syntax.Span) syntax.Pos {
	end := line.End
	syntax.Walk(s.program.Chunk.Body, func(n syntax.Node) bool {
		at := n.Bounds()
		if at.Start > line.End || at.End < line.Start {
			return false
		}
		if stmt, ok := n.(syntax.Stmt); ok && line.Start <= at.Start && at.Start < line.End {
			end = max(end, headEnd(stmt))
		}
		return true
	})
	return end
}

// headEnd is where the first block inside a statement starts, or the statement's end where there is none.
func headEnd(stmt syntax.Stmt) syntax.Pos {
	end := stmt.Bounds().End
	syntax.Walk(stmt, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Block); ok {
			end = min(end, b.Start)
			return false
		}
		return true
	})
	return end
}

// undeclaredAllowed recognises Dragonfly's `--!df flags=allow-undeclared-keys`, whose flags stand between commas, semicolons or blanks.
func undeclaredAllowed(comment string) bool {
	flags, ok := strings.CutPrefix(comment, "!df flags=")
	return ok && slices.Contains(strings.FieldsFunc(flags, func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) }), "allow-undeclared-keys")
}

func shift(s syntax.Span, by syntax.Pos) syntax.Span {
	return syntax.Span{Start: s.Start + by, End: s.End + by}
}

func blank(s string) bool { return strings.TrimLeft(s, " \t\r\n\f\v") == "" }

// lineStart is the start of the line that holds pos.
func lineStart(text string, pos syntax.Pos) syntax.Pos {
	return syntax.Pos(strings.LastIndexAny(text[:pos], "\r\n") + 1)
}
