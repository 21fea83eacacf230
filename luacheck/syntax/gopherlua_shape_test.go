package syntax

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
)

// gopherShape writes a tree of gopher-lua as shaper does.
type gopherShape struct{ out strings.Builder }

func (s *gopherShape) put(f string, args ...any) { fmt.Fprintf(&s.out, f, args...) }

func (s *gopherShape) block(stmts []ast.Stmt) {
	s.put("{")
	for i, st := range stmts {
		if i > 0 {
			s.put(" ")
		}
		s.stmt(st)
	}
	s.put("}")
}

func (s *gopherShape) list(exprs []ast.Expr) {
	for _, e := range exprs {
		s.put(" ")
		s.expr(e)
	}
}

func (s *gopherShape) stmt(st ast.Stmt) {
	s.put("(")
	switch n := st.(type) {
	case *ast.LocalAssignStmt:
		s.put("local %s", n.Names)
		s.list(n.Exprs)
	case *ast.AssignStmt:
		s.put("set [")
		for i, t := range n.Lhs {
			if i > 0 {
				s.put(" ")
			}
			s.expr(t)
		}
		s.put("]")
		s.list(n.Rhs)
	case *ast.FuncCallStmt:
		s.put("do")
		s.list([]ast.Expr{n.Expr})
	case *ast.FuncDefStmt:
		s.funcDef(n)
	case *ast.ReturnStmt:
		s.put("return")
		s.list(n.Exprs)
	case *ast.BreakStmt:
		s.put("break")
	case *ast.DoBlockStmt:
		s.put("block ")
		s.block(n.Stmts)
	case *ast.RepeatStmt:
		s.put("repeat ")
		s.block(n.Stmts)
		s.list([]ast.Expr{n.Condition})
	default:
		s.loop(st)
	}
	s.put(")")
}

func (s *gopherShape) loop(st ast.Stmt) {
	var body []ast.Stmt
	switch n := st.(type) {
	case *ast.WhileStmt:
		s.put("while")
		s.list([]ast.Expr{n.Condition})
		body = n.Stmts
	case *ast.IfStmt:
		s.put("if")
		s.list([]ast.Expr{n.Condition})
		s.put(" ")
		s.block(n.Then)
		body = n.Else
	case *ast.NumberForStmt:
		s.put("for [%s]", n.Name)
		s.list([]ast.Expr{n.Init, n.Limit})
		if n.Step != nil {
			s.list([]ast.Expr{n.Step})
		}
		body = n.Stmts
	case *ast.GenericForStmt:
		s.put("in %s", n.Names)
		s.list(n.Exprs)
		body = n.Stmts
	}
	s.put(" ")
	s.block(body)
}

func (s *gopherShape) funcDef(n *ast.FuncDefStmt) {
	if n.Name.Func != nil {
		s.put("def ")
		s.expr(n.Name.Func)
	} else {
		s.put("def (. ")
		s.expr(n.Name.Receiver)
		s.put(" %q) self", n.Name.Method)
	}
	s.put(" ")
	s.expr(n.Func)
}

func (s *gopherShape) expr(e ast.Expr) {
	switch n := e.(type) {
	case *ast.IdentExpr:
		s.put("%s", n.Value)
	case *ast.NilExpr:
		s.put("nil")
	case *ast.TrueExpr:
		s.put("true")
	case *ast.FalseExpr:
		s.put("false")
	case *ast.NumberExpr:
		value, _ := parseNumber(n.Value)
		s.put("%v", value)
	case *ast.StringExpr:
		s.put("%q", n.Value)
	case *ast.Comma3Expr:
		if n.AdjustRet {
			s.put("(one ...)")
		} else {
			s.put("...")
		}
	case *ast.FuncCallExpr:
		s.call(n)
	default:
		s.put("(")
		s.operation(e)
		s.put(")")
	}
}

func (s *gopherShape) call(n *ast.FuncCallExpr) {
	if n.AdjustRet {
		s.put("(one ")
		defer s.put(")")
	}
	s.put("(call ")
	if n.Func != nil {
		s.expr(n.Func)
	} else {
		s.expr(n.Receiver)
		s.put(":%s", n.Method)
	}
	s.list(n.Args)
	s.put(")")
}

func (s *gopherShape) operation(e ast.Expr) {
	switch n := e.(type) {
	case *ast.FunctionExpr:
		s.put("fn %s", n.ParList.Names)
		if n.ParList.HasVargs {
			s.put("...")
		}
		s.put(" ")
		s.block(n.Stmts)
	case *ast.AttrGetExpr:
		s.put(".")
		s.list([]ast.Expr{n.Object, n.Key})
	case *ast.LogicalOpExpr:
		s.put("%s", n.Operator)
		s.list([]ast.Expr{n.Lhs, n.Rhs})
	case *ast.RelationalOpExpr:
		s.put("%s", n.Operator)
		s.list([]ast.Expr{n.Lhs, n.Rhs})
	case *ast.ArithmeticOpExpr:
		s.put("%s", n.Operator)
		s.list([]ast.Expr{n.Lhs, n.Rhs})
	case *ast.StringConcatOpExpr:
		s.put("..")
		s.list([]ast.Expr{n.Lhs, n.Rhs})
	case *ast.UnaryMinusOpExpr:
		s.put("u-")
		s.list([]ast.Expr{n.Expr})
	case *ast.UnaryNotOpExpr:
		s.put("unot")
		s.list([]ast.Expr{n.Expr})
	case *ast.UnaryLenOpExpr:
		s.put("u#")
		s.list([]ast.Expr{n.Expr})
	case *ast.TableExpr:
		s.put("table")
		for _, f := range n.Fields {
			s.put(" ")
			if f.Key != nil {
				s.expr(f.Key)
				s.put("=")
			}
			s.expr(f.Value)
		}
	}
}
