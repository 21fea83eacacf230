package syntax

func (p *parser) feature(at Span) string { return "" }
