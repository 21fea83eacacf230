package server

import (
	"strconv"
	"strings"
)

// KeyAt is one key of a call.
type KeyAt struct {
	Index  int // in the arguments; the name is 0
	Access Access
	NotKey bool // a channel that counts for slots only
	// Many: the argument at Index is unknown in number (Arg.Many); every Step-th of what it stands for, from the Offset-th on, is a key.
	Many         bool
	Step, Offset int
}

// KeysOf lists the keys of a call, args[0] being the name. exact is false where there may be other keys, or where a listed one may not be
// a key: an unknown number of keys, SORT's patterns, arguments that are too few.
func (c *Command) KeysOf(args []Arg) (keys []KeyAt, exact bool) {
	switch c.Name {
	case "sort", "sort_ro":
		return sortKeys(args)
	case "migrate":
		return migrateKeys(args)
	}
	exact = true
	for i := range c.Keys {
		f := keyFinder{args: args, spec: &c.Keys[i], exact: true, optional: c.keysOptional()}
		f.find()
		keys = append(keys, f.keys...)
		exact = exact && f.exact
	}
	for i := range keys {
		keys[i].Access = c.accessOf(args, keys[i].Access)
	}
	return keys, exact
}

// keysOptional is whether a key count of 0 is legal.
func (c *Command) keysOptional() bool {
	return strings.HasPrefix(c.Name, "eval") || strings.HasPrefix(c.Name, "fcall")
}

type keyFinder struct {
	args     []Arg
	spec     *KeySpec
	optional bool
	keys     []KeyAt
	exact    bool
}

func (f *keyFinder) find() {
	first, ok := f.begin()
	if !ok {
		return
	}
	switch f.spec.Find {
	case FindRange:
		f.byRange(first)
	case FindKeyNum:
		f.byNumber(first)
	default:
		f.exact = false
	}
}

// begin is the index where the search for keys starts; ok is false where there is none.
func (f *keyFinder) begin() (int, bool) {
	switch f.spec.Begin {
	case BeginIndex:
		return f.spec.Index, true
	case BeginKeyword:
		unknown := false
		for i := max(f.spec.From, 1); i < len(f.args); i++ {
			a := f.args[i]
			if a.Known && strings.EqualFold(a.Text, f.spec.Keyword) {
				return i + 1, true // an unknown argument before it is some option's value
			}
			unknown = unknown || !a.Known
		}
		f.exact = f.exact && !unknown // one of them may be the keyword
		return 0, false
	}
	f.exact = false
	return 0, false
}

// add records the argument at i; a position at or behind an argument that is unknown in number lies inside it. It is false at the end.
func (f *keyFinder) add(i, step int) bool {
	for at := 0; at <= i && at < len(f.args); at++ {
		if f.args[at].Many {
			f.exact = false
			f.keys = append(f.keys, KeyAt{Index: at, Access: f.spec.Access, NotKey: f.spec.NotKey, Many: true, Step: step, Offset: i - at})
			return false
		}
	}
	if i >= len(f.args) {
		f.exact = false
		return false
	}
	f.keys = append(f.keys, KeyAt{Index: i, Access: f.spec.Access, NotKey: f.spec.NotKey})
	return true
}

func (f *keyFinder) byRange(first int) {
	s := f.spec
	step := max(s.Step, 1)
	last := first + s.Last
	many := manyAt(f.args) < len(f.args)
	switch {
	case s.Last >= 0:
	case s.Limit > 1 && many: // the keys are a fraction of what is there, so only the first is known
		f.add(first, step)
		f.exact = false
		return
	case s.Limit > 1:
		last = first + (len(f.args)-first)/s.Limit + s.Last
		f.exact = f.exact && (len(f.args)-first)%s.Limit == 0
	case many:
		last = len(f.args) // the last added lies inside the argument that is unknown in number
		f.exact = false
	default:
		last = len(f.args) + s.Last
	}
	for i := first; i <= last && f.add(i, step); i += step {
	}
}

func (f *keyFinder) byNumber(first int) {
	s := f.spec
	step := max(s.Step, 1)
	at, key := first+s.NumIdx, first+s.FirstIdx
	if at >= len(f.args) || manyAt(f.args) <= at {
		f.exact = false
		return
	}
	n, err := strconv.Atoi(f.args[at].Text)
	if !f.args[at].Known || err != nil || n < 0 {
		f.exact = false
		if !f.optional { // at least one key is needed
			f.add(key, step)
		}
		return
	}
	for i := range n {
		if !f.add(key+i*step, step) {
			return
		}
	}
}

// manyAt is the index of the first argument that is unknown in number, len(args) where there is none.
func manyAt(args []Arg) int {
	for i, a := range args {
		if a.Many {
			return i
		}
	}
	return len(args)
}

// accessOf narrows the access of the commands whose options decide it (variable_flags in COMMAND).
func (c *Command) accessOf(args []Arg, a Access) Access {
	switch c.Name {
	case "set":
		if hasWord(args, 3, "GET", "IFEQ", "IFNE", "IFDEQ", "IFDNE") {
			return AccessRead | AccessUpdate
		}
		if allKnown(args, 3) {
			return AccessOverwrite | AccessUpdate
		}
		return AccessRead | AccessUpdate | AccessOverwrite
	case "bitfield":
		if allKnown(args, 2) && !hasWord(args, 2, "SET", "INCRBY") {
			return AccessRead
		}
	}
	return a
}

// hasWord is whether one of the words stands among the known arguments from index from on, in any letter case.
func hasWord(args []Arg, from int, words ...string) bool {
	for i := from; i < len(args); i++ {
		if args[i].Known && isWord(args[i].Text, words...) {
			return true
		}
	}
	return false
}

func isWord(text string, words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(text, w) {
			return true
		}
	}
	return false
}

// allKnown is whether every argument from index from on is known, so that a word that is not there is known not to be there.
func allKnown(args []Arg, from int) bool {
	for i := from; i < len(args); i++ {
		if !args[i].Known {
			return false
		}
	}
	return manyAt(args) >= len(args)
}

// sortKeys: the key, the destination behind STORE; patterns of BY and GET reach keys whose names come from the data.
func sortKeys(args []Arg) (keys []KeyAt, exact bool) {
	if len(args) < 2 || manyAt(args) <= 1 {
		return nil, false
	}
	keys, exact = append(keys, KeyAt{Index: 1, Access: AccessRead}), true
	for i := 2; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.Known:
			exact = false
		case isWord(a.Text, "LIMIT"):
			i += 2
		case isWord(a.Text, "BY"):
			i++
			exact = exact && i < len(args) && args[i].Known && !strings.Contains(args[i].Text, "*")
		case isWord(a.Text, "GET"):
			i++
			exact = exact && i < len(args) && args[i].Known && args[i].Text == "#"
		case isWord(a.Text, "STORE") && i+1 < len(args):
			i++
			keys = append(keys, KeyAt{Index: i, Access: AccessUpdate | AccessOverwrite, Many: args[i].Many, Step: 1})
		}
	}
	return keys, exact && manyAt(args) == len(args)
}

// migrateKeys: MIGRATE host port key|"" db timeout … [KEYS key …]; the list counts only where the third argument is empty.
func migrateKeys(args []Arg) (keys []KeyAt, exact bool) {
	const access = AccessRead | AccessDelete
	if len(args) < 4 || manyAt(args) <= 3 {
		return nil, false
	}
	if !args[3].Known || args[3].Text != "" {
		return append(keys, KeyAt{Index: 3, Access: access}), args[3].Known
	}
	for i := 6; i < len(args); i++ {
		if args[i].Known && isWord(args[i].Text, "KEYS") {
			for i++; i < len(args); i++ {
				keys = append(keys, KeyAt{Index: i, Access: access, Many: args[i].Many, Step: 1})
			}
		}
	}
	return keys, len(keys) > 0 && manyAt(args) == len(args)
}
