package syntax

import "testing"

// treeCases are texts with their trees: each node is followed by its span, an operator by its own before its operands.
var treeCases = []struct{ text, want string }{
	{"local a, b = 1, f()",
		`{(local [a@6-7 b@9-10] 1@13-14 (call f@16-17)@16-19)@0-19}@0-19`},
	{"a.b['c'], d = nil, true",
		`{(set [(. (. a@0-1 "b"@2-3)@0-3 "c"@4-7)@0-8 d@10-11] nil@14-17 true@19-23)@0-23}@0-23`},
	{"f(x)(y):m'z'{1}",
		`{(do (call (call (call (call f@0-1 x@2-3)@0-4 y@5-6)@0-7:m@8-9 "z"@9-12)@0-12 (table 1@13-14@13-14)@12-15)@0-15)@0-15}@0-15`},
	{"if a then b() elseif c then d() else e() end",
		`{(if@0-13 a@3-4 {(do (call b@10-11)@10-13)@10-13}@10-13 {(if@14-31 c@21-22 {(do (call d@28-29)@28-31)@28-31}@28-31 {(do (call e@37-38)@37-40)@37-40}@37-40)})@0-44}@0-44`},
	{"for i = 1, 10, 2 do break end",
		`{(for [i@4-5] 1@8-9 10@11-13 2@15-16 {(break)@20-25}@20-25)@0-29}@0-29`},
	{"for k, v in pairs(t) do end",
		`{(in [k@4-5 v@7-8] (call pairs@12-17 t@18-19)@12-20 {}@23-23)@0-27}@0-27`},
	{"while not x do x = #y end",
		`{(while (unot x@10-11)@6-11 {(set [x@15-16] (u# y@20-21)@19-21)@15-21}@15-21)@0-25}@0-25`},
	{"repeat local z = 1; until z",
		`{(repeat {(local [z@13-14] 1@17-18)@7-18}@7-18 z@26-27)@0-27}@0-27`},
	{"function a.b:c(x, ...) return ... end",
		`{(def (. (. a@9-10 "b"@11-12)@9-12 "c"@13-14)@9-14 self (fn [x@15-16]... {(return ...@30-33)@23-33}@23-33)@14-37)@0-37}@0-37`},
	{"local function f() return f end",
		`{(local [f@15-16] (fn [] {(return f@26-27)@19-27}@19-27)@16-31)@0-31}@0-31`},
	{"local f = function(a) end",
		`{(local [f@6-7] (fn [a@19-20] {}@21-21)@10-25)@0-25}@0-25`},
	{"return 1 + 2 * 3 ^ -4 ^ 2 .. 'x' .. y",
		`{(return (..@26-28 (+@9-10 1@7-8 (*@13-14 2@11-12 (^@17-18 3@15-16 (u- (^@22-23 4@20-21 2@24-25)@20-25)@19-25)@15-25)@11-25)@7-25 (..@33-35 "x"@29-32 y@36-37)@29-37)@7-37)@0-37}@0-37`},
	{"return a or b and c == d < e",
		`{(return (or@9-11 a@7-8 (and@14-17 b@12-13 (<@25-26 (==@20-22 c@18-19 d@23-24)@18-24 e@27-28)@18-28)@12-28)@7-28)@0-28}@0-28`},
	{"return (f()), ((...)), (x)",
		`{(return (one (call f@8-9)@8-11)@7-12 (one (one ...@16-19)@15-20)@14-21 (one x@24-25)@23-26)@0-26}@0-26`},
	{"return {1, x = 2; ['y'] = 3, f(), }",
		`{(return (table 1@8-9@8-9 "x"@11-12=2@15-16@11-16 "y"@19-22=3@26-27@18-27 (call f@29-30)@29-32@29-32)@7-35)@0-35}@0-35`},
	{"do local x end",
		`{(block {(local [x@9-10])@3-10}@3-10)@0-14}@0-14`},
	{"return [[\r\na\r\nb]], \"\\65\\n\\\r\nz\"",
		`{(return "a\nb"@7-17 "A\n\nz"@19-30)@0-30}@0-30`},
	{"local s = 'a' --c\n  -- d",
		`{(local [s@6-7] "a"@10-13)@0-13}@0-13`},
	{"\x20\n",
		`{}@2-2`},
}

func TestTree(t *testing.T) {
	for _, c := range treeCases {
		if got := shape(Parse(Source{Text: c.text}, Lua51), true); got != c.want {
			t.Errorf("%q\n\t got %s\n\twant %s", c.text, got, c.want)
		}
	}
}
