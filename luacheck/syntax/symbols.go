package syntax

// symbols gives each distinct text a small number, so that names compare as integers.
type symbols struct {
	table []int32 // open addressing; number+1, 0 where free
	text  []string
}

func (s *symbols) init(size int) {
	n := 64
	for n < size/16 && n < 1<<12 {
		n *= 2
	}
	s.table = make([]int32, n)
	s.text = make([]string, 0, n/2)
}

func hashText(t string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(t); i++ {
		h = (h ^ uint32(t[i])) * 16777619
	}
	return h ^ h>>15
}

func (s *symbols) intern(t string) int32 {
	mask := uint32(len(s.table) - 1)
	i := hashText(t) & mask
	for ; s.table[i] != 0; i = (i + 1) & mask {
		if s.text[s.table[i]-1] == t {
			return s.table[i] - 1
		}
	}
	s.text = append(s.text, t)
	s.table[i] = int32(len(s.text))
	if len(s.text)*2 > len(s.table) {
		s.grow()
	}
	return int32(len(s.text) - 1)
}

func (s *symbols) grow() {
	s.table = make([]int32, 2*len(s.table))
	mask := uint32(len(s.table) - 1)
	for n, t := range s.text {
		i := hashText(t) & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = int32(n + 1)
	}
}

// constants counts the distinct constants of each function, which decides whether one still fits into an instruction.
type constants struct {
	table []constant
	used  int
}

// constant is one constant of function fn; kind 0 marks a free place.
type constant struct {
	fn    int32
	index int32
	kind  uint8
	bits  uint64
}

// Kinds of constants. Names and string literals share one.
const (
	constString = iota + 1
	constNumber
	constBool
	constNil
)

// find returns the index of a constant, and adds it as number next where it is new.
func (c *constants) find(fn int32, kind uint8, bits uint64, next int32) (index int32, isNew bool) {
	if 2*c.used >= len(c.table) {
		c.grow()
	}
	at := &c.table[c.place(fn, kind, bits)]
	if at.kind != 0 {
		return at.index, false
	}
	*at = constant{fn, next, kind, bits}
	c.used++
	return next, true
}

func (c *constants) place(fn int32, kind uint8, bits uint64) uint64 {
	mask := uint64(len(c.table) - 1)
	h := (bits ^ uint64(fn)<<40 ^ uint64(kind)<<32) * 0x9E3779B97F4A7C15
	i := (h ^ h>>32) & mask
	for {
		at := &c.table[i]
		if at.kind == 0 || at.fn == fn && at.kind == kind && at.bits == bits {
			return i
		}
		i = (i + 1) & mask
	}
}

func (c *constants) grow() {
	old := c.table
	c.table = make([]constant, max(64, 2*len(old)))
	for _, k := range old {
		if k.kind != 0 {
			c.table[c.place(k.fn, k.kind, k.bits)] = k
		}
	}
}
