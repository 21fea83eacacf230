package value

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

// operand checks that a value may be used where only the kinds ok are allowed; what is left behind is narrowed to them, since otherwise
// the script would have ended. The word for the offending kind goes into why.
func (ip *interp) operand(st *state, e syntax.Expr, v *Value, ok Kinds, class FailClass, why string) {
	bad := v.Kinds &^ ok
	if bad == 0 || v.IsUnknown() || st.dead {
		return
	}
	strong := bad &^ v.Weak
	if strings.Contains(why, "%s") {
		word := kindWord(bad)
		if strong != 0 {
			word = kindWord(strong)
		}
		why = fmt.Sprintf(why, word)
	}
	f := ip.mem.fails.Put(Failure{At: e.Bounds(), Class: class, Sure: v.Kinds&ok == 0, Weak: strong == 0, Why: why, Value: v, Node: e})
	if p, isPlace := ip.place(st, e); isPlace && p.Local != nil {
		f.Local = p.Local
	}
	ip.fail(st, f)
	if f.Sure {
		return
	}
	ip.restrict(st, e, v, ok)
}

// restrict narrows the place that e names to the kinds.
func (ip *interp) restrict(st *state, e syntax.Expr, v *Value, ok Kinds) {
	p, isPlace := ip.place(st, e)
	if !isPlace {
		if w := ip.with(v, ok); w != nil {
			ip.implied(st, w)
		}
		return
	}
	if w := ip.with(ip.placeValue(st, p), ok); w != nil && w != v {
		ip.setPlace(st, p, w)
		ip.follow(st, p, w)
		ip.implied(st, w)
	}
}

// mayThrow keeps the state for the Lua pcall around the present code: the script may go on behind it from here.
func (ip *interp) mayThrow(st *state) {
	for fr := ip.frame; fr != nil; fr = fr.outer {
		if fr.protected {
			fr.thrown.merge(ip.fork(st), false)
			return
		}
	}
}

// fail notes a failure; a sure one ends the path.
func (ip *interp) fail(st *state, f *Failure) {
	ip.note(st, f)
	ip.mayThrow(st)
	if f.Sure {
		st.dead = true
	}
}

func (ip *interp) note(st *state, f *Failure) {
	fr := ip.frame
	ip.failed = ip.failed || f.Sure
	if !fr.record {
		return
	}
	f.Func, f.Protected = fr.fn, fr.guarded()
	if writes := writesBefore(st, f.Value); !st.mixed && len(writes) > 0 {
		f.Writes = writes
		f.spot = ip.here()
	}
	f.owner, f.ctx = ip.owner, ip.contextOf(fr)
	ip.rec.failure(f, f.ctx)
}

// watch runs the checks of one operation, and notes where the script goes on behind it. check must evaluate nothing else.
func (ip *interp) watch(owner syntax.Node, st *state, check func()) {
	ip.owner, ip.failed = owner, false
	check()
	ip.owner = nil
	if ip.frame.record && !st.dead && !ip.failed {
		ip.rec.pass(owner, ip.contextOf(ip.frame))
	}
}

func (ip *interp) noteGlobal(st *state, f *Failure) {
	if len(ip.in.Chunk.Errors) == 0 {
		ip.note(st, f)
	}
}

// guarded reports whether a Lua pcall is around the present code.
func (fr *frame) guarded() bool {
	for ; fr != nil; fr = fr.outer {
		if fr.protected {
			return true
		}
	}
	return false
}

// contextOf tells the calling contexts of a function apart, by number: the calls that led here. 0 is no call.
func (ip *interp) contextOf(fr *frame) int {
	if fr == nil || fr.call == nil {
		return 0
	}
	if fr.where == 0 {
		k := keyOf(fr.call.ID(), ip.contextOf(fr.outer))
		n, known := ip.mem.contexts.get(k)
		if !known {
			n = ip.mem.contexts.used + 1
			ip.mem.contexts.set(k, n)
		}
		fr.where = n
	}
	return fr.where
}
