package syntax

// statement54 reads what Lua 5.4 has besides the statements of 5.1. It returns nil for an empty statement.
func (p *parser) statement54(start Pos) Stmt {
	switch p.tok.kind {
	case TSemi:
		return nil // statements steps over it
	case TGoto:
		p.next()
		if name := p.labelName(); name != nil {
			return &Goto{p.since(start), p.id(), name}
		}
		return &BadStmt{p.since(start), p.id()}
	case TDColon:
		p.next()
		name := p.labelName()
		p.expect(TDColon)
		if name != nil {
			return &Label{p.since(start), p.id(), name}
		}
		return &BadStmt{p.since(start), p.id()}
	}
	return p.exprStat(start)
}

func (p *parser) labelName() *Name {
	mark := len(p.nodes.names)
	if _, ok := p.declare(); !ok {
		return nil
	}
	return p.takeNames(mark)[0]
}

// attribute steps over `<const>` or `<close>` behind a declared name.
func (p *parser) attribute() {
	if p.accept(TLess) {
		p.expect(TName)
		p.expect(TGreater)
	}
}
