package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var ttlUnit = &Rule{
	Name:     "ttl-unit",
	Title:    "an expiry in the wrong unit, or one that may be 0",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `EX, EXPIRE and SETEX take seconds, PX, PEXPIRE and PSETEX milliseconds, and EXPIREAT and its kin a point in time. A number in the wrong
unit makes a key live a thousand times too long or too short, and nothing complains.

A duration cut to whole seconds is 0 below one second: SET and SETEX refuse 0, and EXPIRE deletes the key at once. Pass milliseconds to PX and
PEXPIRE, or round up. TTL and PTTL reply -2 for a missing key and -1 for one without an expiry, and almost never 0.`,
	Bad:     ttlUnitBad,
	Good:    ttlUnitGood,
	Program: checkTTLUnit,
}

func checkTTLUnit(p *Pass) {
	if !p.Known || p.Facts.Scope == nil {
		return
	}
	u := &ttlChecker{Pass: p, unitReader: unitReader{p: p}}
	for _, c := range p.Facts.Calls {
		if c.Command == nil || !c.Form.MayTakeTime() {
			continue
		}
		for i, role := range c.Form.Roles() {
			if t, ok := timeOf(role); ok && !c.Args[i].Many {
				t.call, t.index, t.arg = c, i, &c.Args[i]
				u.checkTime(t)
			}
		}
	}
	u.checkNames()
	for _, op := range p.Facts.Ops {
		u.checkZero(op)
		u.checkMixed(op)
	}
}

type ttlChecker struct {
	*Pass
	unitReader
}

// timeArg is an argument that is a time.
type timeArg struct {
	scale  float64 // what the command takes, in seconds
	moment bool    // a point in time
	call   *value.Call
	index  int
	arg    *value.Arg
}

// timeOf is what a command takes where a word has the role of a time; ok is false for other roles.
func timeOf(role server.Role) (t timeArg, ok bool) {
	switch role {
	case server.RoleSeconds:
		return timeArg{scale: 1}, true
	case server.RoleMillis:
		return timeArg{scale: 1e-3}, true
	case server.RoleUnixSeconds:
		return timeArg{scale: 1, moment: true}, true
	case server.RoleUnixMillis:
		return timeArg{scale: 1e-3, moment: true}, true
	}
	return timeArg{}, false
}

// word is the option or the command that takes the time.
func (t *timeArg) word() string {
	if prev := t.arg0(t.index - 1); prev != "" {
		switch w := strings.ToUpper(prev); w {
		case "EX", "PX", "EXAT", "PXAT":
			return w
		}
	}
	return t.call.Label()
}

func (t *timeArg) arg0(i int) string {
	if i > 0 && i < len(t.call.Args) && t.call.Args[i].Value.Const {
		return t.call.Args[i].Value.Text
	}
	return ""
}

// takes says what the argument is to be.
func (t *timeArg) takes() string {
	if t.moment {
		return t.word() + " takes a Unix time in " + scaleWords(t.scale)
	}
	return t.word() + " takes " + scaleWords(t.scale)
}

// twins are the words for the other unit.
var twins = map[string]string{"EX": "PX", "PX": "EX", "EXAT": "PXAT", "PXAT": "EXAT", "EXPIRE": "PEXPIRE", "PEXPIRE": "EXPIRE", "SETEX": "PSETEX",
	"PSETEX": "SETEX", "EXPIREAT": "PEXPIREAT", "PEXPIREAT": "EXPIREAT", "HEXPIRE": "HPEXPIRE", "HPEXPIRE": "HEXPIRE", "HEXPIREAT": "HPEXPIREAT",
	"HPEXPIREAT": "HEXPIREAT"}

// refusesZero: the command refuses a time to live that is not positive; the others delete what has one.
func (t *timeArg) refusesZero() bool {
	switch t.call.Name {
	case "set", "setex", "psetex", "getex", "hsetex", "hgetex", "msetex":
		return true
	}
	return false
}

func (u *ttlChecker) checkTime(t timeArg) {
	if t.arg.Node == nil {
		return
	}
	leaves := u.timeLeaves(t.arg)
	reported := false
	for _, l := range leaves {
		if !reported && l.scale != 0 && !(l.named && u.sitesAgree(&t, leaves)) {
			reported = u.checkLeaf(&t, &l)
		}
	}
	for _, l := range leaves {
		if !reported && l.argv > 0 {
			reported = u.checkSites(&t, &l)
		}
	}
	if !reported {
		u.checkConstant(&t)
		u.checkUntested(&t)
		u.checkFloor(&t)
	}
}

// timeLeaves are the leaves of an argument; where its text does not tell, its origin does.
func (u *ttlChecker) timeLeaves(a *value.Arg) []timeLeaf {
	u.steps = 0
	leaves := u.leaves(a.Node, 1, 0)
	for _, l := range leaves {
		if l.argv > 0 || l.scale != 0 && !l.named {
			return leaves
		}
	}
	o := a.Value.From
	if o == nil || len(leaves) > 1 || len(leaves) == 1 && (leaves[0].part || leaves[0].factor != 1) {
		return leaves
	}
	l := timeLeaf{at: a.At, code: a.At, factor: 1}
	switch {
	case o.Kind == value.FromArgv && o.Index > 0:
		l.argv = o.Index
	case o.Kind == value.FromReply && o.Path == "" && o.Call != nil:
		l.scale, l.moment = replyScale(o.Call.Name)
		if l.scale == 0 {
			return leaves
		}
		l.what, l.call = leafReply, o.Call
		return []timeLeaf{l}
	default:
		return leaves
	}
	return append(leaves, l)
}

// checkLeaf compares what a leaf is known to count with what the command takes.
func (u *ttlChecker) checkLeaf(t *timeArg, l *timeLeaf) bool {
	times, wrong := unlike(l.scale, t.scale*l.factor, l.factor)
	decades := l.moment && !t.moment && !l.part && !l.named
	if !wrong && !decades {
		return false
	}
	at, why := l.at, u.why(l)
	var from []Related
	switch {
	case !t.arg.At.Contains(l.at):
		at = t.arg.At
		from = []Related{{Span: l.at, Site: -1, Message: "it comes from here"}}
		if !l.named {
			why = snippet(u.p, at) + " is made of " + why + ", which"
		}
	case l.at == t.arg.At && !l.named && strings.HasPrefix(why, "the reply") && isName(t.arg.Node):
		why = snippet(u.p, at) + " is " + why + ", which"
	}
	if wrong {
		f := In(at, Warning, why+" counts "+scaleWords(l.scale)+", and "+t.takes()+": "+timesWords(t, times)+u.way(t, l.scale))
		f.Related, f.Fixes = from, u.swap(t, l)
		u.Report(f)
		return true
	}
	f := In(at, Warning, why+" counts "+scaleWords(l.scale)+" since 1970, and "+t.word()+" takes a time to live: the key lives for decades; write "+atWord(t.word()))
	f.Related = from
	u.Report(f)
	return true
}

func isName(e syntax.Expr) bool {
	_, ok := bare(e).(*syntax.Name)
	return ok
}

// atWord is the word that takes a point in time.
func atWord(word string) string {
	switch word {
	case "SETEX", "PSETEX":
		return "SET with EXAT or PXAT"
	}
	return word + "AT"
}

// timesWords says what a number that is so many times too large does.
func timesWords(t *timeArg, times float64) string {
	switch {
	case t.moment && times > 1:
		return "the key never expires"
	case t.moment:
		return "that is in 1970, so the key is deleted at once"
	case times > 1:
		return "the key lives " + strconv.FormatFloat(times, 'f', 0, 64) + " times too long"
	}
	return "the key lives " + strconv.FormatFloat(1/times, 'f', 0, 64) + " times too short"
}

// way says what to write instead.
func (u *ttlChecker) way(t *timeArg, scale float64) string {
	twin := twins[t.word()]
	if twin != "" && (scale == 1 || scale == 1e-3) && scale != t.scale {
		return "; write " + twin + " or convert it"
	}
	return "; convert it"
}

// swap is the fix that writes the command or the option for the other unit.
func (u *ttlChecker) swap(t *timeArg, l *timeLeaf) []Fix {
	word := t.word()
	twin := twins[word]
	if twin == "" || l.factor != 1 || l.scale != 1 && l.scale != 1e-3 || t.call.Node.Method != nil {
		return nil
	}
	at := 0
	if word != t.call.Label() {
		at = t.index - 1
	}
	s, ok := t.call.Args[at].Node.(*syntax.String)
	if !ok || s.Form != syntax.Quoted || !t.call.Node.Span.Contains(s.Span) || s.Span.Len() != len(word)+2 {
		return nil
	}
	if s.Value == strings.ToLower(s.Value) {
		twin = strings.ToLower(twin)
	}
	return []Fix{{Title: "write " + twin, Edits: []Edit{{syntax.Span{Start: s.Start + 1, End: s.End - 1}, twin}}}}
}

// checkConstant: a time that is written in the script and cannot be meant.
func (u *ttlChecker) checkConstant(t *timeArg) {
	v := t.arg.Value
	n, ok := constNumber(v)
	switch {
	case v.From != nil && v.From.Kind == value.FromArgv:
		// the call's matter
	case t.zeroIsNone():
	case !t.refusesZero() && v.Hi <= 0 && !t.moment:
		u.Report(In(t.arg.At, Warning, fmt.Sprintf("%s with a time of %s deletes the key at once; write %s", t.call.Label(), zeroWords(n, ok), instead(t, n))))
	case ok && oddLength(t, n):
		u.Report(In(t.arg.At, Warning, fmt.Sprintf("%s looks like %s, and %s; write %s or convert it", codeWords(u.Pass, t.arg.At),
			scaleWords(1e-3/t.scale), t.takes(), twins[t.word()])))
	}
}

func zeroWords(n float64, ok bool) string {
	if !ok {
		return "0 or less"
	}
	return value.FormatNumber(n)
}

// instead is what was meant by a time that is not positive: a delete, or, with -1, no expiry.
func instead(t *timeArg, n float64) string {
	del, persist := "DEL", "PERSIST"
	if strings.HasPrefix(t.call.Name, "h") {
		del, persist = "HDEL", "HPERSIST"
	}
	if n < 0 {
		return persist + " to take the expiry away, or " + del
	}
	return del
}

func constNumber(v *value.Value) (float64, bool) {
	switch {
	case v.Const && v.Only(value.Number):
		return v.Num, true
	case v.Const && v.Only(value.String):
		return value.ToNumber(v.Text)
	}
	return 0, false
}

// oddLength: the usual lengths of an hour, a day and a week in the other unit. As milliseconds a day in seconds is a minute and a half.
func oddLength(t *timeArg, n float64) bool {
	if t.moment || twins[t.word()] == "" {
		return false
	}
	usual := []float64{3600, 7200, 86400, 604800}
	if t.scale == 1 {
		usual = []float64{3600e3, 7200e3, 86400e3, 604800e3}
	}
	for _, w := range usual {
		if n == w {
			return true
		}
	}
	return false
}

// checkUntested: the reply of TTL or PTTL handed on without a look at -1 and -2.
func (u *ttlChecker) checkUntested(t *timeArg) {
	v := t.arg.Value
	o := v.From
	if o == nil || o.Kind != value.FromReply || o.Call == nil || o.Path != "" || v.Lo >= 0 || t.moment {
		return
	}
	if scale, moment := replyScale(o.Call.Name); scale == 0 || moment || u.comparesReply(o.Call) {
		return
	}
	bad := "deletes the key then"
	if t.refusesZero() {
		bad = "refuses that"
	}
	f := In(t.arg.At, Warning, fmt.Sprintf("%s is -1 where the key has no expiry, and %s %s; test it first", snippet(u.p, t.arg.At), t.call.Label(), bad))
	f.Related = source(o, t.arg.At)
	u.Report(f)
}

// comparesReply: some comparison looks at the reply of the call.
func (u *ttlChecker) comparesReply(c *value.Call) bool {
	for _, op := range u.Facts.Ops {
		if op.Y != nil && comparison(op.Op) && (isReplyOf(op.X, c) || isReplyOf(op.Y, c)) {
			return true
		}
	}
	return false
}

func comparison(op syntax.Op) bool {
	switch op {
	case syntax.OpEq, syntax.OpNotEq, syntax.OpLess, syntax.OpLessEq, syntax.OpGreater, syntax.OpGreaterEq:
		return true
	}
	return false
}

// isReplyOf: the value is, or is worked out from, the reply of the call.
func isReplyOf(v *value.Value, c *value.Call) bool {
	found := false
	v.From.Leaves(func(o *value.Origin) {
		found = found || o.Kind == value.FromReply && o.Call != nil && o.Call.Node == c.Node
	})
	return found
}

// checkFloor: a quotient that is rounded down is 0 where it is below 1.
func (u *ttlChecker) checkFloor(t *timeArg) {
	v := t.arg.Value
	if t.moment || t.zeroIsNone() || v.Const || v.Lo >= 0 && !math.IsInf(v.Lo, 0) || !u.floored(t.arg.Node, 0) || u.comparesArgs(v) {
		return
	}
	bad := "deletes the key then"
	if t.refusesZero() {
		bad = "refuses that"
	}
	u.Report(In(t.arg.At, Warning, fmt.Sprintf("%s is rounded down to 0 where it is below 1, and %s %s; use math.ceil, or math.max with 1", snippet(u.p, t.arg.At),
		t.call.Label(), bad)))
}

// zeroIsNone: RESTORE takes 0 for a key without an expiry.
func (t *timeArg) zeroIsNone() bool { return strings.HasPrefix(t.call.Name, "restore") }

// floored: the expression is math.floor of a quotient.
func (u *ttlChecker) floored(e syntax.Expr, depth int) bool {
	if e == nil || depth > 6 {
		return false
	}
	switch x := bare(e).(type) {
	case *syntax.Name:
		return u.floored(u.only(u.p.Facts.Scope.Ref(x)), depth+1)
	case *syntax.Call:
		name := u.hostName(x)
		switch {
		case len(x.Args) != 1:
		case name == "math.floor":
			return u.divides(x.Args[0], 0)
		case name == "tonumber" || name == "tostring":
			return u.floored(x.Args[0], depth+1)
		}
	}
	return false
}

// divides: the value is a quotient, or a product with one.
func (u *ttlChecker) divides(e syntax.Expr, depth int) bool {
	if e == nil || depth > 6 {
		return false
	}
	switch x := bare(e).(type) {
	case *syntax.Name:
		return u.divides(u.only(u.p.Facts.Scope.Ref(x)), depth+1)
	case *syntax.Binary:
		switch x.Op {
		case syntax.OpDiv:
			_, constant := u.constant(x.X, 0)
			return !constant
		case syntax.OpMul:
			return u.divides(x.X, depth+1) || u.divides(x.Y, depth+1)
		}
	}
	return false
}

// comparesArgs: the script orders an element of ARGV that the value is made of, so it may know its bounds.
func (u *ttlChecker) comparesArgs(v *value.Value) bool {
	used := map[int]bool{}
	v.From.Leaves(func(o *value.Origin) {
		if o.Kind == value.FromArgv {
			used[o.Index] = true
		}
	})
	return u.ordersArgv(used)
}

func (u *ttlChecker) ordersArgv(used map[int]bool) bool {
	for _, op := range u.Facts.Ops {
		if op.Y == nil || !comparison(op.Op) {
			continue
		}
		for _, side := range [2][2]*value.Value{{op.X, op.Y}, {op.Y, op.X}} {
			o := side[0].From
			if o != nil && o.Kind == value.FromArgv && used[o.Index] {
				if n, ok := constNumber(side[1]); ok && n <= 1 {
					return true
				}
			}
		}
	}
	return false
}

// checkNames: a local whose name says another unit than what it is given.
func (u *ttlChecker) checkNames() {
	for _, l := range u.Facts.Scope.Locals {
		if l.Name == nil {
			continue
		}
		given := l.Init
		switch {
		case !mayNameUnit(l.Name.Text):
			continue
		case l.Declared && len(l.Given) == 0:
		case !l.Declared && len(l.Given) == 1:
			given = l.Given[0]
		default:
			continue // it is given several, or none
		}
		u.steps = 0
		if !u.mayCount(given, 0) {
			continue
		}
		scale := nameScale(l.Name.Text)
		if scale == 0 {
			continue
		}
		leaf, counts := u.scaleOf(given)
		if counts == 0 || leaf.named {
			continue
		}
		if _, ok := unlike(counts, scale, 1); ok {
			u.Report(In(given.Bounds(), Warning, fmt.Sprintf("the name '%s' says %s, and this counts %s (%s); convert it, or name it otherwise", l.Name.Text,
				scaleWords(scale), scaleWords(counts), u.why(&leaf))))
		}
	}
}

// checkZero: the reply of TTL or PTTL compared with 0, which tells neither a missing key nor one without an expiry.
func (u *ttlChecker) checkZero(op *value.Op) {
	if op.Op != syntax.OpEq && op.Op != syntax.OpNotEq || op.Y == nil {
		return
	}
	b, ok := op.Node.(*syntax.Binary)
	if !ok {
		return
	}
	for _, side := range [2][2]*value.Value{{op.X, op.Y}, {op.Y, op.X}} {
		n, isConst := constNumber(side[1])
		o := side[0].From
		if !isConst || n != 0 || !side[1].Only(value.Number) || o == nil || o.Kind != value.FromReply || o.Path != "" || o.Call == nil {
			continue
		}
		if scale, _ := replyScale(o.Call.Name); scale == 0 || side[0].Lo >= 0 || u.knowsNegative(o.Call, op) {
			continue
		}
		f := In(b.Span, Warning, fmt.Sprintf("%s replies -2 for a missing key and -1 for a key without an expiry, and almost never 0; compare with < 0, -1 or -2",
			o.Call.Label()))
		f.Related = source(o, b.Span)
		u.Report(f)
	}
}

// knowsNegative: another comparison of the same reply looks at -1 or -2, or orders it.
func (u *ttlChecker) knowsNegative(c *value.Call, but *value.Op) bool {
	for _, op := range u.Facts.Ops {
		if op == but || op.Y == nil || !comparison(op.Op) || !isReplyOf(op.X, c) && !isReplyOf(op.Y, c) {
			continue
		}
		if op.Op != syntax.OpEq && op.Op != syntax.OpNotEq {
			return true
		}
		for _, v := range []*value.Value{op.X, op.Y} {
			if n, ok := constNumber(v); ok && n < 0 {
				return true
			}
		}
	}
	return false
}

// checkMixed: numbers of different units that are compared, added or subtracted.
func (u *ttlChecker) checkMixed(op *value.Op) {
	b, ok := op.Node.(*syntax.Binary)
	if !ok || !comparison(op.Op) && op.Op != syntax.OpAdd && op.Op != syntax.OpSub {
		return
	}
	u.steps = 0
	if !u.mayCount(b.Y, 0) || !u.mayCount(b.X, 0) {
		return
	}
	x, xs := u.scaleOf(b.X)
	y, ys := u.scaleOf(b.Y)
	if xs == 0 || ys == 0 || x.at == y.at || bothClock(x, y) {
		return
	}
	times, ok := unlike(xs, ys, 1)
	if !ok || (xs >= 60 || ys >= 60) || times == 0 {
		return
	}
	how := map[syntax.Op]string{syntax.OpAdd: "added to", syntax.OpSub: "reckoned with"}[op.Op]
	if how == "" {
		how = "compared with"
	}
	u.Report(In(b.Span, Warning, fmt.Sprintf("a number of %s (%s) is %s one of %s (%s); convert one of them", scaleWords(xs), u.why(&x), how, scaleWords(ys), u.why(&y))))
}

// bothClock: the two parts of TIME as they are, which scripts add up for a seed.
func bothClock(x, y timeLeaf) bool {
	return x.factor == 1 && y.factor == 1 && x.ofClock() && y.ofClock()
}

// scaleOf is what an expression counts, where all its leaves agree; 0 where that is not known.
func (u *ttlChecker) scaleOf(e syntax.Expr) (first timeLeaf, scale float64) {
	u.steps = 0
	for _, l := range u.leaves(e, 1, 0) {
		if l.scale == 0 && l.argv > 0 {
			continue // the same value is known by a name, or nothing is
		}
		s := 0.0
		if l.scale != 0 && l.factor > 0 {
			s = l.scale / l.factor
		}
		if s == 0 || scale != 0 && math.Abs(s/scale-1) > 1e-9 {
			return l, 0
		}
		if scale == 0 {
			first, scale = l, s
		}
	}
	for _, known := range []float64{1e-9, 1e-6, 1e-3, 1} {
		if scale != 0 && math.Abs(scale/known-1) < 1e-9 {
			return first, known
		}
	}
	return first, 0
}
