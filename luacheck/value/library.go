package value

import (
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// register notes a redis.register_function call of a library (facts 28 to 31).
func (ip *interp) register(k *hostArgs) {
	if ip.facts.Library == nil || !ip.frame.record || ip.frame.ctx != server.AtLoad {
		return
	}
	r := Registered{Node: k.x, FlagsOK: true}
	method := k.x.Method != nil
	switch {
	case method:
		r.Form = "method"
	case len(k.args) == 2 && !k.args[1].Many:
		r.setName(k.args[0])
		r.setCallback(k.args[1].Value)
	case len(k.args) == 1 && k.args[0].Value.Obj != nil:
		ip.registerTable(k, &r)
	case len(k.args) == 1 && k.args[0].Value.IsUnknown() || len(k.args) > 0 && k.args[len(k.args)-1].Many:
		r.Form = "unknown"
	default:
		r.Form = "arguments"
	}
	ip.facts.Library.Functions = append(ip.facts.Library.Functions, r)
}

func (r *Registered) setName(a Arg) {
	r.NameAt = a.At
	s, ok := constText(a.Value)
	switch {
	case ok && s == "" || a.Value.Only(Nil):
		r.Form = "no name"
	case ok:
		r.Name = s
	}
}

// setCallback takes the function; a function of the server is taken too.
func (r *Registered) setCallback(v *Value) {
	r.Callback = v.Fn
	if v.Kinds&Function == 0 && r.Form == "" {
		r.Form = "callback"
	}
}

// registerTable reads the form with one table; its keys have no letter case.
func (ip *interp) registerTable(k *hostArgs, r *Registered) {
	o := ip.object(k.st, k.args[0].Value)
	t, _ := unparen(k.args[0].Node).(*syntax.Table)
	if o == nil || o.open || o.lost {
		r.Form = "unknown"
		return
	}
	if len(o.list) > 0 {
		r.Form = "positional"
	}
	hasCallback := false
	for _, name := range o.fieldNames() {
		v := o.fields[name]
		at := k.args[0].At
		if f := fieldOf(t, name); f != nil {
			at = f.Value.Bounds()
		}
		switch strings.ToLower(name) {
		case "function_name":
			r.setName(Arg{At: at, Value: v})
		case "callback":
			hasCallback = true
			r.setCallback(v)
		case "description":
		case "flags":
			ip.registerFlags(k.st, v, at, r)
		default:
			r.Form = "unknown key " + name
			if f := fieldOf(t, name); f != nil {
				r.FormAt = f.Span
			}
		}
	}
	switch {
	case r.Form != "":
	case r.NameAt.Len() == 0:
		r.Form = "no name"
	case !hasCallback:
		r.Form = "no callback"
	}
}

func fieldOf(t *syntax.Table, name string) *syntax.Field {
	if t == nil {
		return nil
	}
	for i := range t.Fields {
		if s, ok := t.Fields[i].Key.(*syntax.String); ok && s.Value == name {
			return &t.Fields[i]
		}
	}
	return nil
}

func (ip *interp) registerFlags(st *state, v *Value, at syntax.Span, r *Registered) {
	r.FlagsAt = at
	o := ip.object(st, v)
	switch {
	case o == nil && !v.IsUnknown():
		r.Form = "flags"
	case o == nil || o.lost || o.open || !o.exact:
		r.FlagsOK = false
	case len(o.fields) > 0:
		r.Form = "flags map" // silently ignored (fact 29)
	default:
		for _, e := range o.list {
			s, ok := constText(e)
			if !ok {
				r.FlagsOK = false
				continue
			}
			r.Flags = append(r.Flags, s)
		}
	}
}

// registered evaluates the callbacks of a library: their two parameters are KEYS and ARGV.
func (ip *interp) registered() {
	if ip.facts.Library == nil {
		return
	}
	for _, r := range ip.facts.Library.Functions {
		f := r.Callback
		if f == nil || ip.seen[f.Index] || ip.in.Function != "" && r.Name != ip.in.Function {
			continue
		}
		fr := ip.mem.frames.Put(frame{fn: f, ctx: server.InFunction, record: true, root: true})
		st := ip.outerState()
		args := []Arg{{At: f.Span, Value: listValue(FromKeysList)}, {At: f.Span, Value: listValue(FromArgvList)}}
		ip.bindParams(st, fr, args, false)
		ip.run(fr, f.Body, st)
	}
}

// skips reports whether an assignment t[i] = v, i being the variable of the loop around, may be left out in a turn of the loop: then the
// array has a hole.
func (ip *interp) skips(x *syntax.Index, key *Value) bool {
	fr := ip.frame
	if fr.block == nil || fr.block.Loop == nil {
		return false
	}
	n, ok := unparen(x.Key).(*syntax.Name)
	if !ok {
		return false
	}
	var v *syntax.Name
	switch l := fr.block.Loop.(type) {
	case *syntax.NumFor:
		v = l.Name
	case *syntax.GenFor:
		if len(l.Names) > 0 {
			v = l.Names[0]
		}
	}
	if v == nil || ip.in.Scope.Ref(v) == nil || ip.in.Scope.Ref(v) != ip.in.Scope.Ref(n) {
		return false
	}
	return ip.bypass(fr.block.Loop)
}

// bypass reports whether a turn of the loop can reach the loop's head again without passing the present block.
func (ip *interp) bypass(loop syntax.Stmt) bool {
	fr := ip.frame
	seen := map[int]bool{fr.block.Index: true}
	for _, head := range fr.graph.Blocks {
		if !head.Head || head.Loop != loop {
			continue
		}
		var work []int
		for _, e := range head.Succs {
			if e.To.Loop == loop {
				work = append(work, e.To.Index)
			}
		}
		for len(work) > 0 {
			b := fr.graph.Blocks[work[len(work)-1]]
			work = work[:len(work)-1]
			if seen[b.Index] {
				continue
			}
			seen[b.Index] = true
			for _, e := range b.Succs {
				if e.To == head {
					return true
				}
				work = append(work, e.To.Index)
			}
		}
	}
	return false
}
