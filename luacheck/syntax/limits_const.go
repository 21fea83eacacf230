package syntax

// Kinds of constants. Names and string literals share one.
const (
	constString = iota + 1
	constNumber
	constBool
	constNil
)

type constant struct {
	kind uint8
	bits uint64
}

// constants counts the distinct constants of one function, because a constant with an index above maxRKIndex needs a register as an
// operand. Few functions mention so many that it matters; up to there the mentions are only listed.
type constants struct {
	list   []constant // mentions, while there are few
	counts map[constant]int32
}

func (c *constants) reset() {
	c.list, c.counts = c.list[:0], nil
}

// index returns the index of a constant, or 0 while no index can be above maxRKIndex.
func (c *constants) index(k constant) int32 {
	if c.counts == nil {
		if c.list = append(c.list, k); len(c.list) <= maxRKIndex {
			return 0
		}
		c.counts = map[constant]int32{}
		for _, k := range c.list[:len(c.list)-1] {
			c.add(k)
		}
	}
	return c.add(k)
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

func (p *parser) constant(kind uint8, bits uint64) int32 {
	f := p.c.f
	if p.c.off {
		return 0
	}
	index := f.consts.index(constant{kind, bits})
	if index >= maxConstants {
		p.limit("constant table overflow")
	}
	return index
}

func (p *parser) stringConst(sym int32) int32 { return p.constant(constString, uint64(sym)) }
