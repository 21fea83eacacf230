package value

import (
	"sort"
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
			v = heap.join(v, w)
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
		return ip.mem.numberValue(lo)
	}
	return ip.mem.number(lo, hi, Whole, ip.mem.computed(at, v.From))
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
	if !ip.handsOn("KEYS") && !ip.handsOn("ARGV") {
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

// handsOn reports whether a list may be the first argument of table.insert, remove or sort, going by the word before its name. A comment may
// stand in between.
func (ip *interp) handsOn(name string) bool {
	comments := ip.in.Chunk.Comments
	for _, n := range ip.in.Scope.Globals[name] {
		before := ip.in.Chunk.Source.Text[:n.Start]
		for before != "" && strings.IndexByte("( \t\r\n", before[len(before)-1]) >= 0 {
			before = before[:len(before)-1]
		}
		if before == "" {
			continue
		}
		end := before[len(before)-1]
		if (end == 't' || end == 'e') && (strings.HasSuffix(before, "insert") || strings.HasSuffix(before, "remove") || strings.HasSuffix(before, "sort")) {
			return true
		}
		if len(comments) == 0 {
			continue
		}
		next := sort.Search(len(comments), func(i int) bool { return comments[i].Start >= n.Start })
		if next > 0 && int(comments[next-1].End) >= len(before) {
			return true
		}
	}
	return false
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
