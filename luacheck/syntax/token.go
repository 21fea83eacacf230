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

// keyword gives the kind of a word, TName for what is no keyword.
func keyword(word string, lua54 bool) TokenKind {
	if len(word) < 2 || len(word) > 8 {
		return TName
	}
	switch word {
	case "and":
		return TAnd
	case "break":
		return TBreak
	case "do":
		return TDo
	case "else":
		return TElse
	case "elseif":
		return TElseif
	case "end":
		return TEnd
	case "false":
		return TFalse
	case "for":
		return TFor
	case "function":
		return TFunction
	case "if":
		return TIf
	case "in":
		return TIn
	case "local":
		return TLocal
	case "nil":
		return TNil
	case "not":
		return TNot
	case "or":
		return TOr
	case "repeat":
		return TRepeat
	case "return":
		return TReturn
	case "then":
		return TThen
	case "true":
		return TTrue
	case "until":
		return TUntil
	case "while":
		return TWhile
	case "goto":
		if lua54 {
			return TGoto
		}
	}
	return TName
}

// singles are the tokens of one byte that start no longer one.
var singles = [256]TokenKind{'+': TPlus, '*': TStar, '%': TPercent, '^': TCaret, '#': THash, '(': TLParen, ')': TRParen, '{': TLBrace,
	'}': TRBrace, ']': TRBracket, ';': TSemi, ',': TComma}

// Character classes of the C locale, in which the servers run the compiler.
const (
	clBlank = 1 << iota // space, tab, vertical tab, form feed; not the line ends
	clDigit
	clAlpha // letters and '_'
	clLine  // LF, CR
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
