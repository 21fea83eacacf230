package syntax

import (
	"strconv"
	"strings"
)

// digits reads a numeral at i that starts with a digit. A plain one of up to 15 digits, which a float64 holds exactly, is read here.
func (s *scanner) digits(t *token, i uint) {
	text := s.code
	n, j := 0, i
	for j < uint(len(text)) && class[text[j]]&clDigit != 0 {
		n = n*10 + int(text[j]-'0')
		j++
	}
	s.begin(t, i)
	if j-i <= maxExact && (j < uint(len(text)) && !inNumeral(text[j]) || int(j) == len(s.text)) {
		t.kind, t.end, s.num, s.pos = TNumber, Pos(j), float64(n), int(j)
		return
	}
	s.pos = int(i)
	s.number(t)
	s.end(t)
}

// maxExact is how many decimal digits a float64 holds exactly.
const maxExact = 15

// inNumeral reports whether a numeral of digits goes on with c; a NUL counts as an exponent.
func inNumeral(c byte) bool { return class[c]&clWord != 0 || c == '.' || c == 0 }

// number reads a numeral from pos on: digits and dots, an exponent with its sign, then whatever letters and digits follow. Only then is
// it judged, as strtod of the C library does, so that `3x` is one malformed number.
func (s *scanner) number(t *token) {
	start := s.pos
	for s.pos < s.lim && (class[s.text[s.pos]]&clDigit != 0 || s.text[s.pos] == '.') {
		s.pos++
	}
	if s.checkNext('e', 'E') {
		s.checkNext('+', '-')
	}
	for s.pos < s.lim && class[s.text[s.pos]]&clWord != 0 {
		s.pos++
	}
	if s.atHole() {
		s.hole(t)
		return
	}
	// A NUL may have slipped in as an exponent. C ends the numeral there and forgets the rest.
	digits, _, _ := strings.Cut(s.text[start:s.pos], "\x00")
	num, ok := parseNumber(digits)
	if !ok {
		s.setFail(t, lexFail{msg: "malformed number", near: digits, hasNear: true, soft: true})
		return
	}
	t.kind, s.num = TNumber, num
}

// parseNumber is strtod on a numeral that starts with a digit or a dot: decimal, or hexadecimal with or without a binary exponent.
func parseNumber(digits string) (float64, bool) {
	if n, ok := smallInteger(digits); ok {
		return n, true
	}
	// ParseFloat takes underscores behind 0x, and wants an exponent there; C is the other way round.
	if strings.IndexByte(digits, '_') >= 0 {
		return 0, false
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1]|0x20 == 'x' && !strings.ContainsAny(digits, "pP") {
		digits += "p0"
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		// Out of range is infinity or zero, as in C.
		return n, err.(*strconv.NumError).Err == strconv.ErrRange
	}
	return n, true
}

// smallInteger reads decimal digits that a float64 holds exactly.
func smallInteger(digits string) (float64, bool) {
	if len(digits) > maxExact {
		return 0, false
	}
	n := 0
	for i := 0; i < len(digits); i++ {
		if class[digits[i]]&clDigit == 0 {
			return 0, false
		}
		n = n*10 + int(digits[i]-'0')
	}
	return float64(n), true
}
