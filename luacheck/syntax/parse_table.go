package syntax

// constructor is a table constructor that is being read.
type constructor struct {
	table   int32 // its register
	items   int   // positional items
	toStore int32 // positional items whose value waits in a register
	item    exp   // the last positional item
}

func (p *parser) table(e *exp) Expr {
	start, line, regs := p.start(), p.s.line, p.regs
	p.regs++
	*e = exp{}
	if !p.c.off {
		p.emitOpen(e)
		p.toNextReg(e)
	}
	cc := constructor{table: e.info}
	mark := len(p.nodes.fields)
	p.next()
	for p.tok.kind != TRBrace {
		if !p.c.off {
			p.closeItem(&cc)
		}
		p.regs = regs + 1 + cc.items%fieldsPerSet
		p.nodes.fields = append(p.nodes.fields, p.tableField(&cc))
		if !p.accept(TComma) && !p.accept(TSemi) {
			break
		}
	}
	p.expectMatch(TRBrace, TLBrace, line)
	if !p.c.off {
		p.lastItem(&cc)
	}
	p.regs = regs
	t := p.nodes.table.take(p)
	*t = Table{Span: p.since(start), NodeID: p.id(), Fields: p.takeFields(mark)}
	return t
}

func (p *parser) tableField(cc *constructor) Field {
	start := p.start()
	switch {
	case p.tok.kind == TName && p.peek() == TAssign, p.tok.kind == TLBracket:
		return p.keyed(start)
	}
	cc.item = exp{}
	f := Field{NodeID: p.id(), Value: p.expr(&cc.item)}
	if _, isHole := f.Value.(*Hole); isHole && p.accept(TAssign) {
		var e exp
		f.Key, f.Value = f.Value, p.expr(&e)
		cc.item = exp{}
	} else {
		cc.items++
		cc.toStore++
	}
	f.Span = p.since(start)
	return f
}

// keyed reads `name = value` or `[key] = value`.
func (p *parser) keyed(start Pos) Field {
	reg := p.c.f.freeReg
	var key, val exp
	f := Field{NodeID: p.id()}
	if p.tok.kind == TName {
		f.Key = p.bareName(&key)
	} else {
		f.Key = p.key(&key)
	}
	p.expect(TAssign)
	if !p.c.off {
		p.toOperand(&key)
	}
	p.regs++
	f.Value = p.expr(&val)
	if !p.c.off {
		p.toOperand(&val)
		p.emit()
		p.c.f.freeReg = reg
	}
	f.Span = p.since(start)
	return f
}

// closeItem moves the last positional item into its register, and stores a full batch.
func (p *parser) closeItem(cc *constructor) {
	if cc.item.kind == eVoid {
		return
	}
	p.toNextReg(&cc.item)
	cc.item = exp{}
	if cc.toStore == fieldsPerSet {
		p.setList(cc)
		cc.toStore = 0
	}
}

func (p *parser) lastItem(cc *constructor) {
	if cc.toStore == 0 {
		return
	}
	if cc.item.isOpen() {
		p.manyResults(&cc.item)
	} else if cc.item.kind != eVoid {
		p.toNextReg(&cc.item)
	}
	p.setList(cc)
}

func (p *parser) setList(cc *constructor) {
	p.emit()
	if (cc.items-1)/fieldsPerSet+1 > maxSetBatch {
		p.emit() // the number of the batch needs a word of its own
	}
	if !p.c.off {
		p.c.f.freeReg = cc.table + 1
	}
}
