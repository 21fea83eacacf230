package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

// Text is a string that Go code makes, in pieces that know where their bytes come from. The zero Text is the empty string.
type Text struct {
	pieces []piece
	file   string    // the embedded file that it is, "" for others
	start  token.Pos // of that file
	// Refused says why the text of a file, or of one that it includes, was not read; "" for all others. Such a text is incomplete.
	Refused string
	// Changed: something at run time may put other text into it before it is used.
	Changed bool
}

// piece is a run of bytes with one provenance.
type piece struct {
	text    string
	org     *origin
	from    int   // offset of text in the decoded bytes of org
	hole    *Hole // not nil: text is a placeholder
	percent bool  // part of a format: a '%' is written twice in the source
	wide    bool  // the last byte takes two bytes of the origin ("%%" of a format)
	frozen  bool  // cannot be edited: the text went through a replacement
}

// Hole is a part of a text that is not known.
type Hole struct {
	// ID is equal for two holes that have the same text at one call; Name is how people know it.
	ID, Name string
	// Param is the parameter that the hole is the value of, where it is exactly that.
	Param *types.Var
	// Expr is where it was written, Env what its names are bound to.
	Expr ast.Expr
	Env  *Env
	// Why says in a few words why it is not known.
	Why string
	// Front: code that may stand in front of a text, see Continued.
	Front bool
}

func (t *Text) add(p piece) {
	if p.text != "" || p.hole != nil {
		t.pieces = append(t.pieces, p)
	}
}

// String returns the bytes, with placeholders for holes.
func (t *Text) String() string {
	if len(t.pieces) == 1 {
		return t.pieces[0].text
	}
	var b strings.Builder
	for _, p := range t.pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// empty reports whether the text has no bytes.
func (t *Text) empty() bool {
	return !slices.ContainsFunc(t.pieces, func(p piece) bool { return p.text != "" })
}

// Source returns the text as the parser takes it.
func (t *Text) Source() syntax.Source {
	src := syntax.Source{Text: t.String()}
	off := 0
	for _, p := range t.pieces {
		if p.hole != nil {
			src.Holes = append(src.Holes, syntax.SpanOf(off, off+len(p.text)))
		}
		off += len(p.text)
	}
	return src
}

// Constant returns the text where it has no hole.
func (t *Text) Constant() (string, bool) {
	for _, p := range t.pieces {
		if p.hole != nil {
			return "", false
		}
	}
	return t.String(), true
}

// Unknown returns the hole of a text that is nothing but one hole, else nil.
func (t *Text) Unknown() *Hole {
	if len(t.pieces) == 1 {
		return t.pieces[0].hole
	}
	return nil
}

// Part is a literal run or a hole, for templates.
type Part struct {
	Lit  string
	Hole *Hole
}

// Parts returns the text as literal runs and holes.
func (t *Text) Parts() []Part {
	var parts []Part
	for _, p := range t.pieces {
		last := len(parts) - 1
		switch {
		case p.hole != nil:
			parts = append(parts, Part{Hole: p.hole})
		case last >= 0 && parts[last].Hole == nil:
			parts[last].Lit += p.text
		default:
			parts = append(parts, Part{Lit: p.text})
		}
	}
	return parts
}

// Holes returns the holes in order.
func (t *Text) Holes() []*Hole {
	var holes []*Hole
	for _, p := range t.pieces {
		if p.hole != nil {
			holes = append(holes, p.hole)
		}
	}
	return holes
}

// Key identifies the text by where its bytes come from: two texts with one key are the same script.
func (t *Text) Key() string {
	var b strings.Builder
	for _, p := range t.pieces {
		pos := token.NoPos
		if p.org != nil {
			pos = p.org.pos
		}
		b.WriteString(strconv.Itoa(int(pos)))
		b.WriteByte('+')
		b.WriteString(strconv.Itoa(p.from))
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(len(p.text)))
		b.WriteByte(' ')
	}
	return b.String()
}

// concat joins texts. The pieces are shared: they are never changed in place.
func concat(texts ...*Text) *Text {
	joined := &Text{}
	if len(texts) > 0 {
		joined.file, joined.start = texts[0].file, texts[0].start
	}
	for _, t := range texts {
		joined.pieces = append(joined.pieces, t.pieces...)
	}
	return joined
}

// slice returns the bytes [from, to). A hole that is cut stays whole.
func (t *Text) slice(from, to int) *Text {
	part := &Text{file: t.file, start: t.start}
	off := 0
	for _, p := range t.pieces {
		size := len(p.text)
		lo, hi := max(from-off, 0), min(to-off, size)
		if lo < hi {
			if p.hole == nil {
				p.text, p.from = p.text[lo:hi], p.from+lo
			}
			part.add(p)
		}
		off += size
	}
	return part
}

// frozenCopy is the text with edits refused.
func (t *Text) frozenCopy() *Text {
	c := &Text{pieces: append([]piece(nil), t.pieces...), file: t.file, start: t.start}
	for i := range c.pieces {
		c.pieces[i].frozen = true
	}
	return c
}

// holeText is a text of one hole.
func holeText(h *Hole, pos, end token.Pos) *Text {
	placeholder := "_"
	return &Text{pieces: []piece{{text: placeholder, hole: h, org: &origin{kind: useOnly, pos: pos, end: end}}}}
}

// Continued is a text with code in front of it that is not known: a file that something at run time puts behind others. A library has its first
// line in front.
func (t *Text) Continued() *Text {
	if strings.HasPrefix(t.String(), "#!") {
		return t
	}
	org := &origin{kind: useOnly, pos: t.Pos(), end: t.Pos()}
	more := concat(holeText(&Hole{ID: "?", Front: true}, t.Pos(), t.Pos()), &Text{pieces: []piece{{text: "\n", org: org}}}, t)
	more.file, more.start, more.Refused, more.Changed = t.file, t.start, t.Refused, t.Changed
	return more
}

// valueText is a text that has a value but no literal: its place is where it is used.
func valueText(value string, use ast.Node) *Text {
	t := &Text{}
	t.add(piece{text: value, org: &origin{kind: useOnly, pos: use.Pos(), end: use.End()}})
	return t
}
