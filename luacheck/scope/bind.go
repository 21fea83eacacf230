package scope

import "github.com/redislint/redislint/luacheck/syntax"

// Bind resolves every name of a chunk. It never fails; after syntax errors it resolves what the tree has.
func Bind(c *syntax.Chunk) *Info { return BindIn(nil, c) }

// BindIn is Bind with memory to work in; nil is memory of its own.
func BindIn(m *Scratch, c *syntax.Chunk) *Info {
	if m == nil {
		m = &Scratch{}
	}
	b := binder{info: m.begin(c), Scratch: m}
	b.block(c.Body)
	b.listUses()
	return b.info
}

// binder keeps the locals in sight: a stack that shrinks when a block ends. A name's innermost local is found through its symbol, which
// holds the position of its latest declaration; hidden keeps the one that it covers.
type binder struct {
	*Scratch
	info  *Info
	fn    *syntax.Function
	total int // uses
}

type entry struct {
	local  *Local
	sym    int32
	hidden int32
}

// use is the symbol of a name; below zero, its complement, where the name is written.
type use int32

func (u use) symbol() int32 { return int32(max(u, ^u)) }

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
		b.syms[b.stack[i].sym].visible = b.stack[i].hidden
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
	l := b.locals.One()
	l.Name, l.Func, l.Index = n, b.fn, len(b.info.Locals)
	b.info.Locals = append(b.info.Locals, l)
	return l
}

func (b *binder) push(l *Local, text string) {
	sym := b.of(text)
	s := &b.syms[sym]
	b.stack = append(b.stack, entry{local: l, sym: sym, hidden: s.visible})
	s.visible = int32(len(b.stack))
}

func (b *binder) use(n *syntax.Name, write bool) {
	sym := b.of(n.Text)
	b.names[n.Index], b.uses[n.Index] = n, use(sym)
	b.total++
	s := &b.syms[sym]
	if s.visible == 0 {
		s.globals++
		return
	}
	l := b.stack[s.visible-1].local
	b.info.ref[n.Index] = l
	if l.Func != b.fn {
		l.Captured = true
		l.CapturedWrite = l.CapturedWrite || write
	}
	if write {
		b.uses[n.Index] = ^use(sym)
		l.writes++
	} else {
		l.reads++
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
		b.expr(s.From)
		b.expr(s.To)
		b.expr(s.Step)
		mark := len(b.stack)
		b.declare(s.Name)
		b.block(s.Body)
		b.release(mark)
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
				b.give(l, inPlace(s.Exprs, i))
			}
		}
	}
}

// give notes what an assignment gives a local.
func (b *binder) give(l *Local, x syntax.Expr) {
	l.Given = b.given.Append(l.Given, x)
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
	if n, ok := e.(*syntax.Name); ok {
		b.use(n, false)
		return
	}
	mark := len(b.spine)
	for e != nil {
		next := left(e)
		if next == nil {
			break
		}
		b.spine = append(b.spine, e)
		e = next
	}
	b.leaf(e)
	for len(b.spine) > mark {
		last := b.spine[len(b.spine)-1]
		b.spine = b.spine[:len(b.spine)-1]
		switch e := last.(type) {
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
