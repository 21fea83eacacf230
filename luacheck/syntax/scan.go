package syntax

import (
	"sort"
	"strings"
)

// token is a Token with what the parser needs of it. It is small and holds no pointer, because it is copied for each statement. The value
// of the last number or string is kept by the scanner.
type token struct {
	start, end Pos
	indent     int32 // the column of the first token of its line, from 0
	kind       TokenKind
	first      bool // it is the first token of its line
	plain      bool // of a string: its value is what stands between its quotes
}

func (t *token) span() Span { return Span{t.start, t.end} }

// lexFail is why a token could not be read.
type lexFail struct {
	msg     string
	near    string
	hasNear bool
	at      Span // filled in by setFail
	line    int
	// soft is set where what follows is not disturbed, so that the parser goes on with a Bad expression.
	soft bool
}

// scanner reads tokens as llex.c of Lua 5.1.5 does. It scans up to lim, which is the start of the next hole or the end of the text, so
// that the loops need no other test for holes.
type scanner struct {
	text     string
	code     string // text up to lim
	holes    []Span
	nextHole int
	pos, lim int
	nextLF   int   // where the first LF behind the last comment is
	line     int   // 1-based, of pos
	lineFrom int   // offset of the line of pos
	indent   int32 // column of the first token of the line
	fresh    bool  // no token of the line was read yet
	lua54    bool
	odd      bool // the last token is a hole, or fail says what is wrong with it
	comments []Comment
	num      float64  // the value of the last number
	str      string   // the value of the last string that is not plain
	fail     *lexFail // why the last token is bad
	nested   []Error  // NestedBracket errors
	codeHole Span
	buf      []byte
}

func newScanner(src Source, d Dialect) scanner {
	s := scanner{text: src.Text, line: 1, fresh: true, lua54: d == Lua54}
	if len(src.Holes) > 0 {
		s.holes = usableHoles(src)
	}
	s.setLimit()
	return s
}

// usableHoles drops holes that break the contract of Source, so that no caller's mistake becomes an index out of range.
func usableHoles(src Source) []Span {
	out, last := make([]Span, 0, len(src.Holes)), Pos(0)
	for _, h := range src.Holes {
		if h.Start >= last && h.End > h.Start && int(h.End) <= len(src.Text) {
			out, last = append(out, h), h.End
		}
	}
	return out
}

func (s *scanner) setLimit() {
	s.lim = len(s.text)
	if s.nextHole < len(s.holes) {
		s.lim = int(s.holes[s.nextHole].Start)
	}
	s.code = s.text[:s.lim]
}

// atHole reports whether the next byte is the first of a hole.
func (s *scanner) atHole() bool { return s.pos == s.lim && s.nextHole < len(s.holes) }

// passHole steps over the hole at pos. Line ends among the placeholder bytes count, so that lines agree with Lines.
func (s *scanner) passHole() {
	h := s.holes[s.nextHole]
	s.nextHole++
	s.setLimit()
	for s.pos = int(h.Start); s.pos < int(h.End); {
		if class[s.text[s.pos]]&clLine != 0 {
			s.pos += lineEnd(s.text[s.pos:h.End])
			s.line++
		} else {
			s.pos++
		}
	}
}

// skipAll makes the end of the text the next token.
func (s *scanner) skipAll() {
	s.pos, s.nextHole = len(s.text), len(s.holes)
	s.setLimit()
}

// is reports whether the byte at i, before the limit, is c.
func (s *scanner) is(i int, c byte) bool { return i < s.lim && s.text[i] == c }

// newline steps over the line end at i.
func (s *scanner) newline(i uint) uint {
	i += uint(lineEnd(s.code[i:]))
	s.line++
	s.lineFrom, s.fresh = int(i), true
	return i
}

// newlineHere steps over the line end at pos.
func (s *scanner) newlineHere() { s.pos = int(s.newline(uint(s.pos))) }

// next reads one token into t. What scripts mostly consist of is read right here; the rest is left to other.
func (s *scanner) next(t *token) {
	code, i := s.code, uint(s.pos)
	for i < uint(len(code)) {
		c := code[i]
		if c == ' ' { // what every second token follows
			i++
			continue
		}
		switch starts[c] {
		case startBlank:
			i++
			continue
		case startLine:
			i = s.newline(i)
			continue
		case startDash:
			if i+1 < uint(len(code)) && code[i+1] == '-' {
				s.pos = int(i)
				if s.comment() {
					code, i = s.code, uint(s.pos)
					continue
				}
			}
			s.other(t, i, c)
			return
		case startWord:
			j := i + 1
			for j < uint(len(code)) && class[code[j]]&clWord != 0 {
				j++
			}
			s.begin(t, i)
			t.kind, t.end, s.pos = TName, Pos(j), int(j)
			if keywordLengths[c]>>(j-i)&1 != 0 {
				t.kind = keyword(code[i:j], s.lua54)
			}
			if j == uint(len(code)) {
				s.checkHole(t)
			}
			return
		case startDigit:
			s.digits(t, i)
			return
		case startQuote:
			s.quoted(t, i, c)
			return
		case startSingle:
			s.begin(t, i)
			t.kind, t.end, s.pos = singles[c], Pos(i+1), int(i+1)
			return
		case startLonger:
			if i+1 < uint(len(code)) && goesOn[c]&follows[code[i+1]] == 0 {
				s.begin(t, i)
				t.kind, t.end, s.pos = singles[c], Pos(i+1), int(i+1)
				return
			}
		}
		s.other(t, i, c)
		return
	}
	s.atLimit(t, i)
}

// begin notes where a token starts.
func (s *scanner) begin(t *token, i uint) {
	t.first = s.fresh
	if s.fresh {
		s.indent, s.fresh = int32(int(i)-s.lineFrom), false
	}
	t.start, t.indent = Pos(i), s.indent
}

// end notes where a token ends. There may be line ends in it.
func (s *scanner) end(t *token) {
	s.fresh = false
	t.end = Pos(s.pos)
}

// atLimit reads the hole at i, or the end of the text.
func (s *scanner) atLimit(t *token, i uint) {
	s.pos = int(i)
	s.begin(t, i)
	if s.atHole() {
		s.hole(t)
	} else {
		t.kind = TEOF
	}
	s.end(t)
}

// other reads an operator that may be longer than a byte, a long string, or what no token starts with.
func (s *scanner) other(t *token, i uint, c byte) {
	s.pos = int(i)
	s.begin(t, i)
	s.operator(t, c)
	s.end(t)
}

// checkHole makes a word or number that a hole touches a hole.
func (s *scanner) checkHole(t *token) {
	if s.atHole() {
		s.hole(t)
		s.end(t)
	}
}

// hole reads the holes from pos on, with the name characters that touch them.
func (s *scanner) hole(t *token) {
	if s.codeHole.Len() == 0 {
		s.codeHole = s.holes[s.nextHole]
	}
	for s.atHole() {
		s.passHole()
		for s.pos < s.lim && class[s.text[s.pos]]&clWord != 0 {
			s.pos++
		}
	}
	t.kind, s.odd = THole, true
}

func (s *scanner) operator(t *token, c byte) {
	switch c {
	case '[':
		s.bracket(t)
	case '.':
		s.dots(t)
	case '-':
		// Two dashes get here only where they open a comment that cannot be read.
		if s.is(s.pos+1, '-') {
			s.badComment(t)
			return
		}
		t.kind = TMinus
		s.pos++
	case '=':
		s.pair(t, TAssign, '=', TEq)
	case '<':
		s.angle(t, c, TLess, TLessEq, TShl)
	case '>':
		s.angle(t, c, TGreater, TGreaterEq, TShr)
	case '~':
		s.pair(t, s.only54(TTilde), '=', TNotEq)
	case '/':
		s.double(t, TSlash, c, TDSlash)
	case ':':
		s.double(t, TColon, c, TDColon)
	case '&':
		t.kind = s.only54(TAmp)
		s.pos++
	case '|':
		t.kind = s.only54(TPipe)
		s.pos++
	default:
		t.kind = singles[c]
		if t.kind == TEOF {
			t.kind = TByte
		}
		s.pos++
	}
}

func (s *scanner) only54(k TokenKind) TokenKind {
	if s.lua54 {
		return k
	}
	return TByte
}

// pair reads the token `one`, or `two` where the byte `second` follows.
func (s *scanner) pair(t *token, one TokenKind, second byte, two TokenKind) {
	t.kind = one
	s.pos++
	if s.is(s.pos, second) {
		t.kind = two
		s.pos++
	}
}

// double is pair for tokens that only Lua 5.4 has.
func (s *scanner) double(t *token, one TokenKind, second byte, two TokenKind) {
	if s.lua54 {
		s.pair(t, one, second, two)
		return
	}
	t.kind = one
	s.pos++
}

func (s *scanner) angle(t *token, c byte, one, equal, shift TokenKind) {
	s.pair(t, one, '=', equal)
	if t.kind == one && s.lua54 && s.is(s.pos, c) {
		t.kind = shift
		s.pos++
	}
}

// dots reads what starts with a dot. The servers test the next byte with strchr, which also finds the NUL at the end of its set: a NUL
// counts as a dot here.
func (s *scanner) dots(t *token) {
	first := s.pos
	s.pos++
	if !s.checkNext('.', '.') {
		if s.pos < s.lim && class[s.text[s.pos]]&clDigit != 0 {
			s.pos = first
			s.number(t)
			return
		}
		t.kind = TDot
		return
	}
	t.kind = TConcat
	if s.checkNext('.', '.') {
		t.kind = TDots
	}
}

// checkNext steps over a byte that is a, b or NUL.
func (s *scanner) checkNext(a, b byte) bool {
	if s.pos < s.lim {
		if c := s.text[s.pos]; c == a || c == b || c == 0 {
			s.pos++
			return true
		}
	}
	return false
}

// setFail marks the token as bad. Where a hole lies within it nothing is certain, so the hole counts as one in code.
func (s *scanner) setFail(t *token, f lexFail) {
	t.kind = TBad
	if f.line == 0 {
		f.at, f.line = Span{t.start, Pos(s.pos)}, s.line
	}
	f.near, _, _ = strings.Cut(f.near, "\x00")
	if inside := s.holesFrom(t.start); len(inside) > 0 && s.codeHole.Len() == 0 {
		s.codeHole = inside[0]
	}
	s.fail, s.odd = &f, true
}

// holesFrom gives the holes between start and pos.
func (s *scanner) holesFrom(start Pos) []Span {
	from := sort.Search(s.nextHole, func(i int) bool { return s.holes[i].Start >= start })
	return s.holes[from:s.nextHole:s.nextHole]
}

// value is the value of a string that was just read.
func (s *scanner) value(t *token) string {
	if t.plain {
		return s.text[t.start+1 : t.end-1]
	}
	return s.str
}
