package value

import (
	"github.com/redislint/redislint/luacheck/syntax"
)

func hostInsert(ip *interp, k *hostArgs) []Arg {
	t, v := k.value(0), k.value(len(k.args)-1)
	ip.escapeInto(k.st, v)
	switch {
	case isList(t):
		k.st.lists.drop()
	case t.Obj != nil:
		ip.change(k.st, t, func(o *object) *object {
			if len(k.args) == 2 && !k.args[1].Many {
				return ip.grow(o.add(v), v)
			}
			return ip.grow(o.setIndex(0, v), v)
		})
	default:
		if len(k.args) > 0 && k.args[0].Node != nil {
			ip.blur(k.st, k.args[0].Node, t)
		}
	}
	return nil
}

func hostRemove(ip *interp, k *hostArgs) []Arg {
	t := k.value(0)
	e := ip.elementOf(k.st, t, 0)
	if t.Obj != nil {
		ip.change(k.st, t, func(o *object) *object {
			c := o.clone()
			c.scatter(o.element(), 0)
			if c.elem == nil {
				c.elem = nilValue
			}
			return c
		})
	} else if isList(t) {
		k.st.lists.drop()
	} else if t.Reply != nil || t.NonEmpty {
		ip.shorten(k, t)
	}
	return k.one(ip.orNil(e))
}

// hostConcat is table.concat: with known elements the text of its parts.
func hostConcat(ip *interp, k *hostArgs) []Arg {
	t := k.value(0)
	o := ip.object(k.st, t)
	if o == nil || !o.exact || o.many || o.lost || len(k.args) > 2 || !t.Only(Table) {
		var from *Origin
		if o != nil && !o.lost && o.element() != nil {
			from = ip.mem.computed(k.x.Span, o.element().From)
		} else {
			from = ip.mem.computed(k.x.Span, t.From)
		}
		ip.concatElements(k, t)
		return k.one(ip.mem.text(from))
	}
	sep, sepOK := "", true
	if len(k.args) > 1 {
		sep, sepOK = constText(k.value(1))
	}
	var parts []*Origin
	list := o.list
	for len(list) > 0 && list[len(list)-1].Kinds == Nil {
		list = list[:len(list)-1] // no element: the length ends before it
	}
	for i, v := range list {
		if i > 0 && sep != "" {
			parts = append(parts, ip.mem.literal(sep, k.x.Span))
		}
		if i > 0 && !sepOK {
			parts = append(parts, k.value(1).From)
		}
		if s, ok := constText(v); ok {
			parts = append(parts, ip.mem.literal(s, k.x.Span))
			continue
		}
		if v.Kinds&^(String|Number) != 0 && !v.IsUnknown() {
			ip.fail(k.st, ip.mem.fails.Put(Failure{At: k.args[0].At, Class: FailConcat, Sure: v.Kinds&(String|Number) == 0, Weak: v.Strong()&^(String|Number) == 0,
				Value: v, Node: k.args[0].Node, Host: k.name, Why: "invalid value (" + kindWord(v.Kinds&^(String|Number)) + ") in table for 'concat'"}))
		}
		parts = append(parts, v.From)
	}
	if len(parts) == 0 {
		return k.one(ip.mem.textValue("", k.x.Span))
	}
	j := ip.mem.concat(parts, k.x.Span)
	if j != nil && j.Kind == FromLiteral {
		return k.one(ip.mem.textValue(j.Text, k.x.Span))
	}
	return k.one(ip.mem.text(j))
}

// concatElements: an element that may be false, as in the reply of MGET, is refused (fact 169).
func (ip *interp) concatElements(k *hostArgs, t *Value) {
	if t.Reply == nil || t.Reply.Elem == nil {
		return
	}
	e := ip.elementOf(k.st, t, 0)
	if e.May(Falsy|Tables) && !e.IsUnknown() && e.Kinds&False != 0 {
		ip.note(k.st, ip.mem.fails.Put(Failure{At: k.args[0].At, Class: FailConcat, Value: e, Node: k.args[0].Node, Host: k.name,
			Why: "invalid value (" + kindWord(e.Kinds&^(String|Number|Nil)) + ") in table for 'concat'"}))
	}
}

func hostGetn(ip *interp, k *hostArgs) []Arg {
	ip.useElements(k.value(0), k.x.Span)
	if k.args[0].Node == nil {
		return k.one(ip.mem.number(0, inf, Whole, nil))
	}
	n := ip.length(k.st, &syntax.Unary{Span: k.x.Span, Op: syntax.OpLen, X: k.args[0].Node}, k.value(0))
	return k.one(n)
}

func hostSort(ip *interp, k *hostArgs) []Arg {
	if t := k.value(0); t.Obj != nil {
		ip.change(k.st, t, func(o *object) *object {
			c := o.clone()
			c.scatter(o.element(), o.atLeast())
			if c.elem == nil {
				return o
			}
			return c
		})
	} else if isList(t) {
		k.st.lists.drop()
	}
	return nil
}
