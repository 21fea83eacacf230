package syntax

import "testing"

func TestLines(t *testing.T) {
	// LF, CR, CRLF and LFCR are one line end each; two equal ones are two.
	text := "a\nb\rc\r\nd\n\re\n\nf\r\rg"
	want := map[byte]int{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 7, 'g': 9}
	lines := NewLines(text)
	for i := range Pos(len(text)) {
		line, isLetter := want[text[i]]
		if !isLetter {
			continue
		}
		if got := lines.Line(i); got != line {
			t.Errorf("Line of %q is %d, want %d", text[i], got, line)
		}
		if got := lines.Column(i); got != 1 {
			t.Errorf("Column of %q is %d, want 1", text[i], got)
		}
		if got := lines.Start(line); got != i {
			t.Errorf("Start of line %d is %d, want %d", line, got, i)
		}
	}
	for i := range Pos(len(text)) + 1 {
		if a, b := lines.Line(i), LineOf(text, i); a != b {
			t.Errorf("offset %d is in line %d or %d", i, a, b)
		}
	}
	if got := lines.Count(); got != 9 {
		t.Errorf("%d lines, want 9", got)
	}
}

func TestColumn(t *testing.T) {
	lines := NewLines("ab\r\n\u00e9x")
	for _, c := range []struct {
		pos          Pos
		line, column int
	}{{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 1, 4}, {4, 2, 1}, {6, 2, 3}, {7, 2, 4}} {
		if l, col := lines.Line(c.pos), lines.Column(c.pos); l != c.line || col != c.column {
			t.Errorf("offset %d is at %d:%d, want %d:%d", c.pos, l, col, c.line, c.column)
		}
	}
}

func TestStartIsClamped(t *testing.T) {
	lines := NewLines("a\nb")
	if a, b := lines.Start(0), lines.Start(9); a != 0 || b != 2 {
		t.Errorf("Start of lines 0 and 9 is %d and %d, want 0 and 2", a, b)
	}
}

// TestLinesAgree: the line of an error is the line of its end, where the scanner was, in every case.
func TestLinesAgree(t *testing.T) {
	for _, c := range append(errorCases, errorCase{"a\r\r\n\n\r= =", ""}) {
		for _, e := range Parse(Source{Text: c.text}, Lua51).Errors {
			if got := LineOf(c.text, e.End); got != e.Line {
				t.Errorf("%q: error at line %d, its end at line %d", c.text, e.Line, got)
			}
		}
	}
}
