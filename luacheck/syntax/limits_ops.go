package syntax

import "math"

// jumps is a list of jumps that go to one place which is not known yet. Places are pc+1, so that the zero value is the empty list.
type jumps struct {
	head, tail int32 // the ends of the chain
	low        int32 // the earliest jump
	bare       bool  // one of them does not carry a value along
}

func (j jumps) any() bool { return j.head != 0 }

// jumpAt is the list of the one jump at pc, of a comparison.
func jumpAt(pc int32) jumps { return jumps{pc + 1, pc + 1, pc + 1, true} }

// emit counts one instruction and returns its pc.
func (p *parser) emit() int32 {
	f := p.c.f
	if p.c.off {
		return 0
	}
	if f.pending.any() {
		p.fix(f.pending.low, f.pc)
		f.pending = jumps{}
	}
	f.nilFrom, f.nilTo = 1, 0
	f.pc++
	return f.pc - 1
}

// fix checks that the jump at place `from` reaches pc.
func (p *parser) fix(from, pc int32) {
	if d := pc - from; d > maxJump || d < -maxJump {
		p.fail(failure{msg: "control structure too long", near: true, limit: true, soft: true})
	}
}

// emitNil counts a LOADNIL, which the compiler merges with the one before.
func (p *parser) emitNil(from, n int32) {
	f := p.c.f
	if p.c.off {
		return
	}
	if f.pc > f.lastTarget {
		if f.pc == 0 {
			if from >= f.active {
				return // the registers of a new function are clean
			}
		} else if f.nilFrom <= f.nilTo && f.nilFrom <= from && from <= f.nilTo+1 {
			f.nilTo = max(f.nilTo, from+n-1)
			return
		}
	}
	p.emit()
	f.nilFrom, f.nilTo = from, from+n-1
}

// label marks the next instruction as a place that something jumps to.
func (p *parser) label() int32 {
	p.c.f.lastTarget = p.c.f.pc
	return p.c.f.pc
}

func (p *parser) jump() jumps {
	f := p.c.f
	held := f.pending
	f.pending = jumps{}
	j := jumpAt(p.emit())
	p.concat(&j, held)
	return j
}

func (p *parser) concat(l *jumps, m jumps) {
	switch {
	case p.c.off || !m.any():
	case !l.any():
		*l = m
	default:
		p.fix(l.tail, m.head-1)
		l.tail, l.low, l.bare = m.tail, min(l.low, m.low), l.bare || m.bare
	}
}

func (p *parser) patchHere(l jumps) {
	p.label()
	p.concat(&p.c.f.pending, l)
}

func (p *parser) patchList(l jumps, target int32) {
	switch {
	case p.c.off || !l.any():
	case target == p.c.f.pc:
		p.patchHere(l)
	default:
		p.fix(l.low, target)
		p.fix(l.head, target)
	}
}

// jumpOn counts the test of e and the jump that leaves it.
func (p *parser) jumpOn(e *exp) jumps {
	if e.kind == eReloc && e.op == opNot {
		p.c.f.pc -= b2i(!p.c.off)
		return p.condJump()
	}
	p.dischargeAny(e)
	p.freeExp(e)
	j := p.condJump()
	j.bare = false // it carries the value along
	return j
}

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func (p *parser) condJump() jumps {
	p.emit()
	return p.jump()
}

func (p *parser) goIfTrue(e *exp) {
	p.discharge(e)
	var j jumps
	switch e.kind {
	case eConst, eNumber, eTrue:
	case eJump:
		j = jumpAt(e.info)
	default:
		j = p.jumpOn(e)
	}
	p.concat(&e.f, j)
	p.patchHere(e.t)
	e.t = jumps{}
}

func (p *parser) goIfFalse(e *exp) {
	p.discharge(e)
	var j jumps
	switch e.kind {
	case eNil, eFalse:
	case eJump:
		j = jumpAt(e.info)
	default:
		j = p.jumpOn(e)
	}
	p.concat(&e.t, j)
	p.patchHere(e.f)
	e.f = jumps{}
}

func (p *parser) not(e *exp) {
	p.discharge(e)
	switch e.kind {
	case eNil, eFalse:
		e.kind = eTrue
	case eConst, eNumber, eTrue:
		e.kind = eFalse
	case eReloc, eReg:
		p.dischargeAny(e)
		p.freeExp(e)
		p.emitOpen(e)
		e.op = opNot
	}
	e.t, e.f = e.f, e.t
	e.t.bare, e.f.bare = e.t.any(), e.f.any()
}

// arith counts an arithmetic operator, unless the compiler folds it.
func (p *parser) arith(op Op, x, y *exp) {
	if fold(op, x, y) {
		return
	}
	var b int32
	if op != OpNeg && op != OpLen {
		b = p.toOperand(y)
	}
	a := p.toOperand(x)
	if a > b {
		p.freeExp(x)
		p.freeExp(y)
	} else {
		p.freeExp(y)
		p.freeExp(x)
	}
	p.emitOpen(x)
	if op == OpConcat {
		x.op = opConcat
	}
}

// fold computes an operation on two numerals as the compiler does: not where the result is NaN, nor a division by zero.
func fold(op Op, x, y *exp) bool {
	if !x.isNumeral() || !y.isNumeral() {
		return false
	}
	a, b := x.num, y.num
	var r float64
	switch op {
	case OpAdd:
		r = a + b
	case OpSub:
		r = a - b
	case OpMul:
		r = a * b
	case OpDiv, OpMod:
		if b == 0 {
			return false
		}
		r = a / b
		if op == OpMod {
			r = a - math.Floor(r)*b
		}
	case OpPow:
		r = math.Pow(a, b)
	case OpNeg:
		r = -a
	default:
		return false
	}
	if math.IsNaN(r) {
		return false
	}
	x.num = r
	return true
}

func (p *parser) compare(x, y *exp) {
	p.toOperand(x)
	p.toOperand(y)
	p.freeExp(y)
	p.freeExp(x)
	p.emit()
	x.info = p.emit()
	x.kind = eJump
}

// prefix counts a unary operator.
func (p *parser) prefix(op Op, e *exp) {
	zero := exp{kind: eNumber}
	switch op {
	case OpNot:
		p.not(e)
	case OpNeg:
		if !e.isNumeral() {
			p.toAnyReg(e)
		}
		p.arith(op, e, &zero)
	default:
		p.toAnyReg(e)
		p.arith(op, e, &zero)
	}
}

// infix counts what happens between the left operand and the right one.
func (p *parser) infix(op Op, e *exp) {
	switch op {
	case OpAnd:
		p.goIfTrue(e)
	case OpOr:
		p.goIfFalse(e)
	case OpConcat:
		p.toNextReg(e)
	case OpAdd, OpSub, OpMul, OpDiv, OpMod, OpPow:
		if !e.isNumeral() {
			p.toOperand(e)
		}
	default:
		p.toOperand(e)
	}
}

// postfix counts the operator itself.
func (p *parser) postfix(op Op, x, y *exp) {
	switch op {
	case OpAnd:
		p.discharge(y)
		p.concat(&y.f, x.f)
		*x = *y
	case OpOr:
		p.discharge(y)
		p.concat(&y.t, x.t)
		*x = *y
	case OpConcat:
		p.toValue(y)
		if y.kind == eReloc && y.op == opConcat {
			p.freeExp(x)
			x.kind, x.op, x.info = eReloc, opConcat, y.info
		} else {
			p.toNextReg(y)
			p.arith(op, x, y)
		}
	case OpLess, OpLessEq, OpGreater, OpGreaterEq, OpEq, OpNotEq:
		p.compare(x, y)
	default:
		p.arith(op, x, y)
	}
}
