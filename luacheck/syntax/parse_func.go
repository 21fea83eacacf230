package syntax

// function reads parameters and body, from the opening parenthesis on. line is what the server's messages call the function's line.
func (p *parser) function(e *exp, start Pos, method bool, line int) *Function {
	f := p.nodes.fn.take(p)
	f.NodeID, f.Method, f.Line, f.Index = p.id(), method, line, int32(p.chunk.NumFuncs)
	p.chunk.NumFuncs++
	regs := p.regs
	p.openFn(line)
	mark := len(p.nodes.names)
	p.expect(TLParen)
	if method {
		p.implicitSelf()
	}
	p.parameters(f)
	f.Params = p.takeNames(mark)
	p.expect(TRParen)
	f.Body = p.body()
	p.expectMatch(TEnd, TFunction, line)
	p.closeFn()
	p.regs = regs
	*e = exp{kind: eReloc}
	f.Span = p.since(start)
	return f
}

// implicitSelf declares the first parameter of a method. It stands nowhere in the text: its span is empty, behind the parenthesis.
func (p *parser) implicitSelf() {
	n := p.nodes.name.take(p)
	*n = Name{Span: Span{p.prevEnd, p.prevEnd}, NodeID: p.id(), Text: "self", Index: p.numNames}
	p.numNames++
	p.nodes.names = append(p.nodes.names, n)
	p.newLocal(p.intern("self"), 0)
	p.activate(1)
}

func (p *parser) parameters(f *Function) {
	n := 0
	for p.tok.kind != TRParen && !f.Vararg {
		switch p.tok.kind {
		case TName, THole:
			sym, _ := p.declare()
			p.newLocal(sym, n)
			n++
		case TDots:
			p.next()
			f.Vararg = true
			if !p.lua54 {
				// The hidden local `arg` of 5.1 (fact 49).
				p.newLocal(p.intern("arg"), n)
				n++
			}
		default:
			p.failNear("<name> or '...' expected")
		}
		if f.Vararg || !p.accept(TComma) {
			break
		}
		if p.tok.kind == TRParen {
			p.failNear("<name> or '...' expected")
		}
	}
	p.c.f.isVararg = f.Vararg
	p.activate(n)
	p.reserve(p.c.f.active)
}

func (p *parser) funcStat(start Pos, line int) Stmt {
	p.next()
	if p.tok.kind != TName && p.tok.kind != THole {
		p.failExpected(TName)
		return &BadStmt{p.since(start), p.id()}
	}
	from := p.start()
	var v exp
	target := p.prefixExpr(&v)
	for p.tok.kind == TDot {
		target = p.field(&v, target, from)
	}
	method := p.tok.kind == TColon
	if method {
		target = p.field(&v, target, from)
	}
	var b exp
	f := p.function(&b, p.start(), method, line)
	p.store(&v, &b)
	s := p.nodes.fnSt.take(p)
	*s = FuncStmt{p.since(start), p.id(), target, f}
	return s
}

func (p *parser) localFunc(start Pos) Stmt {
	mark := len(p.nodes.names)
	sym, ok := p.declare()
	if !ok {
		return &BadStmt{p.since(start), p.id()}
	}
	name := p.takeNames(mark)[0]
	p.newLocal(sym, 0)
	v := exp{kind: eLocal, info: p.c.f.freeReg}
	p.reserve(1)
	p.activate(1)
	var b exp
	f := p.function(&b, p.start(), false, p.s.line)
	p.store(&v, &b)
	s := p.nodes.localF.take(p)
	*s = LocalFunc{p.since(start), p.id(), name, f}
	return s
}
