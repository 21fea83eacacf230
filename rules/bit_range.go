package rules

import (
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var bitRange = &Rule{
	Name:     "bit-range",
	Title:    "a bit operation beyond 32 bits",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `The functions of bit work on 32-bit numbers: a shift count is taken modulo 32, so a shift by 40 is one by 8, and an operand of 2^32 or
more loses its upper bits. Multiply or divide by a power of two for wider numbers, or keep the flags in two numbers.`,
	Bad: []Example{
		{
			Lua:     "local mask = tonumber(ARGV[1]) or 0\nlocal n = 0\nfor i = 1, 64 do\n  if bit.band(mask, bit.lshift(1, ⟦i - 1⟧)) ~= 0 then n = n + 1 end\nend\nreturn n",
			Say:     "bit.lshift takes the count modulo 32, and 'i - 1' goes up to 63; multiply or divide by a power of two",
			Args:    []string{"1"},
			Returns: ":2",
			Differs: map[string]string{"miniredis": "it has no bit library"},
		},
		{
			Lua:     "return bit.lshift(tonumber(ARGV[1]) or 0, ⟦40⟧)",
			Say:     "bit.lshift takes the count modulo 32, so '40' shifts by 8; multiply or divide by a power of two",
			Args:    []string{"1"},
			Returns: ":256",
			Differs: map[string]string{"miniredis": "it has no bit library"},
		},
		{
			Lua:     "local width = 32\nreturn bit.rshift(tonumber(ARGV[1]) or 0, ⟦width⟧)",
			Say:     "bit.rshift takes the count modulo 32, so 'width' shifts by 0; multiply or divide by a power of two",
			Args:    []string{"5"},
			Returns: ":5",
			Differs: map[string]string{"miniredis": "it has no bit library"},
		},
		{
			Lua:     "return bit.band(⟦2^40⟧, 1099511627776)",
			Say:     "bit.band takes 32 bits, and '2^40' has more: the upper ones are lost; split the number",
			Returns: ":0",
			Differs: map[string]string{"miniredis": "it has no bit library"},
		},
		{
			Lua:     "local function mask(flags) return bit.bor(flags, ⟦4294967296⟧) end\nreturn mask(tonumber(ARGV[1]) or 0)",
			Say:     "bit.bor takes 32 bits, and '4294967296' has more: the upper ones are lost; split the number",
			Args:    []string{"1"},
			Returns: ":1",
			Differs: map[string]string{"miniredis": "it has no bit library"},
		},
	},
	Good: []Example{
		{Lua: "for i = 1, 64 do\n  local word, off = 1, i\n  if i > 32 then\n    word, off = 2, i - 32\n  end\n  redis.call('HINCRBY', KEYS[word], bit.lshift(1, off - 1), 1)\nend"},
		{Lua: "local low, high = tonumber(ARGV[1]) or 0, tonumber(ARGV[2]) or 0\nfor i = 0, 63 do\n  local set\n  if i < 32 then set = bit.rshift(low, i) else set = bit.rshift(high, i - 32) end\n  if bit.band(set, 1) == 1 then return i end\n  if bit.band(bit.rshift(low, i % 32), bit.lshift(1, bit.band(i, 31))) == 0 then return -1 end\nend"},
		{Lua: "return bit.lshift(tonumber(ARGV[1]) or 0, 31)"},
		{Lua: "return bit.band(tonumber(ARGV[1]) or 0, 0xffffffff)"},
		{Lua: "local n = tonumber(ARGV[1]) or 0\nreturn bit.lshift(1, n)"},
		{Lua: "return bit.bor(1, 2, 4)"},
	},
	Lib: checkBitRange,
}

func checkBitRange(p *Pass, l *value.LibCall) {
	name, ok := strings.CutPrefix(l.Name, "bit.")
	if !ok {
		return
	}
	for i, a := range l.Args {
		v := a.Value
		if a.Many || !v.Only(value.Number) {
			continue
		}
		switch {
		case i == 1 && isShift(name):
			if v.Lo >= 32 {
				msg := l.Name + " takes the count modulo 32"
				if v.Const {
					msg += ", so " + snippet(p, a.At) + " shifts by " + strconv.Itoa(int(v.Num)%32)
				}
				p.Report(In(a.At, Warning, msg+"; multiply or divide by a power of two"))
			} else if v.Lo >= 0 && v.Hi >= 32 && v.Hi <= 64 && v.Frac == value.Whole && countsUp(p, a.Node) {
				p.Report(In(a.At, Warning, l.Name+" takes the count modulo 32, and "+snippet(p, a.At)+" goes up to "+strconv.Itoa(int(v.Hi))+
					"; multiply or divide by a power of two"))
			}
		case i == 1 && name == "tohex":
		case v.Lo >= 1<<32 || v.Hi < -(1<<31):
			p.Report(In(a.At, Warning, l.Name+" takes 32 bits, and "+snippet(p, a.At)+" has more: the upper ones are lost; split the number"))
			return
		}
	}
}

// countsUp reports whether an expression is the variable of a numeric loop, perhaps with a number added: then it takes each value up to its
// last. Of other values the engine knows the least and the most only, and tests may keep them apart.
func countsUp(p *Pass, e syntax.Expr) bool {
	if b, ok := e.(*syntax.Binary); ok && (b.Op == syntax.OpAdd || b.Op == syntax.OpSub) {
		if _, ok := b.Y.(*syntax.Number); !ok {
			return false
		}
		e = b.X
	}
	n, ok := e.(*syntax.Name)
	if !ok {
		return false
	}
	for _, l := range p.Facts.Loops {
		if f, ok := l.Node.(*syntax.NumFor); ok && f.Span.Contains(n.Span) && f.Name.Text == n.Text {
			return true
		}
	}
	return false
}

func isShift(name string) bool {
	switch name {
	case "lshift", "rshift", "arshift", "rol", "ror":
		return true
	}
	return false
}
