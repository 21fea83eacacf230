package server

import (
	"fmt"
	"strconv"
	"strings"
)

// ProblemKind is what is wrong with a call's arguments.
type ProblemKind uint8

const (
	ProblemArity         ProblemKind = iota // too few, too many, odd pairs, counts that do not match
	ProblemOption                           // a word that is no option, or options that exclude one another
	ProblemOptionVersion                    // an option that some builds lack
	ProblemNotInteger
	ProblemNotFloat
	ProblemExpire // an expiry that the server refuses (0 or negative)
)

// ArgProblem is one thing that a server refuses in a call.
type ArgProblem struct {
	Index   int    // the argument that it is about; 0 where it is about the call
	Message string // lower case, no full stop, without the builds
	Builds  []Build
	// Sure is whether it is refused whenever the call is reached; else only where the key exists.
	Sure bool
	Kind ProblemKind
}

// ArgProblems is what Form.Problems lists.
func (t Target) ArgProblems(cmd *Command, args []Arg) []ArgProblem {
	return t.Form(cmd, args).Problems()
}

// findProblems is Form.Problems worked out.
func (t Target) findProblems(cmd *Command, args []Arg) []ArgProblem {
	if len(args) == 0 {
		return nil
	}
	f := problemFinder{target: t, cmd: cmd, args: args}
	for i, c := range t.of(cmd).at { // Redis stands before Valkey
		if c == cmd {
			f.product = t.Builds[i].Product
			break
		}
	}
	f.most()
	f.pairs()
	f.counts()
	if f.list == nil { // the rest reads the call by position
		f.exclusive()
	}
	if f.list == nil && f.knowsWords() { // the rest is about these
		m := cmd.readCall(args, newest)
		f.versions(m)
		f.numbers(m)
		f.ranges()
		f.expiry(m)
		if f.list == nil {
			f.bounds(m)
			f.together(m)
			f.newID(m)
		}
		f.unread(m)
	}
	return f.list
}

type problemFinder struct {
	target Target
	cmd    *Command
	args   []Arg
	// product is whose version axis dates the command's grammar.
	product Product
	list    []ArgProblem
}

// name is the command's name in upper case, for messages.
func (f *problemFinder) name() string {
	return strings.ToUpper(strings.ReplaceAll(f.cmd.Name, "|", " "))
}

// knowsWords is whether some argument behind the names is known.
func (f *problemFinder) knowsWords() bool {
	for _, a := range f.args[min(f.cmd.nameArgs(), len(f.args)):] {
		if a.Known {
			return true
		}
	}
	return false
}

// add records a problem on every build that has the command and for which on holds (nil: all).
func (f *problemFinder) add(kind ProblemKind, index int, on func(Build) bool, format string, a ...any) {
	builds := f.target.Having(f.cmd)
	if on != nil {
		builds = f.target.having(f.cmd, on)
	}
	if len(builds) > 0 {
		f.list = append(f.list, ArgProblem{Index: index, Message: fmt.Sprintf(format, a...), Builds: builds, Kind: kind,
			Sure: !looksAtKeyFirst(f.cmd.Name) || f.cmd.Name == "getex" && kind == ProblemOption})
	}
}

// looksAtKeyFirst is whether the command answers for a missing key before it looks at its other arguments (seen on 7.0.15).
func looksAtKeyFirst(name string) bool {
	switch name {
	case "bitcount", "bitpos", "georadius", "georadius_ro", "georadiusbymember", "georadiusbymember_ro", "geosearch", "geosearchstore",
		"getex", "hscan", "sscan", "zscan", "lindex":
		return true
	}
	return false
}

// most: a command whose grammar has no words and no repeats takes only so many arguments, whatever COMMAND's arity says.
func (f *problemFinder) most() {
	most, fixed := 0, len(f.args)
	if manyAt(f.args) < len(f.args) {
		fixed-- // it may stand for none
	}
	for i := range f.cmd.Args {
		if a := &f.cmd.Args[i]; a.Token != "" || a.Mode&ArgMultiple != 0 || len(a.Args) > 0 {
			return
		}
		most++
	}
	if most += f.cmd.nameArgs(); f.cmd.Args != nil && f.cmd.Arity < 0 && fixed > most {
		f.add(ProblemArity, most, nil, "%q takes at most %d arguments, not %d", f.name(), most-f.cmd.nameArgs(), fixed-f.cmd.nameArgs())
	}
}

// pairs: arguments that come in twos.
func (f *problemFinder) pairs() {
	if manyAt(f.args) < len(f.args) {
		return
	}
	from, what := 0, ""
	switch f.cmd.Name {
	case "hset", "hmset":
		from, what = 2, "field and value"
	case "mset", "msetnx":
		from, what = 1, "key and value"
	case "xadd":
		if from, what = autoID(f.args)+1, "field and value"; from == 1 {
			return
		}
	case "zadd":
		from, what = 2, "score and member"
		for from < len(f.args) && f.args[from].Known && isWord(f.args[from].Text, "NX", "XX", "GT", "LT", "CH", "INCR") {
			from++
		}
		if from < len(f.args) && !f.args[from].Known {
			return // it may be an option
		}
	default:
		return
	}
	n := len(f.args) - from
	if n%2 != 0 || f.cmd.Name == "zadd" && n == 0 {
		f.add(ProblemArity, 0, nil, "%q takes pairs of %s, and %s", f.name(), what, odd(n))
		return
	}
	if f.cmd.Name == "zadd" && n > 2 && zaddIncr(f.args) == yes {
		f.add(ProblemArity, 0, nil, "%q with INCR takes one pair of score and member, not %d", f.name(), n/2)
	}
}

func odd(n int) string {
	if n == 0 {
		return "there is none"
	}
	return fmt.Sprintf("there are %d arguments for them", n)
}

// counts: a number that says how many keys follow, and XREAD's keys and IDs.
func (f *problemFinder) counts() {
	many := manyAt(f.args)
	if f.cmd.Name == "xread" || f.cmd.Name == "xreadgroup" {
		for i, a := range f.args {
			if i > 0 && a.Known && isWord(a.Text, "STREAMS") && allKnown(f.args[:i+1], 1) && many == len(f.args) && (len(f.args)-i-1)%2 != 0 {
				f.add(ProblemArity, i, nil, "%q takes one ID for each stream, and there are %d arguments for them", f.name(), len(f.args)-i-1)
			}
		}
		return
	}
	for _, k := range f.cmd.Keys {
		at := k.Index + k.NumIdx
		if k.Find != FindKeyNum || f.cmd.keysOptional() || at >= len(f.args) || at >= many || !f.args[at].Known {
			continue
		}
		n, err := strconv.Atoi(f.args[at].Text)
		last := k.Index + k.FirstIdx + (n-1)*max(k.Step, 1)
		switch {
		case err != nil:
		case n <= 0:
			f.add(ProblemArity, at, nil, "%q needs at least one key, and the number of keys is %d", f.name(), n)
		case many == len(f.args) && last >= len(f.args):
			f.add(ProblemArity, at, nil, "%q is told of %s, and %s", f.name(), counted(n, "key"), follow(len(f.args)-at-1))
		}
	}
}

// excluding lists options that no server takes together, by command: each word with one behind it in the same list.
func excluding(name string) (from int, valued string, lists []string) {
	switch name {
	case "set":
		return 3, setValued, []string{"NX XX IFEQ IFNE IFDEQ IFDNE", "EX PX EXAT PXAT KEEPTTL"}
	case "getex":
		return 2, "EX:1 PX:1 EXAT:1 PXAT:1", []string{"EX PX EXAT PXAT PERSIST"}
	case "expire", "pexpire", "expireat", "pexpireat":
		return 3, "", []string{"NX XX", "NX GT", "NX LT", "GT LT"}
	case "zadd":
		return 2, "", []string{"NX XX", "NX GT", "NX LT", "GT LT"}
	case "geoadd":
		return 2, "", []string{"NX XX"}
	}
	return 0, "", nil
}

func (f *problemFinder) exclusive() {
	from, valued, lists := excluding(f.cmd.Name)
	if lists == nil {
		return
	}
	end := len(f.args)
	if f.cmd.Name == "zadd" || f.cmd.Name == "geoadd" { // options stand before the data
		end = min(from, len(f.args))
		for end < len(f.args) && f.args[end].Known && isWord(f.args[end].Text, "NX", "XX", "GT", "LT", "CH", "INCR") {
			end++
		}
	}
	o := scanOptions(f.args[:end], min(from, end), valued)
	if o.unknown { // a word behind it may be its value
		return
	}
	for _, list := range lists {
		var there []string
		for _, w := range strings.Fields(list) {
			for _, x := range o.words {
				if x == w && (len(there) == 0 || there[len(there)-1] != w) {
					there = append(there, w)
				}
			}
		}
		if len(there) > 1 {
			f.add(ProblemOption, f.indexOf(there[1], from), nil, "%q takes only one of the options %s", f.name(), quoteList(there))
		}
	}
}

func quoteList(words []string) string {
	return `"` + strings.Join(words, `" and "`) + `"`
}

func (f *problemFinder) indexOf(word string, from int) int {
	for i := from; i < len(f.args); i++ {
		if f.args[i].Known && isWord(f.args[i].Text, word) {
			return i
		}
	}
	return 0
}

// versions: option words that a build's own grammar lacks.
func (f *problemFinder) versions(m match) {
	for i, hits := range m.hits {
		if len(hits) == 0 || !f.args[i].Known {
			continue
		}
		sure := true
		for _, h := range hits {
			sure = sure && h.token
		}
		if sure {
			f.add(ProblemOptionVersion, i, func(b Build) bool { return f.lacksWord(b, hits[0].spec) }, "%q has no option %q", f.name(), strings.ToUpper(f.args[i].Text))
		}
	}
	if f.cmd.Name == "set" && m.ok {
		o := scanOptions(f.args, 3, setValued)
		if o.has("GET") == yes && o.has("NX") == yes && !o.unknown {
			f.add(ProblemOptionVersion, f.indexOf("NX", 3), func(b Build) bool {
				return b.Product == Redis && between(b.Version, Version{6, 2, 0}, Version{6, 2, LastPatch})
			},
				"%q takes only one of the options %s", f.name(), `"GET" and "NX"`)
		}
	}
}

// lacksWord is whether the build takes no such option: its grammar dates the word later, or has no such word and no reading of the call
// without it (BITOP's operations were any text for the grammar of 7.0).
func (f *problemFinder) lacksWord(b Build, spec *ArgSpec) bool {
	c := f.target.CommandAt(b, f.cmd.Name)
	if b.Profile != NoProfile || c == nil || c.Args == nil || grammarHas(c.Args, spec.Token, b.Version) {
		return false
	}
	return grammarHas(c.Args, spec.Token, newest) || b.Product == f.product && b.Version.Less(spec.Since) || !c.readCall(f.args, b.Version).ok
}

func grammarHas(list []ArgSpec, word string, v Version) bool {
	for i := range list {
		if a := &list[i]; !v.Less(a.Since) && (a.Token == word || grammarHas(a.Args, word, v)) {
			return true
		}
	}
	return false
}

// numbers: constant text where only a number is taken.
func (f *problemFinder) numbers(m match) {
	if f.cmd.Group == "module" { // vector sets parse on their own
		return
	}
	for i, hits := range m.hits {
		if len(hits) == 0 || !f.args[i].Known {
			continue
		}
		kind := ArgString
		for j, h := range hits {
			k := numberKind(f.cmd.Name, h.spec)
			if h.token || j > 0 && k != kind {
				k = ArgString
			}
			kind = k
			if k == ArgString {
				break
			}
		}
		if fitsKind(f.args[i].Text, kind) {
			continue
		}
		if kind == ArgInteger {
			f.add(ProblemNotInteger, i, nil, "%q needs an integer here, not %s", f.name(), strconv.Quote(f.args[i].Text))
		} else {
			f.add(ProblemNotFloat, i, nil, "%q needs a number here, not %s", f.name(), strconv.Quote(f.args[i].Text))
		}
	}
}

// expiry: SET and the like refuse a time that is 0 or negative; EXPIRE deletes the key then.
func (f *problemFinder) expiry(m match) {
	switch f.cmd.Name {
	case "set", "setex", "psetex", "getex":
	default:
		return
	}
	for i, hits := range m.hits {
		if len(hits) != 1 || hits[0].token || !f.args[i].Known {
			continue
		}
		switch f.cmd.roleOf(hits[0], f.args) {
		case RoleSeconds, RoleMillis, RoleUnixSeconds, RoleUnixMillis:
			if n, err := strconv.ParseInt(f.args[i].Text, 10, 64); err == nil && n <= 0 {
				f.add(ProblemExpire, i, nil, "%q refuses the expire time %d", f.name(), n)
			}
		}
	}
}

// unread: a call of a data command that no reading of the build's grammar allows is a syntax error (130,000 made-up calls on 7.0.15 knew
// no exception). The geo commands take their parts in any order; of other groups and newer commands the grammar is not proved.
func (f *problemFinder) unread(m match) {
	if m.ok || len(f.list) > 0 || m.far < 2 || f.loose() || f.cmd.Args == nil || !between(f.cmd.Since[f.product], Version{1, 0, 0}, Version{7, 0, 0}) {
		return
	}
	switch f.cmd.Group {
	case "string", "bitmap", "list", "hash", "set", "sorted-set", "stream", "hyperloglog", "generic":
	default:
		return
	}
	unread := func(b Build) bool {
		c := f.target.CommandAt(b, f.cmd.Name)
		return b.Profile == NoProfile && c != nil && c.Args != nil && !c.readCall(f.args, b.Version).ok
	}
	if m.far >= len(f.args) {
		f.unfinished(unread)
		return
	}
	word := f.args[m.far]
	if !word.Known {
		return
	}
	hint := ""
	if near := NearestWord(word.Text, f.wordList(f.cmd.Args)); near != "" && !strings.EqualFold(near, word.Text) {
		hint = fmt.Sprintf(", did you mean %q?", near)
	}
	f.add(ProblemOption, m.far, unread, "%q takes no %q here%s", f.name(), word.Text, hint)
}

// loose is whether the server reads the call in more ways than the grammar tells (seen on 7.0.15): BITFIELD takes OVERFLOW before GET, before
// another OVERFLOW and at the end; a LIMIT may stand before what it limits; XPENDING looks at no more than it needs.
func (f *problemFinder) loose() bool {
	switch f.cmd.Name {
	case "bitfield":
		return hasWord(f.args, 2, "OVERFLOW")
	case "xtrim", "xadd":
		return hasWord(f.args, 2, "LIMIT")
	case "xpending":
		return len(f.args) > 3
	}
	return false
}

// unfinished: the call ends where an option's values are still to come. Options have at most a few of them.
func (f *problemFinder) unfinished(unread func(Build) bool) {
	for i := len(f.args) - 1; i > max(1, len(f.args)-4); i-- {
		if a := f.args[i]; a.Many || !a.Known || !grammarHas(f.cmd.Args, strings.ToUpper(a.Text), newest) {
			continue
		}
		what := "a value"
		if i < len(f.args)-1 {
			what = "more values"
		}
		f.add(ProblemOption, i, unread, "%q needs %s behind %q", f.name(), what, f.args[i].Text)
		return
	}
}

func (f *problemFinder) wordList(list []ArgSpec) []string {
	var out []string
	for i := range list {
		if list[i].Token != "" {
			out = append(out, list[i].Token)
		}
		out = append(out, f.wordList(list[i].Args)...)
	}
	return out
}

// counted writes a number with its noun: "1 key", "2 keys".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// follow says how many arguments stand behind a count: "1 argument follows", "2 arguments follow".
func follow(n int) string {
	if n == 1 {
		return "1 argument follows"
	}
	return strconv.Itoa(n) + " arguments follow"
}
