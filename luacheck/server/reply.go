package server

// ReplyKind is a set of the forms in which a reply reaches Lua (RESP2 view unless said otherwise).
type ReplyKind uint16

const (
	ReplyInt      ReplyKind = 1 << iota // a number
	ReplyBulk                           // a string
	ReplyStatus                         // a table with the field ok
	ReplyNull                           // false (nil under setresp(3))
	ReplyArray                          // a table, possibly empty
	ReplyMap                            // setresp(3): a table with the field map
	ReplySet                            // setresp(3): a table with the field set
	ReplyDouble                         // setresp(3): a table with the field double
	ReplyBool                           // setresp(3): true or false
	ReplyVerbatim                       // setresp(3): a table with verbatim_string; RESP2: a string
	ReplyUnknown                        // no model: may be anything
)

// Reply models what a command's reply may be, once it did not fail.
type Reply struct {
	Kinds ReplyKind
	// Lo and Hi bound an integer reply, both inclusive; Lo > Hi means unknown.
	Lo, Hi int64
	// Text facts of a bulk reply: Numeric is true where the text is always a number (ZSCORE, INCRBYFLOAT, TIME), Integer where it is
	// always an integer (cursor, TIME). Words are all possible texts where they are few (TYPE's status).
	Numeric, Integer bool
	Words            []string
	// Tuple are the first elements of an array, by position; Elem models every element behind them (nil: no more elements, or unknown
	// where Tuple is nil too).
	Tuple []Reply
	Elem  *Reply
	// Bounded is true where the array's length is limited by the call's own arguments (LIMIT, COUNT, MGET, HMGET); otherwise it grows with
	// the data. MaxLen is the most elements where it is a known number, else 0. NonEmpty: never the empty array.
	Bounded  bool
	MaxLen   int
	NonEmpty bool
	// FieldValue: the array is a flat list of alternating names and values (HGETALL, CONFIG GET), a map under setresp(3).
	FieldValue bool
	// Random: differs from run to run on the same data (SRANDMEMBER, SPOP); Time: comes from the clock (TIME).
	Random, Time bool
	// NoEffect says what reply means that a write command changed nothing: "0" for an integer zero, "null", "" for none.
	NoEffect string
}
