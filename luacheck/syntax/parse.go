package syntax

// Parse reads a script. It never panics, whatever the text, and takes time linear in its length. A text above MaxText is not read: the
// chunk is that of an empty Source, with one error.
func Parse(src Source, d Dialect) *Chunk { return parseUpTo(MaxText, nil, src, d) }

// ParseIn is Parse with memory to work in; nil is memory of its own.
func ParseIn(m *Scratch, src Source, d Dialect) *Chunk { return parseUpTo(MaxText, m, src, d) }

func parseUpTo(limit int, m *Scratch, src Source, d Dialect) *Chunk {
	if len(src.Text) > limit {
		return &Chunk{Body: &Block{NodeID: 1}, NumNodes: 2, Errors: []Error{{Line: 1, Message: textTooLong}}}
	}
	if m == nil {
		m = &Scratch{}
	}
	count := d == Lua51 && len(src.Text) > roughText
	chunk, exceeded := m.read(src, d, count)
	if exceeded {
		chunk, _ = m.read(src, d, true)
	}
	return chunk
}

// read reads a script, with exact counts of what the servers' compiler limits or with rough ones. exceeded says that the rough ones
// do not rule out that the first error is a limit.
func (m *Scratch) read(src Source, d Dialect, count bool) (chunk *Chunk, exceeded bool) {
	m.begin(len(src.Text))
	p := parser{s: newScanner(src, d), lua54: d == Lua54, nodes: &m.nodes}
	p.chunk = &m.chunk[0]
	p.chunk.Span, p.chunk.Source = SpanOf(0, len(src.Text)), src
	p.header()
	p.s.comments, p.c.blocks, p.c.fns = m.comments, m.blocks, m.fns
	p.c.off, p.c.rough = !count, !count && !p.lua54
	if count {
		p.useExactStacks()
		p.c.syms.init(len(src.Text))
	}
	p.openFn(0)
	p.c.f.isVararg = true
	p.next()
	p.chunk.Body = p.mainBlock()
	p.closeFn()
	p.finish()
	m.keep(&p)
	return p.chunk, p.c.exceeded
}

// textTooLong is the message for a text above MaxText.
const textTooLong = "the script is longer than 1 GiB and is not read; a server takes no more than 512 MB in one argument"

// parser is a recursive descent in the order of lparser.c, so that each error and each limit shows where the server meets it. The
// recursion is bounded by maxLevels.
//
// An error does not unwind the stack by itself: it puts tPanic in the place of the current token, which matches nothing and ends every
// block, so that all functions return by their normal ways to the innermost list of statements. There resync goes on.
type parser struct {
	s         scanner
	chunk     *Chunk
	tok       token
	ahead     token
	hasAhead  bool
	prevEnd   Pos // offset behind the token before tok
	lastLine  int // the scanner's line behind the token before tok
	level     int // nested syntax levels, as the server counts them
	regs      int // never much below the registers in use, see roughRegs
	lastID    NodeID
	numNames  int32
	lua54     bool
	panicking bool
	errTok    token // the token that tPanic stands for
	muted     bool  // after a resync that may be wrong: no report until a statement is read without error
	broken    bool  // nesting is doubtful since an error
	c         compiler
	nodes     *slabs
}

// next steps to the next token.
func (p *parser) next() {
	if p.panicking {
		return
	}
	p.lastLine = p.s.line
	p.prevEnd = p.tok.end
	if p.hasAhead {
		p.tok, p.hasAhead = p.ahead, false
		return
	}
	p.s.next(&p.tok)
	if p.s.odd {
		p.oddToken(&p.tok)
	}
}

// oddToken looks at a hole or an error that the scanner met. Behind a hole nothing is counted, because no error is reported there.
func (p *parser) oddToken(t *token) {
	p.s.odd = false
	if p.s.fail != nil {
		p.lexError(t)
	}
	if t.kind == THole {
		p.c.off = true
	}
}

// peek reads the token behind the current one. As on the server, the line of errors is then that of the peeked token.
func (p *parser) peek() TokenKind {
	if !p.hasAhead && !p.panicking {
		p.s.next(&p.ahead)
		p.hasAhead = true
		if p.s.odd {
			p.oddToken(&p.ahead)
		}
	}
	return p.ahead.kind
}

// accept steps over a token of the kind, and reports whether it was there.
func (p *parser) accept(k TokenKind) bool {
	if p.tok.kind == k {
		p.next()
		return true
	}
	return false
}

// expect steps over a token of the kind, or fails.
func (p *parser) expect(k TokenKind) bool {
	if p.accept(k) {
		return true
	}
	p.failExpected(k)
	return false
}

// expectMatch steps over the token that closes what `open` at `line` opened.
func (p *parser) expectMatch(k, open TokenKind, line int) {
	if p.accept(k) {
		return
	}
	if line == p.s.line {
		p.failExpected(k)
		return
	}
	p.failUnclosed(k, open, line)
}

// enter counts one more syntax level, and fails above the limit. Each enter that returns true needs a leave.
func (p *parser) enter() bool {
	if p.level == maxLevels {
		return p.tooDeep()
	}
	p.level++
	return true
}

func (p *parser) tooDeep() bool {
	p.fail(failure{msg: "chunk has too many syntax levels", limit: true})
	return false
}

func (p *parser) leave() { p.level-- }

// since is the span from start to the end of the last token; empty, behind that token, where nothing was read since.
func (p *parser) since(start Pos) Span { return Span{min(start, p.prevEnd), p.prevEnd} }

// id numbers a new node.
func (p *parser) id() NodeID {
	p.lastID++
	return p.lastID
}

func (p *parser) start() Pos { return p.tok.start }

// finish moves what the scanner gathered into the chunk.
func (p *parser) finish() {
	c := p.chunk
	c.Comments = p.s.comments
	c.holes, c.CodeHole = p.s.holes, p.s.codeHole
	c.NumNodes, c.NumNames = int(p.lastID)+1, int(p.numNames)
	for _, e := range p.s.nested {
		if c.CodeHole.Len() == 0 || e.Start < c.CodeHole.Start {
			p.insertError(e)
		}
	}
}

// mainBlock reads the statements of the script up to its end.
func (p *parser) mainBlock() *Block {
	b := p.nodes.block.take(p)
	*b = Block{Span: Span{p.start(), p.start()}, NodeID: p.id()}
	p.enter()
	mark := len(p.nodes.stmts)
	for {
		p.statements()
		if p.tok.kind == TEOF {
			break
		}
		p.failEnd()
		p.skipExtra()
	}
	p.leave()
	p.closeBlock(b, mark)
	return b
}

// closeBlock gives b the statements gathered since mark.
func (p *parser) closeBlock(b *Block, mark int) {
	b.Stmts = p.nodes.stmtList.takeList(p, &p.nodes.stmts, mark)
	if n := len(b.Stmts); n > 0 {
		b.Start, b.End = b.Stmts[0].Bounds().Start, b.Stmts[n-1].Bounds().End
	}
}
