package syntax

import "strings"

// quoted reads a string in quotes, from i on. Without escapes its value is a slice of the text.
func (s *scanner) quoted(t *token, i uint, quote byte) {
	text := s.code
	s.begin(t, i)
	j := i + 1
	for j < uint(len(text)) {
		c := text[j]
		if c == quote {
			t.kind, t.plain, t.end, s.pos = TString, true, Pos(j+1), int(j+1)
			return
		}
		if c == '\\' || class[c]&clLine != 0 {
			break
		}
		j++
	}
	s.buf = append(s.buf[:0], text[i:j]...)
	s.pos = int(j)
	s.quotedSlow(t, quote)
	s.end(t)
}

// quotedSlow goes on from pos; buf holds what came before, with the opening quote, as the server's buffer does.
func (s *scanner) quotedSlow(t *token, quote byte) {
	var fail *lexFail
	t.plain = false
	firstHole := s.nextHole
	for {
		if s.pos >= s.lim {
			if !s.atHole() {
				s.setFail(t, firstFail(fail, lexFail{msg: "unfinished string", near: "<eof>", hasNear: true}))
				return
			}
			from := s.pos
			s.passHole()
			s.buf = append(s.buf, s.text[from:s.pos]...)
			continue
		}
		c := s.text[s.pos]
		switch {
		case c == quote:
			s.pos++
			t.kind, s.str = TString, string(s.buf[1:])
			if fail != nil {
				s.fail, s.odd = fail, true
			}
			return
		case class[c]&clLine != 0:
			s.setFail(t, firstFail(fail, lexFail{msg: "unfinished string", near: string(s.buf), hasNear: true}))
			return
		case c == '\\':
			s.pos++
			// After a hole the string may have ended already, so nothing is certain there.
			if !s.escape() && fail == nil && firstHole == s.nextHole {
				fail = &lexFail{msg: "escape sequence too large", hasNear: true, soft: true, at: Span{t.start, Pos(s.pos)}, line: s.line}
				fail.near, _, _ = strings.Cut(string(s.buf), "\x00")
			}
		default:
			s.buf = append(s.buf, c)
			s.pos++
		}
	}
}

// firstFail is what the server stops at: an escape before the missing quote, if one was too large.
func firstFail(escape *lexFail, end lexFail) lexFail {
	if escape == nil {
		return end
	}
	first := *escape
	first.soft = false
	return first
}

// simpleEscapes are the letters behind a backslash that stand for another byte.
var simpleEscapes = [256]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// escape reads what follows a backslash. It returns false where a decimal escape is above 255.
func (s *scanner) escape() bool {
	if s.pos >= s.lim {
		return true
	}
	c := s.text[s.pos]
	if e := simpleEscapes[c]; e != 0 {
		s.buf = append(s.buf, e)
		s.pos++
		return true
	}
	switch {
	case class[c]&clLine != 0:
		s.buf = append(s.buf, '\n')
		s.newlineHere()
	case class[c]&clDigit != 0:
		return s.decimalEscape()
	case s.lua54 && (c == 'x' || c == 'u' || c == 'z'):
		s.escape54(c)
	default:
		// 5.1 drops the backslash of any other escape: "\x41" is x41.
		s.buf = append(s.buf, c)
		s.pos++
	}
	return true
}

func (s *scanner) decimalEscape() bool {
	n := 0
	for i := 0; i < 3 && s.pos < s.lim && class[s.text[s.pos]]&clDigit != 0; i++ {
		n = n*10 + int(s.text[s.pos]-'0')
		s.pos++
	}
	if n > 255 {
		return false
	}
	s.buf = append(s.buf, byte(n))
	return true
}

// bracket reads what starts with '[': a long string or the bracket.
func (s *scanner) bracket(t *token) {
	level, next := s.longOpen(s.pos)
	switch level {
	case noBracket:
		t.kind = TLBracket
		s.pos++
		return
	case badBracket:
		near := s.text[s.pos:next]
		s.pos = next
		s.setFail(t, lexFail{msg: "invalid long string delimiter", near: near, hasNear: true})
		return
	}
	s.pos = next
	firstHole := s.nextHole
	from, to, plain, ok := s.longBody(level)
	if !ok {
		s.setFail(t, lexFail{msg: "unfinished long string", near: "<eof>", hasNear: true})
		return
	}
	t.kind, t.plain = TString, false
	s.str = s.text[from:to]
	if !plain {
		s.str = s.normalized(from, to, s.holes[firstHole:s.nextHole])
	}
}

const (
	noBracket  = -1 // `[` and something else
	badBracket = -2 // `[=` without a second bracket
)

// longOpen looks at the '[' at i: the level of the long bracket and the offset behind it.
func (s *scanner) longOpen(i int) (level, next int) {
	j := i + 1
	for s.is(j, '=') {
		j++
	}
	switch {
	case s.is(j, '['):
		return j - i - 1, j + 1
	case j == i+1:
		return noBracket, j
	}
	return badBracket, j
}

// longBody reads from behind the opening bracket to behind the closing one. plain is false where line ends must be normalized.
func (s *scanner) longBody(level int) (from, to int, plain, ok bool) {
	plain = true
	if s.pos < s.lim && class[s.text[s.pos]]&clLine != 0 {
		s.newlineHere()
	}
	from = s.pos
	noted := false
	for {
		if s.pos >= s.lim {
			if !s.atHole() {
				return from, s.pos, plain, false
			}
			s.passHole()
			continue
		}
		switch s.text[s.pos] {
		case ']':
			to = s.pos
			s.pos++
			for s.is(s.pos, '=') {
				s.pos++
			}
			if s.pos-to-1 == level && s.is(s.pos, ']') {
				s.pos++
				return from, to, plain, true
			}
		case '[':
			s.pos++
			if level == 0 && !noted && s.is(s.pos, '[') {
				noted = true
				s.noteNested()
			}
		case '\r':
			plain = false
			s.newlineHere()
		case '\n':
			plain = plain && !s.is(s.pos+1, '\r')
			s.newlineHere()
		default:
			s.pos++
		}
	}
}

// noteNested records the `[[` whose second bracket is at pos.
func (s *scanner) noteNested() {
	s.nested = append(s.nested, Error{Span: SpanOf(s.pos-1, s.pos+1), Line: s.line, Kind: NestedBracket,
		Message: "nesting of [[...]] is deprecated near '['"})
}

// normalized makes each line end of text[from:to] one LF. The bytes of holes stay.
func (s *scanner) normalized(from, to int, holes []Span) string {
	out := s.buf[:0]
	for i := from; i < to; {
		if len(holes) > 0 && i == int(holes[0].Start) {
			out = append(out, s.text[i:holes[0].End]...)
			i, holes = int(holes[0].End), holes[1:]
			continue
		}
		if class[s.text[i]]&clLine != 0 {
			out = append(out, '\n')
			end := to
			if len(holes) > 0 {
				end = int(holes[0].Start)
			}
			i += lineEnd(s.text[i:end])
			continue
		}
		out = append(out, s.text[i])
		i++
	}
	s.buf = out
	return string(out)
}

// comment reads the comment at pos. It returns false, without moving, where the comment never ends.
func (s *scanner) comment() bool {
	start, line := s.pos, s.line
	hole := s.nextHole
	if s.is(s.pos+2, '[') {
		if level, next := s.longOpen(s.pos + 2); level >= 0 {
			s.pos = next
			_, to, _, ok := s.longBody(level)
			if !ok {
				s.pos, s.line, s.nextHole = start, line, hole
				s.setLimit()
				return false
			}
			s.addComment(Comment{Span: SpanOf(start, s.pos), Text: s.text[next:to], Long: true})
			return true
		}
	}
	s.pos = s.lineEndFrom(s.pos + 2)
	for s.atHole() {
		s.passHole()
		s.pos = s.lineEndFrom(s.pos)
	}
	s.addComment(Comment{Span: SpanOf(start, s.pos), Text: s.text[start+2 : s.pos]})
	return true
}

func (s *scanner) addComment(c Comment) {
	if s.comments == nil {
		s.comments = make([]Comment, 0, 4)
	}
	s.comments = append(s.comments, c)
}

// lineEndFrom is where the line of i ends, or the limit. The next LF is kept, so that a text with CR alone is not searched over and over.
func (s *scanner) lineEndFrom(i int) int {
	if s.nextLF < i {
		s.nextLF = len(s.text)
		if n := strings.IndexByte(s.text[i:], '\n'); n >= 0 {
			s.nextLF = i + n
		}
	}
	end := min(s.nextLF, s.lim)
	if n := strings.IndexByte(s.text[i:end], '\r'); n >= 0 {
		return i + n
	}
	return end
}

// badComment reads a long comment that never ends, which takes all the rest.
func (s *scanner) badComment(t *token) {
	level, next := s.longOpen(s.pos + 2)
	s.pos = next
	seen := len(s.nested)
	s.longBody(level)
	// comment saw the same brackets already.
	s.nested = s.nested[:seen]
	s.setFail(t, lexFail{msg: "unfinished long comment", near: "<eof>", hasNear: true})
}
