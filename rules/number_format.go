package rules

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var numberFormat = &Rule{
	Name:     "number-format",
	Title:    "a number that is written with fewer digits than it has",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: "`..` and tostring" + ` write 14 digits: a time in microseconds becomes 1.7000000001235e+15. Numbers passed to redis.call keep 17. Integers past
2^53 cannot be held at all. Redis 7.2.0 to 7.2.4 and Valkey up to 7.2.5 also write round integers as 1e+14 when they are arguments, which
integer commands refuse.

Write ` + "`string.format('%.0f', n)`" + `, and keep long ids as strings.`,
	Bad: []Example{
		{
			Lua:     "local t = redis.call('TIME')\nlocal us = t[1] * 1000000 + t[2]\nreturn #('at:' .. ⟦us⟧) > 19 and 'cut' or 'whole'",
			Also:    []string{"time-random"},
			Say:     "'us' has more than 14 digits, and '..' writes 14 of them; write string.format('%.0f', us)",
			Returns: `"cut"`,
			Fixed:   "local t = redis.call('TIME')\nlocal us = t[1] * 1000000 + t[2]\nreturn #('at:' .. string.format('%.0f', us)) > 19 and 'cut' or 'whole'",
			Differs: map[string]string{"miniredis": "its .. writes all digits"},
		},
		{
			Lua:     "local id = 123456789012345\nreturn ⟦tostring(id)⟧",
			Say:     "'id' has more than 14 digits, and tostring writes 14 of them; write string.format('%.0f', id)",
			Returns: `"1.2345678901234e+14"`,
			Fixed:   "local id = 123456789012345\nreturn string.format('%.0f', id)",
			Differs: map[string]string{"miniredis": "its tostring writes all digits"},
		},
		{
			Lua:     "return ⟦9007199254740993⟧",
			Say:     "9007199254740993 is past 2^53 and becomes 9007199254740992; write it as a string",
			Returns: ":9007199254740992",
		},
		{
			Lua:      "return redis.call('INCRBY', KEYS[1], ⟦1e14⟧)",
			Target:   "redis@7.2.4",
			Say:      "Redis 7.2.4 writes this argument as 1e+14, which integer commands refuse; write '100000000000000'",
			Fixed:    "return redis.call('INCRBY', KEYS[1], '100000000000000')",
			NotRun:   "only servers of that version do so",
			Recorded: []Recorded{{"redis 7.2.4", "-ERR value is not an integer or out of range", "redis/redis issue 1526 and a build of that tag"}},
		},
	},
	Good: []Example{
		{Lua: "local t = redis.call('TIME')\nreturn redis.call('SET', KEYS[1], t[1] * 1000000 + t[2])", Also: []string{"time-random"}},
		{Lua: "local t = redis.call('TIME')\nreturn 'at:' .. (t[1] * 1000 + math.floor(t[2] / 1000))", Also: []string{"time-random"}},
		{Lua: "local n = redis.call('INCR', KEYS[1])\nreturn 'id-' .. n"},
		{Lua: "return redis.call('INCRBY', KEYS[1], 1e14)"},
		{Lua: "return 9007199254740992"},
		{Lua: "return tostring(ARGV[1] / ARGV[2] * 3)"},
	},
	Op:      checkConcatNumber,
	Lib:     checkTostringNumber,
	Call:    checkExponent,
	Program: checkLongLiteral,
}

// long: a number of more than 14 digits for certain.
func long(v *value.Value) bool {
	return v.Only(value.Number) && (v.Lo >= 1e14 && !math.IsInf(v.Lo, 1) || v.Hi <= -1e14 && !math.IsInf(v.Hi, -1))
}

func checkConcatNumber(p *Pass, op *value.Op) {
	b, ok := op.Node.(*syntax.Binary)
	if !ok || op.Op != syntax.OpConcat {
		return
	}
	if long(op.X) {
		reportLong(p, b.X.Bounds(), b.X, "'..'")
	}
	if long(op.Y) {
		reportLong(p, b.Y.Bounds(), b.Y, "'..'")
	}
}

func checkTostringNumber(p *Pass, l *value.LibCall) {
	if l.Name == "tostring" && len(l.Args) == 1 && l.Args[0].Node != nil && long(l.Args[0].Value) {
		reportLong(p, l.Node.Span, l.Args[0].Node, "tostring")
	}
}

// reportLong: how writes e, a number, at the place at.
func reportLong(p *Pass, at syntax.Span, e syntax.Expr, how string) {
	code := p.Source.Text[bare(e).Bounds().Start:bare(e).Bounds().End]
	f := In(at, Warning, snippet(p, bare(e).Bounds())+" has more than 14 digits, and "+how+" writes 14 of them; write string.format('%.0f', "+
		oneLine(p, bare(e).Bounds())+")")
	f.Fixes = []Fix{{Title: "write all digits", Edits: []Edit{{at, "string.format('%.0f', " + code + ")"}}}}
	p.Report(f)
}

// checkExponent: servers of a few versions write integers with eight zeros and more at the end in exponent form.
func checkExponent(p *Pass, c *value.Call) {
	for i := range c.Args {
		a := &c.Args[i]
		v := a.Value
		if i == 0 || !v.Const || v.Kinds != value.Number || v.Frac != value.Whole || v.Num == 0 || math.Abs(v.Num) >= 1e17 || math.Mod(v.Num, 1e8) != 0 {
			continue
		}
		builds := p.Target.ExponentInts()
		if len(builds) == 0 {
			return
		}
		digits := new(big.Float).SetFloat64(v.Num).Text('f', 0)
		f := In(a.At, Warning, buildWords(builds)+" writes this argument as "+exponent(digits)+", which integer commands refuse; write '"+digits+"'")
		if _, ok := a.Node.(*syntax.Number); ok {
			f.Fixes = []Fix{{Title: "write it as text", Edits: []Edit{{a.At, "'" + digits + "'"}}}}
		}
		p.Report(f)
	}
}

// exponent writes an integer with zeros at its end as those servers do: 1e+14, 1.5e+9.
func exponent(digits string) string {
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	mant := strings.TrimRight(digits, "0")
	if len(mant) > 1 {
		mant = mant[:1] + "." + mant[1:]
	}
	return sign + mant + "e+" + strconv.Itoa(len(digits)-1)
}

// checkLongLiteral: an integer in the script that a double cannot hold.
func checkLongLiteral(p *Pass) {
	if !hasLongDigits(p.Source.Text) {
		return
	}
	syntax.Walk(p.Chunk.Body, func(n syntax.Node) bool {
		num, ok := n.(*syntax.Number)
		if !ok {
			return true
		}
		text := p.Source.Text[num.Start:num.End]
		if len(text) < longDigits || strings.Trim(text, "0123456789") != "" {
			return true
		}
		exact, _ := new(big.Int).SetString(text, 10)
		held, _ := new(big.Float).SetFloat64(num.Value).Int(nil)
		if exact != nil && exact.Cmp(held) != 0 {
			p.Report(In(num.Span, Warning, text+" is past 2^53 and becomes "+held.String()+"; write it as a string"))
		}
		return true
	})
}

// longDigits is how many digits a literal must have to be past 2^53.
const longDigits = 16

// hasLongDigits reports whether so many digits may stand in a row somewhere: one of them then has a place that this looks at.
func hasLongDigits(text string) bool {
	for i := longDigits - 1; i < len(text); i += longDigits {
		if !isDigit(text[i]) {
			continue
		}
		from, to := i, i+1
		for from > 0 && isDigit(text[from-1]) {
			from--
		}
		for to < len(text) && isDigit(text[to]) {
			to++
		}
		if to-from >= longDigits {
			return true
		}
	}
	return false
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
