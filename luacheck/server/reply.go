package server

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

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
	// always an integer (cursor, TIME). Words are all possible texts where they are few (TYPE's status; types of modules not counted).
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

// Reply models the reply of a call, args[0] being the name. Where an unknown argument may be an option that changes the reply, the model
// covers both. resp3 is whether redis.setresp(3) was called.
func (c *Command) Reply(args []Arg, resp3 bool) Reply {
	var r Reply
	for i, spec := range replySpecs(c.Name, args) {
		resp2, three, differs := strings.Cut(spec, " / ")
		if resp3 && differs {
			resp2 = three
		}
		if next := parseReply(resp2); i == 0 {
			r = next
		} else {
			r = r.or(next)
		}
	}
	switch c.Name {
	case "time", "lastsave":
		r.Time = true
		boundClock(&r)
	case "srandmember", "spop", "randomkey", "hrandfield", "zrandmember", "vrandmember":
		r.Random = true
	}
	r.NoEffect = noEffect(c.Name, args)
	bound(&r, c.Name, args)
	return r
}

// baseReply is the table's text for a name, "any" where there is none.
func baseReply(name string) string {
	at := sort.Search(len(replies), func(i int) bool { return replies[i].name >= name })
	if at == len(replies) || replies[at].name != name {
		return "any"
	}
	return replies[at].spec
}

// parseReply reads the small language of the reply table:
//
//	int int0..1 int-2..   an integer, with bounds
//	s n i                 a string; one that is a number; one that is an integer
//	st ok st{A,B}         a status; OK; one of these
//	nil                   null
//	[x]                   an array of x; behind it: + never empty, * limited by the call's arguments, = names and values in turn
//	(x,y) (x,y;z)         an array of just these; z for each behind them
//	map set d b v         what only setresp(3) gives: map, set, double, boolean, verbatim string
//	any                   no model
//	x|y                   one of them
func parseReply(text string) Reply {
	p := replyParser{text: text}
	return p.alternatives()
}

type replyParser struct {
	text string
	at   int
}

// take moves past the word if it is next.
func (p *replyParser) take(word string) bool {
	if strings.HasPrefix(p.text[p.at:], word) {
		p.at += len(word)
		return true
	}
	return false
}

func (p *replyParser) alternatives() Reply {
	r := Reply{Lo: 1, Hi: 0}
	for {
		p.one(&r)
		if !p.take("|") {
			return r
		}
	}
}

// replyWords are the words without parts; a longer one stands before its prefix.
var replyWords = [...]struct {
	word string
	kind ReplyKind
}{
	{"map", ReplyMap}, {"set", ReplySet}, {"any", ReplyUnknown}, {"nil", ReplyNull}, {"d", ReplyDouble}, {"b", ReplyBool}, {"v", ReplyVerbatim},
}

func (p *replyParser) one(r *Reply) {
	for _, w := range replyWords {
		if p.take(w.word) {
			r.Kinds |= w.kind
			return
		}
	}
	switch {
	case p.take("int"):
		r.Kinds |= ReplyInt
		p.bounds(r)
	case p.take("ok"):
		r.Kinds |= ReplyStatus
		r.Words = []string{"OK"}
	case p.take("st"):
		r.Kinds |= ReplyStatus
		if p.take("{") {
			end := strings.IndexByte(p.text[p.at:], '}')
			r.Words = strings.Split(p.text[p.at:p.at+end], ",")
			p.at += end + 1
		}
	case p.take("s"):
		r.Kinds |= ReplyBulk
		r.Numeric, r.Integer = false, false
	case p.take("n"):
		r.Kinds |= ReplyBulk
		r.Numeric = true
	case p.take("i"):
		r.Kinds |= ReplyBulk
		r.Numeric, r.Integer = true, true
	case p.take("["):
		p.array(r)
	case p.take("("):
		p.tuple(r)
	}
}

func (p *replyParser) bounds(r *Reply) {
	number := func() (int64, bool) {
		end := p.at
		for end < len(p.text) && (p.text[end] == '-' || p.text[end] >= '0' && p.text[end] <= '9') {
			end++
		}
		n, err := strconv.ParseInt(p.text[p.at:end], 10, 64)
		p.at = end
		return n, err == nil
	}
	lo, ok := number()
	if !ok || !p.take("..") {
		return
	}
	r.Lo, r.Hi = lo, math.MaxInt64
	if hi, ok := number(); ok {
		r.Hi = hi
	}
}

func (p *replyParser) array(r *Reply) {
	r.Kinds |= ReplyArray
	if !p.take("]") {
		elem := p.alternatives()
		r.Elem = &elem
		p.take("]")
	}
	for {
		switch {
		case p.take("+"):
			r.NonEmpty = true
		case p.take("*"):
			r.Bounded = true
		case p.take("="):
			r.FieldValue = true
		default:
			return
		}
	}
}

func (p *replyParser) tuple(r *Reply) {
	r.Kinds |= ReplyArray
	for {
		r.Tuple = append(r.Tuple, p.alternatives())
		if !p.take(",") {
			break
		}
	}
	if p.take(";") {
		elem := p.alternatives()
		r.Elem = &elem
	} else {
		r.MaxLen = len(r.Tuple)
	}
	p.take(")")
	r.Bounded, r.NonEmpty = true, true
}

// or is what is true of a reply that is one of the two.
func (r Reply) or(x Reply) Reply {
	hasInts := [2]bool{r.Kinds&ReplyInt != 0, x.Kinds&ReplyInt != 0}
	switch {
	case !hasInts[0]:
		r.Lo, r.Hi = x.Lo, x.Hi
	case !hasInts[1]:
	case r.Lo > r.Hi || x.Lo > x.Hi:
		r.Lo, r.Hi = 1, 0
	default:
		r.Lo, r.Hi = min(r.Lo, x.Lo), max(r.Hi, x.Hi)
	}
	r = r.orText(x)
	switch {
	case r.Kinds&ReplyArray == 0:
		r.Tuple, r.Elem, r.Bounded, r.MaxLen, r.NonEmpty, r.FieldValue = x.Tuple, x.Elem, x.Bounded, x.MaxLen, x.NonEmpty, x.FieldValue
	case x.Kinds&ReplyArray != 0:
		r = r.orArray(x)
	}
	r.Kinds |= x.Kinds
	return r
}

// orText joins what is known of the texts of strings and statuses.
func (r Reply) orText(x Reply) Reply {
	const texts = ReplyBulk | ReplyStatus
	switch {
	case r.Kinds&texts == 0:
		r.Numeric, r.Integer, r.Words = x.Numeric, x.Integer, x.Words
	case x.Kinds&texts != 0:
		r.Numeric, r.Integer = r.Numeric && x.Numeric, r.Integer && x.Integer
		if r.Kinds&texts == x.Kinds&texts && (len(r.Words) == 0 || len(x.Words) == 0) {
			r.Words = nil
		} else {
			r.Words = append(r.Words[:len(r.Words):len(r.Words)], x.Words...)
		}
	}
	return r
}

// orArray joins two arrays: where their elements differ in place, no more is known than what any element may be.
func (r Reply) orArray(x Reply) Reply {
	r.Bounded, r.NonEmpty, r.FieldValue = r.Bounded && x.Bounded, r.NonEmpty && x.NonEmpty, r.FieldValue && x.FieldValue
	if r.MaxLen == 0 || x.MaxLen == 0 {
		r.MaxLen = 0
	} else {
		r.MaxLen = max(r.MaxLen, x.MaxLen)
	}
	if r.Tuple != nil || x.Tuple != nil || r.Elem == nil || x.Elem == nil {
		r.Tuple, r.Elem = nil, nil
		return r
	}
	elem := r.Elem.or(*x.Elem)
	r.Elem = &elem
	return r
}
