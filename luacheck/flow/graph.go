package flow

import "github.com/redislint/redislint/luacheck/syntax"

// StepKind says what a step does.
type StepKind uint8

const (
	Exec    StepKind = iota // a statement without a body: Local, Assign, CallStmt, LocalFunc, FuncStmt
	Cond                    // a condition is evaluated: Node is the expression
	NumInit                 // a numeric loop's bounds are evaluated: Node is the *syntax.NumFor
	NumBind                 // its variable gets the next number
	GenInit                 // a generic loop's expressions are evaluated: Node is the *syntax.GenFor
	GenBind                 // its variables get the next values
	Return                  // Node is the *syntax.Return
	End                     // control runs off the end of the function: Node is its block
	Leave                   // the locals declared inside Node, a statement, go out of sight
)

// Step is one thing that is done.
type Step struct {
	Kind StepKind
	Node syntax.Node
}

// Block is a run of steps without a way in or out in between.
type Block struct {
	Index int // in Graph.Blocks
	Steps []Step
	Succs []Edge
	// Head: an edge from within leads back here, so states are widened here.
	Head bool
	// Loop is the innermost loop statement around the block, nil outside loops.
	Loop syntax.Stmt
	// Depth counts the loops around the block.
	Depth int

	in   *loop // of Loop
	nest *Nest
	mark uint8 // of order
	// edges is room for Succs: no block has more than two.
	edges [2]Edge
}

// Edge leads to another block; with Cond it is taken when the condition's truth is When.
type Edge struct {
	To   *Block
	Cond syntax.Expr
	When bool
}

// Graph is the flow of one function. Blocks[0] is the entry; blocks are in an order in which, back edges aside, each comes after those
// that lead to it. Blocks that nothing leads to are not in it.
type Graph struct {
	Blocks []*Block
	// Endless are the loops that no edge leaves.
	Endless []syntax.Stmt
	// Outer is the loop around each loop, the outermost left out.
	Outer map[syntax.Stmt]syntax.Stmt
	// Cyclic: there is a back edge.
	Cyclic bool
	// Nest has the blocks as the loops nest them.
	Nest *Nest
}

// Nest is the body of a function, or of a loop in it, in the order of Graph.Blocks.
type Nest struct {
	Head  *Block // of the loop; nil for the function
	Outer *Nest
	Items []Item

	items int // how many there will be
}

// Item is a block, or a loop with all of its blocks.
type Item struct {
	Block *Block
	Loop  *Nest
}

// holds reports whether a block is of the nest itself, or the head of a loop right in it.
func (n *Nest) holds(b *Block) bool { return b.nest == n || b.Head && b.nest.Outer == n }

// around reports whether m lies in n.
func (n *Nest) around(m *Nest) bool {
	for ; m != nil; m = m.Outer {
		if m == n {
			return true
		}
	}
	return false
}
