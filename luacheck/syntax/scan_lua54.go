package syntax

import (
	"strconv"
	"unicode/utf8"
)

// escape54 reads the escapes that Lua 5.1 does not know: \x41, \u{41} and \z. A malformed one stands for its letter.
func (s *scanner) escape54(c byte) {
	s.pos++
	switch c {
	case 'z':
		for s.pos < s.lim && class[s.text[s.pos]]&(clBlank|clLine) != 0 {
			if class[s.text[s.pos]]&clLine != 0 {
				s.newlineHere()
			} else {
				s.pos++
			}
		}
		return
	case 'x':
		if s.pos+2 <= s.lim {
			if n, err := strconv.ParseUint(s.text[s.pos:s.pos+2], 16, 8); err == nil {
				s.buf = append(s.buf, byte(n))
				s.pos += 2
				return
			}
		}
	case 'u':
		end := s.pos
		for end < s.lim && end < s.pos+10 && s.text[end] != '}' {
			end++
		}
		if s.is(s.pos, '{') && s.is(end, '}') {
			if n, err := strconv.ParseUint(s.text[s.pos+1:end], 16, 31); err == nil {
				s.buf = utf8.AppendRune(s.buf, rune(n))
				s.pos = end + 1
				return
			}
		}
	}
	s.buf = append(s.buf, c)
}
