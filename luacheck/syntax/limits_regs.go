package syntax

// expKind is where the compiler has the value of an expression, after expkind of lparser.h.
type expKind uint8

const (
	eVoid expKind = iota
	eNil
	eTrue
	eFalse
	eConst  // info: index
	eNumber // num
	eLocal  // info: register
	eUpvalue
	eGlobal
	eIndexed // info: register of the table, aux: register or constant of the key
	eJump    // a comparison; info: pc of its jump
	eReloc   // an instruction whose target register is still open
	eReg     // info: register
	eCall    // aux: first register
	eVararg
)

// Instructions that the compiler treats specially while their register is open.
const (
	opNot uint8 = iota + 1
	opConcat
)

// exp is an expression that is being compiled. t and f are the jumps that leave it when true or false.
type exp struct {
	kind      expKind
	op        uint8 // of an eReloc
	info, aux int32
	num       float64
	t, f      jumps
}

func (e *exp) hasJumps() bool { return e.t.any() || e.f.any() }
func (e *exp) isNumeral() bool {
	return e.kind == eNumber && !e.hasJumps()
}
func (e *exp) isOpen() bool { return e.kind == eCall || e.kind == eVararg }

// constBit marks a constant among register operands.
const constBit = 256

// reserve takes n registers.
func (p *parser) reserve(n int32) {
	p.checkStack(n)
	p.c.f.freeReg += n
}

func (p *parser) checkStack(n int32) {
	if !p.c.off && p.c.f.freeReg+n >= maxRegisters {
		p.fail(failure{msg: "function or expression too complex", near: true, limit: true, soft: true})
	}
}

func (p *parser) freeRegister(r int32) {
	if r < constBit && r >= p.c.f.active && !p.c.off {
		p.c.f.freeReg--
	}
}

func (p *parser) freeExp(e *exp) {
	if e.kind == eReg {
		p.freeRegister(e.info)
	}
}

// oneResult cuts an open call or vararg to one value.
func (p *parser) oneResult(e *exp) {
	switch e.kind {
	case eCall:
		e.kind, e.info = eReg, e.aux
	case eVararg:
		e.kind, e.op = eReloc, 0
	}
}

// manyResults leaves an open call or vararg open to give n values.
func (p *parser) manyResults(e *exp) {
	if e.kind == eVararg {
		p.reserve(1)
	}
}

// discharge turns a variable into a value.
func (p *parser) discharge(e *exp) {
	switch e.kind {
	case eLocal:
		e.kind = eReg
	case eUpvalue, eGlobal:
		p.emitOpen(e)
	case eIndexed:
		p.freeRegister(e.aux)
		p.freeRegister(e.info)
		p.emitOpen(e)
	case eVararg, eCall:
		p.oneResult(e)
	}
}

func (p *parser) emitOpen(e *exp) {
	e.info = p.emit()
	e.kind, e.op = eReloc, 0
}

func (p *parser) dischargeTo(e *exp, reg int32) {
	p.discharge(e)
	switch e.kind {
	case eNil:
		p.emitNil(reg, 1)
	case eFalse, eTrue, eConst:
		p.emit()
	case eNumber:
		p.numberConst(e.num)
		p.emit()
	case eReg:
		if reg != e.info {
			p.emit()
		}
	case eVoid, eJump:
		return
	}
	e.kind, e.info = eReg, reg
}

func (p *parser) dischargeAny(e *exp) {
	if e.kind != eReg {
		p.reserve(1)
		p.dischargeTo(e, p.c.f.freeReg-1)
	}
}

func (p *parser) toReg(e *exp, reg int32) {
	p.dischargeTo(e, reg)
	isJump := e.kind == eJump
	if isJump {
		p.concat(&e.t, jumpAt(e.info))
	}
	if e.hasJumps() {
		if e.t.bare || e.f.bare {
			var skip jumps
			if !isJump {
				skip = p.jump()
			}
			p.label()
			p.emit()
			p.label()
			p.emit()
			p.patchHere(skip)
		}
		final := p.label()
		p.patchList(e.f, final)
		p.patchList(e.t, final)
	}
	e.t, e.f = jumps{}, jumps{}
	e.kind, e.info = eReg, reg
}

func (p *parser) toNextReg(e *exp) {
	p.discharge(e)
	p.freeExp(e)
	p.reserve(1)
	p.toReg(e, p.c.f.freeReg-1)
}

func (p *parser) toAnyReg(e *exp) int32 {
	p.discharge(e)
	if e.kind == eReg {
		if !e.hasJumps() {
			return e.info
		}
		if e.info >= p.c.f.active {
			p.toReg(e, e.info)
			return e.info
		}
	}
	p.toNextReg(e)
	return e.info
}

func (p *parser) toValue(e *exp) {
	if e.hasJumps() {
		p.toAnyReg(e)
	} else {
		p.discharge(e)
	}
}

// toOperand makes e a register or a constant.
func (p *parser) toOperand(e *exp) int32 {
	p.toValue(e)
	switch e.kind {
	case eNumber, eTrue, eFalse, eNil:
		if p.c.f.consts.len() > maxRKIndex {
			break
		}
		switch e.kind {
		case eNumber:
			e.info = p.numberConst(e.num)
		case eNil:
			e.info = p.constant(mentionNil)
		case eTrue:
			e.info = p.constant(mentionTrue)
		default:
			e.info = p.constant(mentionFalse)
		}
		e.kind = eConst
		return e.info | constBit
	case eConst:
		if e.info <= maxRKIndex {
			return e.info | constBit
		}
	}
	return p.toAnyReg(e)
}

// store counts the assignment of ex to the variable v.
func (p *parser) store(v *exp, ex *exp) {
	switch v.kind {
	case eLocal:
		p.freeExp(ex)
		p.toReg(ex, v.info)
		return
	case eUpvalue, eGlobal:
		p.toAnyReg(ex)
	case eIndexed:
		p.toOperand(ex)
	}
	p.emit()
	p.freeExp(ex)
}

// self prepares the method call e:key.
func (p *parser) self(e, key *exp) {
	p.toAnyReg(e)
	p.freeExp(e)
	base := p.c.f.freeReg
	p.reserve(2)
	p.toOperand(key)
	p.emit()
	p.freeExp(key)
	e.kind, e.info = eReg, base
}

func (p *parser) index(e, key *exp) {
	e.aux = p.toOperand(key)
	e.kind = eIndexed
}
