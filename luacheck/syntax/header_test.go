package syntax

import (
	"fmt"
	"testing"
)

func headerText(h *Header) string {
	if h == nil {
		return "none"
	}
	out := fmt.Sprintf("%d-%d %q@%d-%d %v", h.Start, h.End, h.Engine, h.At.Start, h.At.End, h.Terminated)
	for _, o := range h.Options {
		out += fmt.Sprintf(" %q=%q %v@%d-%d", o.Name, o.Value, o.HasEq, o.Start, o.End)
	}
	return out
}

func TestHeader(t *testing.T) {
	for _, c := range []struct{ text, header, tree, errors string }{
		{"return 1", `none`, `{(return 1)}`, ``},
		{"#!lua\nreturn 1", `0-5 "lua"@2-5 true`, `{(return 1)}`, ``},
		{"#!lua\r\nreturn 1", `0-5 "lua"@2-5 true`, `{(return 1)}`, ``},
		{"#!lua name=x  flags=a,b\n", `0-23 "lua"@2-5 true "name"="x" true@6-12 "flags"="a,b" true@14-23`, `{}`, ``},
		{"#!lua\tflags=\"no-writes\" x='a b' y\n", `0-33 "lua"@2-5 true "flags"="no-writes" true@6-23 "x"="a b" true@24-31 "y"="" false@32-33`,
			`{}`, ``},
		{"#!lua flags=\n", `0-12 "lua"@2-5 true "flags"="" true@6-12`, `{}`, ``},
		{"#! lua\nreturn 1", `0-6 ""@2-2 true "lua"="" false@3-6`, `{(return 1)}`, ``},
		{"#!lua", `0-5 "lua"@2-5 false`, `{}`, ``},
		{"#!lua\rreturn 1", `0-14 "lua"@2-5 false "return"="" false@6-12 "1"="" false@13-14`, `{}`, ``},
		{"#!lua\x00\nreturn +", `0-5 "lua"@2-5 false`, `{}`, ``},
		{" #!lua\nreturn 1", `none`, `{(return 1)}`, "1-2 1: unexpected symbol near '#'"},
		{"#!lua\nreturn +", `0-5 "lua"@2-5 true`, `{(return BAD)}`, "13-14 2: unexpected symbol near '+'"},
	} {
		chunk := Parse(Source{Text: c.text}, Lua51)
		if got := headerText(chunk.Header); got != c.header {
			t.Errorf("%q: header\n got %s\nwant %s", c.text, got, c.header)
		}
		if got := shape(chunk, false); got != c.tree {
			t.Errorf("%q: tree %s, want %s", c.text, got, c.tree)
		}
		if got := errorLines(chunk); got != c.errors {
			t.Errorf("%q: errors %s, want %s", c.text, got, c.errors)
		}
		checkChunk(t, chunk)
	}
}
