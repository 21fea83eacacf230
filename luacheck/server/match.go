package server

import (
	"strconv"
	"strings"
)

// hit is a way to read one argument of a call by the grammar.
type hit struct {
	spec  *ArgSpec
	token bool // the word before the argument (or the word itself), not its value
}

// match is how a call can be read by a command's grammar.
type match struct {
	hits [][]hit // by argument, every way to read it in any reading of the whole call; nil where nothing is known of it
	far  int     // where no reading succeeds: the argument that the furthest one stumbled over
	ok   bool
}

// maxSteps bounds the search; a call that needs more is not read.
const maxSteps = 5000

// readCall reads the arguments behind the names by the grammar. Optional words in a row may come in any order, and again, as the servers
// take them, and a known word that may be an option is one. What is newer than v is left out. First a number must be a number; where
// no reading succeeds so, any text may stand for one.
func (c *Command) readCall(args []Arg, v Version) match {
	var m match
	for _, strict := range []bool{true, false} {
		r := reader{args: args, command: c.Name, version: v, strict: strict, hits: make([][]hit, len(args))}
		at := state{at: c.nameArgs(), count: none}
		r.list(c.Args, at, func(s state) { r.end(s) })
		m = match{hits: r.hits, far: r.far, ok: r.found && r.steps < maxSteps}
		if m.ok {
			return m
		}
		if r.steps >= maxSteps {
			return match{hits: make([][]hit, len(args)), ok: true} // it may be read, nobody knows how
		}
	}
	m.hits = make([][]hit, len(args))
	return m
}

// state is where a reading is: the next argument, and the count of keys or fields that was read just before, if any.
type state struct{ at, count int }

const (
	none    = -1
	anyMany = -2 // a count was read whose value is unknown
)

type reader struct {
	args    []Arg
	command string
	version Version
	strict  bool
	steps   int
	far     int
	found   bool
	trail   []step
	hits    [][]hit
}

type step struct {
	at int
	hit
}

// end is called at the end of the grammar: it is a reading if the arguments end, too.
func (r *reader) end(s state) {
	if s.at == len(r.args) || r.args[s.at].Many {
		r.success()
		return
	}
	r.far = max(r.far, s.at)
}

func (r *reader) success() {
	r.found = true
	for _, t := range r.trail {
		known := false
		for _, h := range r.hits[t.at] {
			known = known || h == t.hit
		}
		if !known {
			r.hits[t.at] = append(r.hits[t.at], t.hit)
		}
	}
}

// consume reads the argument at s as h and goes on; it undoes itself behind.
func (r *reader) consume(s state, h hit, next func(state)) {
	r.trail = append(r.trail, step{s.at, h})
	s.at++
	next(s)
	r.trail = r.trail[:len(r.trail)-1]
}

// stuck is whether nothing can be read at s: at the end, or after too many steps. An argument that is unknown in number ends the
// reading well: anything may be in it.
func (r *reader) stuck(s state) bool {
	r.steps++
	if r.steps >= maxSteps {
		return true
	}
	if s.at >= len(r.args) {
		r.far = max(r.far, s.at)
		return true
	}
	if r.args[s.at].Many {
		r.success()
		return true
	}
	return false
}

// list reads the specs one behind the other.
func (r *reader) list(specs []ArgSpec, s state, next func(state)) {
	for len(specs) > 0 && r.version.Less(specs[0].Since) {
		specs = specs[1:]
	}
	if len(specs) == 0 {
		next(s)
		return
	}
	if n := r.optionRun(specs); n > 0 {
		r.run(specs[:n], s, func(s state) { r.list(specs[n:], s, next) })
		return
	}
	// XREAD: as many IDs as keys.
	if len(specs) == 2 && specs[0].Mode == ArgMultiple && specs[1].Mode == ArgMultiple && manyAt(r.args) == len(r.args) {
		half := (len(r.args) - s.at) / 2
		s.count = half
		r.one(&specs[0], s, func(s state) { s.count = half; r.one(&specs[1], s, next) })
		return
	}
	if specs[0].Mode&ArgOptional != 0 && (s.count == none || s.count == 0 || s.count == anyMany) {
		skipped := s
		skipped.count = none
		r.list(specs[1:], skipped, next)
	}
	r.one(&specs[0], s, func(s state) { r.list(specs[1:], s, next) })
}

// optionRun counts the optional specs at the start that begin with a word.
func (r *reader) optionRun(specs []ArgSpec) int {
	n := 0
	for n < len(specs) && specs[n].Mode&ArgOptional != 0 && beginsWithWord(&specs[n]) {
		n++
	}
	return n
}

func beginsWithWord(a *ArgSpec) bool {
	switch {
	case a.Token != "":
		return true
	case a.Kind == ArgOneOf:
		for i := range a.Args {
			if !beginsWithWord(&a.Args[i]) {
				return false
			}
		}
		return true
	case a.Kind == ArgBlock:
		return len(a.Args) > 0 && beginsWithWord(&a.Args[0]) && a.Args[0].Mode&ArgOptional == 0
	}
	return false
}

// run reads options in any order; the servers take one that is repeated.
func (r *reader) run(specs []ArgSpec, s state, next func(state)) {
	forced := false
	if s.at < len(r.args) && r.args[s.at].Known {
		for i := range specs {
			forced = forced || r.startsAt(&specs[i], s.at)
		}
	}
	if !forced {
		next(s)
	}
	if s.at >= len(r.args) || r.args[s.at].Many {
		return
	}
	for i := range specs {
		if r.version.Less(specs[i].Since) || !r.startsAt(&specs[i], s.at) {
			continue
		}
		r.one(&specs[i], s, func(s state) { r.run(specs, s, next) })
	}
}

// startsAt is whether the argument may be the first word of the spec.
func (r *reader) startsAt(a *ArgSpec, at int) bool {
	if r.version.Less(a.Since) {
		return false
	}
	if a.Token != "" {
		return r.isToken(a.Token, at)
	}
	for i := range a.Args {
		if r.startsAt(&a.Args[i], at) {
			return true
		}
		if a.Kind == ArgBlock {
			return false
		}
	}
	return false
}

// isToken is whether the argument may be the word; a word of two parts takes two arguments.
func (r *reader) isToken(token string, at int) bool {
	if token == `""` {
		token = ""
	}
	for i, part := range strings.Split(token, " ") {
		if at+i >= len(r.args) || r.args[at+i].Known && !strings.EqualFold(r.args[at+i].Text, part) {
			return false
		}
	}
	return true
}

// one reads a spec, its word first, and its repeats.
func (r *reader) one(a *ArgSpec, s state, next func(state)) {
	if a.Token == "" || a.Kind == ArgToken {
		r.repeat(a, s, next)
		return
	}
	r.word(a, s, func(s state) {
		if a.Mode&ArgMultipleToken == 0 {
			r.repeat(a, s, next)
			return
		}
		r.body(a, s, func(s state) {
			next(s)
			if s.at < len(r.args) && !r.args[s.at].Many {
				r.one(a, s, next)
			}
		})
	})
}

func (r *reader) word(a *ArgSpec, s state, next func(state)) {
	if r.stuck(s) {
		return
	}
	if !r.isToken(a.Token, s.at) {
		r.far = max(r.far, s.at)
		return
	}
	if strings.Contains(a.Token, " ") {
		r.consume(s, hit{a, true}, func(s state) { r.consume(s, hit{a, true}, next) })
		return
	}
	r.consume(s, hit{a, true}, next)
}

// repeat reads the body once, or as often as the count that was read before it says, or any number of times.
func (r *reader) repeat(a *ArgSpec, s state, next func(state)) {
	if a.Mode&ArgMultiple == 0 {
		r.body(a, s, next)
		return
	}
	count := s.count
	s.count = none
	var again func(s state, n int)
	again = func(s state, n int) {
		if n == count || n > 0 && count < 0 {
			next(s)
		}
		if n == count || n > 0 && (s.at >= len(r.args) || r.args[s.at].Many && count < 0) {
			return
		}
		before := s.at
		r.body(a, s, func(s state) {
			if s.at > before {
				again(s, n+1)
			}
		})
	}
	again(s, 0)
}

func (r *reader) body(a *ArgSpec, s state, next func(state)) {
	switch a.Kind {
	case ArgToken:
		r.word(a, s, next)
	case ArgBlock:
		r.list(a.Args, s, next)
	case ArgOneOf:
		forced := false
		for i := range a.Args {
			forced = forced || s.at < len(r.args) && r.args[s.at].Known && beginsWithWord(&a.Args[i]) && r.startsAt(&a.Args[i], s.at)
		}
		for i := range a.Args {
			if alt := &a.Args[i]; !r.version.Less(alt.Since) && (!forced || r.startsAt(alt, s.at)) {
				r.one(alt, s, next)
			}
		}
	default:
		r.value(a, s, next)
	}
}

func (r *reader) value(a *ArgSpec, s state, next func(state)) {
	if r.stuck(s) {
		return
	}
	text := r.args[s.at]
	if r.strict && text.Known && !fitsKind(text.Text, numberKind(r.command, a)) {
		r.far = max(r.far, s.at)
		return
	}
	switch a.Name {
	case "numkeys", "numfields", "numids":
		s.count = anyMany
		if n, err := strconv.Atoi(text.Text); text.Known && err == nil && n >= 0 {
			s.count = n
		}
	}
	r.consume(s, hit{a, false}, next)
}

// numberKind is the kind of a value, ArgString where the documentation calls a number what also takes other texts: score bounds take
// "(1", BITFIELD's offsets "#1", digests are hexadecimal.
func numberKind(command string, a *ArgSpec) ArgKind {
	switch a.Name {
	case "min", "max", "ifdeq-digest", "ifdne-digest":
		return ArgString
	case "cursor":
		return ArgString // another parser, with texts of its own
	case "weight":
		return ArgDouble
	case "increment":
		if command == "zincrby" {
			return ArgDouble
		}
	case "offset":
		if strings.HasPrefix(command, "bitfield") {
			return ArgString
		}
	}
	switch a.Kind {
	case ArgUnixTime:
		return ArgInteger
	case ArgInteger, ArgDouble:
		return a.Kind
	}
	return ArgString
}

// fitsKind is whether the server reads the text as a number of that kind. Integers are strict: no sign +, no leading zero, no space.
func fitsKind(text string, kind ArgKind) bool {
	switch kind {
	case ArgInteger:
		n, err := strconv.ParseInt(text, 10, 64)
		return err == nil && strconv.FormatInt(n, 10) == text
	case ArgDouble:
		digits := strings.ToLower(strings.TrimLeft(text, "+-"))
		if strings.HasPrefix(digits, "0x") && len(digits) > 2 && !strings.Contains(digits, "p") {
			text += "p0" // strtod takes hexadecimal without an exponent
		}
		_, err := strconv.ParseFloat(text, 64)
		return err == nil && digits != "nan"
	}
	return true
}
