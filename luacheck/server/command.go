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
	// MayReplicate is what read-only scripts refuse beside Write. COMMAND shows it on 6.2 only; the later ones were found by calling every
	// command under EVAL_RO on 7.0.15, 8.6.3, Valkey 8.1.1 and 9.1.2.
	MayReplicate
	// Stale is allowed on a replica that lost its master, in scripts with allow-stale.
	Stale
)

// Command is a command or subcommand as one or more builds know it. It is shared: never write to it. Where builds of a target differ, ask
// Target.CommandAt with the build.
type Command struct {
	Name  string // lower case; "object|encoding" for a subcommand
	at    uint16 // the place of the name among those of the table
	Arity int    // as COMMAND: negative is "at least"; counts the name (and the subcommand's name)
	Flags Flag
	Group string // "string", "list", "generic" …
	Keys  []KeySpec
	// Args is the argument grammar (COMMAND DOCS), without the name (and subcommand's name); nil where no server tells.
	Args []ArgSpec
	// Since is the first version that has it, by Product, patch included; the zero Version where that product never had it or does not say.
	Since [2]Version
}

// Sub is the subcommand's name, "" for a plain command; Base is the command's name without it.
func (c *Command) Sub() string  { _, sub := splitName(c.Name); return sub }
func (c *Command) Base() string { base, _ := splitName(c.Name); return base }

func splitName(name string) (base, sub string) {
	for i := range len(name) {
		if name[i] == '|' {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// nameArgs is how many arguments of a call name the command: 2 for a subcommand.
func (c *Command) nameArgs() int {
	if c.Sub() != "" {
		return 2
	}
	return 1
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

// Access is what a command does with a key's value: COMMAND's RO, OW, RM and access, update, insert, delete.
type Access uint8

const (
	AccessRead Access = 1 << iota
	AccessUpdate
	AccessInsert
	AccessDelete
	AccessOverwrite
)

// Writes is whether the access may change the key.
func (a Access) Writes() bool { return a&^AccessRead != 0 }

// Arg is one argument of a call, the command's name included as Args[0].
type Arg struct {
	Known bool
	Text  string // the bytes that the server gets, where Known
	// Many: this stands for an unknown number of arguments (an unpack, a vararg), zero or more; nothing behind it has a known position.
	Many bool
}

// ArgKind is the type of an argument in the grammar.
type ArgKind uint8

const (
	ArgString ArgKind = iota
	ArgInteger
	ArgDouble
	ArgKey
	ArgPattern
	ArgUnixTime
	ArgToken // a word that stands for itself
	ArgOneOf // one of Args
	ArgBlock // all of Args
)

// ArgMode are the marks of an argument in the grammar.
type ArgMode uint8

const (
	ArgOptional ArgMode = 1 << iota
	ArgMultiple
	ArgMultipleToken // the token stands before each of the many (SORT … GET a GET b)
)

// ArgSpec is one argument of the grammar (COMMAND DOCS).
type ArgSpec struct {
	Name  string
	Kind  ArgKind
	Mode  ArgMode
	Token string  // the word before it, or the word itself for ArgToken; upper case
	Since Version // zero: as old as what holds it
	Args  []ArgSpec
}

// row is a command as one or more dumps show it. The generated table holds rows by name, the dump's order within a name.
type row struct {
	Command
	dumps uint16 // bit i: exactly so in dumps[i]
}
