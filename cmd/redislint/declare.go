package main

import (
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

// declaration is the comment that says how a bare script is called, `-- redislint:script keys=2 args=1`; ok is false where there is none.
func declaration(chunk *syntax.Chunk) (at syntax.Span, d rules.Directive, ok bool) {
	for _, c := range headComments(chunk) {
		if d, ok := rules.ParseDirective(c.Text); ok && d.Verb == rules.ScriptMark && d.Wrong == "" {
			return c.Span, d, true
		}
	}
	return syntax.Span{}, rules.Directive{}, false
}

// headComments are the comments before the first statement.
func headComments(chunk *syntax.Chunk) []syntax.Comment {
	if len(chunk.Body.Stmts) == 0 {
		return chunk.Comments
	}
	for i, c := range chunk.Comments {
		if c.Start > chunk.Body.Start {
			return chunk.Comments[:i]
		}
	}
	return chunk.Comments
}

// siteOf is the call that a bare script declares, or the load of a library; nil where nothing is known of calls.
func siteOf(src syntax.Source, label string) []luacheck.Site {
	if !strings.HasPrefix(src.Text, "#!") && !strings.Contains(src.Text, "redislint") {
		return nil // as most scripts, which need not be read twice
	}
	chunk := syntax.Parse(src, syntax.Lua51)
	if isLibrary(chunk.Header) {
		return []luacheck.Site{{Mode: luacheck.ModeLibrary, Callee: "FUNCTION LOAD", Label: label}}
	}
	if _, d, ok := declaration(chunk); ok {
		return []luacheck.Site{{Mode: luacheck.ModeEval, Callee: "redislint:script", Label: label, Fallback: true,
			Keys: listOf(d.Keys), Args: listOf(d.Args)}}
	}
	return nil
}

// isLibrary: only FUNCTION LOAD takes a header with a name.
func isLibrary(h *syntax.Header) bool {
	if h == nil {
		return false
	}
	for _, o := range h.Options {
		if o.Name == "name" {
			return true
		}
	}
	return false
}

// listOf is a list of n elements of unknown text; below 0 nothing is known of it.
func listOf(n int) luacheck.List {
	if n < 0 {
		return luacheck.List{Max: -1}
	}
	return luacheck.List{Items: make([]luacheck.Element, n), Exact: true, Min: n, Max: n}
}
