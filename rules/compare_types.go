package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var compareTypes = &Rule{
	Name:     "compare-types",
	Title:    "a comparison of values of different types, or of numbers as text",
	Severity: ErrorSeverity,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `KEYS, ARGV and bulk replies are strings; INCR, EXISTS and TTL reply numbers. Lua converts in arithmetic, and not in comparisons: an
ordering of a string and a number aborts the script, and they are never equal. Two strings are ordered as text, so '50' is less than '6'.

Write tonumber() around the string. ` + "`not a == b`" + ` means ` + "`(not a) == b`" + `; write ` + "`a ~= b`" + `.`,
	Bad:  compareTypesBad,
	Good: compareTypesGood,
	Op:   checkCompareTypes,
}

func checkCompareTypes(p *Pass, op *value.Op) {
	b, ok := op.Node.(*syntax.Binary)
	switch {
	case !ok:
	case isOrder(op.Op):
		checkOrder(p, op, b)
	case op.Op == syntax.OpEq || op.Op == syntax.OpNotEq:
		checkEquality(p, op, b)
	}
}

func isOrder(op syntax.Op) bool {
	switch op {
	case syntax.OpLess, syntax.OpGreater, syntax.OpLessEq, syntax.OpGreaterEq:
		return true
	}
	return false
}

// mayOrder reports whether the two values can be ordered on some data: two numbers, two texts, two tables with a metamethod.
func mayOrder(x, y *value.Value) bool {
	const ordered = value.Number | value.String | value.Table
	return x.IsUnknown() || y.IsUnknown() || x.Kinds&y.Kinds&ordered != 0
}

func checkOrder(p *Pass, op *value.Op, b *syntax.Binary) {
	x, y := op.X, op.Y
	if mayOrder(x, y) {
		if !checkDefaultOrder(p, b, x, y, b.X, b.Y) && !checkDefaultOrder(p, b, y, x, b.Y, b.X) {
			checkTextOrder(p, op, b)
		}
		return
	}
	if notPassed(x) || notPassed(y) {
		return // missing-argv says so
	}
	if left, chained := bare(b.X).(*syntax.Binary); chained && isOrder(left.Op) {
		at := left.Y.Bounds()
		p.Report(In(b.Span, ErrorSeverity, "comparisons do not chain: "+snippet(p, left.Span)+" is a boolean, and ordering it against "+kindName(y)+
			" aborts the script; write "+oneLine(p, left.Span)+" and "+oneLine(p, at)+" "+b.Op.String()+" "+oneLine(p, b.Y.Bounds())))
		return
	}
	text, e := x, b.X
	if y.Kinds&value.String != 0 {
		text, e = y, b.Y
	}
	msg := snippet(p, b.X.Bounds()) + " is " + kindName(x) + " and " + snippet(p, b.Y.Bounds()) + " is " + kindName(y) + ": '" + b.Op.String() +
		"' aborts the script"
	f := In(b.Span, ErrorSeverity, msg)
	if fix, advice := toNumber(p, text, e); advice != "" {
		f.Message += "; " + advice
		if fix != nil && text.Strong()&value.Falsy == 0 {
			f.Fixes = []Fix{*fix}
		}
	}
	p.Report(f)
}

// checkDefaultOrder reports a text that only its default makes a number: redis.call('GET', key) or 0. It is fine until there is something.
func checkDefaultOrder(p *Pass, b *syntax.Binary, v, other *value.Value, e, o syntax.Expr) bool {
	const plain = value.Number | value.String
	if other.Strong() != value.Number || other.IsUnknown() || v.Strong()&plain != plain || v.Kinds&^(plain|value.Falsy) != 0 || v.From == nil || v.From.Kind != value.FromOneOf {
		return false
	}
	when := ""
	for _, part := range v.From.Parts {
		switch {
		case part == nil:
		case part.Kind == value.FromReply && part.Path == "" && part.Call.Result.Kinds&(value.String|value.Number) == value.String:
			when = "where " + part.Call.Label() + " finds something"
		case part.Kind == value.FromArgv && part.Index > 0:
			when = "where " + part.String() + " is passed"
		}
	}
	if when == "" {
		return false
	}
	f := In(b.Span, Warning, snippet(p, e.Bounds())+" is a string "+when+", and "+snippet(p, o.Bounds())+" is a number: '"+b.Op.String()+"' aborts the script then")
	if fix, advice := toNumber(p, v, e); advice != "" {
		f.Message += "; " + advice
		if fix != nil && v.Strong()&value.Falsy == 0 {
			f.Fixes = []Fix{*fix}
		}
	}
	p.Report(f)
	return true
}

// notPassed: an element of KEYS or ARGV that no caller passes.
func notPassed(v *value.Value) bool {
	return v.Only(value.Falsy) && v.From != nil && (v.From.Kind == value.FromArgv || v.From.Kind == value.FromKeys)
}

// toNumber makes a number of the text that e is: a literal loses its quotes, anything else gets tonumber.
func toNumber(p *Pass, v *value.Value, e syntax.Expr) (*Fix, string) {
	if v.Kinds&value.String == 0 {
		return nil, ""
	}
	at := e.Bounds()
	if s, ok := bare(e).(*syntax.String); ok {
		if n, is := value.ToNumber(s.Value); !is || value.FormatNumber(n) != s.Value {
			return nil, ""
		}
		return &Fix{Title: "compare with the number " + s.Value, Edits: []Edit{{at, s.Value}}}, "write " + s.Value + " without quotes"
	}
	code := p.Source.Text[at.Start:at.End]
	advice := "write tonumber(" + oneLine(p, at) + ")"
	if v.Strong()&value.Falsy != 0 {
		advice = "write tonumber(" + oneLine(p, at) + " or 0)"
	}
	return &Fix{Title: "compare as numbers", Edits: []Edit{{at, "tonumber(" + code + ")"}}}, advice
}

func checkEquality(p *Pass, op *value.Op, b *syntax.Binary) {
	x, y := op.X, op.Y
	verdict := "never holds"
	if op.Op == syntax.OpNotEq {
		verdict = "always holds"
	}
	for _, e := range []syntax.Expr{b.X, b.Y} {
		if _, ok := bare(e).(*syntax.Table); ok {
			p.Report(In(b.Span, Warning, "a new table equals nothing but itself, so '"+b.Op.String()+"' "+verdict+"; test #t == 0 or the elements"))
			return
		}
	}
	if x.IsUnknown() || y.IsUnknown() || x.Kinds&y.Kinds != 0 || x.Kinds&value.Tables != 0 && y.Kinds&value.Tables != 0 {
		return
	}
	if not, ok := b.X.(*syntax.Unary); ok && not.Op == syntax.OpNot {
		op := "~="
		if b.Op == syntax.OpNotEq {
			op = "=="
		}
		p.Report(In(b.Span, Warning, "'not' binds first: "+snippet(p, not.Span)+" is a boolean and "+snippet(p, b.Y.Bounds())+" is none, so '"+b.Op.String()+
			"' "+verdict+"; write "+oneLine(p, not.X.Bounds())+" "+op+" "+oneLine(p, b.Y.Bounds())))
		return
	}
	if x.Only(value.Nil) || y.Only(value.Nil) || statusSide(x, y) || statusSide(y, x) || idleBool(p, b, x, b.X, y) || idleBool(p, b, y, b.Y, x) {
		return
	}
	f := In(b.Span, Warning, snippet(p, b.X.Bounds())+" is "+kindName(x)+" and "+snippet(p, b.Y.Bounds())+" is "+kindName(y)+", so '"+
		b.Op.String()+"' "+verdict)
	fix, advice := equalityFix(p, b, x, y)
	if advice != "" {
		f.Message += "; " + advice
	}
	if fix != nil {
		f.Fixes = []Fix{*fix}
	}
	p.Report(f)
}

// statusSide: v is a status reply that is compared with a text; status-reply says so.
func statusSide(v, other *value.Value) bool {
	return v.Kinds&value.Status != 0 && v.Only(value.Status|value.Falsy|value.Error) && other.Kinds&value.String != 0
}

// idleBool: a comparison with a boolean that is merely more than is needed: of what was tested before, or beside a test.
func idleBool(p *Pass, b *syntax.Binary, v *value.Value, e syntax.Expr, other *value.Value) bool {
	if !other.Only(value.True | value.False) {
		return false
	}
	if other.Only(value.False) && v.Kinds&value.Number == 0 && v.Reply == nil {
		return true
	}
	return other.Only(value.False) && guardedBeside(p, b, e, func(syntax.Expr) bool { return true })
}

// equalityFix says how the two sides become comparable.
func equalityFix(p *Pass, b *syntax.Binary, x, y *value.Value) (*Fix, string) {
	const text, number, boolean = value.String, value.Number, value.True | value.False
	for _, s := range []struct {
		v, other *value.Value
		e, o     syntax.Expr
	}{{x, y, b.X, b.Y}, {y, x, b.Y, b.X}} {
		switch {
		case s.v.Kinds&text != 0 && s.other.Only(number):
			return toNumberEqual(p, s.v, s.e)
		case s.v.Only(number) && s.other.Only(boolean):
			return boolFix(s.v, s.o)
		case s.v.Kinds&text != 0 && s.other.Only(boolean):
			return nil, "a string is never a boolean, compare with the text that is meant"
		case s.other.Only(value.Userdata):
			return nil, "cjson.null stands in decoded data only"
		case s.v.Only(value.Table) && s.other.Kinds&text != 0:
			return nil, "test #t == 0 or an element"
		case s.v.Only(number|value.Nil) && s.other.Only(boolean):
			return nil, "tonumber gives nil and never false"
		}
	}
	return nil, ""
}

func toNumberEqual(p *Pass, v *value.Value, e syntax.Expr) (*Fix, string) {
	fix, advice := toNumber(p, v, e)
	return fix, strings.Replace(advice, " or 0)", ")", 1) // nil equals no number, and nothing aborts
}

// boolFix compares a reply of 0 or 1 with the number that was meant.
func boolFix(v *value.Value, o syntax.Expr) (*Fix, string) {
	b, ok := bare(o).(*syntax.Bool)
	if !ok || v.Lo != 0 || v.Hi != 1 {
		return nil, "compare with a number"
	}
	n := "0"
	if b.Value {
		n = "1"
	}
	return &Fix{Title: "compare with " + n, Edits: []Edit{{o.Bounds(), n}}}, "compare with " + n
}

// checkTextOrder reports two texts that are ordered as text though the script takes one for a number elsewhere.
func checkTextOrder(p *Pass, op *value.Op, b *syntax.Binary) {
	const text = value.String | value.Falsy
	x, y := op.X, op.Y
	if !x.Only(text) || !y.Only(text) || x.Kinds&y.Kinds&value.String == 0 || x.Const && y.Const {
		return
	}
	why := ""
	switch {
	case numericSource(x) || numericSource(y):
		why = "one of them always spells a number"
	case usedAsNumber(p, x) || usedAsNumber(p, y):
		why = "the script takes one of them for a number elsewhere"
	default:
		return
	}
	p.Report(In(b.Span, Warning, snippet(p, b.X.Bounds())+" and "+snippet(p, b.Y.Bounds())+" are strings, so '"+b.Op.String()+
		"' orders them as text, where '50' is less than '6', and "+why+"; write tonumber() around both"))
}

// numericSource: a text that always spells a number of any width; those of the clock have one width.
func numericSource(v *value.Value) bool {
	if v.Numeric != value.Yes || v.From == nil {
		return false
	}
	if v.Const {
		return len(v.Text) <= 3
	}
	clock := false
	v.From.Leaves(func(o *value.Origin) { clock = clock || o.Kind == value.FromTime })
	return !clock
}

// usedAsNumber reports whether the script computes with the same text, calls tonumber on it, or counts in the same key or field.
func usedAsNumber(p *Pass, v *value.Value) bool {
	var leaves []*value.Origin
	v.From.Leaves(func(o *value.Origin) {
		if o.Kind == value.FromArgv && o.Index > 0 || o.Kind == value.FromReply && o.Call != nil {
			leaves = append(leaves, o)
		}
	})
	for _, o := range leaves {
		if computedWith(p, o) || countedIn(p, o) {
			return true
		}
	}
	return false
}

func computedWith(p *Pass, o *value.Origin) bool {
	same := func(v *value.Value) bool {
		if v == nil || v.From == nil {
			return false
		}
		found := false
		if v.From.Kind != value.FromComputed && v.From.Kind != value.FromConcat {
			v.From.Leaves(func(l *value.Origin) {
				found = found || l.Kind == o.Kind && (o.Kind == value.FromArgv && l.Index == o.Index || o.Kind == value.FromReply && sameReply(l, o))
			})
		}
		return found
	}
	for _, l := range p.Facts.Libs {
		if (l.Name == "tonumber" || strings.HasPrefix(l.Name, "math.")) && len(l.Args) > 0 && same(l.Args[0].Value) {
			return true
		}
	}
	for _, op := range p.Facts.Ops {
		switch op.Op {
		case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpPow, syntax.OpNeg:
			if same(op.X) || same(op.Y) {
				return true
			}
		}
	}
	return false
}

// countedIn reports whether the key, or field, that o was read from is counted up or down by the script.
func countedIn(p *Pass, o *value.Origin) bool {
	counters, args := map[string]bool{"incr": true, "incrby": true, "decr": true, "decrby": true, "incrbyfloat": true}, 2
	switch {
	case o.Call == nil:
		return false
	case o.Call.Name == "hget":
		counters, args = map[string]bool{"hincrby": true, "hincrbyfloat": true}, 3
	case o.Call.Name != "get":
		return false
	}
	for _, c := range p.Facts.Calls {
		if counters[c.Name] && sameArgs(c, o.Call, args) {
			return true
		}
	}
	return false
}

// sameArgs reports whether two calls surely have the same arguments from the first behind the name up to n, which is not counted.
func sameArgs(a, b *value.Call, n int) bool {
	if len(a.Args) < n || len(b.Args) < n {
		return false
	}
	for i := 1; i < n; i++ {
		if !a.Args[i].Value.From.Same(b.Args[i].Value.From) {
			return false
		}
	}
	return true
}
