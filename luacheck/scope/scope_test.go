package scope_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
)

// TestBind marks each name of a script with what it refers to: @N is the N-th local in order of declaration, @g a global.
func TestBind(t *testing.T) {
	for _, tt := range []struct{ name, lua, want string }{
		{"shadowing", "local a = 1 local a = a return a", "local a@0 = 1 local a@1 = a@0 return a@1"},
		{"own initialiser sees the outer name", "local redis = redis return redis", "local redis@0 = redis@g return redis@0"},
		{"block ends", "do local x = 1 end return x", "do local x@0 = 1 end return x@g"},
		{"local function sees itself", "local function f() return f() end", "local function f@0() return f@0() end"},
		{"local f = function does not", "local f = function() return f() end", "local f@0 = function() return f@g() end"},
		{"parameters and upvalues", "local u = 1 local f = function(p) return u + p end", "local u@0 = 1 local f@2 = function(p@1) return u@0 + p@1 end"},
		{"loops", "for i = n, 2 do local x = i end return i", "for i@0 = n@g, 2 do local x@1 = i@0 end return i@g"},
		{"generic loop", "for k, v in pairs(t) do k = v end", "for k@0, v@1 in pairs@g(t@g) do k@0 = v@1 end"},
		{"until sees the body", "repeat local x = f() until x", "repeat local x@0 = f@g() until x@0"},
		{"function statement assigns", "local t = {} function t.f(a) return t, a end function g() end",
			"local t@0 = {} function t@0.f(a@1) return t@0, a@1 end function g@g() end"},
		{"implicit arg", "local f = function(...) return arg end return arg", "local f@1 = function(...) return arg@0 end return arg@g"},
		{"if branches", "if a then local x = 1 else x = 2 end", "if a@g then local x@0 = 1 else x@g = 2 end"},
		{"after an error", "local a = 1 local b = a a", "local a@0 = 1 local b@1 = a@0 a@0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := syntax.Parse(syntax.Source{Text: tt.lua}, syntax.Lua51)
			if got := marked(c, scope.Bind(c)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// marked writes the script with @N or @g behind each name that is a variable.
func marked(c *syntax.Chunk, info *scope.Info) string {
	var names []*syntax.Name
	isGlobal := map[*syntax.Name]bool{}
	for _, list := range info.Globals {
		for _, n := range list {
			isGlobal[n] = true
		}
	}
	syntax.Walk(c.Body, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			names = append(names, name)
		}
		return true
	})
	sort.Slice(names, func(i, j int) bool { return names[i].Start > names[j].Start })
	s := c.Source.Text
	for _, n := range names {
		mark := ""
		if l := info.Ref(n); l != nil {
			mark = fmt.Sprintf("@%d", l.Index)
		} else if isGlobal[n] {
			mark = "@g"
		}
		s = s[:n.End] + mark + s[n.End:]
	}
	return s
}

// TestUses tells reads from writes, and what nested functions do.
func TestUses(t *testing.T) {
	c := syntax.Parse(syntax.Source{Text: "local a, b, c = 1, 2, 3\na = a + 1\nlocal function f() b = c return b end\nreturn a"}, syntax.Lua51)
	info := scope.Bind(c)
	var got []string
	for _, l := range info.Locals {
		got = append(got, fmt.Sprintf("%s reads %d writes %d captured %v assigned inside %v", l.Name.Text, len(l.Reads), len(l.Writes), l.Captured, l.CapturedWrite))
	}
	want := `a reads 2 writes 1 captured false assigned inside false
b reads 1 writes 1 captured true assigned inside true
c reads 1 writes 0 captured true assigned inside false
f reads 0 writes 0 captured false assigned inside false`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	var fn *syntax.Function
	syntax.Walk(c.Body, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.Function); ok {
			fn = f
		}
		return true
	})
	if !info.Assigns(fn) {
		t.Error("f assigns b, which it does not declare")
	}
}

// TestWithin finds the locals declared inside a statement, whatever the order in which they were bound.
func TestWithin(t *testing.T) {
	text := "local a\ndo local f = function(p) local x end local y end\nlocal z"
	c := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51)
	var names []string
	for _, l := range scope.Bind(c).Within(c.Body.Stmts[1].Bounds()) {
		names = append(names, l.Name.Text)
	}
	if got := strings.Join(names, " "); got != "f p x y" {
		t.Errorf("got %q", got)
	}
}

// TestDeep: an expression as long as the text does not exhaust the stack.
func TestDeep(t *testing.T) {
	text := "return a" + strings.Repeat(" + a", 200000)
	c := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51)
	if n := len(scope.Bind(c).Globals["a"]); n != 200001 {
		t.Errorf("%d reads of a", n)
	}
}
