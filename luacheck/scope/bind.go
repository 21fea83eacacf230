package scope

import (
	"sort"

	"github.com/redislint/redislint/luacheck/syntax"
)

// Bind resolves every name of a chunk. It never fails; after syntax errors it resolves what the tree has.
func Bind(c *syntax.Chunk) *Info {
	info := &Info{Globals: map[string][]*syntax.Name{}, Funcs: make([]*syntax.Function, c.NumFuncs), ref: make([]*Local, c.NumNames)}
	b := binder{info: info}
	b.block(c.Body)
	for _, l := range info.Locals {
		if l.Name != nil {
			info.placed = append(info.placed, l)
		}
	}
	sort.SliceStable(info.placed, func(i, j int) bool { return info.placed[i].Name.Start < info.placed[j].Name.Start })
	return info
}

// binder keeps the locals in sight: a stack that shrinks when a block ends. A name's innermost local is found through visible, which
// maps a text to the position of its latest declaration; hidden keeps the one that it covers.
type binder struct {
	info    *Info
	fn      *syntax.Function
	stack   []entry
	visible map[string]int // position in stack plus one
}

type entry struct {
	local  *Local
	text   string
	hidden int
}

func (b *binder) block(body *syntax.Block) {
	if body == nil {
		return
	}
	mark := len(b.stack)
	for _, s := range body.Stmts {
		b.stmt(s)
	}
	b.release(mark)
}

// release ends the scope of all locals declared since mark.
func (b *binder) release(mark int) {
	for i := len(b.stack) - 1; i >= mark; i-- {
		b.visible[b.stack[i].text] = b.stack[i].hidden
	}
	b.stack = b.stack[:mark]
}

func (b *binder) declare(n *syntax.Name) *Local {
	if n == nil {
		return nil
	}
	l := b.newLocal(n)
	b.info.ref[n.Index] = l
	b.push(l, n.Text)
	return l
}

// inPlace is the i-th expression of a list, nil where it is shorter.
func inPlace(list []syntax.Expr, i int) syntax.Expr {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func (b *binder) newLocal(n *syntax.Name) *Local {
	l := &Local{Name: n, Func: b.fn, Index: len(b.info.Locals)}
	b.info.Locals = append(b.info.Locals, l)
	return l
}

func (b *binder) push(l *Local, text string) {
	if b.visible == nil {
		b.visible = map[string]int{}
	}
	b.stack = append(b.stack, entry{local: l, text: text, hidden: b.visible[text]})
	b.visible[text] = len(b.stack)
}

func (b *binder) use(n *syntax.Name, write bool) {
	at := b.visible[n.Text]
	if at == 0 {
		b.info.Globals[n.Text] = append(b.info.Globals[n.Text], n)
		return
	}
	l := b.stack[at-1].local
	b.info.ref[n.Index] = l
	if l.Func != b.fn {
		l.Captured = true
		l.CapturedWrite = l.CapturedWrite || write
	}
	if write {
		l.Writes = append(l.Writes, n)
	} else {
		l.Reads = append(l.Reads, n)
	}
}

func (b *binder) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Local:
		b.exprs(s.Exprs)
		for i, n := range s.Names {
			if l := b.declare(n); l != nil {
				l.Declared, l.Init = true, inPlace(s.Exprs, i)
			}
		}
	case *syntax.Assign:
		b.assign(s)
	case *syntax.CallStmt:
		b.expr(s.Call)
	case *syntax.Do:
		b.block(s.Body)
	case *syntax.While:
		b.expr(s.Cond)
		b.block(s.Body)
	case *syntax.Repeat:
		b.repeat(s)
	case *syntax.If:
		for i := range s.Clauses {
			b.expr(s.Clauses[i].Cond)
			b.block(s.Clauses[i].Body)
		}
		b.block(s.Else)
	case *syntax.NumFor:
		b.exprs([]syntax.Expr{s.From, s.To, s.Step})
		b.loop([]*syntax.Name{s.Name}, s.Body)
	case *syntax.GenFor:
		b.exprs(s.Exprs)
		b.loop(s.Names, s.Body)
	case *syntax.LocalFunc:
		b.declare(s.Name)
		b.function(s.Func)
	case *syntax.FuncStmt:
		b.target(s.Target)
		b.function(s.Func)
	case *syntax.Return:
		b.exprs(s.Exprs)
	}
}

// assign reads the right side first, then the tables and keys on the left, as the server evaluates them; a name on the left is a write.
func (b *binder) assign(s *syntax.Assign) {
	for _, t := range s.Targets {
		if x, ok := t.(*syntax.Index); ok {
			b.info.Stores = append(b.info.Stores, x)
		}
		if _, plain := t.(*syntax.Name); !plain {
			b.expr(t)
		}
	}
	b.exprs(s.Exprs)
	for i, t := range s.Targets {
		if n, plain := t.(*syntax.Name); plain {
			b.use(n, true)
			if l := b.info.Ref(n); l != nil {
				l.Given = append(l.Given, inPlace(s.Exprs, i))
			}
		}
	}
}

func (b *binder) target(t syntax.Expr) {
	if n, plain := t.(*syntax.Name); plain {
		b.use(n, true)
		return
	}
	b.expr(t)
}

// repeat keeps the body's locals in sight for the condition.
func (b *binder) repeat(s *syntax.Repeat) {
	mark := len(b.stack)
	for _, inner := range s.Body.Stmts {
		b.stmt(inner)
	}
	b.expr(s.Cond)
	b.release(mark)
}

func (b *binder) loop(names []*syntax.Name, body *syntax.Block) {
	mark := len(b.stack)
	for _, n := range names {
		b.declare(n)
	}
	b.block(body)
	b.release(mark)
}

func (b *binder) function(f *syntax.Function) {
	if f == nil {
		return
	}
	b.info.Funcs[f.Index] = b.fn
	b.info.List = append(b.info.List, f)
	outer, mark := b.fn, len(b.stack)
	b.fn = f
	for _, p := range f.Params {
		b.declare(p)
	}
	if f.Vararg {
		b.push(b.newLocal(nil), "arg") // the old implicit table (fact 49)
	}
	b.block(f.Body)
	b.release(mark)
	b.fn = outer
}

func (b *binder) exprs(list []syntax.Expr) {
	for _, e := range list {
		b.expr(e)
	}
}

// expr goes down the left spine by a loop: a chain of operators or calls may be as long as the text.
func (b *binder) expr(e syntax.Expr) {
	var spine []syntax.Expr
	for e != nil {
		next := left(e)
		if next == nil {
			break
		}
		spine = append(spine, e)
		e = next
	}
	b.leaf(e)
	for i := len(spine) - 1; i >= 0; i-- {
		switch e := spine[i].(type) {
		case *syntax.Binary:
			b.expr(e.Y)
		case *syntax.Index:
			b.expr(e.Key)
		case *syntax.Call:
			b.exprs(e.Args)
		}
	}
}

// left is the operand that is read first, where e has a left spine.
func left(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Binary:
		return e.X
	case *syntax.Index:
		return e.X
	case *syntax.Call:
		return e.Fn
	case *syntax.Paren:
		return e.X
	case *syntax.Unary:
		return e.X
	}
	return nil
}

func (b *binder) leaf(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Name:
		b.use(e, false)
	case *syntax.Function:
		b.function(e)
	case *syntax.Table:
		for i := range e.Fields {
			b.expr(e.Fields[i].Key)
			b.expr(e.Fields[i].Value)
		}
	}
}
