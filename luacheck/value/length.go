package value

import (
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

// listLength is #KEYS or #ARGV: what the callers pass, where all of them are known and the script does not change the list's length.
func (ip *interp) listLength(v *Value) (lo, hi float64) {
	l, name := &ip.in.Keys, "KEYS"
	if v.From.Kind == FromArgvList {
		l, name = &ip.in.Args, "ARGV"
	}
	if !l.Counted || ip.assigned[name] {
		return 0, inf
	}
	lo, hi = float64(l.Min), inf
	if l.Max >= 0 {
		hi = float64(l.Max)
	}
	return lo, hi
}

// some is any element, read at an index that is not known: that it is missing is possible, and nobody can vouch for it.
func (l *List) some() *Value {
	var v *Value
	for _, w := range append(l.Elems[:len(l.Elems):len(l.Elems)], l.Rest) {
		if w != nil && !w.Only(Nil) {
			v = join(v, w)
		}
	}
	if v == nil || v.IsUnknown() || v.Kinds&Nil == 0 {
		return v
	}
	c := *v
	c.Weak |= Nil
	return &c
}

func (ip *interp) listLengthValue(v *Value, at syntax.Span) *Value {
	lo, hi := ip.listLength(v)
	if lo == hi {
		return numberValue(lo)
	}
	return number(lo, hi, Whole, computed(at, v.From))
}

// changedLists looks for code that changes KEYS or ARGV: such a list is not the callers' any more, wherever the change stands; one of
// which elements are assigned may be longer too.
func (ip *interp) changedLists() {
	for _, x := range ip.in.Scope.Stores {
		if name := ip.listName(x.X); name != "" {
			if ip.assigned == nil {
				ip.assigned = map[string]bool{}
			}
			ip.assigned[name] = true
			ip.forgetList(name)
		}
	}
	text := ip.in.Chunk.Source.Text
	if !strings.Contains(text, "insert") && !strings.Contains(text, "remove") && !strings.Contains(text, "sort") {
		return // as most scripts
	}
	syntax.Walk(ip.in.Chunk.Body, func(n syntax.Node) bool {
		call, ok := n.(*syntax.Call)
		if !ok || len(call.Args) == 0 {
			return true
		}
		x, ok := call.Fn.(*syntax.Index)
		if !ok {
			return true
		}
		if key, ok := x.Key.(*syntax.String); ok && (key.Value == "insert" || key.Value == "remove" || key.Value == "sort") {
			ip.forgetList(ip.listName(call.Args[0]))
		}
		return true
	})
}

func (ip *interp) forgetList(name string) {
	switch name {
	case "KEYS":
		ip.in.Keys = List{}
	case "ARGV":
		ip.in.Args = List{}
	}
}

// listName is "KEYS" or "ARGV" where the expression is that global.
func (ip *interp) listName(e syntax.Expr) string {
	if n, ok := unparen(e).(*syntax.Name); ok && (n.Text == "KEYS" || n.Text == "ARGV") && ip.in.Scope.Ref(n) == nil {
		return n.Text
	}
	return ""
}
