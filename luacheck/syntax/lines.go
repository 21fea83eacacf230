package syntax

import "sort"

// lineEnd is the length of the line end that text starts with: LF, CR, CRLF and LFCR are one each. The first byte must be LF or CR.
func lineEnd(text string) int {
	if len(text) > 1 && class[text[1]]&clLine != 0 && text[1] != text[0] {
		return 2
	}
	return 1
}

// Lines turns byte offsets into lines and columns, with the line ends as the servers count them.
type Lines struct{ starts []Pos }

// NewLines finds the lines of a text, up to MaxText. It takes time linear in the text.
func NewLines(text string) Lines {
	text = text[:min(len(text), MaxText)]
	starts := []Pos{0}
	for i := 0; i < len(text); {
		if class[text[i]]&clLine == 0 {
			i++
			continue
		}
		i += lineEnd(text[i:])
		starts = append(starts, Pos(i))
	}
	return Lines{starts}
}

// Line is the 1-based line of a byte offset. The bytes of a line end belong to the line that they end.
func (l Lines) Line(p Pos) int {
	return sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > p })
}

// Column is the 1-based column, in bytes, of a byte offset.
func (l Lines) Column(p Pos) int { return int(p-l.starts[l.Line(p)-1]) + 1 }

// Start is the byte offset of the first byte of a 1-based line, clamped to the lines that there are.
func (l Lines) Start(line int) Pos {
	return l.starts[min(max(line, 1), len(l.starts))-1]
}

// Count is the number of lines; a text that ends with a line end has an empty last one.
func (l Lines) Count() int { return len(l.starts) }

// LineOf is the 1-based line of one byte offset. For many offsets of one text use Lines.
func LineOf(text string, p Pos) int {
	line := 1
	for i := 0; i < int(p) && i < len(text); {
		if class[text[i]]&clLine == 0 {
			i++
			continue
		}
		i += lineEnd(text[i:])
		if i <= int(p) {
			line++
		}
	}
	return line
}
