package syntax

// Walk calls visit for n and, where visit returns true, for each node below it, in source order. Besides statements, expressions and
// names it visits *Block, *IfClause and *Field. It keeps its own stack, so a chain of any length is safe.
func Walk(n Node, visit func(Node) bool) {
	var first [64]Node
	stack := append(first[:0], n)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !visit(n) {
			continue
		}
		mark := len(stack)
		stack = appendChildren(stack, n)
		for i, j := mark, len(stack)-1; i < j; i, j = i+1, j-1 {
			stack[i], stack[j] = stack[j], stack[i]
		}
	}
}

// Parents gives the node around each node of one chunk.
type Parents []Node // by ID

// ParentsOf finds the parents of all nodes below c.Body, by the same steps as Walk.
func ParentsOf(c *Chunk) Parents {
	parents := make(Parents, c.NumNodes)
	var first [64]Node
	stack := append(first[:0], c.Body)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		mark := len(stack)
		stack = appendChildren(stack, n)
		for _, child := range stack[mark:] {
			parents[child.ID()] = n
		}
	}
	return parents
}

// Of returns the node around n: nil for the body of the chunk, for a node that the parser did not make, and for nil.
func (p Parents) Of(n Node) Node {
	if n == nil {
		return nil
	}
	if id := n.ID(); int(id) < len(p) {
		return p[id]
	}
	return nil
}

// appendChildren appends the nodes directly below n, in source order.
func appendChildren(to []Node, n Node) []Node {
	switch n := n.(type) {
	case *Chunk:
		return append(to, n.Body)
	case *Block:
		for _, s := range n.Stmts {
			to = append(to, s)
		}
		return to
	case *IfClause:
		return append(to, n.Cond, n.Body)
	case *Field:
		if n.Key != nil {
			to = append(to, n.Key)
		}
		return append(to, n.Value)
	case Stmt:
		return stmtChildren(to, n)
	case Expr:
		return exprChildren(to, n)
	}
	return to
}

func stmtChildren(to []Node, s Stmt) []Node {
	switch s := s.(type) {
	case *Local:
		return appendExprs(appendNames(to, s.Names), s.Exprs)
	case *Assign:
		return appendExprs(appendExprs(to, s.Targets), s.Exprs)
	case *CallStmt:
		return append(to, s.Call)
	case *Do:
		return append(to, s.Body)
	case *While:
		return append(to, s.Cond, s.Body)
	case *Repeat:
		return append(to, s.Body, s.Cond)
	case *If:
		for i := range s.Clauses {
			to = append(to, &s.Clauses[i])
		}
		if s.Else != nil {
			to = append(to, s.Else)
		}
	case *NumFor:
		to = append(to, s.Name, s.From, s.To)
		if s.Step != nil {
			to = append(to, s.Step)
		}
		return append(to, s.Body)
	case *GenFor:
		return append(appendExprs(appendNames(to, s.Names), s.Exprs), s.Body)
	case *FuncStmt:
		return append(to, s.Target, s.Func)
	case *LocalFunc:
		return append(to, s.Name, s.Func)
	case *Return:
		return appendExprs(to, s.Exprs)
	case *Goto:
		return append(to, s.Label)
	case *Label:
		return append(to, s.Name)
	}
	return to
}

func exprChildren(to []Node, e Expr) []Node {
	switch e := e.(type) {
	case *Function:
		return append(appendNames(to, e.Params), e.Body)
	case *Index:
		return append(to, e.X, e.Key)
	case *Call:
		to = append(to, e.Fn)
		if e.Method != nil {
			to = append(to, e.Method)
		}
		return appendExprs(to, e.Args)
	case *Binary:
		return append(to, e.X, e.Y)
	case *Unary:
		return append(to, e.X)
	case *Paren:
		return append(to, e.X)
	case *Table:
		for i := range e.Fields {
			to = append(to, &e.Fields[i])
		}
	}
	return to
}

func appendNames(to []Node, names []*Name) []Node {
	for _, n := range names {
		to = append(to, n)
	}
	return to
}

func appendExprs(to []Node, exprs []Expr) []Node {
	for _, e := range exprs {
		to = append(to, e)
	}
	return to
}
