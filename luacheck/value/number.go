package value

import (
	"math"
	"strconv"
	"strings"
)

// ToNumber reads a text as tonumber does in the servers' Lua: C's strtod with hex, inf, nan and hex floats, blanks around it (fact 97).
func ToNumber(s string) (float64, bool) {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	if s == "" || !startsNumber(s[0]) || strings.IndexByte(s, '_') >= 0 {
		return 0, false
	}
	for isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	body := strings.ToLower(strings.TrimLeft(s, "+-"))
	if len(s)-len(body) > 1 {
		return 0, false
	}
	switch {
	case strings.HasPrefix(body, "0x"):
		return hexNumber(s, body)
	case body == "inf" || body == "infinity":
		return math.Inf(1 - 2*strings.Count(s[:1], "-")), true
	case strings.HasPrefix(body, "nan"):
		return math.NaN(), body == "nan"
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(n, 0) {
		return 0, false
	}
	return n, true
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// startsNumber tells most words from numbers without reading them.
func startsNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c|0x20 == 'i' || c|0x20 == 'n'
}

func hexNumber(s, body string) (float64, bool) {
	if !strings.Contains(body, "p") {
		body += "p0"
	}
	n, err := strconv.ParseFloat(body, 64)
	if err != nil && !math.IsInf(n, 0) {
		return 0, false
	}
	if s[0] == '-' {
		n = -n
	}
	return n, true
}

// FormatNumber writes a number as tostring and .. do: %.14g.
func FormatNumber(n float64) string {
	switch {
	case math.IsInf(n, 1):
		return "inf"
	case math.IsInf(n, -1):
		return "-inf"
	case n != n:
		return "-nan"
	case n == 0 && math.Signbit(n):
		return "-0"
	}
	if n > -1e14 && n < 1e14 && n == math.Trunc(n) {
		return strconv.FormatInt(int64(n), 10)
	}
	s := strconv.FormatFloat(n, 'g', 14, 64)
	mant, exp, ok := strings.Cut(s, "e")
	if strings.Contains(mant, ".") {
		mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
	}
	if !ok {
		return mant
	}
	return mant + "e" + exp
}

// formatWhole writes a whole number in digits.
func formatWhole(n float64) string {
	if n == math.Trunc(n) && n > -1e17 && n < 1e17 && (n != 0 || !math.Signbit(n)) {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}
