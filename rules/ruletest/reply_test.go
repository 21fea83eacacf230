package ruletest

import "testing"

func TestNotation(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"+OK\r\n", "+OK"},
		{":-1\r\n", ":-1"},
		{"$-1\r\n", "(nil)"},
		{"*-1\r\n", "(nil)"},
		{"$3\r\na\"\n\r\n", `"a\"\n"`},
		{"$2\r\n\xff\x00\r\n", `"\xff\x00"`},
		{"*0\r\n", "[]"},
		{"*3\r\n:1\r\n*1\r\n$1\r\nx\r\n-ERR no\r\n", `[:1, ["x"], -ERR no]`},
		{"%1\r\n+a\r\n#t\r\n", "%{+a, #true}"},
		{"~1\r\n,1.5\r\n", "~{,1.5}"},
		{"-ERR user_script:1: x script: 0ab, on @user_script:1.\r\n", "-ERR user_script:1: x"},
		{"-ERR no script: here\r\n", "-ERR no script: here"},
		{"-ERR Error running script (call to f_0ab): @user_script:1: x\r\n", "-ERR Error running script (call to f_*): @user_script:1: x"},
		{"$5\r\nab\r\n", `broken reply "$5\r\nab\r\n"`},
		{"", `broken reply ""`},
	} {
		if got := Notation([]byte(c.raw)); got != c.want {
			t.Errorf("Notation(%q) = %s, want %s", c.raw, got, c.want)
		}
	}
}
