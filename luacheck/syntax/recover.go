package syntax

import (
	"fmt"
	"sort"
	"strings"
)

// maxErrors bounds Chunk.Errors: after so many the text is no Lua script.
const maxErrors = 20

// failure is why the parser stops, before it has a place.
type failure struct {
	msg  string
	near bool // the message names the current token
	// soft marks what the server refuses although the grammar is plain: the parser goes on as if nothing were wrong.
	soft bool
	// limit marks a limit of the compiler, reported only as the first error. All but the nesting limit are soft.
	limit bool
	// structural marks a missing or extra end of a block, which is not reported after an error that made nesting doubtful.
	structural bool
}

func (p *parser) failNear(msg string) { p.fail(failure{msg: msg, near: true}) }

func (p *parser) failExpected(k TokenKind) {
	p.fail(failure{msg: "'" + kindText[k] + "' expected", near: true, structural: isCloser(k)})
}

func isCloser(k TokenKind) bool { return k == TEnd || k == TUntil || k == TEOF }

// failEnd reports that the script does not end where its statements do.
func (p *parser) failEnd() { p.failExpected(TEOF) }

func (p *parser) failUnclosed(k, open TokenKind, line int) {
	msg := fmt.Sprintf("'%s' expected (to close '%s' at line %d)", kindText[k], kindText[open], line)
	p.fail(failure{msg: msg, near: true, structural: isCloser(k)})
}

// fail reports an error at the current token and starts the way back to a list of statements.
func (p *parser) fail(f failure) {
	if p.panicking {
		return
	}
	msg := f.msg
	if f.near {
		msg += near(p.nearText(&p.tok))
	}
	p.record(p.tok.span(), p.s.line, msg, f)
	p.c.off = true
	if !f.soft {
		p.unwind(p.tok)
	}
}

// unwind makes all functions return to the innermost list of statements, where t is the current token again.
func (p *parser) unwind(t token) {
	p.panicking, p.broken = true, true
	p.errTok = t
	p.tok = token{kind: tPanic, start: t.start, end: t.start}
}

// lexError reports that t could not be read.
func (p *parser) lexError(t *token) {
	f := p.s.fail
	p.s.fail = nil
	msg := f.msg
	if f.hasNear {
		msg += near(f.near, true)
	}
	p.record(f.at, f.line, msg, failure{})
	p.c.off = true
	if f.soft {
		return
	}
	p.hasAhead = false
	p.unwind(*t)
}

// record adds an error, unless it follows from an earlier one or from a hole.
func (p *parser) record(at Span, line int, msg string, f failure) {
	if hole := p.s.codeHole; hole.Len() > 0 && max(at.End, at.Start+1) > hole.Start {
		return
	}
	if n := len(p.chunk.Errors); n > 0 && (f.limit || f.structural && p.broken || p.muted || n >= maxErrors) {
		return
	}
	if p.follows(at) {
		return
	}
	p.checkFns()
	p.chunk.Errors = append(p.chunk.Errors, Error{Span: at, Line: line, Message: oneLine(msg), Feature: p.feature(at)})
}

// follows reports whether an error at a place only follows from the last one: a soft error left the token where it was, so that the next
// complaint is about the same token.
func (p *parser) follows(at Span) bool {
	n := len(p.chunk.Errors)
	return n > 0 && p.chunk.Errors[n-1].Span == at
}

// insertError adds an error that was found apart from the others, by position.
func (p *parser) insertError(e Error) {
	list := p.chunk.Errors
	i := sort.Search(len(list), func(i int) bool { return list[i].Start > e.Start })
	list = append(list, Error{})
	copy(list[i+1:], list[i:])
	list[i] = e
	p.chunk.Errors = list
}

// oneLine maps line ends to blanks, as the servers' error replies do.
func oneLine(msg string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(msg) }

func near(text string, ok bool) string {
	if !ok {
		return ""
	}
	return " near '" + text + "'"
}

// nearText is how the server shows a token in "near": names and numbers as written, strings with their escapes resolved, all up to a NUL.
// It is false for a NUL in code, whose code the server takes for "no token".
func (p *parser) nearText(t *token) (string, bool) {
	raw := p.s.text[t.start:t.end]
	switch t.kind {
	case TName, TNumber:
	case TString:
		raw = stringBuffer(raw, p.s.value(t))
	case TByte:
		switch c := raw[0]; {
		case c == 0:
			return "", false
		case c < ' ' || c == 0x7f:
			return fmt.Sprintf("char(%d)", c), true
		}
	default:
		raw = kindText[t.kind]
	}
	raw, _, _ = strings.Cut(raw, "\x00")
	return raw, true
}

// stringBuffer is what the server's scanner holds after reading a string: its value within its delimiters.
func stringBuffer(raw, value string) string {
	if raw[0] != '[' {
		return raw[:1] + value + raw[:1]
	}
	n := 1
	for raw[n] == '=' {
		n++
	}
	return raw[:n+1] + value + raw[len(raw)-n-1:]
}

// startsStatement are the keywords that can only start a statement, at the start of a line.
var startsStatement = [tPanic + 1]bool{TBreak: true, TDo: true, TFor: true, TFunction: true, TIf: true, TLocal: true, TRepeat: true,
	TReturn: true, TWhile: true}

// ownsBlock are the statements that an `end` or `until` closes.
var ownsBlock = [tPanic + 1]bool{TDo: true, TFor: true, TFunction: true, TIf: true, TRepeat: true, TWhile: true, TLocal: true}

// resync skips what is left of the broken statement that began with start: up to the next line that is indented no deeper and begins
// like a statement, or that closes an enclosing block. Indentation is all that is left to go by when brackets do not match.
func (p *parser) resync(start *token) {
	p.resume()
	for p.tok.kind != TEOF {
		atError := p.tok.start == p.errTok.start
		switch k := p.tok.kind; {
		case p.tok.start == start.start: // no progress yet
		case blockEnds[k] && (p.tok.first && p.tok.indent < start.indent || atError && !p.tok.first && !ownsBlock[start.kind]):
			return
		case k == TEnd && (p.tok.first && p.tok.indent == start.indent || atError && ownsBlock[start.kind]):
			p.skip()
			return
		case !p.tok.first || p.tok.indent > start.indent:
		case startsStatement[k]:
			p.muted = false
			return
		case k == TName:
			return
		}
		p.skip()
	}
}

// resume makes the token of the error the current one again.
func (p *parser) resume() {
	p.tok, p.panicking, p.muted = p.errTok, false, true
}

// skip steps over a token of a broken statement, whatever it is.
func (p *parser) skip() {
	p.next()
	if p.panicking {
		at := p.errTok.start
		p.resume()
		p.errTok.start = at
	}
}

// skipExtra goes on behind what should have been the end of the script.
func (p *parser) skipExtra() {
	if !p.panicking {
		return
	}
	p.resume()
	if blockEnds[p.tok.kind] && p.tok.kind != TEOF {
		p.skip()
	}
}
