package main

import (
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
)

// declarePrefix starts the comment that says how a bare script is called: `-- redislint:script keys=2 args=1`.
const declarePrefix = "redislint:script"

// declaration is the span of the comment that says how the script is called; empty at the start where there is none.
func declaration(chunk *syntax.Chunk) syntax.Span {
	for _, c := range headComments(chunk) {
		if _, ok := declared(c); ok {
			return c.Span
		}
	}
	return syntax.Span{}
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

// declared returns the words behind the prefix.
func declared(c syntax.Comment) (words []string, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(c.Text), declarePrefix)
	if !ok || text != "" && text[0] != ' ' && text[0] != '\t' {
		return nil, false
	}
	return strings.Fields(text), true
}

// siteOf is the call that a bare script declares, or the load of a library; nil where nothing is known of calls.
func siteOf(src syntax.Source, label string) []luacheck.Site {
	chunk := syntax.Parse(src, syntax.Lua51)
	if isLibrary(chunk.Header) {
		return []luacheck.Site{{Mode: luacheck.ModeLibrary, Callee: "FUNCTION LOAD", Label: label}}
	}
	for _, c := range headComments(chunk) {
		if words, ok := declared(c); ok {
			site := luacheck.Site{Mode: luacheck.ModeEval, Callee: declarePrefix, Label: label, Fallback: true}
			site.Keys, site.Args = listOf(words, "keys"), listOf(words, "args")
			return []luacheck.Site{site}
		}
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

// maxDeclared bounds a declared number: more keys than a script can name.
const maxDeclared = 10_000

// listOf is the list that `keys=2` declares: that many, of unknown text. Without the word nothing is known of it.
func listOf(words []string, name string) luacheck.List {
	for _, w := range words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			if n, err := strconv.Atoi(value); err == nil && n >= 0 && n <= maxDeclared {
				return luacheck.List{Items: make([]luacheck.Element, n), Exact: true, Min: n, Max: n}
			}
		}
	}
	return luacheck.List{Max: -1}
}
