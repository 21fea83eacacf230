package syntax

import "sort"

// Pos is a byte offset into Source.Text, from 0. It is 32 bits wide because every node holds two of them; see MaxText.
type Pos = int32

// MaxText is the longest text that Parse reads, in bytes. A server takes less: its longest argument is 512 MB unless
// proto-max-bulk-len says otherwise, and its query buffer ends at 1 GB. So neither a Pos nor a NodeID overflows: there are never two nodes
// a byte.
const MaxText = 1 << 30

// Span is the half-open byte range [Start, End) of Source.Text.
type Span struct{ Start, End Pos }

// SpanOf makes a Span of two offsets that are counted as int. Both must be within MaxText.
func SpanOf(start, end int) Span { return Span{Pos(start), Pos(end)} }

// Bounds returns the span itself, so that embedding a Span gives a struct its bounds.
func (s Span) Bounds() Span { return s }

// Len is the length in bytes.
func (s Span) Len() int { return int(s.End - s.Start) }

// Contains reports whether other lies within s.
func (s Span) Contains(other Span) bool { return s.Start <= other.Start && other.End <= s.End }

// Source is the text of a script.
type Source struct {
	Text string
	// Holes are the spans of Text whose real bytes are unknown (a %s of Sprintf, a concatenated variable), in order, none empty and
	// none overlapping. The bytes that stand there are a placeholder and mean nothing.
	Holes []Span
}

// NodeID numbers the nodes of a chunk, so that what is known of a node can stand in a slice: 0 < ID < Chunk.NumNodes, each once, in the
// order in which the parser makes them (an operand before its operator). Nodes that error recovery drops leave gaps. 0 is the Chunk, and
// a node that the parser did not make.
type NodeID int32

// ID returns the number itself, so that embedding a NodeID gives a struct its number.
func (id NodeID) ID() NodeID { return id }

// Node is a part of the tree, with its place in the source and its number.
type Node interface {
	Bounds() Span
	ID() NodeID
}

// ID is 0: a Chunk is the root.
func (*Chunk) ID() NodeID { return 0 }

// Chunk is a parsed script. Its own Span is the whole text.
type Chunk struct {
	Span
	Source   Source
	Header   *Header // nil where the text does not start with #!
	Body     *Block  // never nil
	Comments []Comment
	Errors   []Error // by position

	// NumNames and NumFuncs bound Name.Index and Function.Index, so that later stages can use slices.
	NumNames, NumFuncs int
	// NumNodes bounds the ID of nodes.
	NumNodes int

	holes []Span // Source.Holes without those that break its contract

	// CodeHole is the span of the first hole outside strings and comments; empty where there is none. After such a hole nothing that
	// the parser says about grammar is certain, and Errors holds only what came before it.
	CodeHole Span
}

// HolesIn gives the holes inside a string literal, in Source offsets.
func (c *Chunk) HolesIn(s *String) []Span {
	if !s.Holed {
		return nil
	}
	from := sort.Search(len(c.holes), func(i int) bool { return c.holes[i].Start >= s.Start })
	to := sort.Search(len(c.holes), func(i int) bool { return c.holes[i].Start >= s.End })
	return c.holes[from:to]
}

// Header is the `#!…` line of a script or library, without its line end.
type Header struct {
	Span
	Engine  string // what stands between #! and the first blank: "lua"
	At      Span   // of Engine
	Options []HeaderOption
	// Terminated is false where the text ends within the line, which servers refuse.
	Terminated bool
}

// HeaderOption is one blank-separated word of the header after the engine.
type HeaderOption struct {
	Span
	Name  string // before the first '=', or the whole word
	Value string // behind it, quotes removed as the servers do
	HasEq bool
}

// Comment is one comment, with its dashes.
type Comment struct {
	Span
	Text string // without the dashes and the long brackets
	Long bool
}

// ErrorKind says how certain an Error is for which servers.
type ErrorKind uint8

const (
	// Refused is what every server refuses to load.
	Refused ErrorKind = iota
	// NestedBracket is `[[` inside a level-0 long string or comment: refused by unpatched builds (Redis to 7.4.1, Valkey to 8.0.1),
	// accepted by patched ones (fact 42). The parser goes on as the patched ones do.
	NestedBracket
)

// Error is one reason why a server refuses to load the script.
type Error struct {
	Span     // the token at which the server's parser stops
	Line int // 1-based, as the server counts (LF, CR, CRLF and LFCR are one line end each)
	// Message is the server's words without the position: `'=' expected near 'done'`. For "constant table overflow" and "too many local
	// variables" the servers give no line.
	Message string
	Kind    ErrorKind
	// Feature names the construct of another language or a later Lua that the text most likely meant, for hints: "goto", "label",
	// "integer division", "bitwise operator", "!=", "compound assignment", "continue", "attribute", "empty statement" …; or "".
	Feature string
}

// Block is a sequence of statements. Its span reaches from the first to the last token of its statements; an empty block has an empty
// span behind the token that opens it.
type Block struct {
	Span
	NodeID
	Stmts []Stmt
}

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// Statements.
type (
	// Local is `local a, b = x, y`.
	Local struct {
		Span
		NodeID
		Names []*Name
		Exprs []Expr // empty where there is no '='
	}
	// Assign is `a, b.c = x, y`.
	Assign struct {
		Span
		NodeID
		Targets []Expr // *Name, *Index or *Hole; anything after an error
		Exprs   []Expr
	}
	// CallStmt is a call as a statement.
	CallStmt struct {
		Span
		NodeID
		Call *Call
	}
	// Do is `do … end`.
	Do struct {
		Span
		NodeID
		Body *Block
	}
	// While is `while … do … end`.
	While struct {
		Span
		NodeID
		Cond Expr
		Body *Block
	}
	// Repeat is `repeat … until …`; the condition sees the body's locals.
	Repeat struct {
		Span
		NodeID
		Body *Block
		Cond Expr
	}
	// If is `if … then … elseif … else … end`.
	If struct {
		Span
		NodeID
		Clauses []IfClause
		Else    *Block // nil where there is none
	}
	// NumFor is `for i = a, b, c do … end`.
	NumFor struct {
		Span
		NodeID
		Name     *Name
		From, To Expr
		Step     Expr // nil where there is none
		Body     *Block
	}
	// GenFor is `for k, v in … do … end`.
	GenFor struct {
		Span
		NodeID
		Names []*Name
		Exprs []Expr
		Body  *Block
	}
	// FuncStmt is `function a.b:c() … end`; for a method, Func.Params[0] is an implicit `self` (Func.Method is true).
	FuncStmt struct {
		Span
		NodeID
		Target Expr // *Name or *Index
		Func   *Function
	}
	// LocalFunc is `local function f() … end`.
	LocalFunc struct {
		Span
		NodeID
		Name *Name
		Func *Function
	}
	// Return is `return …`.
	Return struct {
		Span
		NodeID
		Exprs []Expr
	}
	// Break is `break`.
	Break struct {
		Span
		NodeID
	}
	// Goto is `goto name` (Lua 5.4 dialect only).
	Goto struct {
		Span
		NodeID
		Label *Name
	}
	// Label is `::name::` (Lua 5.4 dialect only).
	Label struct {
		Span
		NodeID
		Name *Name
	}
	// BadStmt is text that could not be read as a statement, or a hole that stands where one would.
	BadStmt struct {
		Span
		NodeID
	}
)

// IfClause is one `if` or `elseif` with its condition and block; its span starts at that keyword.
type IfClause struct {
	Span
	NodeID
	Cond Expr
	Body *Block
}

// Expressions.
type (
	// Name is an identifier: a use or declaration of a variable, a parameter, or the method name of a call.
	Name struct {
		Span
		NodeID
		Index int32  // 0 ≤ Index < Chunk.NumNames, each once
		Text  string // "" where a hole stands for a name that is declared
	}
	// Nil is `nil`.
	Nil struct {
		Span
		NodeID
	}
	// Bool is `true` or `false`.
	Bool struct {
		Span
		NodeID
		Value bool
	}
	// Number is a numeral.
	Number struct {
		Span
		NodeID
		Value float64
	}
	// String is a string literal, or the name behind a dot or before `=` in a table (Form BareName; the span is the name's).
	String struct {
		Span
		NodeID
		Form  StringForm
		Holed bool   // unknown text stands inside the literal, see Chunk.HolesIn
		Value string // escapes resolved; of holes the placeholder bytes stand in it
	}
	// Vararg is `...`.
	Vararg struct {
		Span
		NodeID
	}
	// Function is a function body: from `function` (or, in statements, the opening parenthesis) to `end`. The implicit `self` of a method
	// is the only Name that stands nowhere in the text; its span is empty, behind the opening parenthesis.
	Function struct {
		Span
		NodeID
		Params []*Name // with `self` first for a method
		Vararg bool
		Method bool
		Body   *Block
		Line   int   // 1-based line in the server's messages: of `function` in a statement, else of the opening parenthesis
		Index  int32 // 0 ≤ Index < Chunk.NumFuncs
	}
	// Index is `x.name` or `x[key]`.
	Index struct {
		Span
		NodeID
		X   Expr
		Key Expr // *String with Form BareName for `x.name`
	}
	// Call is `f(…)`, `f"…"`, `f{…}` or, with Method, `x:m(…)`.
	Call struct {
		Span
		NodeID
		parens Pos   // of the opening parenthesis, 0 for the forms without
		Fn     Expr  // the function, or the receiver of a method
		Method *Name // nil for a plain call
		Args   []Expr
	}
	// Binary is `x op y`.
	Binary struct {
		Span
		NodeID
		Op   Op
		OpAt Span
		X, Y Expr
	}
	// Unary is `op x`.
	Unary struct {
		Span
		NodeID
		Op   Op
		OpAt Span
		X    Expr
	}
	// Paren is `(x)`, which also cuts several values to one.
	Paren struct {
		Span
		NodeID
		X Expr
	}
	// Table is a table constructor.
	Table struct {
		Span
		NodeID
		Fields []Field
	}
	// Hole is unknown text where an expression stands.
	Hole struct {
		Span
		NodeID
	}
	// Bad is text that could not be read as an expression.
	Bad struct {
		Span
		NodeID
	}
)

// Parens is the span from the opening to the closing parenthesis of the arguments; empty for the forms without.
func (c *Call) Parens() Span {
	if c.parens == 0 {
		return Span{}
	}
	return Span{c.parens, c.End}
}

// Field is one item of a table constructor: `v`, `k = v` or `[k] = v`.
type Field struct {
	Span
	NodeID
	Key   Expr // nil for a positional item; *String with Form BareName for `k = v`
	Value Expr
}

// StringForm says how a string is written.
type StringForm uint8

const (
	Quoted   StringForm = iota // '…' or "…"
	LongForm                   // [[…]], [=[…]=]
	BareName                   // a name used as a key
)

// Op is an operator.
type Op uint8

const (
	OpNone Op = iota
	OpOr
	OpAnd
	OpLess
	OpGreater
	OpLessEq
	OpGreaterEq
	OpNotEq
	OpEq
	OpConcat
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
	OpPow
	OpNot
	OpLen
	OpNeg
	// Lua 5.4 dialect only.
	OpIDiv
	OpBAnd
	OpBOr
	OpBXor
	OpShl
	OpShr
	OpBNot
)

var opText = [...]string{OpNone: "", OpOr: "or", OpAnd: "and", OpLess: "<", OpGreater: ">", OpLessEq: "<=", OpGreaterEq: ">=",
	OpNotEq: "~=", OpEq: "==", OpConcat: "..", OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMod: "%", OpPow: "^", OpNot: "not",
	OpLen: "#", OpNeg: "-", OpIDiv: "//", OpBAnd: "&", OpBOr: "|", OpBXor: "~", OpShl: "<<", OpShr: ">>", OpBNot: "~"}

// String returns the operator as it is written.
func (o Op) String() string { return opText[o] }

// Turned is the order that says the same with its sides exchanged; any other operator is itself.
func (o Op) Turned() Op {
	switch o {
	case OpLess:
		return OpGreater
	case OpGreater:
		return OpLess
	case OpLessEq:
		return OpGreaterEq
	case OpGreaterEq:
		return OpLessEq
	}
	return o
}

// Opposite is the order that holds where this one, of two numbers, does not; any other operator is itself.
func (o Op) Opposite() Op {
	switch o {
	case OpLess:
		return OpGreaterEq
	case OpGreater:
		return OpLessEq
	case OpLessEq:
		return OpGreater
	case OpGreaterEq:
		return OpLess
	}
	return o
}

// Dialect is the language that a target loads.
type Dialect uint8

const (
	// Lua51 is what Redis and Valkey load.
	Lua51 Dialect = iota
	// Lua54 is what Dragonfly loads: goto, labels, //, bitwise operators, attributes, empty statements (fact 186).
	Lua54
)

func (*Local) stmt()     {}
func (*Assign) stmt()    {}
func (*CallStmt) stmt()  {}
func (*Do) stmt()        {}
func (*While) stmt()     {}
func (*Repeat) stmt()    {}
func (*If) stmt()        {}
func (*NumFor) stmt()    {}
func (*GenFor) stmt()    {}
func (*FuncStmt) stmt()  {}
func (*LocalFunc) stmt() {}
func (*Return) stmt()    {}
func (*Break) stmt()     {}
func (*Goto) stmt()      {}
func (*Label) stmt()     {}
func (*BadStmt) stmt()   {}

func (*Name) expr()     {}
func (*Nil) expr()      {}
func (*Bool) expr()     {}
func (*Number) expr()   {}
func (*String) expr()   {}
func (*Vararg) expr()   {}
func (*Function) expr() {}
func (*Index) expr()    {}
func (*Call) expr()     {}
func (*Binary) expr()   {}
func (*Unary) expr()    {}
func (*Paren) expr()    {}
func (*Table) expr()    {}
func (*Hole) expr()     {}
func (*Bad) expr()      {}
