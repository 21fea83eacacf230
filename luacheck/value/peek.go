package value

import (
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// place is what an expression names, where a test of it can narrow something.
func (ip *interp) place(st *state, e syntax.Expr) (Place, bool) {
	switch e := unparen(e).(type) {
	case *syntax.Name:
		if l := ip.in.Scope.Ref(e); l != nil {
			return Place{Local: l}, true
		}
	case *syntax.Index:
		base, ok := ip.peek(st, e.X)
		if !ok {
			return Place{}, false
		}
		key, ok := ip.peek(st, e.Key)
		if !ok {
			return Place{}, false
		}
		if base.Obj == nil && base.Lib() == "" && !isList(base) {
			return ip.readPart(st, ip.stampedIn(st, e.X, base), ip.stampedIn(st, e.Key, key), e.Span)
		}
		if !key.Const {
			return Place{}, false
		}
		if isList(base) && key.Kinds == Number {
			return Place{List: base.From.Kind, Index: int(key.Num)}, listKey(base.From.Kind, int(key.Num)) >= 0
		}
		if base.Obj != nil && (key.Kinds == String || key.Kinds == Number) {
			return Place{Obj: base.Obj, Field: key.Text, Index: int(key.Num)}, true
		}
	}
	return Place{}, false
}

// peek is the value of an expression that can be read without evaluating anything: names, constants, elements.
func (ip *interp) peek(st *state, e syntax.Expr) (*Value, bool) {
	switch e := unparen(e).(type) {
	case *syntax.Name:
		if l := ip.in.Scope.Ref(e); l != nil {
			return st.local(l), true
		}
		switch {
		case e.Text == "KEYS" && ip.frame.ctx == server.InScript:
			return keysList, true
		case e.Text == "ARGV" && ip.frame.ctx == server.InScript:
			return argvList, true
		}
		if v := ip.host(e); v != nil {
			return v, true
		}
		return anyValue, false
	case *syntax.Nil:
		return nilValue, true
	case *syntax.Bool:
		return truth(e.Value), true
	case *syntax.Number:
		return ip.numeral(e), true
	case *syntax.String:
		return ip.literal(e), true
	case *syntax.Index:
		if p, ok := ip.place(st, e); ok {
			return ip.placeValue(st, p), true
		}
		if base, ok := ip.peek(st, e.X); ok && base.Lib() != "" {
			if k, ok := ip.peek(st, e.Key); ok {
				return ip.field(base.Lib(), k), true
			}
		}
	}
	u, ok := unparen(e).(*syntax.Unary)
	if ok && u.Op == syntax.OpNeg {
		if n, ok := unparen(u.X).(*syntax.Number); ok {
			return ip.mem.numberValue(-n.Value), true
		}
	}
	if ok && u.Op == syntax.OpLen {
		if base, ok := ip.peek(st, u.X); ok && isList(base) {
			return ip.listLengthValue(base, u.Span), true
		}
	}
	for c := st.calls; c != nil; c = c.next {
		if c.node == any(unparen(e)) {
			return c.v, true
		}
	}
	return anyValue, false
}

func (ip *interp) placeValue(st *state, p Place) *Value {
	switch {
	case p.Local != nil:
		return st.local(p.Local)
	case p.Base != 0:
		if v := st.part(p); v != nil {
			return v
		}
		return anyValue
	case p.Obj != nil:
		o := st.objs.get(p.Obj.ID)
		if o == nil {
			return anyValue
		}
		if p.Field != "" {
			return o.at(ip.mem.textValue(p.Field, syntax.Span{}))
		}
		return o.at(ip.mem.numberValue(float64(p.Index)))
	}
	return ip.listElement(st, p.List, p.Index)
}

func (ip *interp) setPlace(st *state, p Place, v *Value) {
	switch {
	case p.Local != nil:
		st.setLocal(p.Local, v)
		st.tell(localGuard(p.Local), v)
	case p.Base != 0:
		st.setPart(p, v)
	case p.Obj != nil:
		o := st.objs.get(p.Obj.ID)
		if o == nil || o.many || o.lost {
			return
		}
		if p.Field != "" {
			st.objs.set(p.Obj.ID, o.setField(p.Field, v))
			if st.guards != nil {
				st.tell(ip.mem.fieldGuard(p.Obj.ID, p.Field), v)
			}
		} else if o.exact && p.Index <= len(o.list) {
			st.objs.set(p.Obj.ID, o.setIndex(p.Index, v))
		}
	default:
		if k := listKey(p.List, p.Index); k >= 0 {
			st.lists.set(k, v)
			st.tell(listGuard(k), v)
		}
	}
}
