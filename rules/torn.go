package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

// aboutText are the rules that speak of the text itself, whether it can be parsed or not.
var aboutText = []string{"syntax", "script-header", "bad-directive"}

// withoutTorn drops what is said of statements that a syntax error tears apart: the parser goes on behind the error, and what it made of the
// statement is not what was written.
func withoutTorn(p *luacheck.Program, found []Finding) []Finding {
	torn := tornSpans(p)
	if len(torn) == 0 {
		return found
	}
	kept := found[:0]
	for _, f := range found {
		if f.Site >= 0 || slices.Contains(aboutText, f.Rule.Name) || !touchesAny(torn, f.Span) {
			kept = append(kept, f)
		}
	}
	return kept
}

func touchesAny(list []syntax.Span, s syntax.Span) bool {
	for _, t := range list {
		if s.Start < t.End && t.Start < s.End {
			return true
		}
	}
	return false
}

// tornSpans are the lines of the errors, and the innermost statements around or right before them.
func tornSpans(p *luacheck.Program) []syntax.Span {
	var torn []syntax.Span
	text := p.Source.Text
	for i := range p.Chunk.Errors {
		e := &p.Chunk.Errors[i]
		if e.Kind == syntax.NestedBracket {
			continue
		}
		at := min(int(e.Span.Start), len(text))
		line := syntax.SpanOf(strings.LastIndexByte(text[:at], '\n')+1, len(text))
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			line.End = syntax.Pos(at + n)
		}
		torn = append(torn, line, tornStatement(p.Chunk.Body, text, syntax.Pos(at)))
	}
	return torn
}

// tornStatement is the last statement that starts before the error and reaches it, blanks aside; empty where there is none.
func tornStatement(body *syntax.Block, text string, at syntax.Pos) syntax.Span {
	var found syntax.Span
	syntax.Walk(body, func(n syntax.Node) bool {
		s := n.Bounds()
		if _, ok := n.(syntax.Stmt); ok && s.Start < at && (s.End >= at || strings.TrimSpace(text[s.End:at]) == "") {
			found = s
		}
		return s.Start <= at
	})
	if found.Len() == 0 {
		return found
	}
	found.End = max(found.End, at)
	return found
}
