package scope

import (
	"sort"

	"github.com/redislint/redislint/luacheck/syntax"
)

// Local is a local variable or parameter.
type Local struct {
	Name  *syntax.Name     // the declaration; nil for the implicit `arg` of a vararg function
	Func  *syntax.Function // the function that declares it; nil is the main chunk
	Index int              // in Info.Locals
	// Uses are the names that refer to it beside the declaration, in source order; Writes those of them that are assigned.
	Reads, Writes []*syntax.Name
	// Declared: a local statement declares it, with Init as the expression in its place, if there is one. Given are those that assignments
	// give it, nil where its place has none.
	Declared bool
	Init     syntax.Expr
	Given    []syntax.Expr
	// Captured: a nested function refers to it; CapturedWrite: a nested function assigns it.
	Captured, CapturedWrite bool

	reads, writes int32 // how many there will be
}

// Info is the result.
type Info struct {
	Locals  []*Local
	Globals map[string][]*syntax.Name // by name, in source order
	// Funcs is each function's parent, by Function.Index; nil where the parent is the main chunk.
	Funcs []*syntax.Function
	// List has all functions, each before those in it, in source order.
	List []*syntax.Function
	// Stores are the elements and fields that are assigned, in source order.
	Stores []*syntax.Index
	ref    []*Local // by Name.Index
	// placed are the locals with a declaration, by position.
	placed []*Local
}

// Within returns the locals that are declared inside the span, by position. The result must not be changed.
func (i *Info) Within(s syntax.Span) []*Local {
	from := sort.Search(len(i.placed), func(k int) bool { return i.placed[k].Name.Start >= s.Start })
	to := sort.Search(len(i.placed), func(k int) bool { return i.placed[k].Name.Start >= s.End })
	return i.placed[from:to]
}

// Ref returns the local that a name refers to or declares, nil for a global.
func (i *Info) Ref(n *syntax.Name) *Local { return i.ref[n.Index] }

// Assigns reports whether a function, or one inside it, assigns a local that it does not declare.
func (i *Info) Assigns(f *syntax.Function) bool {
	for _, l := range i.Locals {
		if !l.CapturedWrite {
			continue
		}
		for _, w := range l.Writes {
			if l.Func != f && f.Span.Contains(w.Span) {
				return true
			}
		}
	}
	return false
}
