package ruletest

import (
	"fmt"
	"strconv"
	"strings"
)

// Notation writes a raw RESP reply on one line: `+OK`, `-ERR …`, `:1`, `"x"` (quoted as redis-cli does, other bytes as `\xff`), `(nil)`, `[…]`; RESP3 adds `,1.5`, `#true`, `%{…}`
// and `~{…}`. The position suffix that servers from 7.0 on put behind script errors, which holds the script's hash, is cut.
func Notation(raw []byte) string {
	text, rest := notation(string(raw), 0)
	if rest != "" {
		return fmt.Sprintf("broken reply %q", raw)
	}
	return text
}

// notation reads one reply and returns what follows it. depth guards against a reply that nests without end.
func notation(s string, depth int) (text, rest string) {
	line, rest, ok := strings.Cut(s, "\r\n")
	if !ok || line == "" || depth > 1000 {
		return "", "broken"
	}
	body := line[1:]
	switch line[0] {
	case '+', ':', ',':
		return escape(line), rest
	case '-':
		return escape(cutPosition(line)), rest
	case '_':
		return "(nil)", rest
	case '#':
		return map[string]string{"t": "#true"}[body] + map[string]string{"f": "#false"}[body], rest
	case '$', '=':
		return bulk(body, rest)
	case '*', '~', '%':
		return elements(line[0], body, rest, depth)
	}
	return "", "broken"
}

func bulk(length, rest string) (string, string) {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 {
		return "(nil)", rest
	}
	if len(rest) < n+2 {
		return "", "broken"
	}
	return Quote(rest[:n]), rest[n+2:]
}

func elements(kind byte, count, rest string, depth int) (string, string) {
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return "(nil)", rest
	}
	if kind == '%' {
		n *= 2
	}
	var items []string
	for range n {
		var item string
		if item, rest = notation(rest, depth+1); item == "" {
			return "", "broken"
		}
		items = append(items, item)
	}
	brackets := map[byte][2]string{'*': {"[", "]"}, '~': {"~{", "}"}, '%': {"%{", "}"}}[kind]
	return brackets[0] + strings.Join(items, ", ") + brackets[1], rest
}

// Quote writes a string as redis-cli does: printable ASCII as it is, \n \r \t \a \b, backslash and quote escaped, all else as \xff.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '\\', '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n', '\r', '\t', '\a', '\b':
			b.WriteString(map[byte]string{'\n': `\n`, '\r': `\r`, '\t': `\t`, '\a': `\a`, '\b': `\b`}[c])
		default:
			b.WriteString(escape(s[i : i+1]))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// escape writes bytes that are not printable ASCII as \xff.
func escape(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// cutPosition removes " script: HASH, on @user_script:1." (or @user_function) from the end of an error, and the hash that 6.2 and
// miniredis put into their own forms of it.
func cutPosition(line string) string {
	if i := strings.LastIndex(line, " script: "); i >= 0 && strings.Contains(line[i:], ", on @user_") {
		return line[:i]
	}
	if i := strings.Index(line, "(call to f_"); i >= 0 {
		if end := strings.Index(line[i:], "): "); end >= 0 {
			return line[:i] + "(call to f_*" + line[i+end:]
		}
	}
	return line
}
