package syntax

// TokenKind says what a token is.
type TokenKind uint8

// The kinds that carry text of their own come first, then the keywords, then the operators.
const (
	TEOF TokenKind = iota
	TName
	TString
	TNumber
	THole    // unknown text in code position, with the name characters that touch it
	TBad     // text that no token can be read from: an unfinished string, a malformed number
	TComment // only from Scan
	THeader  // the #! line, only from Scan
	TByte    // one byte that starts no token of the dialect: '!', '&', 0xC3 …

	TAnd
	TBreak
	TDo
	TElse
	TElseif
	TEnd
	TFalse
	TFor
	TFunction
	TGoto // Lua 5.4 dialect only; a name in Lua 5.1
	TIf
	TIn
	TLocal
	TNil
	TNot
	TOr
	TRepeat
	TReturn
	TThen
	TTrue
	TUntil
	TWhile

	TPlus
	TMinus
	TStar
	TSlash
	TPercent
	TCaret
	THash
	TEq     // ==
	TNotEq  // ~=
	TLessEq // <=
	TGreaterEq
	TLess
	TGreater
	TAssign // =
	TLParen
	TRParen
	TLBrace
	TRBrace
	TLBracket
	TRBracket
	TSemi
	TColon
	TComma
	TDot
	TConcat // ..
	TDots   // ...
	// Lua 5.4 dialect only.
	TDSlash
	TAmp
	TPipe
	TTilde
	TShl
	TShr
	TDColon

	// tPanic stands for the current token while the parser unwinds after an error: it matches nothing and ends every block.
	tPanic
)

// kindText is how the server names a token in its messages.
var kindText = [...]string{TEOF: "<eof>", TName: "<name>", TString: "<string>", TNumber: "<number>", THole: "<hole>", TBad: "<bad>",
	TComment: "<comment>", THeader: "<header>", TByte: "<byte>",
	TAnd: "and", TBreak: "break", TDo: "do", TElse: "else", TElseif: "elseif", TEnd: "end", TFalse: "false", TFor: "for",
	TFunction: "function", TGoto: "goto", TIf: "if", TIn: "in", TLocal: "local", TNil: "nil", TNot: "not", TOr: "or",
	TRepeat: "repeat", TReturn: "return", TThen: "then", TTrue: "true", TUntil: "until", TWhile: "while",
	TPlus: "+", TMinus: "-", TStar: "*", TSlash: "/", TPercent: "%", TCaret: "^", THash: "#", TEq: "==", TNotEq: "~=", TLessEq: "<=",
	TGreaterEq: ">=", TLess: "<", TGreater: ">", TAssign: "=", TLParen: "(", TRParen: ")", TLBrace: "{", TRBrace: "}",
	TLBracket: "[", TRBracket: "]", TSemi: ";", TColon: ":", TComma: ",", TDot: ".", TConcat: "..", TDots: "...",
	TDSlash: "//", TAmp: "&", TPipe: "|", TTilde: "~", TShl: "<<", TShr: ">>", TDColon: "::", tPanic: "<panic>"}

// String names the kind: keywords and operators as they are written, the others in angle brackets.
func (k TokenKind) String() string { return kindText[k] }

// Token is one token with its place.
type Token struct {
	Span
	Kind TokenKind
}

// keywords is a table of the keywords without collisions, by keywordHash. The multipliers of keywordHash were found by trial.
var keywords = func() (table [64]struct {
	word string
	kind TokenKind
}) {
	for k := TAnd; k <= TWhile; k++ {
		row := &table[keywordHash(kindText[k])]
		row.word, row.kind = kindText[k], k
	}
	return table
}()

// keywordHash tells the keywords apart by their ends and their length. The word must not be empty.
func keywordHash(word string) uint32 {
	return (uint32(word[0])*3 + uint32(word[len(word)-1])*13 + uint32(len(word))) % 64
}

// keyword gives the kind of a word, TName for what is no keyword.
func keyword(word string, lua54 bool) TokenKind {
	row := &keywords[keywordHash(word)]
	if row.word != word || row.kind == TGoto && !lua54 {
		return TName
	}
	return row.kind
}

// keywordLengths has a bit for each length of a keyword that starts with a byte: few names get past it.
var keywordLengths = func() (table [256]uint16) {
	for k := TAnd; k <= TWhile; k++ {
		table[kindText[k][0]] |= 1 << len(kindText[k])
	}
	return table
}()

// Bits of bytes with which a token of one byte may go on.
const (
	onDot = 1 << iota
	onDigit
	onEqual
	onBracket
	onColon
	onSlash
	onLess
	onGreater
)

// follows has the bit of each such byte. A NUL counts as a dot, see dots.
var follows = [256]uint8{0: onDot, '.': onDot, '=': onEqual, '[': onBracket, ':': onColon, '/': onSlash, '<': onLess, '>': onGreater,
	'0': onDigit, '1': onDigit, '2': onDigit, '3': onDigit, '4': onDigit, '5': onDigit, '6': onDigit, '7': onDigit, '8': onDigit, '9': onDigit}

// goesOn tells with what a token of one byte may go on, in some dialect.
var goesOn = [256]uint8{'.': onDot | onDigit, '=': onEqual, '[': onEqual | onBracket, ':': onColon, '/': onSlash, '<': onEqual | onLess,
	'>': onEqual | onGreater}

// singles are the tokens of one byte.
var singles = [256]TokenKind{'.': TDot, '=': TAssign, '[': TLBracket, ':': TColon, '/': TSlash, '<': TLess, '>': TGreater,
	'+': TPlus, '*': TStar, '%': TPercent, '^': TCaret, '#': THash, '(': TLParen, ')': TRParen, '{': TLBrace,
	'}': TRBrace, ']': TRBracket, ';': TSemi, ',': TComma}

// Character classes of the C locale, in which the servers run the compiler.
const (
	clBlank = 1 << iota // space, tab, vertical tab, form feed; not the line ends
	clDigit
	clAlpha // letters and '_'
	clLine  // LF, CR
	clWord  = clAlpha | clDigit
)

var class = func() (c [256]uint8) {
	for _, b := range " \t\v\f" {
		c[b] = clBlank
	}
	c['\n'], c['\r'], c['_'] = clLine, clLine, clAlpha
	for b := '0'; b <= '9'; b++ {
		c[b] = clDigit
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = clAlpha, clAlpha
	}
	return c
}()

// What a byte starts, for the scanner's main switch.
const (
	startOther  = iota // a longer operator, or no token
	startBlank         // white space but line ends
	startLine          // a line end
	startWord          // a name or keyword
	startDigit         // a number
	startQuote         // a string in quotes
	startDash          // a comment or a minus
	startSingle        // a token of one byte
	startLonger        // a token of one byte that may be longer by goesOn
)

var starts = func() (table [256]uint8) {
	for c := range table {
		switch cl := class[c]; {
		case cl&clBlank != 0:
			table[c] = startBlank
		case cl&clLine != 0:
			table[c] = startLine
		case cl&clAlpha != 0:
			table[c] = startWord
		case cl&clDigit != 0:
			table[c] = startDigit
		case c == '"' || c == '\'':
			table[c] = startQuote
		case c == '-':
			table[c] = startDash
		case goesOn[c] != 0:
			table[c] = startLonger
		case singles[c] != TEOF:
			table[c] = startSingle
		}
	}
	return table
}()
