package syntax

import "fmt"

// The limits of the servers' compiler: luaconf.h, llimits.h and lopcodes.h of Lua 5.1.5, the same in every Redis and Valkey (facts 52-54).
const (
	maxLevels    = 200       // LUAI_MAXCCALLS: nested syntax levels
	maxLocals    = 200       // LUAI_MAXVARS: active local variables of a function
	maxLocalInfo = 32767     // SHRT_MAX: local variables of a function, active or not
	maxUpvalues  = 60        // LUAI_MAXUPVALUES
	maxRegisters = 250       // MAXSTACK
	maxConstants = 1<<18 - 1 // MAXARG_Bx
	maxJump      = 1<<17 - 1 // MAXARG_sBx
	maxRKIndex   = 255       // MAXINDEXRK: a constant above it needs a register as an operand
	fieldsPerSet = 50        // LFIELDS_PER_FLUSH: positional items of a table that are stored at once
	maxSetBatch  = 511       // MAXARG_C
)

// fn is what the compiler keeps for a function that is being read.
type fn struct {
	line     int // linedefined; 0 for the main function
	isVararg bool
	active   int32
	protos   int32
	// For the rough counts: the locals in sight that it does not declare, and where it starts among the nodes and names.
	outer, firstName int32
	firstNode        NodeID
	nestedNodes      NodeID // nodes of functions within

	actBase    int // its locals are actives[actBase : actBase+active]
	blockBase  int // its blocks are blocks[blockBase:]
	freeReg    int32
	localInfos int32
	pc         int32
	lastTarget int32 // pc of the last place that something jumps to
	nilFrom    int32 // registers of the last instruction if it is a LOADNIL, else nilFrom > nilTo
	nilTo      int32
	pending    jumps // jumps to the next instruction
	consts     constants
	upvalues   []upvalue
}

// upvalue names a variable of an enclosing function: a local's register or an upvalue's index.
type upvalue struct {
	local bool
	info  int32
}

// block is a block of the function that is being read.
type block struct {
	breaks jumps
	active int32
	upval  bool // a local of it is captured
	loop   bool
}

// compiler follows what the servers' compiler would emit, as far as it can refuse a script for it: registers, constants, locals,
// upvalues and jump distances. It emits nothing.
type compiler struct {
	fns     []fn // the functions that are open
	f       *fn  // the last of them
	syms    symbols
	actives []int32
	blocks  []block
	// mentions of constants of all functions that are open, and the numbers among them.
	mentions []mention
	numbers  []float64
	// off: nothing is counted exactly: while rough counts do, after the first error, after a hole in code, and for another dialect than
	// 5.1.
	off      bool
	rough    bool // the limits are estimated, see limits_rough.go
	exceeded bool // a rough count is above its limit, and no error came before
}

func (p *parser) openFn(line int) {
	c := &p.c
	var outer int32
	if c.f != nil {
		outer = c.f.outer + c.f.active
	}
	var upvalues []upvalue
	if n := len(c.fns); n < cap(c.fns) {
		c.fns = c.fns[:n+1]
		upvalues = c.fns[n].upvalues[:0] // of an earlier function
	} else {
		c.fns = append(c.fns, fn{})
	}
	c.f = &c.fns[len(c.fns)-1]
	*c.f = fn{line: line, outer: outer, firstName: p.numNames, firstNode: p.lastID, actBase: len(c.actives),
		blockBase: len(c.blocks), lastTarget: -1, nilFrom: 1, upvalues: upvalues}
	c.f.consts.base, c.f.consts.nums = len(c.mentions), len(c.numbers)
}

func (p *parser) closeFn() {
	c := &p.c
	p.checkFn(c.f)
	p.removeLocals(0)
	p.emit() // RETURN
	c.mentions, c.numbers = c.mentions[:c.f.consts.base], c.numbers[:c.f.consts.nums]
	closed := c.f
	closed.consts.counts = nil
	c.fns, c.f = c.fns[:len(c.fns)-1], nil
	if n := len(c.fns); n > 0 {
		c.f = &c.fns[n-1]
		c.f.nestedNodes += p.lastID - closed.firstNode
		p.closure(closed)
	}
}

// closure counts the CLOSURE instruction and one for each upvalue.
func (p *parser) closure(closed *fn) {
	if p.c.f.protos++; p.c.f.protos > maxConstants && !p.c.off {
		p.limit("constant table overflow")
	}
	p.emit()
	for range closed.upvalues {
		p.emit()
	}
}

// limit reports a refusal that carries neither a near token nor a position of its own in the servers' words.
func (p *parser) limit(msg string) {
	p.fail(failure{msg: msg, limit: true, soft: true})
}

// overflow reports that a function has too many of something.
func (p *parser) overflow(f *fn, max int, what string) {
	who := "main function"
	if f.line != 0 {
		who = fmt.Sprintf("function at line %d", f.line)
	}
	p.limit(fmt.Sprintf("%s has more than %d %s", who, max, what))
}

// newLocal declares the n-th new local of a statement; it becomes active with activate.
func (p *parser) newLocal(sym int32, n int) {
	f := p.c.f
	switch tooMany := int(f.active)+n+1 > maxLocals; {
	case p.c.off:
		if tooMany {
			p.exceed()
		}
		return
	case tooMany:
		p.overflow(f, maxLocals, "local variables")
	default:
		if f.localInfos++; f.localInfos > maxLocalInfo {
			p.limit("too many local variables")
		}
	}
	p.c.actives = append(p.c.actives[:f.actBase+int(f.active)+n], sym)
}

// activate makes the last n declared locals visible.
func (p *parser) activate(n int) { p.c.f.active += int32(n) }

func (p *parser) removeLocals(to int32) {
	f := p.c.f
	f.active = to
	if !p.c.off {
		p.c.actives = p.c.actives[:f.actBase+int(to)]
	}
}

func (p *parser) enterBlock(loop bool) {
	p.c.blocks = append(p.c.blocks, block{active: p.c.f.active, loop: loop})
}

func (p *parser) leaveBlock() {
	b := p.c.blocks[len(p.c.blocks)-1]
	p.c.blocks = p.c.blocks[:len(p.c.blocks)-1]
	p.removeLocals(b.active)
	if p.c.off {
		return
	}
	if b.upval {
		p.emit() // CLOSE
	}
	p.c.f.freeReg = p.c.f.active
	p.patchHere(b.breaks)
}

// symbol is the number of the name that is the current token; 0 where nothing is counted.
func (p *parser) symbol() int32 {
	if p.c.off {
		return 0
	}
	return p.c.syms.intern(p.s.text[p.tok.start:p.tok.end])
}

func (p *parser) intern(text string) int32 {
	if p.c.off {
		return 0
	}
	return p.c.syms.intern(text)
}

// variable resolves a name as singlevar does.
func (p *parser) variable(e *exp, sym int32) {
	e.kind, e.info = p.resolve(len(p.c.fns)-1, sym, true)
	if e.kind == eGlobal {
		p.stringConst(sym)
	}
}

// resolve finds a name from the function at depth outwards. Upvalues are added from the outermost function inwards, which decides for
// which function their limit is reported. The recursion is bounded by the nesting of functions.
func (p *parser) resolve(depth int, sym int32, base bool) (expKind, int32) {
	if depth < 0 {
		return eGlobal, 0
	}
	f := &p.c.fns[depth]
	act := p.c.actives[f.actBase : f.actBase+int(f.active)]
	for i := len(act) - 1; i >= 0; i-- {
		if act[i] == sym {
			if !base {
				p.markCaptured(depth, int32(i))
			}
			return eLocal, int32(i)
		}
	}
	kind, info := p.resolve(depth-1, sym, false)
	if kind == eGlobal {
		return eGlobal, 0
	}
	return eUpvalue, p.upvalue(f, upvalue{kind == eLocal, info})
}

func (p *parser) upvalue(f *fn, u upvalue) int32 {
	for i, have := range f.upvalues {
		if have == u {
			return int32(i)
		}
	}
	if len(f.upvalues)+1 > maxUpvalues && !p.c.off {
		p.overflow(f, maxUpvalues, "upvalues")
	}
	f.upvalues = append(f.upvalues, u)
	return int32(len(f.upvalues) - 1)
}

// markCaptured notes that the local `level` of the function at depth is captured by an inner one.
func (p *parser) markCaptured(depth int, level int32) {
	from, to := p.c.fns[depth].blockBase, len(p.c.blocks)
	if depth+1 < len(p.c.fns) {
		to = p.c.fns[depth+1].blockBase
	}
	for i := to - 1; i >= from; i-- {
		if p.c.blocks[i].active <= level {
			p.c.blocks[i].upval = true
			return
		}
	}
}
