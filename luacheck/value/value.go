package value

import (
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Kinds is the set of forms that a value may take. Replies of redis.call that are tables with one special field have kinds of their
// own, since scripts test for them.
type Kinds uint16

const (
	Nil Kinds = 1 << iota
	False
	True
	Number
	String
	Table  // any other table
	Status // a table with the field ok: a status reply
	Error  // a table with the field err: redis.pcall's error, redis.error_reply
	Function
	Userdata // cjson.null
	Thread

	Falsy  = Nil | False
	Tables = Table | Status | Error
	Any    = 1<<11 - 1
	Truthy = Any &^ Falsy
)

// Frac says whether a number has a fraction.
type Frac uint8

const (
	FracUnknown Frac = iota
	Whole            // always an integer
	Fractional       // there is evidence that it may have one: a division, a literal, a float argument at the call
)

// Tri is yes, no or unknown.
type Tri uint8

const (
	Unknown Tri = iota
	Yes
	No
)

// Value is what an expression may be at one point. Values are immutable and shared, and never nil in facts.
type Value struct {
	Kinds Kinds
	// Weak are those of Kinds that are possible only on data that nobody can vouch for: the nil of tonumber(ARGV[1]), which is there only
	// if the caller passes no number. A rule that must be right most of the time looks at Kinds &^ Weak.
	Weak Kinds
	// Const is whether exactly one value is possible: nil, a boolean, Text (String) or Num (Number).
	Const bool
	Frac  Frac
	// Numeric is whether a text always spells a number.
	Numeric Tri
	// NonEmpty: a table, known to have an element at 1.
	NonEmpty bool
	// Present: the reply of a read of several fields of a key that is known to exist.
	Present bool
	// gen tells evaluations apart: two values with the same gen, if it is not 0, are the same value at run time.
	gen uint32

	Text string
	Num  float64
	// Lo and Hi bound a number, or the number that a numeric text spells, both inclusive (±Inf where unknown).
	Lo, Hi float64
	// From is where the value came from; nil is unknown.
	From *Origin
	// Obj is the table that the value is, where it was made in the script; see State.Object.
	Obj *Object
	// Fn is the script's function that the value is.
	Fn *syntax.Function
	// Reply models the table where the value is (part of) a reply.
	Reply *server.Reply
	// Of is, for a value that tells of another (type(x), tonumber(x), #x, x.err), that other's place and how.
	Of *Relation
	// traits are what few values have; nil for none.
	traits *traits
}

// traits are what makes few values special. It is immutable and shared.
type traits struct {
	builtin, lib, caught string
	grown                *Value
	made                 syntax.Expr
}

// cut is what is left of it where the value is no table.
func (s *traits) cut() *traits {
	if s == nil || s.lib == "" {
		return s
	}
	c := *s
	c.lib = ""
	return &c
}

// join is what holds for either of two values. What a Lua pcall gives is an error or a result, and which of them is told by its other value.
func (s *traits) join(t *traits) *traits {
	if s == t {
		return s
	}
	var none traits
	if s == nil {
		s = &none
	}
	if t == nil {
		t = &none
	}
	j := traits{caught: s.caught}
	if j.caught == "" {
		j.caught = t.caught
	}
	if s.builtin == t.builtin {
		j.builtin = s.builtin
	}
	if s.lib == t.lib {
		j.lib = s.lib
	}
	if j == none {
		return nil
	}
	return &j
}

// same compares what counts when values are compared; grown does not.
func (s *traits) same(t *traits) bool {
	if s == t {
		return true
	}
	var none traits
	if s == nil {
		s = &none
	}
	if t == nil {
		t = &none
	}
	return s.builtin == t.builtin && s.lib == t.lib && s.caught == t.caught && s.made == t.made
}

// Builtin is the host's function that the value is ("redis.call", "tonumber"), or "".
func (v *Value) Builtin() string {
	if v.traits == nil {
		return ""
	}
	return v.traits.builtin
}

// Lib is the host's table that the value is ("redis"), or "".
func (v *Value) Lib() string {
	if v.traits == nil {
		return ""
	}
	return v.traits.lib
}

// Caught is "pcall" or "xpcall" for the error that it caught, or what may be one; else "".
func (v *Value) Caught() string {
	if v.traits == nil {
		return ""
	}
	return v.traits.caught
}

// Grown is, for an unpacked table of the script, what it was filled from in a loop; nil where it was not.
func (v *Value) Grown() *Value {
	if v.traits == nil {
		return nil
	}
	return v.traits.grown
}

// Made is the redis.error_reply call, or the {err=…} constructor, that made an error reply; nil for none.
func (v *Value) Made() syntax.Expr {
	if v.traits == nil {
		return nil
	}
	return v.traits.made
}

// Relation ties a value to the place it was computed from, so that a test of one narrows the other.
type Relation struct {
	How   string // "type", "tonumber", "len", "next"
	Place Place
	gen   uint32 // of the place's value when the relation was made
}

// OriginKind is what an Origin is.
type OriginKind uint8

const (
	FromUnknown  OriginKind = iota
	FromKeys                // KEYS[Index]; Index 0: some element
	FromArgv                // ARGV[Index]; Index 0: some element
	FromLiteral             // Text, written in the script
	FromReply               // the reply of Call, or a part of it (Path)
	FromDecoded             // what cjson, cmsgpack or struct decoded from Parts[0]
	FromTime                // the clock: TIME, os.clock
	FromRandom              // math.random
	FromHole                // text that the Go side put in
	FromConcat              // the texts of Parts joined: .., string.format, table.concat
	FromComputed            // computed from Parts: arithmetic, string functions
	FromOneOf               // one of Parts
	FromParam               // a parameter of a function whose callers are not known
	FromKeysList            // the table KEYS itself
	FromArgvList            // the table ARGV itself
	FromNumber              // a counter or another number made in the script
)

// Origin is where a value came from. Origins are immutable and shared.
type Origin struct {
	Kind         OriginKind
	full         bool   // so many parts that those that come later are left out, see widenFrom
	leaves, deep uint16 // see measure; both 0 for a leaf

	Index int
	Text  string
	Call  *Call
	Path  string // "[1]", "[]", ".x": the part of the reply
	Parts []*Origin
	At    syntax.Span // of the expression that made it

	key string // see factKey; "" until it is asked for
}

// Call is one call of redis.call, redis.pcall or their server.* twins in one context. A call inside a local function is recorded once
// for each calling context, so that its arguments are exact.
type Call struct {
	Node *syntax.Call
	// At is where to report: Node's span, or, where a wrapper passes its varargs on, the span of the call in the script that passed them.
	At        syntax.Span
	Protected bool // redis.pcall, or inside a Lua pcall/xpcall
	PCall     bool // redis.pcall
	// Name is the command in lower case where known ("object|encoding" with a known subcommand), else "".
	Name    string
	NameAt  syntax.Span
	Command *server.Command // nil where unknown to every server of the target
	// Args are the arguments from the command's name on, with where each is written; ArgsMany: the last one stands for an unknown number.
	Args     []Arg
	ArgsMany bool
	Keys     []KeyArg
	KeysSure bool // Keys are all keys of the call
	Result   *Value
	Unused   bool // a statement: the result is dropped
	Fails    []*Failure
	// Resp3 is whether redis.setresp(3) is in force.
	Resp3 Tri
	Ctx   server.Context
	// Func is the function that the call stands in; nil is the main chunk. Loop is whether it may run more than once per run of the script.
	Func *syntax.Function
	Loop bool
	// LoopOf says what the innermost loop around it iterates: the value that bounds it.
	LoopOf *Loop
	// Writes is what the script may have written before this call on some path: the earliest such calls.
	Before []*Call
	// Mixed: Before need not have happened: a path without them leads here too.
	Mixed bool
	// Writes: the command may write with these options.
	Writes bool
	// Lookup is what the target says of the name; Words are the arguments as the server's tables take them, and Form what these say of the
	// call; both nil where Command is.
	Lookup server.Lookup
	Words  []server.Arg
	Form   *server.Form
	// Entry is the function that the server entered: of a library the registered callback, nil for the main chunk and for a function that
	// no evaluated call reaches.
	Entry *syntax.Function
	// Random is an earlier call, on every path to this one, whose reply is random or comes from the clock; nil for none.
	Random *Call
	// Conflict is a key that an earlier call, on every path to this one, took for another data type; nil for none.
	Conflict *Conflict
	// noEffect says what reply means that nothing was written; see server.Reply.
	noEffect string
	// spot is where a write stands.
	spot *spot
}

// Arg is one argument of a call.
type Arg struct {
	At    syntax.Span
	Value *Value
	Node  syntax.Expr
	// Source is, for an unpack, the table that was unpacked; Range says that explicit bounds were given.
	Source *Value
	Range  bool
	Many   bool // an unpack or vararg of unknown length
}

// KeyArg is a key argument of a call: Arg is an index into Call.Args.
type KeyArg = server.KeyArg

// Conflict is one key used with commands of two data types: where the key exists, one of the two calls fails with WRONGTYPE.
type Conflict struct {
	Arg     int   // the key, index into Call.Args
	Earlier *Call // the other use
	Was     server.DataType
}

// Loop is a loop around a call.
type Loop struct {
	Node syntax.Stmt
	// Over is the value iterated (ipairs, pairs) or the bound of a numeric loop's limit; nil for while and repeat.
	Over *Value
	// All is the table of which the loop visits every element: by ipairs, pairs or 1 to #t; nil where it is none.
	All *Value
	// Filled is what the table of All was filled from, where the script made that table in an earlier loop; nil for none.
	Filled *Value
	// Stands: the step of a numeric loop is 0.
	Stands bool
	// Endless: `while true` or the like without a way out.
	Endless bool
	// Counted: an ordering (n >= 10) has a say in leaving it, so that it may have a bound of its own.
	Counted bool
	// Leaves: an ordering has a say in a break or return in it, or it works in chunks; the part of Counted that is not its own condition.
	Leaves bool
	// Writes are the earliest writes that may have happened when it is entered.
	Writes []*Call
	// Outer is the loop around it, through calls of the script's functions; nil for none.
	Outer *Loop
}

// Failure is one way in which evaluating an expression may abort the script.
type Failure struct {
	At    syntax.Span
	Class FailClass
	Sure  bool         // whenever the expression is evaluated in this context
	Weak  bool         // only on data that nobody can vouch for (see Value.Weak)
	Why   string       // in the words of the server where it has some
	Value *Value       // the offending value
	Node  syntax.Expr  // the offending expression
	Local *scope.Local // the local that holds it, if one does
	Host  string       // the host function whose argument it is, or "error", "assert"
	Call  *Call        // the redis.call that fails, if one does
	// Writes are the earliest writes that may already have happened when it fails, most certain first; empty where none can have.
	Writes []*Call
	// Protected: a Lua pcall catches it.
	Protected bool
	Func      *syntax.Function
	// Early are those of Writes behind which a test decides whether it fails, so that the test could have come first.
	Early []*Call
	// Needs are the calls whose replies the tests right before it look at; Passed, where a write is among them, those of all tests that decide
	// whether it is reached.
	Needs, Passed []*Call
	// spot is where it happens, behind writes.
	spot *spot
	// owner is the operation that fails, in the context ctx: see interp.watch.
	owner syntax.Node
	ctx   int
}

// MissesElement reports whether the script surely fails here because it uses an element of KEYS (FromKeys) or ARGV (FromArgv) behind the
// first ones, which alone are passed.
func (f *Failure) MissesElement(list OriginKind, passed int) bool {
	return f.Sure && !f.Protected && f.Class != FailRaise && f.Class != FailReply && f.Value.IsElementPast(list, passed)
}

// FailClass is the kind of failure.
type FailClass uint8

const (
	FailArith    FailClass = iota // arithmetic on nil, a boolean, a table, text that is no number
	FailConcat                    // .. on nil, a boolean, a table
	FailOrder                     // < > <= >= on different or unordered types
	FailIndex                     // indexing nil, a boolean, a number
	FailCall                      // calling what is no function
	FailLen                       // # of nil, a boolean, a number
	FailArgument                  // a library function's argument ("bad argument #1 to …")
	FailGlobal                    // reading an undefined global
	FailReadOnly                  // assigning a global or a field of a host table
	FailCommand                   // redis.call itself: unknown, arity, not allowed, arguments
	FailRaise                     // error(), assert()
	FailReply                     // an error reply that is returned
	FailFor                       // a for loop's bounds
)
