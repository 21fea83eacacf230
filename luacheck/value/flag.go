package value

import "github.com/redislint/redislint/luacheck/syntax"

// flagged is one place that assigns a local a value which tells only how the place was reached: local ok = false … ok = true, slot = i.
type flagged struct {
	expr syntax.Expr
	spot *spot
	next *flagged
	size int
}

// maxFlagged bounds the places that are kept of a local.
const maxFlagged = 8

// fieldFlag is what is noted of the fields of one name: state.done = true. Which table it is does not matter for what decides about it.
type fieldFlag struct {
	name   string
	places *flagged
}

// maxFieldFlags bounds the names of fields that are kept.
const maxFieldFlags = 16

// flag notes what a local is given, where it is no reply nor made from one: of those their origin tells.
func (ip *interp) flag(name *syntax.Name, e syntax.Expr, v *Value) {
	if !ip.frame.record || v.From != nil && v.From.Kind != FromLiteral && v.From.Kind != FromNumber {
		return
	}
	l := ip.in.Scope.Ref(name)
	if l == nil || v.IsUnknown() {
		return
	}
	ip.flags[l.Index] = ip.flagged(ip.flags[l.Index], e)
}

// flagField notes what a field is given, as flag does for a local.
func (ip *interp) flagField(x *syntax.Index, e syntax.Expr, v *Value) {
	key, ok := x.Key.(*syntax.String)
	if !ok || !ip.frame.record || v.IsUnknown() || v.From != nil && v.From.Kind != FromLiteral && v.From.Kind != FromNumber {
		return
	}
	for i := range ip.fieldFlags {
		if f := &ip.fieldFlags[i]; f.name == key.Value {
			f.places = ip.flagged(f.places, e)
			return
		}
	}
	if len(ip.fieldFlags) < maxFieldFlags {
		ip.fieldFlags = append(ip.fieldFlags, fieldFlag{key.Value, ip.flagged(nil, e)})
	}
}

// flagged adds the present place to those of a flag.
func (ip *interp) flagged(old *flagged, e syntax.Expr) *flagged {
	size := 1
	if old != nil {
		size = old.size + 1
	}
	if size > maxFlagged {
		return old
	}
	return ip.mem.flagged.Put(flagged{expr: e, spot: ip.here(), next: old, size: size})
}

// flagOf are the places that give what an expression reads as a flag.
func (ip *interp) flagOf(n syntax.Node) *flagged {
	switch n := n.(type) {
	case *syntax.Name:
		if l := ip.in.Scope.Ref(n); l != nil {
			return ip.flags[l.Index]
		}
	case *syntax.Index:
		if key, ok := n.Key.(*syntax.String); ok {
			for i := range ip.fieldFlags {
				if ip.fieldFlags[i].name == key.Value {
					return ip.fieldFlags[i].places
				}
			}
		}
	}
	return nil
}

// tested adds the span of a condition and, with deep, of what decides about the flags in it.
func (ip *interp) tested(spans []syntax.Span, cond syntax.Expr, deep bool) []syntax.Span {
	spans = append(spans, cond.Bounds())
	if !deep {
		return spans
	}
	syntax.Walk(cond, func(n syntax.Node) bool {
		for f := ip.flagOf(n); f != nil; f = f.next {
			spans = append(spans, f.expr.Bounds())
			for _, d := range f.spot.direct() {
				spans = ip.tested(spans, d.cond, false)
			}
		}
		return true
	})
	return spans
}
