package rules

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// What a number of the script counts: seconds, milliseconds and the like, read from names, from replies and through arithmetic.

// nameScales are the words in names that say what a number counts, in seconds.
var nameScales = map[string]float64{
	"ms": 1e-3, "msec": 1e-3, "msecs": 1e-3, "milli": 1e-3, "millis": 1e-3, "millisec": 1e-3, "millisecs": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
	"sec": 1, "secs": 1, "seconds": 1,
	"us": 1e-6, "usec": 1e-6, "usecs": 1e-6, "micros": 1e-6, "microsecond": 1e-6, "microseconds": 1e-6,
	"nanos": 1e-9, "nsec": 1e-9, "nanosecond": 1e-9, "nanoseconds": 1e-9,
	"mins": 60, "minutes": 60, "hours": 3600, "days": 86400,
}

// nameWords cuts a name into its words in lower case: "windowMs" and "WINDOW_MS" are "window", "ms".
func nameWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// nameScale is what a name says its number counts, in seconds; 0 where it says nothing. A rate, or a name with two units, says nothing.
func nameScale(name string) float64 {
	if !mayNameUnit(name) {
		return 0
	}
	scale := 0.0
	words := nameWords(name)
	for i, w := range words {
		if w == "per" || w == "rate" || w == "to" || w == "from" {
			return 0
		}
		s := nameScales[w]
		if w == "s" && i > 0 && i == len(words)-1 && lengthWord(words[i-1]) {
			s = 1
		}
		if s != 0 && scale != 0 {
			return 0
		}
		if s != 0 {
			scale = s
		}
	}
	return scale
}

// mayNameUnit is false for most names that say no unit, without cutting them: each word for a unit has one of these beginnings in it.
func mayNameUnit(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return true
		}
		next, then := lowerAt(name, i+1), lowerAt(name, i+2)
		switch lowerAt(name, i) {
		case 'm':
			if next == 's' || next == 'i' && (then == 'l' || then == 'n' || then == 'c') {
				return true
			}
		case 's':
			if next == 'e' || !isLowerLetter(next) && !isDigit(next) && (name[i] == 'S' || !endsInLowerWord(name[:i])) {
				return true
			}
		case 'u':
			if next == 's' {
				return true
			}
		case 'n':
			if next == 'a' && then == 'n' {
				return true
			}
		case 'h':
			if next == 'o' && then == 'u' {
				return true
			}
		case 'd':
			if next == 'a' && then == 'y' {
				return true
			}
		}
	}
	return false
}

// lowerAt is the letter at i in lower case, 0 behind the end.
func lowerAt(name string, i int) byte {
	if i < len(name) {
		return name[i] | ' '
	}
	return 0
}

// endsInLowerWord: an s behind it is the end of a longer word, if it is no capital.
func endsInLowerWord(name string) bool { return name != "" && isLowerLetter(name[len(name)-1]) }

func isLowerLetter(b byte) bool { return b >= 'a' && b <= 'z' }

// lengthWord: a word for a length of time.
func lengthWord(w string) bool {
	switch w {
	case "ttl", "timeout", "window", "interval", "expire", "expiry", "expiration", "duration", "period", "lease":
		return true
	}
	return false
}

// scaleWords names a unit.
func scaleWords(scale float64) string {
	switch scale {
	case 1e-9:
		return "nanoseconds"
	case 1e-6:
		return "microseconds"
	case 1e-3:
		return "milliseconds"
	case 1:
		return "seconds"
	case 60:
		return "minutes"
	case 3600:
		return "hours"
	}
	return "days"
}

// timeLeaf is one value that goes into a time.
type timeLeaf struct {
	at     syntax.Span
	factor float64 // the time is the leaf times this
	part   bool    // of a sum or a difference
	scale  float64 // what it counts, in seconds; 0 where nothing tells
	named  bool    // only its name tells
	moment bool    // a point in time, not a length
	argv   int     // the element of ARGV that it is; 0 for none
	what   leafKind
	code   syntax.Span // what messages quote
	call   *value.Call // whose reply it is
}

// leafKind is what a leaf is in words.
type leafKind uint8

const (
	leafCode leafKind = iota // code, quoted
	leafArgv                 // code as it is
	leafReply
	leafSeconds // of TIME
	leafMicros
)

// why is what a leaf is, for messages: "the reply of TTL".
func (u *unitReader) why(l *timeLeaf) string {
	switch l.what {
	case leafReply:
		return "the reply of " + l.call.Label()
	case leafSeconds:
		return "the seconds of TIME"
	case leafMicros:
		return "the microseconds of TIME"
	case leafArgv:
		return oneLine(u.p, l.code)
	}
	return snippet(u.p, l.code)
}

// ofClock: a part of the reply of TIME.
func (l *timeLeaf) ofClock() bool { return l.what == leafSeconds || l.what == leafMicros }

// unitReader finds the leaves of expressions.
type unitReader struct {
	p     *Pass
	steps int // of the present question
}

// maxUnitSteps bounds one question: locals that are made of one another may make an expression that is longer than any text.
const maxUnitSteps = 5000

// only is the one expression that a local is ever given, nil where there are others or none.
func (u *unitReader) only(l *scope.Local) syntax.Expr {
	if l == nil || len(l.Writes) > 0 {
		return nil
	}
	return l.Init
}

const maxUnitDepth = 12

// leaves are the values that e is worked out from, constants aside; nothing where that is not plain.
func (u *unitReader) leaves(e syntax.Expr, factor float64, depth int) []timeLeaf {
	if e == nil || depth > maxUnitDepth || u.spent() {
		return nil
	}
	switch x := bare(e).(type) {
	case *syntax.Binary:
		return u.leavesOfBinary(x, factor, depth)
	case *syntax.Call:
		return u.leavesOfCall(x, factor, depth)
	case *syntax.Index:
		return u.leavesOfIndex(x, factor)
	case *syntax.Name:
		return u.leavesOfName(x, factor, depth)
	}
	return nil
}

func (u *unitReader) leavesOfBinary(x *syntax.Binary, factor float64, depth int) []timeLeaf {
	switch x.Op {
	case syntax.OpMul:
		if c, ok := u.constant(x.Y, 0); ok {
			return u.leaves(x.X, factor*c, depth+1)
		}
		if c, ok := u.constant(x.X, 0); ok {
			return u.leaves(x.Y, factor*c, depth+1)
		}
	case syntax.OpDiv:
		if c, ok := u.constant(x.Y, 0); ok && c != 0 {
			return u.leaves(x.X, factor/c, depth+1)
		}
	case syntax.OpAdd, syntax.OpSub:
		if m, ok := bare(x.Y).(*syntax.Binary); ok && m.Op == syntax.OpMod {
			return u.leaves(x.X, factor, depth+1) // t - t % step
		}
		both := append(u.leaves(x.X, factor, depth+1), u.leaves(x.Y, factor, depth+1)...)
		for i := range both {
			both[i].part = true
		}
		return both
	case syntax.OpOr:
		return append(u.leaves(x.X, factor, depth+1), u.leaves(x.Y, factor, depth+1)...)
	case syntax.OpAnd:
		return u.leaves(x.Y, factor, depth+1)
	}
	return nil
}

// hostName is the host's function that is called, "" where it is none.
func (u *unitReader) hostName(x *syntax.Call) string {
	if x.Method != nil {
		return ""
	}
	switch fn := bare(x.Fn).(type) {
	case *syntax.Name:
		l := u.p.Facts.Scope.Ref(fn)
		if l == nil {
			return fn.Text
		}
		if i, ok := u.only(l).(*syntax.Index); ok {
			return u.fieldName(i)
		}
	case *syntax.Index:
		return u.fieldName(fn)
	}
	return ""
}

// fieldName is "math.floor" for that index expression.
func (u *unitReader) fieldName(i *syntax.Index) string {
	lib, isName := i.X.(*syntax.Name)
	key, isString := i.Key.(*syntax.String)
	if !isName || !isString || u.p.Facts.Scope.Ref(lib) != nil {
		return ""
	}
	return lib.Text + "." + key.Value
}

func (u *unitReader) leavesOfCall(x *syntax.Call, factor float64, depth int) []timeLeaf {
	if c := u.p.callOf(x); c != nil {
		if scale, moment := replyScale(c.Name); scale != 0 {
			return []timeLeaf{{at: x.Span, factor: factor, scale: scale, moment: moment, what: leafReply, call: c}}
		}
		return nil
	}
	name := u.hostName(x)
	switch name {
	case "tonumber", "tostring", "math.floor", "math.ceil", "math.abs":
		if len(x.Args) > 0 {
			return u.leaves(x.Args[0], factor, depth+1)
		}
	case "math.max", "math.min":
		var all []timeLeaf
		for _, a := range x.Args {
			all = append(all, u.leaves(a, factor, depth+1)...)
		}
		return all
	case "string.format":
		if len(x.Args) == 2 {
			return u.leaves(x.Args[1], factor, depth+1)
		}
	}
	return nil
}

// replyScale is what the reply of a command counts, in seconds.
func replyScale(command string) (scale float64, moment bool) {
	switch command {
	case "ttl":
		return 1, false
	case "pttl":
		return 1e-3, false
	case "expiretime":
		return 1, true
	case "pexpiretime":
		return 1e-3, true
	}
	return 0, false
}

func (u *unitReader) leavesOfIndex(x *syntax.Index, factor float64) []timeLeaf {
	leaf := timeLeaf{at: x.Span, code: x.Span, factor: factor}
	if n, ok := u.constant(x.Key, 0); ok {
		if lib, isName := x.X.(*syntax.Name); isName && lib.Text == "ARGV" && u.p.Facts.Scope.Ref(lib) == nil {
			leaf.argv, leaf.what = int(n), leafArgv
			return []timeLeaf{leaf}
		}
		if u.isClock(x.X) && (n == 1 || n == 2) {
			leaf.scale, leaf.moment, leaf.what = 1, true, leafSeconds
			if n == 2 {
				leaf.scale, leaf.moment, leaf.what = 1e-6, false, leafMicros
			}
			return []timeLeaf{leaf}
		}
		return nil
	}
	if s, ok := x.Key.(*syntax.String); ok {
		if leaf.scale = nameScale(s.Value); leaf.scale != 0 {
			leaf.named = true
			return []timeLeaf{leaf}
		}
	}
	return []timeLeaf{leaf}
}

// isClock: the expression is the reply of TIME.
func (u *unitReader) isClock(e syntax.Expr) bool {
	switch x := bare(e).(type) {
	case *syntax.Call:
		c := u.p.callOf(x)
		return c != nil && c.Name == "time"
	case *syntax.Name:
		if def := u.only(u.p.Facts.Scope.Ref(x)); def != nil {
			call, ok := bare(def).(*syntax.Call)
			return ok && u.isClock(call)
		}
	}
	return false
}

// leavesOfName: what a local is made of tells more than its name.
func (u *unitReader) leavesOfName(x *syntax.Name, factor float64, depth int) []timeLeaf {
	l := u.p.Facts.Scope.Ref(x)
	if l == nil {
		return nil
	}
	leaf := timeLeaf{at: x.Span, code: x.Span, factor: factor, scale: nameScale(x.Text), named: true, moment: momentName(x.Text)}
	def := u.only(l)
	inner := u.leaves(def, factor, depth+1)
	for i := range inner {
		if inner[i].scale != 0 {
			return inner
		}
		inner[i].at = x.Span
		inner[i].moment = inner[i].moment || !inner[i].part && leaf.moment
	}
	if leaf.scale == 0 || l.Writes != nil && u.reckoned(l) {
		leaf.scale, leaf.named = 0, false
		if len(inner) > 0 {
			return inner
		}
	}
	return append(inner, leaf)
}

// reckoned: a local is assigned a product or a quotient, so its name may tell of what it was before.
func (u *unitReader) reckoned(l *scope.Local) bool {
	if l.Declared && (l.Init == nil || reckons(l.Init)) {
		return true
	}
	for _, e := range l.Given {
		if e == nil || reckons(e) {
			return true
		}
	}
	return false
}

// reckons: there is a product or a quotient in the expression.
func reckons(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.Binary); ok && (b.Op == syntax.OpMul || b.Op == syntax.OpDiv) {
			found = true
		}
		return !found
	})
	return found
}

// momentName: the name is that of a point in time.
func momentName(name string) bool {
	if n := len(name); n < 2 {
		return false
	} else if last, prev := lowerAt(name, n-1), lowerAt(name, n-2); isLowerLetter(last) && !(prev == 'a' && last == 't') && !(prev == 'm' && last == 'p') {
		return false // most names, without cutting them
	}
	words := nameWords(name)
	if len(words) < 2 {
		return len(words) == 1 && words[0] == "timestamp"
	}
	last := words[len(words)-1]
	return last == "at" || last == "timestamp"
}

// spent counts a step of the present question.
func (u *unitReader) spent() bool {
	u.steps++
	return u.steps > maxUnitSteps
}

// mayCount reports whether some leaf of an expression may count something, which leaves says exactly: it makes no list.
func (u *unitReader) mayCount(e syntax.Expr, depth int) bool {
	if e == nil || depth > maxUnitDepth || u.spent() {
		return false
	}
	switch x := bare(e).(type) {
	case *syntax.Binary:
		return u.mayCount(x.X, depth+1) || u.mayCount(x.Y, depth+1)
	case *syntax.Call:
		if c := u.p.callOf(x); c != nil {
			scale, _ := replyScale(c.Name)
			return scale != 0
		}
		for _, a := range x.Args {
			if u.mayCount(a, depth+1) {
				return true
			}
		}
	case *syntax.Index:
		if s, ok := x.Key.(*syntax.String); ok && nameScale(s.Value) != 0 {
			return true
		}
		return u.isClock(x.X)
	case *syntax.Name:
		l := u.p.Facts.Scope.Ref(x)
		return l != nil && (nameScale(x.Text) != 0 || u.mayCount(u.only(l), depth+1))
	}
	return false
}

// constant works out a number that is written in the script.
func (u *unitReader) constant(e syntax.Expr, depth int) (float64, bool) {
	if e == nil || depth > 6 {
		return 0, false
	}
	switch x := bare(e).(type) {
	case *syntax.Number:
		return x.Value, true
	case *syntax.String:
		n, err := strconv.ParseFloat(x.Value, 64)
		return n, err == nil
	case *syntax.Name:
		return u.constant(u.only(u.p.Facts.Scope.Ref(x)), depth+1)
	case *syntax.Binary:
		a, ok := u.constant(x.X, depth+1)
		b, ok2 := u.constant(x.Y, depth+1)
		if !ok || !ok2 {
			return 0, false
		}
		switch x.Op {
		case syntax.OpMul:
			return a * b, true
		case syntax.OpDiv:
			return a / b, b != 0
		case syntax.OpAdd:
			return a + b, true
		case syntax.OpSub:
			return a - b, true
		case syntax.OpPow:
			return math.Pow(a, b), true
		}
	}
	return 0, false
}

// unlike reports whether a number that counts scale cannot be one that counts want: by how many times it is too large (below 1: too small).
// Products with other numbers than powers of a thousand may mean anything.
func unlike(scale, want, factor float64) (times float64, ok bool) {
	times = want / scale
	if math.Abs(times-1) < 1e-9 {
		return 0, false
	}
	whole := func(n float64) bool { return math.Abs(n-math.Round(n)) < 1e-6 }
	thousands := math.Log10(times) / 3
	switch f := math.Log10(factor) / 3; {
	case factor <= 0:
		return 0, false
	case whole(f) && (scale >= 60 || whole(thousands)):
		return times, true
	case factor >= 0.2 && factor <= 5: // ttl * 2
		times /= factor
		return times, whole(math.Log10(times) / 3)
	}
	return 0, false
}
