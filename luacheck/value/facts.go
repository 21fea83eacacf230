package value

import (
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// The facts below are recorded once per node, values joined over all contexts, unless their comment says otherwise.

// LibCall is a call of a host function other than redis.call and redis.pcall: tonumber, error, cjson.decode, string.format. It is
// recorded once for each context.
type LibCall struct {
	Node   *syntax.Call
	Name   string // "tonumber", "string.format", "redis.error_reply"
	Args   []Arg
	Result *Value
	Unused bool
	Method bool // s:format(…): Args[0] is the receiver
	Ctx    server.Context
	Func   *syntax.Function
	// Writes: see Failure.Writes.
	Writes    []*Call
	Mixed     bool // as in Call
	Protected bool
	Loop      bool
	// Unpacked is, for an unpack of an unknown number of values, the table, as Arg.Source has it.
	Unpacked *Value
	// Shape is what is known of the table that error is called with, where the script made it.
	Shape *TableShape
	// Lists are, for cjson.encode, the lists that the script filled in loops and that are encoded: the argument, or in fields of it.
	Lists []Listed
	// Nowhere: no server of the target has the function.
	Nowhere bool
	LoopOf  *Loop
}

// Listed is a table of the script with nothing but an array part.
type Listed struct {
	At    syntax.Span // of its constructor
	Field string      // the field that holds it, "" for the argument itself
	// Empty: it may have no element. Filled: a loop over data fills it.
	Empty, Filled bool
}

// Op is a unary or binary operation other than and, or, not.
type Op struct {
	Node syntax.Expr // *syntax.Binary or *syntax.Unary
	Op   syntax.Op
	X, Y *Value // Y is nil for a unary one
	// Result is what the operation gives where it does not fail.
	Result *Value
	Func   *syntax.Function
	Ctx    server.Context
}

// Cond is a value used as a condition: of if, while, until, and of the left side of and/or, the operand of not.
type Cond struct {
	Node  syntax.Expr
	Value *Value
	Role  CondRole
}

// CondRole is where a condition stands.
type CondRole uint8

const (
	CondBranch CondRole = iota // if, elseif, while, until
	CondAnd
	CondOr
	CondNot
)

// Access is one indexing x.k or x[k], read or written.
type Access struct {
	Node  *syntax.Index
	X     *Value
	Key   *Value
	Value *Value // what is read, or what is assigned
	Write bool
	Func  *syntax.Function
	// Skips: the key is the variable of the loop around, and a turn of the loop may pass without this assignment.
	Skips bool
}

// Return is a return statement of the main chunk or of a registered function (its value is the script's reply), or the end of the chunk
// without one (Node is nil).
type Return struct {
	Node   *syntax.Return
	Values []Arg
	Writes []*Call
	Mixed  bool
	Resp3  Tri
	Func   *syntax.Function
	// Objects are what is known of returned tables: by position in Values, nil for others.
	Objects []*TableShape
}

// TableShape is what is known of a table made in the script, at one point.
type TableShape struct {
	At     syntax.Span // of its constructor
	Exact  bool        // the array part is List
	List   []*Value
	Elem   *Value   // any element, where not exact; nil where there is none
	Names  []string // the constant string keys, sorted
	Fields []*Value // their values
	Open   bool     // there may be other keys
	Holes  bool     // an element may have been left out in a loop
	// Nested are the shapes of elements of List, nil for those that are no tables of the script.
	Nested []*TableShape
}

// Global is one use of a name that is no local.
type Global struct {
	Node  *syntax.Name
	Write bool
	// Reached is false where the code cannot be reached; Ctx says which names exist there.
	Ctx  server.Context
	Func *syntax.Function
}

// Library is what a FUNCTION library registers.
type Library struct {
	Name      string
	Functions []Registered
}

// Registered is one redis.register_function call.
type Registered struct {
	Node     *syntax.Call
	Name     string // "" where not constant
	NameAt   syntax.Span
	Callback *syntax.Function // nil where not known
	Flags    []string
	FlagsAt  syntax.Span
	FlagsOK  bool // the flags are a known list
	// Form is "", or what is wrong with the form: "method", "arguments", "positional", "callback", "no callback", "no name", "flags" (no table),
	// "flags map" (silently ignored), "unknown key NAME"; "unknown" where it cannot be told.
	Form   string
	FormAt syntax.Span // of the offending part, where it is narrower than the call
}

// Facts is what the value stage found out.
type Facts struct {
	Calls    []*Call
	Libs     []*LibCall
	Ops      []*Op
	Conds    []*Cond
	Accesses []*Access
	Returns  []*Return
	Globals  []*Global
	Failures []*Failure
	Loops    []*Loop
	Library  *Library // nil for a script
	// KeysUsed and ArgsUsed are the highest constant index of KEYS and ARGV that is used, 0 for none; KeysAll and ArgsAll say that an index
	// that is no constant, #KEYS, unpack(KEYS) or a loop uses them too.
	KeysUsed, ArgsUsed int
	KeysAll, ArgsAll   bool
	KeyUses, ArgUses   []Use // every use of an element, in order
	// Complete is false where the budget ran out: what was not looked at is unknown.
	Complete bool
	Scope    *scope.Info
}

// Use is one use of an element of KEYS or ARGV.
type Use struct {
	At      syntax.Span
	Index   int  // 0: not constant
	Guarded bool // only tested (nil, truth), or behind a test that it is there
	AsKey   bool // reaches a key argument of a command
	AsValue bool // reaches something that is no key argument
}
