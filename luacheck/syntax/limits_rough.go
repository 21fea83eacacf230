package syntax

// Few scripts come near a limit of the compiler, so Parse first only estimates. The estimates are cheap and never too low; where one is
// above its limit, the text is read once more with exact counts.
const (
	// roughText is the length, in bytes, from which a script most likely has too many nodes for the estimate of its jumps.
	roughText = 1 << 18
	// roughRegs is the estimate of registers above which a function may need more than maxRegisters. The estimate is of what waits while a
	// part of an expression is read, so there is room for what a single instruction takes: at most 3, and 2 for its table and key.
	roughRegs = maxRegisters - 20
	// regsPerCall are the function and, for a method, the object.
	regsPerCall = 2
	// regsPerTarget are the table and the key of a target of an assignment, and its new value.
	regsPerTarget = 3
	// codePerNode is more than the instructions that any node is compiled to, with those that turn a condition into a value. A function
	// takes maxUpvalues more where it is made.
	codePerNode = 8
	roughNodes  = maxJump / codePerNode
)

// exceed notes that a limit of the compiler may be exceeded, and ends the reading: the tree is of no use then. After an error a limit does
// not matter, because limits are only reported first.
func (p *parser) exceed() {
	if p.c.rough && len(p.chunk.Errors) == 0 {
		p.c.exceeded = true
		p.s.skipAll()
	}
}

// checkFn estimates what can only be told from all of a function: upvalues, and with its instructions the length of its jumps. A function
// has no more constants, locals and functions within than nodes, whose limits are higher.
func (p *parser) checkFn(f *fn) {
	names := p.numNames - f.firstName
	nodes := int(p.lastID - f.firstNode - f.nestedNodes)
	if min(f.outer, names) > maxUpvalues || nodes+int(f.protos)*maxUpvalues/codePerNode > roughNodes {
		p.exceed()
	}
}

// checkFns estimates for all functions that are open.
func (p *parser) checkFns() {
	for i := range p.c.fns {
		p.checkFn(&p.c.fns[i])
	}
}
