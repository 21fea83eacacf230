package syntax

import "math"

// Kinds of constants. Names and string literals share one.
const (
	constString = iota + 1
	constNumber
	constBool
	constNil
)

// constant is a value that a function keeps in its table of constants.
type constant struct {
	kind uint8
	bits uint64
}

// constants counts the distinct constants of one function, because a constant with an index above maxRKIndex needs a register as an
// operand. Few functions mention so many that it matters; up to there the mentions are only listed.
type constants struct {
	base   int // its mentions are compiler.mentions[base:], while they are few
	nums   int // and their numbers compiler.numbers[nums:]
	counts map[constant]int32
}

// mention is a constant in short: a symbol, or below zero one of the values below, or a number in compiler.numbers.
type mention int32

const (
	mentionNil mention = -1 - iota
	mentionFalse
	mentionTrue
	mentionNumber // the first number; the next is one less
)

func (p *parser) stringConst(sym int32) int32 { return p.constant(mention(sym)) }

func (p *parser) numberConst(n float64) int32 {
	if p.c.off {
		return 0
	}
	p.c.numbers = append(p.c.numbers, n)
	return p.constant(mentionNumber - mention(len(p.c.numbers)-1))
}

// constant returns the index of a constant, or 0 while no index can be above maxRKIndex.
func (p *parser) constant(m mention) int32 {
	c := &p.c
	if c.off {
		return 0
	}
	k := &c.f.consts
	if k.counts == nil {
		c.mentions = append(c.mentions, m)
		if len(c.mentions)-k.base <= maxRKIndex {
			return 0
		}
		k.counts = map[constant]int32{}
		for _, m := range c.mentions[k.base : len(c.mentions)-1] {
			k.add(c.resolve(m))
		}
		c.mentions = c.mentions[:k.base]
	}
	index := k.add(c.resolve(m))
	if index >= maxConstants {
		p.limit("constant table overflow")
	}
	return index
}

func (c *compiler) resolve(m mention) constant {
	switch {
	case m >= 0:
		return constant{constString, uint64(m)}
	case m <= mentionNumber:
		n := c.numbers[mentionNumber-m]
		if n == 0 {
			n = 0 // as keys of a table, which they are here, -0 and 0 are one
		}
		return constant{constNumber, math.Float64bits(n)}
	case m == mentionNil:
		return constant{constNil, 0}
	}
	return constant{constBool, uint64(-m)}
}

func (c *constants) add(k constant) int32 {
	i, ok := c.counts[k]
	if !ok {
		i = int32(len(c.counts))
		c.counts[k] = i
	}
	return i
}

// len is the number of distinct constants, or 0 while it cannot be above maxRKIndex.
func (c *constants) len() int { return len(c.counts) }
