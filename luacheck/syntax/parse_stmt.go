package syntax

// blockEnds are the tokens that end a block.
var blockEnds = [tPanic + 1]bool{TEOF: true, TElse: true, TElseif: true, TEnd: true, TUntil: true, tPanic: true}

// statements reads statements onto the stack of statements, up to a token that ends the block or behind a return or break.
func (p *parser) statements() {
	for !blockEnds[p.tok.kind] {
		p.regs = int(p.c.f.active)
		if p.lastID > roughNodes {
			p.checkFn(p.c.f)
		}
		start := p.tok
		st, last := p.statement()
		if st != nil {
			p.nodes.stmts = append(p.nodes.stmts, st)
		}
		if !p.panicking {
			p.muted = false
			p.accept(TSemi)
		}
		if p.panicking {
			p.resync(&start)
			continue
		}
		p.c.f.freeReg = p.c.f.active
		if last {
			break
		}
	}
	p.regs = int(p.c.f.active)
}

// body reads a block without scope of its own (chunk of lparser.c).
func (p *parser) body() *Block {
	b := p.nodes.block.take(p)
	*b = Block{Span: Span{p.prevEnd, p.prevEnd}, NodeID: p.id()}
	if !p.enter() {
		return b
	}
	mark := len(p.nodes.stmts)
	p.statements()
	p.leave()
	p.closeBlock(b, mark)
	return b
}

// scoped reads a block with its scope.
func (p *parser) scoped() *Block {
	p.enterBlock(false)
	b := p.body()
	p.leaveBlock()
	return b
}

// statement reads one statement; last is true where it must be the last of its block. It returns nil for what leaves no trace.
func (p *parser) statement() (st Stmt, last bool) {
	start, line := p.start(), p.s.line
	switch p.tok.kind {
	case TIf:
		return p.ifStat(start, line), false
	case TWhile:
		return p.whileStat(start, line), false
	case TDo:
		p.next()
		b := p.scoped()
		p.expectMatch(TEnd, TDo, line)
		return &Do{p.since(start), p.id(), b}, false
	case TFor:
		return p.forStat(start, line), false
	case TRepeat:
		return p.repeatStat(start, line), false
	case TFunction:
		return p.funcStat(start, line), false
	case TLocal:
		p.next()
		if p.accept(TFunction) {
			return p.localFunc(start), false
		}
		return p.localStat(start), false
	case TReturn:
		return p.returnStat(start), true
	case TBreak:
		p.next()
		p.breakJump()
		return &Break{p.since(start), p.id()}, !p.lua54
	}
	if p.lua54 {
		return p.statement54(start), false
	}
	return p.exprStat(start), false
}

// exprStat reads a call or an assignment.
func (p *parser) exprStat(start Pos) Stmt {
	var e exp
	x := p.primary(&e)
	if c, ok := x.(*Call); ok {
		s := p.nodes.callSt.take(p)
		*s = CallStmt{c.Span, p.id(), c}
		return s
	}
	if p.panicking {
		if p.prevEnd <= start {
			return nil // nothing was read
		}
		return &BadStmt{p.since(start), p.id()}
	}
	if _, ok := x.(*Hole); ok && p.tok.kind != TAssign && p.tok.kind != TComma {
		return &BadStmt{p.since(start), p.id()}
	}
	return p.assignment(x, e, start)
}

func (p *parser) assignment(x Expr, e exp, start Pos) Stmt {
	mark := len(p.nodes.exprs)
	p.nodes.exprs = append(p.nodes.exprs, x)
	targets := []exp{e}
	p.assignable(x)
	for p.accept(TComma) {
		p.regs += regsPerTarget
		var next exp
		x := p.primary(&next)
		p.nodes.exprs = append(p.nodes.exprs, x)
		if next.kind == eLocal {
			p.conflict(targets, next.info)
		}
		if n := len(targets); !p.c.off && n > maxLevels-p.level {
			p.overflow(p.c.f, maxLevels-p.level, "variables in assignment")
		}
		targets = append(targets, next)
		p.assignable(x)
	}
	p.expect(TAssign)
	s := p.nodes.assign.take(p)
	s.NodeID = p.id()
	s.Targets = p.takeExprs(mark)
	if !p.panicking {
		var values exp
		s.Exprs = p.exprList(&values)
		if !p.c.off {
			p.storeAll(targets, len(s.Exprs), &values)
		}
	}
	s.Span = p.since(start)
	return s
}

// assignable fails where x cannot be assigned to.
func (p *parser) assignable(x Expr) {
	switch x.(type) {
	case *Name, *Index, *Hole:
	default:
		p.failNear("syntax error")
	}
}

// conflict counts the copy that the compiler makes of a local which is assigned to and used as table or key in one assignment.
func (p *parser) conflict(targets []exp, local int32) {
	if p.c.off {
		return
	}
	found, extra := false, p.c.f.freeReg
	for i := range targets {
		t := &targets[i]
		if t.kind != eIndexed {
			continue
		}
		if t.info == local {
			t.info, found = extra, true
		}
		if t.aux == local {
			t.aux, found = extra, true
		}
	}
	if found {
		p.emit()
		p.reserve(1)
	}
}

// storeAll counts the assignment of n values to the targets.
func (p *parser) storeAll(targets []exp, n int, e *exp) {
	last := len(targets) - 1
	if n == len(targets) {
		p.oneResult(e)
		p.store(&targets[last], e)
		last--
	} else {
		p.adjust(len(targets), n, e)
		if n > len(targets) && !p.c.off {
			p.c.f.freeReg -= int32(n - len(targets))
		}
	}
	for i := last; i >= 0; i-- {
		p.store(&targets[i], &exp{kind: eReg, info: p.c.f.freeReg - 1})
	}
}

// adjust makes n values into `vars` of them, in registers.
func (p *parser) adjust(vars, n int, e *exp) {
	extra := int32(vars - n)
	if e.isOpen() {
		extra = max(extra+1, 0)
		p.manyResults(e)
		if extra > 1 {
			p.reserve(extra - 1)
		}
		return
	}
	if e.kind != eVoid {
		p.toNextReg(e)
	}
	if extra > 0 {
		reg := p.c.f.freeReg
		p.reserve(extra)
		p.emitNil(reg, extra)
	}
}

func (p *parser) localStat(start Pos) Stmt {
	mark := len(p.nodes.names)
	n := 0
	for {
		if sym, ok := p.declare(); ok {
			p.newLocal(sym, n)
			n++
		}
		if p.lua54 {
			p.attribute()
		}
		if !p.accept(TComma) {
			break
		}
	}
	s := p.nodes.local.take(p)
	s.NodeID = p.id()
	s.Names = p.takeNames(mark)
	var e exp
	if p.accept(TAssign) {
		s.Exprs = p.exprList(&e)
	}
	if !p.c.off {
		p.adjust(n, len(s.Exprs), &e)
	}
	p.activate(n)
	s.Span = p.since(start)
	if p.panicking && n == 0 {
		return &BadStmt{s.Span, s.NodeID}
	}
	return s
}

// declare reads a name that is declared onto the stack of names. A hole there declares something that no name refers to.
func (p *parser) declare() (sym int32, ok bool) {
	switch p.tok.kind {
	case TName:
		sym = p.symbol()
	case THole:
		n := p.nameNode()
		n.Text = ""
		p.nodes.names = append(p.nodes.names, n)
		p.next()
		return hidden, true
	default:
		p.failExpected(TName)
		return 0, false
	}
	p.nodes.names = append(p.nodes.names, p.nameNode())
	p.next()
	return sym, true
}

func (p *parser) returnStat(start Pos) Stmt {
	p.next()
	var list []Expr
	if !blockEnds[p.tok.kind] && p.tok.kind != TSemi {
		var e exp
		list = p.exprList(&e)
		switch {
		case p.c.off:
		case e.isOpen():
			p.manyResults(&e)
		case len(list) == 1:
			p.toAnyReg(&e)
		default:
			p.toNextReg(&e)
		}
	}
	p.emit()
	s := p.nodes.ret.take(p)
	*s = Return{p.since(start), p.id(), list}
	return s
}
