package syntax

import "testing"

var treeCases = []struct{ text, want string }{
	{"local a, b = 1, f()", ``},
	{"a.b['c'], d = nil, true", ``},
	{"f(x)(y):m'z'{1}", ``},
	{"if a then b() elseif c then d() else e() end", ``},
	{"for i = 1, 10, 2 do break end", ``},
	{"for k, v in pairs(t) do end", ``},
	{"while not x do x = #y end", ``},
	{"repeat local z = 1; until z", ``},
	{"function a.b:c(x, ...) return ... end", ``},
	{"local function f() return f end", ``},
	{"local f = function(a) end", ``},
	{"return 1 + 2 * 3 ^ -4 ^ 2 .. 'x' .. y", ``},
	{"return a or b and c == d < e", ``},
	{"return (f()), ((...)), (x)", ``},
	{"return {1, x = 2; ['y'] = 3, f(), }", ``},
	{"do ; end", ``},
	{"do local x end", ``},
	{"return [[\r\na\r\nb]], \"\\65\\n\\\r\nz\"", ``},
	{"local s = 'a' --c\n  -- d", ``},
	{"\x20\n", ``},
}

func TestTree(t *testing.T) {
	for _, c := range treeCases {
		if got := shape(Parse(Source{Text: c.text}, Lua51), true); got != c.want {
			t.Errorf("%q\n\t got %s\n\twant %s", c.text, got, c.want)
		}
	}
}
