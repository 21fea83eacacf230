package source

import (
	"go/ast"
	"go/types"
)

// Embedded files that the package fills in before it runs them: template = strings.ReplaceAll(template, "$KEY", key).

// rewrittenFile returns the texts of a variable that embeds a file. Where a statement makes it of itself, the file as it stands may never run;
// what it becomes is known where one statement does that and puts constants in. Constants that are assigned, as tests do, change nothing, nor
// does giving it back what it was.
func (e *evaluator) rewrittenFile(obj types.Object, file *Text) []*Text {
	v := e.x.vars[obj]
	if v == nil || e.filling[obj] {
		return []*Text{file}
	}
	if e.filling == nil {
		e.filling = map[types.Object]bool{}
	}
	e.filling[obj] = true // the file is what the variable is made of
	defer func() { e.filling[obj] = false }()
	var made []*Text
	changes, known, surely := 0, true, false
	for _, d := range v.defs {
		own := d.Kind == Changed || e.x.madeOfItself(obj, d)
		if _, named := ast.Unparen(d.Expr).(*ast.Ident); d.Kind == Zero || named && !own {
			continue // the declaration, or x = old
		}
		texts := e.given(d)
		if texts == nil || own {
			changes++
			known, surely = known && texts != nil, atStart(d)
			made = append(made, texts...)
		}
	}
	start := *file
	start.Changed = true
	switch {
	case changes == 0:
		return []*Text{file}
	case changes > 1 || !known:
		return []*Text{&start, e.x.holeAt(Bound{Index: -1}, "the embedded file is changed at run time")}
	case surely:
		return made
	}
	return append(made, &start)
}

// atStart reports whether a definition is a statement of an init function, on no condition.
func atStart(d Def) bool {
	block := d.Cur.Parent()
	fn, ok := block.Parent().Node().(*ast.FuncDecl)
	return ok && fn.Body == block.Node() && fn.Recv == nil && fn.Name.Name == "init"
}

// given returns the constant texts that a definition gives a variable; nil where one of them is not constant.
func (e *evaluator) given(d Def) []*Text {
	if d.Kind != Plain || d.Expr == nil {
		return nil
	}
	texts := e.eval(Bound{Expr: d.Expr, Index: d.Index})
	for _, t := range texts {
		if _, ok := t.Constant(); !ok {
			return nil
		}
	}
	return texts
}
