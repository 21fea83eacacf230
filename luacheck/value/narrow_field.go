package value

import "github.com/redislint/redislint/luacheck/syntax"

// cutField narrows v by a test of v.err or v.ok: it is an error reply, or it is none.
func (ip *interp) cutField(st *state, e *syntax.Index, when bool) bool {
	key, ok := e.Key.(*syntax.String)
	if !ok || key.Value != "err" && key.Value != "ok" {
		return true
	}
	v, known := ip.peek(st, e.X)
	if !known || v.Obj != nil {
		return true
	}
	is := Error
	if key.Value == "ok" {
		is = Status
	}
	w := ip.with(v, Any&^is)
	if when {
		w = ip.with(v, is|Table)
		if v.Reply != nil || !v.IsUnknown() {
			w = ip.with(v, is)
			if w == nil {
				w = ip.with(v, Table)
			}
		}
	}
	if w == nil {
		return false
	}
	ip.settle(st, e.X, v, w)
	return true
}
