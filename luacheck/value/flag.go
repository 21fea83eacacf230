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

// flag notes what a local is given, where it is no reply nor made from one: of those their origin tells.
func (ip *interp) flag(name *syntax.Name, e syntax.Expr, v *Value) {
	if !ip.frame.record || v.From != nil && v.From.Kind != FromLiteral && v.From.Kind != FromNumber {
		return
	}
	l := ip.in.Scope.Ref(name)
	if l == nil || v.IsUnknown() {
		return
	}
	old, size := ip.flags[l.Index], 1
	if old != nil {
		size = old.size + 1
	}
	if size <= maxFlagged {
		ip.flags[l.Index] = ip.mem.flagged.Put(flagged{expr: e, spot: ip.here(), next: old, size: size})
	}
}

// tested adds the span of a condition and, with deep, of what decides about the flags in it.
func (ip *interp) tested(spans []syntax.Span, cond syntax.Expr, deep bool) []syntax.Span {
	spans = append(spans, cond.Bounds())
	if !deep {
		return spans
	}
	syntax.Walk(cond, func(n syntax.Node) bool {
		name, ok := n.(*syntax.Name)
		if !ok {
			return true
		}
		l := ip.in.Scope.Ref(name)
		if l == nil {
			return true
		}
		for f := ip.flags[l.Index]; f != nil; f = f.next {
			spans = append(spans, f.expr.Bounds())
			for _, d := range f.spot.direct() {
				spans = ip.tested(spans, d.cond, false)
			}
		}
		return true
	})
	return spans
}
