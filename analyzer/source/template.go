package source

import (
	"go/ast"
	"go/types"
	"strings"
	"text/template/parse"
)

// executed is what Execute of a text/template writes, where the template's text is constant and has nothing but placeholders: {{.Name}}. What
// the data gives them is put in where it is known, else it is a hole.
func (e *evaluator) executed(c *ast.CallExpr, b Bound) (*Text, bool) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || len(c.Args) != 2 {
		return nil, false
	}
	source, ok := e.templateText(Bound{Expr: sel.X, Env: b.Env, Index: -1})
	if !ok {
		return nil, false
	}
	text, ok := source.Constant()
	if !ok {
		return nil, false
	}
	tree := parse.New("script")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, "", "", map[string]*parse.Tree{}); err != nil || tree.Root == nil {
		return nil, false
	}
	out := &Text{}
	for _, n := range tree.Root.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			from, to := int(n.Pos), int(n.Pos)+len(n.Text)
			if to > len(text) || text[from:to] != string(n.Text) {
				return nil, false
			}
			out = concat(out, source.slice(from, to))
		case *parse.ActionNode:
			name := placeholder(n)
			if name == "" {
				return nil, false
			}
			out = concat(out, e.filled(name, c.Args[1], b))
		default:
			return nil, false
		}
	}
	return out.frozenCopy(), true
}

// placeholder is the name in {{.Name}}, "." for {{.}}; "" for other actions.
func placeholder(n *parse.ActionNode) string {
	if len(n.Pipe.Decl) > 0 || len(n.Pipe.Cmds) != 1 || len(n.Pipe.Cmds[0].Args) != 1 {
		return ""
	}
	switch a := n.Pipe.Cmds[0].Args[0].(type) {
	case *parse.DotNode:
		return "."
	case *parse.FieldNode:
		if len(a.Ident) == 1 {
			return a.Ident[0]
		}
	}
	return ""
}

// filled is what the data of a template gives a placeholder.
func (e *evaluator) filled(name string, data ast.Expr, b Bound) *Text {
	if name == "." {
		return e.value(data, b.Env, 'v')
	}
	hole := e.x.holeAt(Bound{Expr: data, Env: b.Env, Index: -1}, "")
	h := hole.pieces[0].hole
	h.ID, h.Name, h.Param = h.ID+"."+name, name, nil
	tos := e.x.Follow(Bound{Expr: data, Env: b.Env, Index: -1}, true)
	if len(tos) != 1 {
		return hole
	}
	lit := compositeOf(tos[0].Expr)
	if lit == nil {
		return hole
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			break
		}
		id, isField := kv.Key.(*ast.Ident)
		if key := e.x.constOf(kv.Key, nil); key != nil && strings.Trim(key.ExactString(), `"`) == name || isField && id.Name == name {
			return e.value(kv.Value, tos[0].Env, 'v')
		}
	}
	if st := structOf(e.x.Info.TypeOf(lit)); st != nil && len(lit.Elts) == st.NumFields() {
		for i := range lit.Elts {
			if _, keyed := lit.Elts[i].(*ast.KeyValueExpr); !keyed && st.Field(i).Name() == name {
				return e.value(lit.Elts[i], tos[0].Env, 'v')
			}
		}
	}
	return hole
}

// templateText is the text of a template: template.Must(template.New(name).Parse(text)), also in a variable.
func (e *evaluator) templateText(b Bound) (*Text, bool) {
	for range maxDepth {
		tos := e.x.Follow(b, true)
		if len(tos) != 1 || tos[0].Expr == nil {
			return nil, false
		}
		c, ok := ast.Unparen(tos[0].Expr).(*ast.CallExpr)
		if !ok {
			return nil, false
		}
		fn, _ := e.x.Callee(c).(*types.Func)
		if fn == nil || fn.Pkg() == nil {
			return nil, false
		}
		switch funcName(fn) {
		case "text/template.Must":
			b = Bound{Expr: c.Args[0], Env: tos[0].Env, Index: -1}
		case "text/template.Template.Parse":
			if !e.plainTemplate(c) {
				return nil, false
			}
			return only(e.arg(c, 0, tos[0]))
		default:
			return nil, false
		}
	}
	return nil, false
}

// plainTemplate reports whether a template is parsed with the usual delimiters.
func (e *evaluator) plainTemplate(c *ast.CallExpr) bool {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	made, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, _ := e.x.Callee(made).(*types.Func)
	return fn != nil && fn.Pkg() != nil && funcName(fn) == "text/template.New"
}
