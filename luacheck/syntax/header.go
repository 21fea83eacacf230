package syntax

import "strings"

// header reads a `#!` line at the very start (facts 117-121). The servers cut it off up to, and without, its LF, so that lines count on.
// A NUL or the end of the text before the LF leaves it unterminated; there is no code then.
func (p *parser) header() {
	h, end := readHeader(p.s.text)
	if h == nil {
		return
	}
	p.chunk.Header = h
	for p.s.nextHole < len(p.s.holes) && p.s.holes[p.s.nextHole].Start < Pos(end) {
		p.s.nextHole++
	}
	p.s.setLimit()
	p.s.pos = end
	if !h.Terminated {
		p.s.skipAll()
	}
}

// readHeader returns nil where the text has no header, and the offset at which the code starts.
func readHeader(text string) (*Header, int) {
	if !strings.HasPrefix(text, "#!") {
		return nil, 0
	}
	end := strings.IndexAny(text, "\n\x00")
	h := &Header{Terminated: end >= 0 && text[end] == '\n'}
	if end < 0 {
		end = len(text)
	}
	stop := end
	if stop > 0 && text[stop-1] == '\r' {
		stop--
	}
	h.Span = SpanOf(0, stop)
	i := 2
	for i < stop && !isSpace(text[i]) {
		i++
	}
	h.At = SpanOf(2, i)
	h.Engine = text[2:i]
	h.Options = headerOptions(text, i, stop)
	return h, end
}

func isSpace(c byte) bool { return class[c]&(clBlank|clLine) != 0 }

func headerOptions(text string, i, stop int) (out []HeaderOption) {
	for {
		for i < stop && isSpace(text[i]) {
			i++
		}
		if i == stop {
			return out
		}
		start := i
		var word string
		word, i = headerWord(text, i, stop)
		o := HeaderOption{Span: SpanOf(start, i)}
		o.Name, o.Value, o.HasEq = strings.Cut(word, "=")
		out = append(out, o)
	}
}

// headerWord reads one word as sdssplitargs does: parts of it may be in quotes, in which blanks do not separate.
func headerWord(text string, i, stop int) (string, int) {
	var word []byte
	var quote byte
	for i < stop {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0 && c == '\\' && i+1 < stop && (quote == '"' || text[i+1] == quote):
			i++
			word = append(word, text[i])
		case quote != 0:
			word = append(word, c)
		case c == '"' || c == '\'':
			quote = c
		case isSpace(c):
			return string(word), i
		default:
			word = append(word, c)
		}
		i++
	}
	return string(word), i
}
