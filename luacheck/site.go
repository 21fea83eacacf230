package luacheck

import (
	"github.com/redislint/redislint/luacheck/server"
)

// Mode is how a site runs a script.
type Mode uint8

const (
	ModeUnknown    Mode = iota
	ModeEval            // EVAL, or a Script object that falls back to it
	ModeEvalRO          // EVAL_RO and the like
	ModeSha             // EVALSHA alone
	ModeShaRO           // EVALSHA_RO alone
	ModeFunction        // FCALL
	ModeFunctionRO      // FCALL_RO
	ModeLoad            // SCRIPT LOAD: puts the text on a server, runs nothing
	ModeDefine          // a constructor: names the text, runs nothing
	ModeLibrary         // FUNCTION LOAD
)

// ReadOnly reports whether servers refuse writes in that mode.
func (m Mode) ReadOnly() bool { return m == ModeEvalRO || m == ModeShaRO || m == ModeFunctionRO }

// Runs reports whether the mode runs a script (with keys and arguments).
func (m Mode) Runs() bool { return m >= ModeEval && m <= ModeFunctionRO }

// Site is one place in Go that names, loads or runs a script, as the Go side saw it.
type Site struct {
	Mode Mode
	// Library is the client library: "go-redis", "redigo", "rueidis" …; "" for a directive in a bare file.
	Library string
	// Callee is how the call is written: "Run", "Eval", `Do("EVAL")`.
	Callee string
	// Function is the name that FCALL names, where known.
	Function string
	Keys     List
	Args     List
	// NumKeys is what the call itself says about the number of keys; Given false where the client counts them.
	NumKeys NumKeys
	Result  Use
	// Client says what is known of the connection.
	Client Client
	// Pipelined: queued on a pipeline or in MULTI, so no reply can be looked at in between.
	Pipelined bool
	// Fallback: a NOSCRIPT answer is handled near by, or the client does it.
	Fallback bool
	// HandsOn: the function around it only hands on the script that its callers pass, and they are sites of their own.
	HandsOn bool
	// Label names the script for people: the variable, constant or file.
	Label string
	// TextVaries names what is put into the text at run time ("name, id"); "" where it is constant, or made once when the program starts.
	TextVaries string
	// TextUnsafe: one of them is text of which nothing is known, so it may hold a quote.
	TextUnsafe bool
	// OneOf: the call runs one of several scripts, chosen by what nobody knows here (an element of a map), so its keys and arguments may be
	// another script's.
	OneOf bool
	// Callers are what the callers of the functions around the call give its keys, where those functions take them one by one. CallersKnown:
	// they are all there are.
	Callers      []Caller
	CallersKnown bool
}

// Caller is a call from which a site is reached, with the site's keys as it passes them.
type Caller struct{ Keys []Template }

// NumKeys is a key count that is written at a call.
type NumKeys struct {
	Given bool
	Known bool
	Value int
	Text  string // as written
	// Length: it is len() of the keys that follow, so it is right whatever it is.
	Length bool
}

// Client says what is known of a connection.
type Client struct {
	Cluster bool // certainly a cluster client
	// Node: certainly one node of a cluster (ForEachMaster, MasterForKey); Each: each node in turn (ForEachMaster).
	Node, Each bool
}

// List is the keys or the arguments of a call.
type List struct {
	Items []Element
	// Exact: Items are all elements. Else at least Min and at most Max are passed (Max -1: no bound), and Items are the first ones as far
	// as they are known.
	Exact    bool
	Min, Max int
	// Grows: the list is appended to without a bound, or a variadic parameter is spread.
	Grows bool
	// Behind are elements that may stand behind Items, nobody knows where and how often: appended in a loop or on a condition.
	Behind []Element
}

// Templates are the texts of the known elements.
func (l *List) Templates() []Template {
	all := make([]Template, len(l.Items))
	for i := range all {
		all[i] = l.Items[i].Text
	}
	return all
}

// Element is one key or argument.
type Element struct {
	Text Template
	Kind ArgKind
}

// Template is a text with unknown parts. The zero Template is one unknown part.
type Template struct{ Parts []Part }

// Part is a literal text or a hole. Two holes with the same non-empty ID are the same text.
type Part struct {
	Lit  string
	Hole string // "" for a literal
	Name string // the hole as people know it: the variable's name
}

// Constant returns the text where there is no hole.
func (t Template) Constant() (string, bool) {
	if len(t.Parts) == 0 {
		return "", false
	}
	s := ""
	for _, p := range t.Parts {
		if p.Hole != "" {
			return "", false
		}
		s += p.Lit
	}
	return s, true
}

// ArgType is the Go type of an argument, as far as it matters to what a client sends.
type ArgType uint8

const (
	TypeUnknown ArgType = iota
	TypeString          // string or []byte, also through a type with MarshalBinary
	TypeInt
	TypeFloat
	TypeBool
	TypeDuration
	TypeTime
	TypeNil
	TypeSlice  // a slice passed as one argument
	TypeMap    // a map passed as one argument
	TypeStruct // a struct passed as one argument
	TypeNamed  // a defined type whose underlying type is basic or []byte, without MarshalBinary
	TypeOther  // func, chan, a pointer to a slice and the like
)

// Unit is what a number counts.
type Unit uint8

const (
	UnitUnknown Unit = iota
	UnitNanos
	UnitMicros
	UnitMillis
	UnitSeconds
	UnitMinutes
	UnitUnixNanos
	UnitUnixMicros
	UnitUnixMillis
	UnitUnixSeconds
)

// ArgKind is what is known of an argument beside its text.
type ArgKind struct {
	Type ArgType
	// GoType is the type as written in Go, for messages.
	GoType string
	Unit   Unit
	// Numeral: a text that always spells a number (strconv.Itoa), and an integer where Whole is set too. Whole is also set for a float that
	// was rounded.
	Numeral, Whole bool
	// Truncates: a duration cut to whole units, so that a short one becomes 0 (int(d.Seconds())).
	Truncates bool
	// Range, where known; both inclusive.
	HasRange bool
	Lo, Hi   float64
	// Words are all texts that it can be, where they are few and known.
	Words []string
	// Alone: the only argument of a call whose client may spread it.
	Alone bool
	// Pointer: it is a pointer to a value of that Type.
	Pointer bool
	// Prints: fmt writes it through a method of its own (String, Error), or redigo through RedisArg.
	Prints bool
	// Tagged: a struct with a field that has a redis tag.
	Tagged bool
}

// Use is what a call does with the reply.
type Use struct {
	Decode Decode
	// Method is how it is written: "Bool", "Int64", "Text".
	Method string
	// NilHandled: redis.Nil (or the client's twin) is looked at, or the error is dropped.
	NilHandled bool
	// Returned: the error goes on to callers that are not all seen, who may look for redis.Nil.
	Returned bool
	// ErrTexts are the texts that the error is compared with or searched for.
	ErrTexts []string
}

// Decode is the type that a reply is decoded to.
type Decode uint8

const (
	DecodeUnknown Decode = iota
	DecodeNone           // only the error is looked at, or nothing
	DecodeAny            // Result(): an interface
	DecodeInt
	DecodeFloat
	DecodeBool
	DecodeText
	DecodeSlice      // of anything
	DecodeIntSlice   //
	DecodeTextSlice  //
	DecodeFloatSlice //
	DecodeBoolSlice  //
)

// Interface is what a caller must know of a script: data that travels between packages.
type Interface struct {
	// Keys and Args are the highest constant index used, -1 where the script uses all of them (a loop, #KEYS, unpack), 0 for none.
	Keys, Args int
	// KeysMax and ArgsMax are the highest constant index even where all are used.
	KeysMax, ArgsMax int
	// KeysRequired and ArgsRequired are how many a call must pass, or the script surely fails; 0 until Require was called.
	KeysRequired, ArgsRequired int
	Writes                     bool
	Commands                   []string // lower case, sorted
	Functions                  []string // of a library
	NoWrites                   []string // those of Functions that are registered with no-writes
	IsLibrary                  bool
}

// Options are what an analysis depends on beside the text and the sites.
type Options struct {
	Target server.Target
	// SitesComplete: Sites are all places that can run the script.
	SitesComplete bool
	// Budget bounds the work: steps of the value stage per byte of text; 0 is the default.
	Budget int
	// Function: only this function of a library is run, as one call of it does; "" for all.
	Function string
	// Scratch is memory to work in; nil is memory of its own.
	Scratch *Scratch
}

// counts are the least and the most elements that are passed; most is -1 where there is no bound, or none is known.
func (l *List) counts() (least, most int) {
	switch {
	case l.Exact:
		return len(l.Items), len(l.Items)
	case l.Max <= 0 || l.Max < len(l.Items):
		return l.Min, -1
	}
	return l.Min, l.Max
}

// AtMost is how many elements are passed at most; ok is false where nothing bounds them.
func (l *List) AtMost() (n int, ok bool) {
	_, most := l.counts()
	return max(most, 0), most >= 0
}
