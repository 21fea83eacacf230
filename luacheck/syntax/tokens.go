package syntax

// Scan reads the tokens of a script, with comments and header, in order. What lies between them is white space. Text that cannot be read
// gives a TBad token. There is no TEOF at the end. A text above MaxText has no tokens.
func Scan(src Source, d Dialect) []Token {
	if len(src.Text) > MaxText {
		return nil
	}
	p := parser{s: newScanner(src, d), chunk: &Chunk{}}
	s := &p.s
	var out []Token
	p.header()
	if h := p.chunk.Header; h != nil {
		if !h.Terminated {
			return []Token{{SpanOf(0, len(src.Text)), THeader}}
		}
		out = append(out, Token{h.Span, THeader})
	}
	for {
		var t token
		seen := len(s.comments)
		s.next(&t)
		s.fail, s.odd = nil, false
		for _, c := range s.comments[seen:] {
			out = append(out, Token{c.Span, TComment})
		}
		if t.kind == TEOF {
			return out
		}
		out = append(out, Token{t.span(), t.kind})
	}
}
