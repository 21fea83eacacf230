package source

import (
	"errors"
	"go/token"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/redislint/redislint/luacheck/syntax"
)

// Map translates byte offsets of a text to positions in files.
type Map struct {
	pieces []piece
	starts []int // offset of each piece
	size   int
}

// Map returns the source map of the text.
func (t *Text) Map() *Map {
	m := &Map{pieces: t.pieces, starts: make([]int, len(t.pieces))}
	for i, p := range t.pieces {
		m.starts[i] = m.size
		m.size += len(p.text)
	}
	return m
}

// Pos returns the position of byte off, and behind the last byte for off = length. It is token.NoPos only for a text without bytes.
func (m *Map) Pos(off int) token.Pos {
	if m.size == 0 {
		return token.NoPos
	}
	if off >= m.size {
		return m.End(m.size - 1)
	}
	i := pieceAt(m.starts, max(off, 0))
	return m.pieces[i].start(max(off, 0) - m.starts[i])
}

// End returns the position behind byte off: behind its whole escape in a quoted literal.
func (m *Map) End(off int) token.Pos {
	if m.size == 0 {
		return token.NoPos
	}
	off = min(max(off, 0), m.size-1)
	i := pieceAt(m.starts, off)
	return m.pieces[i].stop(off - m.starts[i])
}

func (p *piece) start(i int) token.Pos { return p.org.start(p.from + p.inside(i)) }
func (p *piece) stop(i int) token.Pos {
	if p.wide && i == len(p.text)-1 {
		return p.org.stop(p.from + i + 1)
	}
	return p.org.stop(p.from + p.inside(i))
}

// inside is the byte of the origin for byte i: a hole's placeholder has no bytes of its own.
func (p *piece) inside(i int) int {
	if p.hole != nil {
		return 0
	}
	return i
}

// Range returns the positions of a span. A span over two literals ends where the first one does: no range covers Go code between them.
func (m *Map) Range(span syntax.Span) (pos, end token.Pos) {
	start, stopAt := int(span.Start), int(span.End)
	pos = m.Pos(start)
	if span.Len() == 0 || m.size == 0 || start >= m.size {
		return pos, pos
	}
	first := pieceAt(m.starts, max(start, 0))
	last := pieceAt(m.starts, min(stopAt, m.size)-1)
	stop := first
	for stop < last && m.adjoins(stop) {
		stop++
	}
	if stop == last {
		return pos, m.End(stopAt - 1)
	}
	return pos, m.End(m.starts[stop+1] - 1)
}

// adjoins reports whether the piece behind i is the next bytes of the same literal or file.
func (m *Map) adjoins(i int) bool {
	a, b := &m.pieces[i], &m.pieces[i+1]
	return a.org == b.org && a.org.kind != useOnly && b.from >= a.from+len(a.text)
}

// Why an edit is refused.
var (
	errHole      = errors.New("the text there is made at run time")
	errConstant  = errors.New("the text there has no literal in this package")
	errTwoPlaces = errors.New("the text there comes from two places")
	errBackquote = errors.New("a raw literal cannot hold a backquote")
	errEscape    = errors.New("the edit would cut an escape")
	errReplaced  = errors.New("the text there goes through a replacement")
	errTwice     = errors.New("the text there is used twice")
)

// Edit returns the change of the source that replaces a span of the text by new, escaped for the literal that it stands in. It is refused
// where no single literal or file holds the span.
func (m *Map) Edit(span syntax.Span, new string) (pos, end token.Pos, text string, err error) {
	from, to := int(span.Start), int(span.End)
	if m.size == 0 || from < 0 || to > m.size || from > to {
		return 0, 0, "", errConstant
	}
	first := pieceAt(m.starts, min(from, m.size-1))
	last := first
	if from < to {
		last = pieceAt(m.starts, to-1)
	}
	for i := first; i <= last; i++ {
		if err := m.editable(i); err != nil {
			return 0, 0, "", err
		}
	}
	for i := first; i < last; i++ {
		if !m.adjoins(i) {
			return 0, 0, "", errTwoPlaces
		}
	}
	p := &m.pieces[first]
	if m.insideRune(from) || m.insideRune(to) || p.org.splits(p.from+from-m.starts[first]) || m.pieces[last].org.splits(m.pieces[last].from+to-m.starts[last]) {
		return 0, 0, "", errEscape
	}
	pos = m.Pos(from)
	end = pos
	if from < to {
		end = m.End(to - 1)
	}
	if m.usedTwice(first, last, pos, end) {
		return 0, 0, "", errTwice
	}
	text, err = escape(p, new)
	return pos, end, text, err
}

// usedTwice reports whether another piece of the text comes from the source that an edit of the pieces first to last changes.
func (m *Map) usedTwice(first, last int, pos, end token.Pos) bool {
	edited := &m.pieces[first]
	for i := range m.pieces {
		p := &m.pieces[i]
		if i >= first && i <= last || p.org == nil || p.text == "" {
			continue
		}
		if p.org == edited.org && p.from < edited.from+len(edited.text) && edited.from < p.from+len(p.text) {
			return true
		}
		if from, to := p.start(0), p.stop(len(p.text)-1); p.org != edited.org && from <= pos && end <= to {
			return true
		}
	}
	return false
}

// insideRune reports whether a cut before byte off is inside a character.
func (m *Map) insideRune(off int) bool {
	if off <= 0 || off >= m.size {
		return false
	}
	i := pieceAt(m.starts, off)
	if off == m.starts[i] {
		return false
	}
	text := m.pieces[i].text
	return !utf8.RuneStart(text[off-m.starts[i]]) && utf8.ValidString(text)
}

func (m *Map) editable(i int) error {
	p := &m.pieces[i]
	switch {
	case p.hole != nil:
		return errHole
	case p.org.kind == useOnly:
		return errConstant
	case p.frozen:
		return errReplaced
	}
	return nil
}

// escape writes text as the literal of the piece needs it.
func escape(p *piece, text string) (string, error) {
	if p.percent {
		text = strings.ReplaceAll(text, "%", "%%")
	}
	switch p.org.kind {
	case rawLiteral:
		if strings.ContainsAny(text, "`\r") {
			return "", errBackquote
		}
	case quotedLiteral:
		quoted := strconv.Quote(text)
		return quoted[1 : len(quoted)-1], nil
	}
	return text, nil
}

// File returns the name of the embedded file that the text is, "" where it is none.
func (t *Text) File() string { return t.file }

// Written reports whether a literal or file of this package holds a part of the text.
func (t *Text) Written() bool {
	for _, p := range t.pieces {
		if p.hole == nil && p.org != nil && p.org.kind != useOnly {
			return true
		}
	}
	return false
}

// Pos returns where the text starts: the first byte that has a place.
func (t *Text) Pos() token.Pos {
	if t.start.IsValid() {
		return t.start
	}
	for _, p := range t.pieces {
		if p.org != nil && p.org.pos.IsValid() {
			return p.start(0)
		}
	}
	return token.NoPos
}

// Last returns the place behind the last byte.
func (t *Text) Last() token.Pos {
	for i := len(t.pieces) - 1; i >= 0; i-- {
		if p := t.pieces[i]; p.org != nil && p.org.pos.IsValid() {
			return p.stop(max(len(p.text)-1, 0))
		}
	}
	return token.NoPos
}
