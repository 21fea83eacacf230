package rules

import (
	"math"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var truthyNumber = &Rule{
	Name:     "truthy-number",
	Title:    "a number, an empty string or a table used as a condition, which is always true",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `In Lua only nil and false count as false. EXISTS, SISMEMBER, SETNX, EXPIRE and DEL reply 0, and 0 counts as true; so do the empty
string and the empty table that stands for a missing collection.

Compare: ` + "`== 1`, `> 0`, `~= ''`, `#t > 0`" + `. SET with NX and GET reply false and may be tested as they are.`,
	Bad: []Example{
		{
			Lua:     "if ⟦redis.call('EXISTS', KEYS[1])⟧ then\n  return 'there'\nend\nreturn 'gone'",
			Say:     "EXISTS replies a number, and 0 counts as true: the test always holds; write == 1",
			Keys:    []string{"k"},
			Returns: `"there"`,
			Fixed:   "if redis.call('EXISTS', KEYS[1]) == 1 then\n  return 'there'\nend\nreturn 'gone'",
		},
		{
			Lua:     "local won = redis.call('SETNX', KEYS[1], ARGV[1])\nif not ⟦won⟧ then\n  return 'busy'\nend\nreturn 'locked'",
			Say:     "'won' is a number (SETNX), and 0 counts as true: the test never holds; write == 0",
			Setup:   [][]string{{"SET", "k", "other"}},
			Keys:    []string{"k"},
			Args:    []string{"me"},
			Returns: `"locked"`,
			Fixed:   "local won = redis.call('SETNX', KEYS[1], ARGV[1])\nif won == 0 then\n  return 'busy'\nend\nreturn 'locked'",
		},
		{
			Lua:     "return ⟦redis.call('SISMEMBER', KEYS[1], ARGV[1])⟧ and 'in' or 'out'",
			Say:     "SISMEMBER replies a number, and 0 counts as true: the test always holds; write == 1",
			Keys:    []string{"k"},
			Args:    []string{"m"},
			Returns: `"in"`,
			Fixed:   "return redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 and 'in' or 'out'",
		},
		{
			Lua:     "if not ⟦redis.call('SMEMBERS', KEYS[1])⟧ then\n  return 'empty'\nend\nreturn 'full'",
			Say:     "SMEMBERS replies a table, and an empty one counts as true: the test never holds; write #t == 0",
			Keys:    []string{"k"},
			Returns: `"full"`,
			Fixed:   "if #redis.call('SMEMBERS', KEYS[1]) == 0 then\n  return 'empty'\nend\nreturn 'full'",
		},
		{
			Lua:     "local left = tonumber(ARGV[1]) - redis.call('LLEN', KEYS[1])\nif ⟦left⟧ then\n  return 'room'\nend\nreturn 'full'",
			Say:     "'left' is a number, and 0 counts as true: the test always holds; compare it with a number",
			Keys:    []string{"k"},
			Args:    []string{"0"},
			Returns: `"room"`,
		},
		{
			Lua:     "local v = redis.call('GET', KEYS[1]) or ''\nif ⟦v⟧ then\n  return 'set'\nend\nreturn 'unset'",
			Say:     "'v' is a string, and an empty one counts as true: the test always holds; write ~= ''",
			Keys:    []string{"k"},
			Returns: `"set"`,
			Fixed:   "local v = redis.call('GET', KEYS[1]) or ''\nif v ~= '' then\n  return 'set'\nend\nreturn 'unset'",
		},
		{
			Lua:     "assert(⟦redis.call('HEXISTS', KEYS[1], ARGV[1])⟧, 'no such field')\nreturn 'fine'",
			Say:     "HEXISTS replies a number, and 0 counts as true: the test always holds; write == 1",
			Keys:    []string{"k"},
			Args:    []string{"f"},
			Fixed:   "assert(redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1, 'no such field')\nreturn 'fine'",
			Returns: `"fine"`,
		},
		{
			Lua:     "local function known(key) return redis.call('EXISTS', key) end\nif ⟦known(KEYS[1])⟧ or ARGV[1] == 'force' then\n  return 'go'\nend\nreturn 'stop'",
			Say:     "'known(KEYS[1])' is a number (EXISTS), and 0 counts as true: the test always holds; write == 1",
			Keys:    []string{"k"},
			Args:    []string{"-"},
			Returns: `"go"`,
			Fixed:   "local function known(key) return redis.call('EXISTS', key) end\nif known(KEYS[1]) == 1 or ARGV[1] == 'force' then\n  return 'go'\nend\nreturn 'stop'",
		},
	},
	Good: []Example{
		{Lua: "if redis.call('EXISTS', KEYS[1]) == 1 then\n  return 1\nend\nreturn 0"},
		{Lua: "if redis.call('SET', KEYS[1], ARGV[1], 'NX') then\n  return 1\nend\nreturn 0"},
		{Lua: "local n = redis.call('LLEN', KEYS[1])\nif n and n > 0 then\n  return n\nend\nreturn 0"},
		{Lua: "local n = redis.call('INCR', KEYS[1]) or 0\nreturn n"},
		{Lua: "local n = tonumber(ARGV[1])\nif n then\n  return n\nend\nreturn 0"},
		{Lua: "local t = redis.call('HGETALL', KEYS[1])\nif not t or #t == 0 then\n  return 0\nend\nreturn 1"},
		{Lua: "local function size(v)\n  if not v then return 0 end\n  return v\nend\nreturn size(redis.call('LLEN', KEYS[1]))"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif v then\n  return v\nend\nreturn ''"},
		{Lua: "local debug = 1\nif debug then\n  redis.log(redis.LOG_NOTICE, 'x')\nend\nreturn 1"},
		{Lua: "if redis.call('LPOP', KEYS[1], 2) then\n  return 1\nend\nreturn 0"},
	},
	Cond: checkTruthyCond,
	Lib:  checkTruthyAssert,
}

func checkTruthyCond(p *Pass, c *value.Cond) {
	if c.Role == value.CondOr || len(p.Chunk.Errors) > 0 {
		return // x or default outside a condition; or a condition that the parser may have cut short
	}
	kind := alwaysTrue(c.Value)
	if kind == notAlways {
		return
	}
	if e := bare(c.Node); !isParam(p, e) && !restated(p, c.Node, e) {
		reportTruthy(p, c.Node, c.Value, kind, negated(p, c.Node) != nil)
	}
}

// checkTruthyAssert: assert tests its first argument.
func checkTruthyAssert(p *Pass, l *value.LibCall) {
	if l.Name == "assert" && len(l.Args) > 0 && l.Args[0].Node != nil && !l.Args[0].Many && l.Node.Span.Contains(l.Args[0].At) {
		if kind := alwaysTrue(l.Args[0].Value); kind != notAlways {
			reportTruthy(p, l.Args[0].Node, l.Args[0].Value, kind, false)
		}
	}
}

// negated is the not right before n, nil where there is none.
func negated(p *Pass, n syntax.Node) *syntax.Unary {
	for m := p.around(n); ; m = p.around(m) {
		switch x := m.(type) {
		case *syntax.Paren:
			continue
		case *syntax.Unary:
			if x.Op == syntax.OpNot {
				return x
			}
		}
		return nil
	}
}

// restated reports whether another operand of the same test looks at e: `n and n > 0` is care and no fault.
func restated(p *Pass, test, e syntax.Expr) bool {
	if _, ok := e.(*syntax.Call); ok {
		return false
	}
	found := false
	operands(wholeTest(p, test), func(o syntax.Expr) {
		if o != e && !found {
			found = mentions(p, o, e)
		}
	})
	return found
}

// truthyKind is why a value always counts as true.
type truthyKind uint8

const (
	notAlways truthyKind = iota
	truthyZero
	truthyTable
	truthyText
)

// alwaysTrue says why a value that may stand for nothing always counts as true.
func alwaysTrue(v *value.Value) truthyKind {
	if v.IsUnknown() || v.Const || v.Kinds&value.Error != 0 {
		return notAlways
	}
	switch {
	case v.Only(value.Number):
		if v.Lo >= 1 || v.Hi <= -1 || v.Reply == nil && replyOf(v) != nil {
			return notAlways // never 0; or what tonumber gave, which may have been nil
		}
		if v.Reply == nil && (v.From == nil || v.From.Kind != value.FromComputed && v.From.Kind != value.FromNumber) {
			return notAlways
		}
		return truthyZero
	case v.Only(value.Table) && v.Reply != nil:
		if o := replyOf(v); o != nil && o.Path == "" {
			return truthyTable
		}
	case v.Only(value.String) && mayBeEmptyLiteral(v):
		return truthyText
	}
	return notAlways
}

func reportTruthy(p *Pass, e syntax.Expr, v *value.Value, kind truthyKind, not bool) {
	o := replyOf(v)
	why, advice, fix := "", "", ""
	switch kind {
	case truthyZero:
		why = "a number, and 0 counts as true"
		advice, fix = numberTest(v, not)
	case truthyTable:
		why = "a table, and an empty one counts as true"
		advice, fix = "write #t > 0", "#%s > 0"
		if not {
			advice, fix = "write #t == 0", "#%s == 0"
		}
	case truthyText:
		why = "a string, and an empty one counts as true"
		advice, fix = "write ~= ''", "%s ~= ''"
		if not {
			advice, fix = "write == ''", "%s == ''"
		}
	}
	what := snippet(p, e.Bounds()) + " is " + why
	if o != nil && o.Call.Node.Span == bare(e).Bounds() {
		what = o.Call.Label() + " replies " + why
	} else if o != nil && v.Only(value.Number) {
		what = snippet(p, e.Bounds()) + " is a number (" + o.Call.Label() + "), and 0 counts as true"
	}
	verdict := "always holds"
	if not {
		verdict = "never holds"
	}
	f := In(e.Bounds(), Warning, what+": the test "+verdict+"; "+advice)
	f.Related = source(o, e.Bounds())
	if fix != "" {
		f.Fixes = truthyFix(p, e, fix, not)
	}
	p.Report(f)
}

// numberTest says how a number is to be tested.
func numberTest(v *value.Value, not bool) (advice, fix string) {
	switch {
	case v.Lo != 0:
		return "compare it with a number", ""
	case not:
		return "write == 0", "%s == 0"
	case v.Hi == 1:
		return "write == 1", "%s == 1"
	case math.IsInf(v.Hi, 1) || v.Hi > 1:
		return "write > 0", "%s > 0"
	}
	return "compare it with a number", ""
}

// mayBeEmptyLiteral: one of the texts that the value may be is ” in the script, as in v or ”.
func mayBeEmptyLiteral(v *value.Value) bool {
	if v.From == nil || v.From.Kind != value.FromOneOf {
		return false
	}
	for _, o := range v.From.Parts {
		if o != nil && o.Kind == value.FromLiteral && o.Text == "" {
			return true
		}
	}
	return false
}

// truthyFix writes the comparison in place of the test; a not before it goes.
func truthyFix(p *Pass, e syntax.Expr, form string, not bool) []Fix {
	switch bare(e).(type) {
	case *syntax.Name, *syntax.Index, *syntax.Call:
	default:
		return nil
	}
	at := e.Bounds()
	code := p.Source.Text[at.Start:at.End]
	if not {
		u := negated(p, e)
		if u == nil || !inLogic(p, u) {
			return nil
		}
		at = u.Span
	}
	return []Fix{{Title: "compare", Edits: []Edit{{at, strings.Replace(form, "%s", code, 1)}}}}
}

// inLogic reports whether a comparison may stand in place of n without parentheses: nothing but and, or and not binds it.
func inLogic(p *Pass, n syntax.Node) bool {
	switch x := p.around(n).(type) {
	case nil:
		return false
	case *syntax.Binary:
		return x.Op == syntax.OpAnd || x.Op == syntax.OpOr
	case *syntax.Unary:
		return false
	}
	return true
}
