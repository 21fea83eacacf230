package rules

import (
	"slices"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var nativeCommand = &Rule{
	Name:     "native-command",
	Title:    "a script that one command of the target replaces",
	Severity: Note,
	Group:    "The Go side",
	Claim:    Practice,
	OptIn:    true,
	Since:    "0.1",
	Doc: `Some scripts exist only because a command lacked an option at the time. Where every server of the target has the command now, it is shorter,
cannot fail with NOSCRIPT and can be pipelined:

| script | command | since |
|---|---|---|
| GET, compare, DEL | DELEX key IFEQ value; DELIFEQ key value | Redis 8.4; Valkey 9.0 |
| GET, compare, SET | SET key new IFEQ old | Redis 8.4, Valkey 8.1 |
| GET, DEL | GETDEL | 6.2 |
| GET, EXPIRE or PERSIST | GETEX | 6.2 |
| GET, SET | SET key value GET | 6.2 |
| GET, SET where it is missing | SET key value NX GET | 7.0 |
| SET or SETNX, EXPIRE | SET key value EX (NX) | 2.6.12 |
| EXISTS, SET | SET key value NX or XX | 2.6.12 |
| HGET, HDEL | HGETDEL | Redis 8.0, Valkey 9.1 |
| HSET, HEXPIRE | HSETEX | Redis 8.0, Valkey 9.0 |
| ZRANGE 0 0, ZREM | ZPOPMIN | 5.0 |
| LRANGE, LTRIM | LPOP key count | 6.2 |
| RPOP, LPUSH | LMOVE | 6.2 |

The rule looks at scripts that are just these two calls on one key, and is off unless enabled. It offers no change: what the command answers
may differ (nil for an empty list, a text for a status).`,
	Bad:     nativeCommandBad,
	Good:    nativeCommandGood,
	Program: checkNativeCommand,
}

// native is one command that replaces two calls on one key.
type native struct {
	first, second []string // either of the two calls
	when          []guard  // how the second hangs on the reply of the first
	form          []string // the command that must be there, with its options
	does, instead string   // in words; $ is the key
	fits          func(a, b *value.Call) bool
	reads         bool // the script returns the reply of the first: else it would be there for nothing
}

var (
	dels    = []string{"del", "unlink"}
	expires = []string{"expire", "pexpire", "expireat", "pexpireat"}
	present = []guard{guardNone, guardPresent}
)

// natives come with the narrower form first.
var natives = []native{
	{[]string{"get"}, dels, []guard{guardEqual}, []string{"DELEX", "k", "IFEQ", "v"}, "compare and delete", "DELEX $ IFEQ value", justKey, false},
	{[]string{"get"}, dels, []guard{guardEqual}, []string{"DELIFEQ", "k", "v"}, "compare and delete", "DELIFEQ $ value", justKey, false},
	{[]string{"get"}, dels, []guard{guardDiffers}, []string{"DELEX", "k", "IFNE", "v"}, "delete where it differs", "DELEX $ IFNE value", justKey, false},
	{[]string{"get"}, []string{"set"}, []guard{guardEqual}, []string{"SET", "k", "v", "IFEQ", "w"}, "compare and set", "SET $ new IFEQ old", nil, false},
	{[]string{"get"}, dels, present, []string{"GETDEL", "k"}, "read and delete", "GETDEL $", justKey, true},
	{[]string{"get"}, expires, present, []string{"GETEX", "k", "EX", "1"}, "read and set the expiry", "GETEX $ with EX, PX, EXAT or PXAT", threeWords, true},
	{[]string{"get"}, []string{"persist"}, present, []string{"GETEX", "k", "PERSIST"}, "read and drop the expiry", "GETEX $ PERSIST", justKey, true},
	{[]string{"get"}, []string{"set"}, []guard{guardNone}, []string{"SET", "k", "v", "GET"}, "read and set", "SET $ value GET", nil, true},
	{[]string{"get"}, []string{"set", "setnx"}, []guard{guardMissing}, []string{"SET", "k", "v", "NX", "GET"}, "read, or set what is missing",
		"SET $ value NX GET", nil, true},
	{[]string{"setnx"}, expires, []guard{guardOne}, []string{"SET", "k", "v", "NX", "EX", "1"}, "set what is missing and expire it",
		"SET $ value NX with EX or PX", threeWords, false},
	{[]string{"set"}, expires, []guard{guardPresent}, []string{"SET", "k", "v", "NX", "EX", "1"}, "set what is missing and expire it",
		"SET $ value NX with EX or PX", setNX, false},
	{[]string{"set"}, expires, []guard{guardNone}, []string{"SET", "k", "v", "EX", "1"}, "set and expire", "SET $ value with EX or PX", plainSet, false},
	{[]string{"exists"}, []string{"set"}, []guard{guardZero}, []string{"SET", "k", "v", "NX"}, "set what is missing", "SET $ value NX", nil, false},
	{[]string{"exists"}, []string{"set"}, []guard{guardOne}, []string{"SET", "k", "v", "XX"}, "set what is there", "SET $ value XX", nil, false},
	{[]string{"hget"}, []string{"hdel"}, present, []string{"HGETDEL", "k", "FIELDS", "1", "f"}, "read and delete a field",
		"HGETDEL $ FIELDS 1 field", sameField, true},
	{[]string{"hset"}, []string{"hexpire", "hpexpire"}, []guard{guardNone}, []string{"HSETEX", "k", "EX", "1", "FIELDS", "1", "f", "v"},
		"set a field and its expiry", "HSETEX $ with EX or PX", nil, false},
	{[]string{"zrange"}, []string{"zrem"}, anyGuard, []string{"ZPOPMIN", "k"}, "take the lowest member", "ZPOPMIN $", lowest, true},
	{[]string{"zrevrange"}, []string{"zrem"}, anyGuard, []string{"ZPOPMAX", "k"}, "take the highest member", "ZPOPMAX $", lowest, true},
	{[]string{"lrange"}, []string{"ltrim"}, anyGuard, []string{"LPOP", "k", "1"}, "take elements from the head", "LPOP $ count", headCut, true},
	{[]string{"rpop", "lpop"}, []string{"lpush", "rpush"}, present, []string{"LMOVE", "k", "k", "LEFT", "LEFT"}, "pop and push", "LMOVE", moves, false},
}

func checkNativeCommand(p *Pass) {
	a, b := twoCalls(p)
	if a == nil {
		return
	}
	when, ok := guardOf(p, a, b)
	if !ok || !answersOnly(p, a, b) {
		return
	}
	for i := range natives {
		n := &natives[i]
		if !slices.Contains(n.first, a.Name) || !slices.Contains(n.second, b.Name) || !slices.Contains(n.when, when) || n.reads && !returns(p, a) ||
			n.fits != nil && !n.fits(a, b) || n.instead != "LMOVE" && (!sameFirstKey(a, b) || depends(a, b)) || !hasForm(p, n.form) {
			continue
		}
		p.Report(In(a.At, Note, "the script is "+n.does+", which every server of the target has as one command; write "+n.command(p, a, b)))
		return
	}
}

// twoCalls returns the two calls of a script that is just these, nil where it is more.
func twoCalls(p *Pass) (a, b *value.Call) {
	f := p.Facts
	if !p.Complete || f.Library != nil || len(f.Calls) != 2 || len(f.Loops) > 0 {
		return nil, nil
	}
	for _, c := range f.Calls {
		if c.Command == nil || c.Protected || c.Func != nil || len(c.Keys) != 1 || !c.KeysSure || c.ArgsMany {
			return nil, nil
		}
	}
	for _, l := range f.Libs {
		switch l.Name {
		case "tonumber", "tostring", "unpack":
		default:
			return nil, nil
		}
	}
	return f.Calls[0], f.Calls[1]
}

// command writes the command with the script's key.
func (n *native) command(p *Pass, a, b *value.Call) string {
	key := func(c *value.Call) string {
		at := c.Args[c.Keys[0].Arg].At
		return p.Source.Text[at.Start:at.End]
	}
	if n.instead == "LMOVE" {
		return "LMOVE " + key(a) + " " + key(b)
	}
	words := ""
	for _, r := range n.instead {
		if r == '$' {
			words += key(a)
			continue
		}
		words += string(r)
	}
	return words
}

// answersOnly reports whether the script answers what the calls answered, or constants.
func answersOnly(p *Pass, a, b *value.Call) bool {
	for _, r := range p.Facts.Returns {
		for _, x := range r.Values {
			if x.Value.Const || x.Value.Only(value.Falsy|value.True) {
				continue
			}
			plain := x.Value.From != nil
			x.Value.From.Leaves(func(o *value.Origin) {
				plain = plain && (o.Kind == value.FromLiteral || o.Kind == value.FromNumber ||
					o.Kind == value.FromReply && o.Call != nil && (o.Call.Node == a.Node || o.Call.Node == b.Node))
			})
			if !plain || x.Value.From.Kind == value.FromConcat || x.Value.From.Kind == value.FromComputed {
				return false
			}
		}
	}
	return true
}

// returns reports whether some answer is the reply of a call, or a part of it.
func returns(p *Pass, c *value.Call) bool {
	for _, r := range p.Facts.Returns {
		for _, x := range r.Values {
			if madeOf(x.Value.From, c) {
				return true
			}
		}
	}
	return false
}

// madeOf reports whether an origin is made of the reply of a call.
func madeOf(o *value.Origin, c *value.Call) bool {
	found := false
	o.Leaves(func(l *value.Origin) {
		found = found || l.Kind == value.FromReply && l.Call != nil && l.Call.Node == c.Node
	})
	return found
}

// depends reports whether an argument of b is made of the reply of a, where no command could know it. What is popped from a sorted set is.
func depends(a, b *value.Call) bool {
	for _, x := range b.Args {
		if b.Name != "zrem" && madeOf(x.Value.From, a) {
			return true
		}
	}
	return false
}

func justKey(_, b *value.Call) bool    { return len(b.Args) == 2 }
func threeWords(_, b *value.Call) bool { return len(b.Args) == 3 }
func plainSet(a, b *value.Call) bool   { return len(a.Args) == 3 && len(b.Args) == 3 }

func setNX(a, b *value.Call) bool {
	return len(a.Args) == 4 && (a.Args[3].Value.IsText("NX") || a.Args[3].Value.IsText("nx")) && len(b.Args) == 3
}

func sameField(a, b *value.Call) bool {
	if len(a.Args) != 3 || len(b.Args) != 3 {
		return false
	}
	x, y := a.Args[2].Value.From, b.Args[2].Value.From
	return x != nil && x.Same(y)
}

// lowest: ZRANGE key 0 0, and ZREM of what it gave.
func lowest(a, b *value.Call) bool {
	return len(a.Args) >= 4 && isIndex(&a.Args[2], 0) && isIndex(&a.Args[3], 0) && len(b.Args) == 3 && madeOf(b.Args[2].Value.From, a) &&
		(len(a.Args) == 4 || len(a.Args) == 5 && (a.Args[4].Value.IsText("WITHSCORES") || a.Args[4].Value.IsText("withscores")))
}

// headCut: LRANGE key 0 n-1, and LTRIM key n -1.
func headCut(a, b *value.Call) bool {
	return len(a.Args) == 4 && isIndex(&a.Args[2], 0) && !isIndex(&a.Args[3], -1) && len(b.Args) == 4 && isIndex(&b.Args[3], -1)
}

// moves: what is pushed is what was popped.
func moves(a, b *value.Call) bool {
	if len(a.Args) != 2 || len(b.Args) != 3 {
		return false
	}
	from := b.Args[2].Value.From
	return from != nil && from.Kind == value.FromReply && from.Call != nil && from.Call.Node == a.Node
}

// isIndex reports whether an argument is that number, written as number or text.
func isIndex(a *value.Arg, n float64) bool {
	v := a.Value
	return v.Const && (v.Only(value.Number) && v.Num == n || v.Only(value.String) && v.Text == value.FormatNumber(n))
}

// hasForm reports whether every server of the target has the command with its options.
func hasForm(p *Pass, words []string) bool {
	look := p.Target.Lookup(words[0], "")
	if look.Command == nil || len(look.Missing) > 0 {
		return false
	}
	args := make([]server.Arg, len(words))
	for i, w := range words {
		args[i] = server.Arg{Known: true, Text: w}
	}
	return len(p.Target.ArgProblems(look.Command, args)) == 0 && len(p.Target.ArityProblems(look.Command, len(args), false)) == 0
}
