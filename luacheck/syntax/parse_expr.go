package syntax

// priority holds the left and right binding power of each binary operator. The numbers are those of Lua 5.4, which are in the order of
// 5.1 for what 5.1 has.
var priority = [...][2]uint8{
	OpOr: {1, 1}, OpAnd: {2, 2},
	OpLess: {3, 3}, OpGreater: {3, 3}, OpLessEq: {3, 3}, OpGreaterEq: {3, 3}, OpNotEq: {3, 3}, OpEq: {3, 3},
	OpBOr: {4, 4}, OpBXor: {5, 5}, OpBAnd: {6, 6}, OpShl: {7, 7}, OpShr: {7, 7},
	OpConcat: {9, 8}, OpAdd: {10, 10}, OpSub: {10, 10},
	OpMul: {11, 11}, OpDiv: {11, 11}, OpIDiv: {11, 11}, OpMod: {11, 11}, OpPow: {14, 13},
}

const unaryPriority = 12

// binaryOps and unaryOps are the operators that tokens stand for.
var binaryOps = [tPanic + 1]Op{TOr: OpOr, TAnd: OpAnd, TLess: OpLess, TGreater: OpGreater, TLessEq: OpLessEq, TGreaterEq: OpGreaterEq,
	TNotEq: OpNotEq, TEq: OpEq, TConcat: OpConcat, TPlus: OpAdd, TMinus: OpSub, TStar: OpMul, TSlash: OpDiv, TPercent: OpMod,
	TCaret: OpPow, TDSlash: OpIDiv, TAmp: OpBAnd, TPipe: OpBOr, TTilde: OpBXor, TShl: OpShl, TShr: OpShr}

var unaryOps = [tPanic + 1]Op{TNot: OpNot, TMinus: OpNeg, THash: OpLen, TTilde: OpBNot}

// expr reads an expression; e is what the compiler makes of it.
func (p *parser) expr(e *exp) Expr {
	start := p.start()
	x := p.subexpr(e, 0)
	if p.tok.kind == THole && !p.tok.first {
		return p.unknownOperator(start)
	}
	return x
}

// unknownOperator reads on from a hole that follows an expression in its line. What it makes of the operands nobody knows.
func (p *parser) unknownOperator(start Pos) Expr {
	p.next()
	if !p.tok.first && startsExpr[p.tok.kind] {
		var e exp
		p.expr(&e)
	}
	return &Bad{p.since(start), p.id()}
}

// startsExpr are the tokens that an expression can start with.
var startsExpr = [tPanic + 1]bool{TName: true, TString: true, TNumber: true, THole: true, TBad: true, TFalse: true, TFunction: true,
	TNil: true, TNot: true, TTrue: true, TMinus: true, THash: true, TLParen: true, TLBrace: true, TDots: true, TTilde: true}

// subexpr reads operators that bind tighter than limit. Left-associative chains are a loop here, so they may be of any length.
func (p *parser) subexpr(e *exp, limit uint8) Expr {
	if p.regs > roughRegs {
		p.exceed()
	}
	if !p.enter() {
		return p.bad()
	}
	start := p.start()
	var x Expr
	if op := unaryOps[p.tok.kind]; op != OpNone {
		x = p.unary(e, op)
	} else {
		x = p.simple(e)
	}
	if binaryOps[p.tok.kind] != OpNone {
		x = p.operators(e, x, start, limit)
	}
	p.leave()
	return x
}

func (p *parser) unary(e *exp, op Op) Expr {
	start, at := p.start(), p.tok.span()
	p.next()
	operand := p.subexpr(e, unaryPriority)
	if !p.c.off {
		p.prefix(op, e)
	}
	u := p.nodes.unary.take(p)
	*u = Unary{Span: p.since(start), NodeID: p.id(), Op: op, OpAt: at, X: operand}
	return u
}

// operators reads on from the left operand x.
func (p *parser) operators(e *exp, x Expr, start Pos, limit uint8) Expr {
	// Declared outside the loop, because the compiler puts what a recursive call is given from within a loop on the heap.
	var right exp
	for {
		op := binaryOps[p.tok.kind]
		if op == OpNone || priority[op][0] <= limit {
			return x
		}
		at := p.tok.span()
		p.next()
		if !p.c.off {
			p.infix(op, e)
			right = exp{}
		}
		p.regs++
		y := p.subexpr(&right, priority[op][1])
		p.regs--
		if !p.c.off {
			p.postfix(op, e, &right)
		}
		b := p.nodes.binary.take(p)
		*b = Binary{Span: p.since(start), NodeID: p.id(), Op: op, OpAt: at, X: x, Y: y}
		x = b
	}
}

// bad is a missing expression: it has no extent.
func (p *parser) bad() Expr { return &Bad{Span{p.prevEnd, p.prevEnd}, p.id()} }

func (p *parser) simple(e *exp) Expr {
	if p.tok.kind == TName {
		return p.primary(e)
	}
	at := p.tok.span()
	var x Expr
	switch p.tok.kind {
	case TNumber:
		n := p.nodes.number.take(p)
		*n = Number{at, p.id(), p.s.num}
		x, e.kind, e.num = n, eNumber, p.s.num
	case TString:
		return p.stringLiteral(e)
	case TNil:
		n := p.nodes.nils.take(p)
		*n = Nil{at, p.id()}
		x, e.kind = n, eNil
	case TTrue:
		x, e.kind = p.boolNode(at, true), eTrue
	case TFalse:
		x, e.kind = p.boolNode(at, false), eFalse
	case TDots:
		if !p.c.f.isVararg {
			p.fail(failure{msg: "cannot use '...' outside a vararg function", near: true, soft: true})
		}
		x, e.kind = &Vararg{at, p.id()}, eVararg
		p.emit()
	case TBad:
		x = &Bad{at, p.id()}
	case TLBrace:
		return p.table(e)
	case TFunction:
		return p.functionExpr(e)
	default:
		return p.primary(e)
	}
	p.next()
	return x
}

func (p *parser) functionExpr(e *exp) Expr {
	start := p.start()
	p.next()
	f := p.function(e, start, false, p.s.line)
	return f
}

func (p *parser) stringLiteral(e *exp) Expr {
	s := p.nodes.str.take(p)
	*s = String{Span: p.tok.span(), NodeID: p.id(), Value: p.s.value(&p.tok)}
	if p.s.text[s.Start] == '[' {
		s.Form = LongForm
	}
	s.Holed = len(p.s.holes) > 0 && len(p.s.holesFrom(s.Start)) > 0
	e.kind = eConst
	if !p.c.off {
		e.info = p.stringConst(p.intern(s.Value))
	}
	p.next()
	return s
}

// prefixExpr reads a name or an expression in parentheses.
func (p *parser) prefixExpr(e *exp) Expr {
	switch p.tok.kind {
	case TLParen:
		start, line := p.start(), p.s.line
		p.next()
		x := p.expr(e)
		p.expectMatch(TRParen, TLParen, line)
		if !p.c.off {
			p.discharge(e)
		}
		n := p.nodes.paren.take(p)
		*n = Paren{p.since(start), p.id(), x}
		return n
	case TName:
		sym := p.symbol()
		n := p.nameNode()
		p.next()
		if !p.c.off {
			p.variable(e, sym)
		}
		return n
	case THole:
		h := &Hole{p.tok.span(), p.id()}
		e.kind = eGlobal
		p.next()
		return h
	}
	p.failNear("unexpected symbol")
	return p.bad()
}

// primary reads a prefix expression and what follows it: fields, keys, calls. The chain is a loop, so it may be of any length.
func (p *parser) primary(e *exp) Expr {
	start := p.start()
	x := p.prefixExpr(e)
	for {
		switch p.tok.kind {
		case TDot:
			x = p.field(e, x, start)
		case TLBracket:
			x = p.indexed(e, x, start)
		case TColon:
			x = p.method(e, x, start)
		case TLParen, TString, TLBrace:
			if !p.c.off {
				p.toNextReg(e)
			}
			x = p.arguments(e, x, nil, start)
		default:
			return x
		}
	}
}

func (p *parser) indexNode(start Pos, x, key Expr) Expr {
	n := p.nodes.index.take(p)
	*n = Index{Span: p.since(start), NodeID: p.id(), X: x, Key: key}
	return n
}

// field reads `.name`.
func (p *parser) field(e *exp, x Expr, start Pos) Expr {
	var key exp
	if !p.c.off {
		p.toAnyReg(e)
	}
	p.next()
	k := p.bareName(&key)
	if !p.c.off {
		p.index(e, &key)
	}
	return p.indexNode(start, x, k)
}

// indexed reads `[key]`.
func (p *parser) indexed(e *exp, x Expr, start Pos) Expr {
	var key exp
	if !p.c.off {
		p.toAnyReg(e)
	}
	p.regs++
	k := p.key(&key)
	p.regs--
	if !p.c.off {
		p.index(e, &key)
	}
	return p.indexNode(start, x, k)
}

// bareName reads a name that is a key.
func (p *parser) bareName(e *exp) Expr {
	switch p.tok.kind {
	case TName:
		s := p.nodes.str.take(p)
		at := p.tok.span()
		*s = String{Span: at, NodeID: p.id(), Value: p.s.text[at.Start:at.End], Form: BareName}
		sym := p.symbol()
		p.next()
		e.kind, e.info = eConst, p.stringConst(sym)
		return s
	case THole:
		h := &Hole{p.tok.span(), p.id()}
		p.next()
		return h
	}
	p.failExpected(TName)
	return p.bad()
}

// key reads the brackets and what is in them.
func (p *parser) key(e *exp) Expr {
	p.next()
	k := p.expr(e)
	if !p.c.off {
		p.toValue(e)
	}
	p.expect(TRBracket)
	return k
}

// method reads `:name` and the arguments.
func (p *parser) method(e *exp, x Expr, start Pos) Expr {
	p.next()
	if p.tok.kind != TName {
		if p.tok.kind == THole {
			p.next()
			x = &Bad{p.since(start), p.id()}
			return p.arguments(e, x, nil, start)
		}
		p.failExpected(TName)
		return x
	}
	var key exp
	sym := p.symbol()
	name := p.nameNode()
	p.next()
	if !p.c.off {
		key.kind, key.info = eConst, p.stringConst(sym)
		p.self(e, &key)
	}
	return p.arguments(e, x, name, start)
}

// arguments reads the arguments of a call whose function is in e.
func (p *parser) arguments(e *exp, fn Expr, method *Name, start Pos) Expr {
	line := p.s.line
	var args exp
	var parens Pos
	var list []Expr
	p.regs += regsPerCall
	switch p.tok.kind {
	case TLParen:
		if line != p.lastLine && !p.lua54 {
			p.fail(failure{msg: "ambiguous syntax (function call x new statement)", near: true, soft: true})
		}
		parens = p.start()
		p.next()
		if p.tok.kind != TRParen {
			list = p.exprList(&args)
			if !p.c.off && args.isOpen() {
				p.manyResults(&args)
			}
		}
		p.expectMatch(TRParen, TLParen, line)
	case TLBrace:
		list = p.oneExpr(p.table(&args))
	case TString:
		list = p.oneExpr(p.stringLiteral(&args))
	default:
		p.failNear("function arguments expected")
		if method != nil {
			break
		}
		p.regs -= regsPerCall
		return fn
	}
	p.regs -= regsPerCall
	if !p.c.off {
		p.call(e, &args)
	}
	c := p.nodes.call.take(p)
	*c = Call{Span: p.since(start), NodeID: p.id(), parens: parens, Fn: fn, Method: method, Args: list}
	return c
}

// call counts the call of the function in e.
func (p *parser) call(e, args *exp) {
	base := e.info
	if args.kind != eVoid && !args.isOpen() {
		p.toNextReg(args)
	}
	p.emit()
	*e = exp{kind: eCall, aux: base}
	p.c.f.freeReg = base + 1
}

// exprList reads one expression or more. All but the last are in registers then.
func (p *parser) exprList(e *exp) []Expr {
	first := p.expr(e)
	if p.tok.kind != TComma {
		return p.oneExpr(first)
	}
	mark := len(p.nodes.exprs)
	p.nodes.exprs = append(p.nodes.exprs, first)
	p.moreExprs(e)
	return p.takeExprs(mark)
}

// oneExpr is a list of one expression.
func (p *parser) oneExpr(x Expr) []Expr {
	list := p.nodes.exprList.take(p)
	*list = x
	return p.nodes.exprList.last()
}

// moreExprs reads what follows the first expression of a list onto the stack of expressions.
func (p *parser) moreExprs(e *exp) {
	regs := p.regs
	for p.accept(TComma) {
		if !p.c.off {
			p.toNextReg(e)
			*e = exp{}
		}
		p.regs++
		p.nodes.exprs = append(p.nodes.exprs, p.expr(e))
	}
	p.regs = regs
}

func (p *parser) boolNode(at Span, value bool) *Bool {
	b := p.nodes.bools.take(p)
	*b = Bool{at, p.id(), value}
	return b
}

func (p *parser) nameNode() *Name {
	n := p.nodes.name.take(p)
	at := p.tok.span()
	*n = Name{Span: at, NodeID: p.id(), Text: p.s.text[at.Start:at.End], Index: p.numNames}
	p.numNames++
	return n
}
