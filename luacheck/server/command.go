package server

// Flag is a command flag as COMMAND reports it.
type Flag uint32

const (
	Write Flag = 1 << iota
	ReadOnly
	DenyOOM
	Admin
	NoScript
	Blocking
	MovableKeys
	Fast
	// MayReplicate is what read-only scripts refuse beside Write; COMMAND does not show it (fact 126).
	MayReplicate
)

// Command is a command or subcommand as the target's servers know it. Where builds of a target differ, ask with the build.
type Command struct {
	Name  string // lower case; "object|encoding" for a subcommand
	Arity int    // as COMMAND: negative is "at least"; counts the name (and the subcommand's name)
	Flags Flag
	Keys  []KeySpec
	Group string // "string", "list", "generic" …
	// Args is the argument grammar (from COMMAND DOCS), nil where no server of the target tells.
	Args []ArgSpec
}

// KeySpec tells where keys are (COMMAND's key specifications).
type KeySpec struct {
	Begin   BeginKind
	Index   int    // BeginIndex: position of the first key, the name being 0
	Keyword string // BeginKeyword: upper case
	From    int    // BeginKeyword: where the search starts (negative from the end)
	Find    FindKind
	// Range: Last (relative to the first key, negative from the end), Step, Limit. KeyNum: NumIdx, FirstIdx, Step, relative to the begin.
	Last, Step, Limit int
	NumIdx, FirstIdx  int
	Access            Access
	NotKey            bool // a channel that counts for slots only (SPUBLISH)
	Incomplete        bool
	Variable          bool // read or write depends on options
}

// BeginKind says how a key spec finds its start.
type BeginKind uint8

const (
	BeginUnknown BeginKind = iota
	BeginIndex
	BeginKeyword
)

// FindKind says how a key spec finds its keys from the start.
type FindKind uint8

const (
	FindUnknown FindKind = iota
	FindRange
	FindKeyNum
)

// Access is what a command does with a key's value: COMMAND's RO, RW, OW, RM and access, update, insert, delete.
type Access uint8

const (
	AccessRead Access = 1 << iota
	AccessUpdate
	AccessInsert
	AccessDelete
	AccessOverwrite
)

// Arg is one argument of a call, the command's name included as Args[0].
type Arg struct {
	Known bool
	Text  string // the bytes that the server gets, where Known
	// Many: this stands for an unknown number of arguments (an unpack, a vararg), zero or more; nothing behind it has a known position.
	Many bool
}

// ArgSpec is one argument of the grammar (COMMAND DOCS): a placeholder until the generator fills it.
type ArgSpec struct{ Name string }
