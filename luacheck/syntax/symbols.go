package syntax

// symbols gives each distinct text a small number, so that names compare as integers.
type symbols struct {
	table []int32 // open addressing; number+1, 0 where free
	text  []string
}

func (s *symbols) init(size int) {
	n := 64
	for n < size/10 && n < 1<<10 {
		n *= 2
	}
	s.table = make([]int32, n)
	s.text = make([]string, 0, n/4)
}

// hashText is FNV-1a.
func hashText(t string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(t); i++ {
		h = (h ^ uint32(t[i])) * 16777619
	}
	return h
}

func (s *symbols) intern(t string) int32 {
	hash := hashText(t)
	mask := uint32(len(s.table) - 1)
	i := (hash ^ hash>>15) & mask
	for ; s.table[i] != 0; i = (i + 1) & mask {
		if s.text[s.table[i]-1] == t {
			return s.table[i] - 1
		}
	}
	s.text = append(s.text, t)
	s.table[i] = int32(len(s.text))
	if len(s.text)*4 > len(s.table)*3 {
		s.grow()
	}
	return int32(len(s.text) - 1)
}

func (s *symbols) grow() {
	s.table = make([]int32, 2*len(s.table))
	mask := uint32(len(s.table) - 1)
	for n, t := range s.text {
		hash := hashText(t)
		i := (hash ^ hash>>15) & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = int32(n + 1)
	}
}
