package syntax

// condition reads a condition; the jumps leave it where it is false.
func (p *parser) condition() (Expr, jumps) {
	var e exp
	x := p.expr(&e)
	if p.c.off {
		return x, jumps{}
	}
	if e.kind == eNil {
		e.kind = eFalse
	}
	p.goIfTrue(&e)
	return x, e.f
}

func (p *parser) ifStat(start Pos, line int) Stmt {
	s := p.nodes.ifs.take(p)
	s.NodeID = p.id()
	mark := len(p.nodes.clauses)
	var escape jumps
	exit := p.clause()
	for p.tok.kind == TElseif {
		p.concat(&escape, p.jump())
		p.patchHere(exit)
		exit = p.clause()
	}
	s.Clauses = p.nodes.clauseList.takeList(p, &p.nodes.clauses, mark)
	if p.tok.kind == TElse {
		p.concat(&escape, p.jump())
		p.patchHere(exit)
		p.next()
		s.Else = p.scoped()
	} else {
		p.concat(&escape, exit)
	}
	p.patchHere(escape)
	p.expectMatch(TEnd, TIf, line)
	s.Span = p.since(start)
	return s
}

// clause reads `if … then …` or `elseif … then …` onto the stack of clauses; the jumps leave it where the condition is false.
func (p *parser) clause() jumps {
	start := p.start()
	p.next()
	cond, exit := p.condition()
	p.expect(TThen)
	body := p.scoped()
	p.nodes.clauses = append(p.nodes.clauses, IfClause{p.since(start), p.id(), cond, body})
	return exit
}

func (p *parser) whileStat(start Pos, line int) Stmt {
	p.next()
	top := p.label()
	cond, exit := p.condition()
	p.enterBlock(true)
	p.expect(TDo)
	body := p.scoped()
	p.patchList(p.jump(), top)
	p.expectMatch(TEnd, TWhile, line)
	p.leaveBlock()
	p.patchHere(exit)
	return &While{p.since(start), p.id(), cond, body}
}

func (p *parser) repeatStat(start Pos, line int) Stmt {
	top := p.label()
	p.enterBlock(true)
	p.enterBlock(false)
	p.next()
	body := p.body()
	p.expectMatch(TUntil, TRepeat, line)
	cond, exit := p.condition()
	if p.c.blocks[len(p.c.blocks)-1].upval {
		p.breakJump()
		p.patchHere(exit)
		p.leaveBlock()
		p.patchList(p.jump(), top)
	} else {
		p.leaveBlock()
		p.patchList(exit, top)
	}
	p.leaveBlock()
	return &Repeat{p.since(start), p.id(), body, cond}
}

// breakJump counts a break out of the innermost loop of the function.
func (p *parser) breakJump() {
	upval := false
	for i := len(p.c.blocks) - 1; i >= p.c.f.blockBase; i-- {
		b := &p.c.blocks[i]
		if b.loop {
			if upval {
				p.emit() // CLOSE
			}
			p.concat(&b.breaks, p.jump())
			return
		}
		upval = upval || b.upval
	}
	p.fail(failure{msg: "no loop to break", near: true, soft: true})
}

// forSlots are the hidden locals of both kinds of for.
const forSlots = 3

func (p *parser) forStat(start Pos, line int) Stmt {
	p.enterBlock(true)
	p.next()
	mark := len(p.nodes.names)
	var st Stmt
	if sym, ok := p.declare(); ok {
		switch p.tok.kind {
		case TAssign:
			st = p.numFor(sym, mark)
		case TComma, TIn:
			st = p.genFor(sym, mark)
		default:
			p.failNear("'=' or 'in' expected")
		}
	}
	p.expectMatch(TEnd, TFor, line)
	p.leaveBlock()
	p.nodes.names = p.nodes.names[:mark]
	switch st := st.(type) {
	case *NumFor:
		st.Span = p.since(start)
	case *GenFor:
		st.Span = p.since(start)
	default:
		return &BadStmt{p.since(start), p.id()}
	}
	return st
}

// hidden is the symbol of locals that no name can refer to.
const hidden = -1

// hiddenLocals declares the slots that a for loop keeps for itself.
func (p *parser) hiddenLocals() {
	for i := range forSlots {
		p.newLocal(hidden, i)
	}
}

func (p *parser) numFor(sym int32, mark int) Stmt {
	name := p.takeNames(mark)[0]
	p.hiddenLocals()
	p.newLocal(sym, forSlots)
	p.next()
	s := p.nodes.numFor.take(p)
	s.NodeID, s.Name = p.id(), name
	s.From = p.forExpr()
	p.regs += forSlots
	p.expect(TComma)
	s.To = p.forExpr()
	if p.accept(TComma) {
		s.Step = p.forExpr()
	} else {
		p.numberConst(1)
		p.emit()
		p.reserve(1)
	}
	s.Body = p.forBody(true, 1)
	return s
}

func (p *parser) forExpr() Expr {
	var e exp
	x := p.expr(&e)
	p.toNextReg(&e)
	return x
}

func (p *parser) genFor(sym int32, mark int) Stmt {
	p.hiddenLocals()
	p.newLocal(sym, forSlots)
	n := 1
	for p.accept(TComma) {
		if sym, ok := p.declare(); ok {
			p.newLocal(sym, forSlots+n)
			n++
		}
	}
	s := p.nodes.genFor.take(p)
	s.NodeID, s.Names = p.id(), p.takeNames(mark)
	p.expect(TIn)
	var e exp
	s.Exprs = p.exprList(&e)
	p.adjust(forSlots, len(s.Exprs), &e)
	p.checkStack(3) // to call the generator
	s.Body = p.forBody(false, n)
	return s
}

// forBody reads the body of a loop with n variables.
func (p *parser) forBody(numeric bool, n int) *Block {
	p.activate(forSlots)
	p.expect(TDo)
	var prep jumps
	if numeric {
		prep = jumpAt(p.emit())
	} else {
		prep = p.jump()
	}
	top := p.c.f.pc
	p.enterBlock(false)
	p.activate(n)
	p.reserve(int32(n))
	b := p.scoped()
	p.leaveBlock()
	p.patchHere(prep)
	back := jumpAt(p.emit())
	if !numeric {
		back = p.jump()
	}
	p.patchList(back, top)
	return b
}
