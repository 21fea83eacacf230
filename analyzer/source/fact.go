package source

import "go/ast"

// StringFact is what other packages must know of a function that makes a string: its text in terms of its parameters. It is data that
// travels between packages.
type StringFact struct {
	Parts []FactPart
}

// FactPart is a literal text, the value of a parameter, or (with a Name) something else that the function reads.
type FactPart struct {
	Lit   string
	Param int // index from 0; -1 for none
	Name  string
	// Varies: what the function reads depends on the arguments of the call.
	Varies bool
}

// AFact marks the type as a fact of go/analysis.
func (*StringFact) AFact() {}

// String shows the fact for tests.
func (f *StringFact) String() string {
	s := "text "
	for _, p := range f.Parts {
		switch {
		case p.Param >= 0:
			s += "$" + string(rune('0'+p.Param))
		case p.Name != "":
			s += "?" + p.Name
		default:
			s += p.Lit
		}
	}
	return s
}

// StringFact returns what other packages must know of a function of this package; nil where it tells them nothing.
func (x *Index) StringFact(fn *Func) *StringFact {
	if len(fn.Returns) != 1 || len(fn.Returns[0].Results) != 1 {
		return nil
	}
	fact := x.FactOf(x.Text(At(fn.Returns[0].Results[0], nil)), fn)
	for _, p := range fact.Parts {
		if p.Param < 0 && p.Name == "" {
			return fact
		}
	}
	return nil
}

// Complete reports whether the text is made of literals and parameters alone.
func (f *StringFact) Complete() bool {
	for _, p := range f.Parts {
		if p.Param < 0 && p.Name != "" {
			return false
		}
	}
	return len(f.Parts) > 0
}

// FactOf is a text in terms of the parameters of a function.
func (x *Index) FactOf(t *Text, fn *Func) *StringFact {
	fact := &StringFact{}
	for _, p := range t.Parts() {
		if p.Hole == nil {
			fact.Parts = append(fact.Parts, FactPart{Lit: p.Lit, Param: -1})
			continue
		}
		part := FactPart{Param: -1, Name: p.Hole.Name}
		if p.Hole.Param != nil {
			if owner, i := x.ParamOf(p.Hole.Param); owner == fn && i >= 0 {
				part = FactPart{Param: i}
			}
		}
		part.Varies = part.Param < 0 && x.mentionsParam(p.Hole.Expr, fn)
		fact.Parts = append(fact.Parts, part)
	}
	return fact
}

// mentionsParam reports whether an expression names a parameter of a function, other than its receiver.
func (x *Index) mentionsParam(e ast.Expr, fn *Func) bool {
	if e == nil {
		return true
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			owner, i := x.ParamOf(x.Info.ObjectOf(id))
			found = found || owner == fn && i >= 0
		}
		return !found
	})
	return found
}

// fromFact is the text of a call of a function of another package.
func (e *evaluator) fromFact(fact *StringFact, c *ast.CallExpr, b Bound) []*Text {
	texts := []*Text{{}}
	for _, p := range fact.Parts {
		switch {
		case p.Param >= 0 && p.Param < len(c.Args):
			texts = product(texts, []*Text{e.value(c.Args[p.Param], b.Env, 'v')})
		case p.Param < 0 && p.Name == "":
			texts = product(texts, []*Text{valueText(p.Lit, c)})
		default:
			h := e.x.holeAt(b, "")
			read := c.Fun
			if p.Varies {
				read = c
			}
			h.pieces[0].hole.ID, h.pieces[0].hole.Name = e.x.identity(read, b.Env)+"/"+p.Name, p.Name
			h.pieces[0].hole.Param = nil
			texts = product(texts, []*Text{h})
		}
	}
	return texts
}
