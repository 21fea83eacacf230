package syntax

import "testing"

// recoverCases are texts with more than one mistake, or with code behind one: the errors, and the tree that is left.
var recoverCases = []struct{ name, text, errors, tree string }{
	{"two statements", "local a = = 1\nlocal b = = 2\nreturn a",
		`10-11 1: unexpected symbol near '='
24-25 2: unexpected symbol near '='`,
		`{(local [a] BAD) (local [b] BAD) (return a)}`},
	{"within a body", "if x then\n  y = = 1\n  local z = 1\nend\nreturn z",
		`16-17 2: unexpected symbol near '='`,
		`{(if x {(set [y] BAD) (local [z] 1)} {}) (return z)}`},
	{"missing then", "if x\n  y()\nend\nreturn 1",
		`7-8 2: 'then' expected near 'y'`,
		`{(if x {} {}) (return 1)}`},
	{"missing end", "local function f()\n  if x then\n    y()\nend\nreturn f()",
		`53-53 5: 'end' expected (to close 'function' at line 1) near '<eof>'`,
		`{(local [f] (fn [] {(if x {(do (call y))} {}) (return (call f))}))}`},
	{"extra end", "if x then\n  y()\nend\nend\nreturn 1",
		`20-23 4: '<eof>' expected near 'end'`,
		`{(if x {(do (call y))} {}) (return 1)}`},
	{"open call", "redis.call('SET', KEYS[1]\nlocal x = 1\nreturn x",
		`26-31 2: ')' expected (to close '(' at line 1) near 'local'`,
		`{(do (call (. redis "call") "SET" (. KEYS 1))) (local [x] 1) (return x)}`},
	{"unfinished string", "local a = 'x\nlocal b = 2\nreturn b",
		`10-12 1: unfinished string near ''x'`,
		`{(local [a] BAD) (local [b] 2) (return b)}`},
	{"malformed number", "local a = 3x + 1\nreturn a",
		`10-12 1: malformed number near '3x'`,
		`{(local [a] (+ BAD 1)) (return a)}`},
	{"code behind return", "while x do\n  break\n  y()\nend\nreturn 1",
		`21-22 3: 'end' expected (to close 'while' at line 1) near 'y'`,
		`{(while x {(break)}) (return 1)}`},
	{"not in a loop", "break",
		`5-5 1: no loop to break near '<eof>'`,
		`{(break)}`},
	{"one line", "x = = 1 local y = = 2 return",
		`4-5 1: unexpected symbol near '='`,
		`{(set [x] BAD)}`},
	{"closer in the same line", "if x then y = end\nreturn 1",
		`14-17 1: unexpected symbol near 'end'`,
		`{(if x {(set [y] BAD)} {}) (return 1)}`},
	{"else", "if x then\n  y(\nelse\n  z()\nend\nreturn 1",
		`15-19 3: unexpected symbol near 'else'`,
		`{(if x {(do (call y BAD))} {(do (call z))}) (return 1)}`},
	{"foreign comment", "# hi\n# ho\nreturn 1",
		`0-1 1: unexpected symbol near '#'`,
		`{(return 1)}`},
	{"too many levels", "x = " + deep("(", 250) + "\nreturn 1",
		`203-204 1: chunk has too many syntax levels`,
		`{(set [x] BAD) (return 1)}`},
	{"half a method", "a:\nlocal x = 1",
		`3-8 2: '<name>' expected near 'local'`,
		`{(bad) (local [x] 1)}`},
	{"half a field", "local x = a.\nlocal y = 1",
		`13-18 2: '<name>' expected near 'local'`,
		`{(local [x] (. a BAD)) (local [y] 1)}`},
	{"prose", "this is not\nlua at all\nthough it goes on\nand on",
		`5-7 1: '=' expected near 'is'`,
		`{(set [this]) (set [lua]) (set [though])}`},
}

func TestRecover(t *testing.T) {
	for _, c := range recoverCases {
		chunk := Parse(Source{Text: c.text}, Lua51)
		if got := errorLines(chunk); got != c.errors {
			t.Errorf("%s: errors\n got %s\nwant %s", c.name, got, c.errors)
		}
		if got := shape(chunk, false); got != c.tree {
			t.Errorf("%s: tree\n got %s\nwant %s", c.name, got, c.tree)
		}
		checkChunk(t, chunk)
	}
}
