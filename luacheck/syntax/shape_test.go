package syntax

import (
	"fmt"
	"strings"
)

// shaper writes a tree as an S-expression that the trees of gopher-lua can be written in too (gopherlua_test.go). With spans set each
// node is followed by its span, and parentheses are shown.
type shaper struct {
	spans bool
	out   strings.Builder
}

func shape(c *Chunk, spans bool) string {
	s := shaper{spans: spans}
	s.block(c.Body)
	return s.out.String()
}

func (s *shaper) put(f string, args ...any) { fmt.Fprintf(&s.out, f, args...) }

func (s *shaper) at(n interface{ Bounds() Span }) {
	if s.spans {
		s.put("@%d-%d", n.Bounds().Start, n.Bounds().End)
	}
}

func (s *shaper) block(b *Block) {
	s.put("{")
	for i, st := range b.Stmts {
		if i > 0 {
			s.put(" ")
		}
		s.stmt(st)
	}
	s.put("}")
	s.at(b)
}

func (s *shaper) names(names []*Name) {
	s.put("[")
	for i, n := range names {
		if i > 0 {
			s.put(" ")
		}
		s.expr(n)
	}
	s.put("]")
}

func (s *shaper) list(exprs []Expr) {
	for _, e := range exprs {
		s.put(" ")
		s.expr(e)
	}
}

func (s *shaper) stmt(st Stmt) {
	s.put("(")
	switch n := st.(type) {
	case *Local:
		s.put("local ")
		s.names(n.Names)
		s.list(n.Exprs)
	case *LocalFunc:
		s.put("local ")
		s.names([]*Name{n.Name})
		s.list([]Expr{n.Func})
	case *Assign:
		s.put("set [")
		for i, t := range n.Targets {
			if i > 0 {
				s.put(" ")
			}
			s.expr(t)
		}
		s.put("]")
		s.list(n.Exprs)
	case *CallStmt:
		s.put("do ")
		s.expr(n.Call)
	case *FuncStmt:
		s.put("def ")
		s.expr(n.Target)
		if n.Func.Method {
			s.put(" self")
		}
		s.list([]Expr{n.Func})
	case *Return:
		s.put("return")
		s.list(n.Exprs)
	case *Break:
		s.put("break")
	case *BadStmt:
		s.put("bad")
	case *Goto:
		s.put("goto %s", n.Label.Text)
	case *Label:
		s.put("label %s", n.Name.Text)
	default:
		s.compound(st)
	}
	s.put(")")
	s.at(st)
}

func (s *shaper) compound(st Stmt) {
	switch n := st.(type) {
	case *Do:
		s.put("block ")
		s.block(n.Body)
	case *While:
		s.put("while")
		s.list([]Expr{n.Cond})
		s.put(" ")
		s.block(n.Body)
	case *Repeat:
		s.put("repeat ")
		s.block(n.Body)
		s.list([]Expr{n.Cond})
	case *If:
		s.ifClauses(n, 0)
	case *NumFor:
		s.put("for ")
		s.names([]*Name{n.Name})
		s.list([]Expr{n.From, n.To})
		if n.Step != nil {
			s.list([]Expr{n.Step})
		}
		s.put(" ")
		s.block(n.Body)
	case *GenFor:
		s.put("in ")
		s.names(n.Names)
		s.list(n.Exprs)
		s.put(" ")
		s.block(n.Body)
	}
}

// ifClauses nests each elseif in the else before it, which is how gopher-lua has them.
func (s *shaper) ifClauses(n *If, i int) {
	c := &n.Clauses[i]
	s.put("if")
	s.at(c)
	s.list([]Expr{c.Cond})
	s.put(" ")
	s.block(c.Body)
	switch {
	case i+1 < len(n.Clauses):
		s.put(" {(")
		s.ifClauses(n, i+1)
		s.put(")}")
	case n.Else != nil:
		s.put(" ")
		s.block(n.Else)
	default:
		s.put(" {}")
	}
}

func (s *shaper) expr(e Expr) {
	switch n := e.(type) {
	case *Name:
		s.put("%s", n.Text)
	case *Nil:
		s.put("nil")
	case *Bool:
		s.put("%v", n.Value)
	case *Number:
		s.put("%v", n.Value)
	case *String:
		s.put("%q", n.Value)
	case *Vararg:
		s.put("...")
	case *Hole:
		s.put("HOLE")
	case *Bad:
		s.put("BAD")
	case *Paren:
		s.paren(n)
		if !s.spans {
			return
		}
	default:
		s.put("(")
		s.operation(e)
		s.put(")")
	}
	s.at(e)
}

func (s *shaper) paren(n *Paren) {
	inner := n.X
	for {
		p, ok := inner.(*Paren)
		if !ok || s.spans {
			break
		}
		inner = p.X
	}
	cuts := false
	switch inner.(type) {
	case *Call, *Vararg:
		cuts = true
	}
	if s.spans || cuts {
		s.put("(one ")
		s.expr(inner)
		s.put(")")
		return
	}
	s.expr(inner)
}

func (s *shaper) operation(e Expr) {
	switch n := e.(type) {
	case *Function:
		s.put("fn ")
		params := n.Params
		if n.Method {
			params = params[1:]
		}
		s.names(params)
		if n.Vararg {
			s.put("...")
		}
		s.put(" ")
		s.block(n.Body)
	case *Index:
		s.put(".")
		s.list([]Expr{n.X, n.Key})
	case *Call:
		s.put("call")
		s.list([]Expr{n.Fn})
		if n.Method != nil {
			s.put(":%s", n.Method.Text)
			s.at(n.Method)
		}
		s.list(n.Args)
	case *Binary:
		s.put("%s", n.Op)
		if s.spans {
			s.at(n.OpAt)
		}
		s.list([]Expr{n.X, n.Y})
	case *Unary:
		s.put("u%s", n.Op)
		s.list([]Expr{n.X})
	case *Table:
		s.put("table")
		for i := range n.Fields {
			f := &n.Fields[i]
			s.put(" ")
			if f.Key != nil {
				s.expr(f.Key)
				s.put("=")
			}
			s.expr(f.Value)
			s.at(f)
		}
	}
}
