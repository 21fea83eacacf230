package value

import (
	"math"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
)

// listed adds the lists of the script that a value is or holds in its fields.
func listed(list []Listed, st *state, v *Value, field string, deep int) []Listed {
	if v.Obj == nil || deep > maxShape {
		return list
	}
	o := st.objs.get(v.Obj.ID)
	switch {
	case o == nil || o.lost || o.many || o.open:
		return list
	case len(o.fields) == 0:
		return append(list, Listed{At: v.Obj.At, Field: field, Empty: o.atLeast() == 0, Filled: o.grows != nil && data(o.grows.From)})
	}
	for _, name := range o.fieldNames() {
		list = listed(list, st, o.fields[name], name, deep+1)
	}
	return list
}

// data reports whether a value came from a server or out of a text: there may be none of it.
func data(o *Origin) bool {
	return o != nil && (o.Kind == FromReply || o.Kind == FromDecoded)
}

// joinListed keeps the lists of two paths; one that is empty on either may be empty.
func joinListed(a, b []Listed) []Listed {
next:
	for _, l := range b {
		for i := range a {
			if a[i].At == l.At && a[i].Field == l.Field {
				a[i].Empty, a[i].Filled = a[i].Empty || l.Empty, a[i].Filled || l.Filled
				continue next
			}
		}
		a = append(a, l)
	}
	return a
}

// withinList reports whether x reads KEYS or ARGV at the variable of a loop that goes no further than the list does: for i = 1, #KEYS.
func (ip *interp) withinList(st *state, x *syntax.Index) bool {
	n, ok := unparen(x.Key).(*syntax.Name)
	if !ok {
		return false
	}
	l := ip.in.Scope.Ref(n)
	if l == nil || len(l.Writes) > 0 {
		return false
	}
	for fr := ip.frame; fr != nil; fr = fr.outer {
		if list, ok := fr.listed[l]; ok {
			base, known := ip.peek(st, x.X)
			return known && isList(base) && base.From.Kind == list
		}
	}
	return false
}

// listLoop notes that the variable of a numeric loop stays within KEYS or ARGV, of which the script changes nothing.
func (ip *interp) listLoop(n *syntax.NumFor, from, to *Value, st *state) {
	first, last, step := n.From, n.To, 1.0
	if n.Step != nil {
		s := ip.cached(st, n.Step)
		if !s.Const || s.Kinds != Number {
			return
		}
		step = s.Num
	}
	if step < 0 {
		last, from = first, to
	}
	u, ok := unparen(last).(*syntax.Unary)
	if !ok || u.Op != syntax.OpLen || !from.Const || from.Kinds != Number || from.Num < 1 || from.Num != math.Floor(from.Num) || step != math.Floor(step) {
		return
	}
	base, known := ip.peek(st, u.X)
	l := ip.in.Scope.Ref(n.Name)
	if !known || l == nil || !isList(base) || ip.assigned["KEYS"] || ip.assigned["ARGV"] {
		return
	}
	if ip.frame.listed == nil {
		ip.frame.listed = map[*scope.Local]OriginKind{}
	}
	ip.frame.listed[l] = base.From.Kind
}
