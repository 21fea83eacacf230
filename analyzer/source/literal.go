package source

import (
	"go/ast"
	"go/token"
	"sort"
	"strings"
	"unicode/utf8"
)

// originKind says what bytes were written in.
type originKind uint8

const (
	rawLiteral    originKind = iota // between backquotes
	quotedLiteral                   // between double quotes
	fileText                        // an embedded file
	useOnly                         // no literal: the place of the use stands for all bytes
)

// origin is a run of source that gives bytes.
type origin struct {
	kind originKind
	// pos is where the first byte stands, end is behind the last one.
	pos, end token.Pos
	// offs holds for each decoded byte its distance from pos; nil where byte i stands at pos+i.
	offs []int32
}

// start returns the position of byte i.
func (o *origin) start(i int) token.Pos {
	switch {
	case o.kind == useOnly:
		return o.pos
	case o.offs == nil:
		return o.pos + token.Pos(i)
	case i >= len(o.offs):
		return o.end
	}
	return o.pos + token.Pos(o.offs[i])
}

// stop returns the position behind byte i: behind its whole escape in a quoted literal.
func (o *origin) stop(i int) token.Pos {
	switch {
	case o.kind == useOnly:
		return o.end
	case o.offs == nil:
		return o.pos + token.Pos(i+1)
	case o.kind == rawLiteral:
		return o.start(i) + 1
	}
	at := o.offs[i]
	for _, next := range o.offs[i+1:] {
		if next > at {
			return o.pos + token.Pos(next)
		}
	}
	return o.end
}

// splits reports whether a cut before byte i falls inside an escape.
func (o *origin) splits(i int) bool {
	return o.offs != nil && o.kind == quotedLiteral && i > 0 && i < len(o.offs) && o.offs[i] == o.offs[i-1]
}

// literal decodes a string literal. src is the whole file, nil where it could not be read.
func literal(lit *ast.BasicLit, file *token.File, src []byte) (string, *origin) {
	if len(lit.Value) < 2 {
		return "", &origin{kind: useOnly, pos: lit.Pos(), end: lit.End()}
	}
	if lit.Value[0] == '`' {
		return decodeRaw(lit, file, src)
	}
	return decodeQuoted(lit)
}

// decodeRaw decodes a raw literal. The scanner has dropped every carriage return from Value, so the file's own bytes say where they were.
func decodeRaw(lit *ast.BasicLit, file *token.File, src []byte) (string, *origin) {
	text := lit.Value[1 : len(lit.Value)-1]
	org := &origin{kind: rawLiteral, pos: lit.Pos() + 1}
	org.end = org.pos + token.Pos(len(text))
	if file == nil || src == nil {
		return text, org
	}
	at := file.Offset(lit.Pos()) + 1
	if end := at + len(text); end < len(src) && src[end] == '`' && string(src[at:end]) == text {
		return text, org // no carriage returns
	}
	offs, stop := rawOffsets(text, src, at)
	if offs == nil {
		return text, org
	}
	org.end = org.pos + token.Pos(stop)
	if stop != len(text) {
		org.offs = offs
	}
	return text, org
}

// rawOffsets finds each byte of text in src from at on, skipping carriage returns; nil where src is not what was parsed. It also returns
// the distance of the closing backquote.
func rawOffsets(text string, src []byte, at int) ([]int32, int) {
	offs := make([]int32, 0, len(text))
	i := at
	for n := 0; ; i++ {
		if i >= len(src) {
			return nil, 0
		}
		switch c := src[i]; {
		case c == '\r':
		case n == len(text):
			if c != '`' {
				return nil, 0
			}
			return offs, i - at
		case c != text[n]:
			return nil, 0
		default:
			offs = append(offs, int32(i-at))
			n++
		}
	}
}

// decodeQuoted decodes an interpreted literal byte by byte.
func decodeQuoted(lit *ast.BasicLit) (string, *origin) {
	body := lit.Value[1 : len(lit.Value)-1]
	org := &origin{kind: quotedLiteral, pos: lit.Pos() + 1}
	org.end = org.pos + token.Pos(len(body))
	if !strings.Contains(body, `\`) {
		return body, org
	}
	var text []byte
	for i := 0; i < len(body); {
		size := escapeSize(body[i:])
		piece := unescape(body[i : i+size])
		for range len(piece) {
			org.offs = append(org.offs, int32(i))
		}
		text = append(text, piece...)
		i += size
	}
	return string(text), org
}

// escapeSize is the length of the escape or the byte at the start of s.
func escapeSize(s string) int {
	if s[0] != '\\' || len(s) < 2 {
		return 1
	}
	size := 2
	switch c := s[1]; {
	case c >= '0' && c <= '7':
		size = 4
	case c == 'x':
		size = 4
	case c == 'u':
		size = 6
	case c == 'U':
		size = 10
	}
	return min(size, len(s))
}

// unescape returns the bytes of one escape or byte. The scanner has checked its form.
func unescape(s string) []byte {
	if s[0] != '\\' || len(s) < 2 {
		return []byte(s)
	}
	if i := strings.IndexByte(`abfnrtv\'"`, s[1]); i >= 0 {
		return []byte{"\a\b\f\n\r\t\v\\'\""[i]}
	}
	base, digits := 16, s[2:]
	if s[1] != 'x' && s[1] != 'u' && s[1] != 'U' {
		base, digits = 8, s[1:]
	}
	value := 0
	for _, c := range []byte(digits) {
		value = value*base + strings.IndexByte("0123456789abcdef", lower(c))
	}
	if s[1] == 'u' || s[1] == 'U' {
		return utf8.AppendRune(nil, rune(value))
	}
	return []byte{byte(value)}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// pieceAt returns the index of the piece that holds byte off, given the start offset of each piece.
func pieceAt(starts []int, off int) int {
	return sort.Search(len(starts), func(i int) bool { return starts[i] > off }) - 1
}
