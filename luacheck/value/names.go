package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// name is the value of a local or a global.
func (ip *interp) name(n *syntax.Name, st *state) *Value {
	if l := ip.in.Scope.Ref(n); l != nil {
		return st.local(l)
	}
	return ip.global(n, st)
}

// global reads a name that is no local: a host library, KEYS, ARGV, or a name that does not exist, which raises.
func (ip *interp) global(n *syntax.Name, st *state) *Value {
	fr := ip.frame
	if fr.record {
		ip.rec.global(&Global{Node: n, Ctx: fr.ctx, Func: fr.fn})
	}
	switch {
	case n.Text == "KEYS" && fr.ctx == server.InScript:
		return keysList
	case n.Text == "ARGV" && fr.ctx == server.InScript:
		return argvList
	}
	v := ip.hostName(n.Text)
	if v == nil && ip.made[n.Text] {
		return anyValue // its assignment has ended the script before
	}
	if v == nil {
		// What follows is looked at as if the name were there: people want to hear of all such names at once.
		ip.noteGlobal(st, &Failure{At: n.Span, Class: FailGlobal, Sure: true,
			Why: "Script attempted to access nonexistent global variable '" + n.Text + "'"})
		return anyValue
	}
	return v
}

// hostName is the value of a global of the sandbox, nil where no server has it in this context.
func (ip *interp) hostName(name string) *Value {
	key := name
	if ip.frame.ctx == server.AtLoad {
		key += " at load"
	}
	v, seen := ip.names[key]
	if !seen {
		v = ip.findHost(name)
		ip.names[key] = v
	}
	return v
}

func (ip *interp) findHost(name string) *Value {
	switch {
	case ip.in.Target.Global(name, ip.frame.ctx).Nowhere:
		return nil
	case name == "_G":
		return libValue("_G")
	case name == "server":
		return libValue("redis")
	case server.IsLibrary(name):
		return libValue(name)
	case name == "_VERSION":
		return textValue("Lua 5.1", syntax.Span{})
	}
	return builtinValue(name)
}

var keysList, argvList = listValue(FromKeysList), listValue(FromArgvList)

func listValue(k OriginKind) *Value {
	return &Value{Kinds: Table, Lo: -inf, Hi: inf, From: &Origin{Kind: k}}
}

// index reads x[k]. A chain of them is walked by a loop, since it may be as long as the text.
func (ip *interp) index(x *syntax.Index, st *state) *Value {
	var spine []*syntax.Index
	var e syntax.Expr = x
	for {
		i, ok := e.(*syntax.Index)
		if !ok {
			break
		}
		spine = append(spine, i)
		e = i.X
	}
	if len(spine) > maxSpine {
		ip.giveUp()
		return anyValue
	}
	v := ip.eval(e, st)
	for i := len(spine) - 1; i >= 0; i-- {
		v = ip.indexWith(spine[i], v, st)
	}
	return v
}

func (ip *interp) indexWith(x *syntax.Index, v *Value, st *state) *Value {
	key := ip.eval(x.Key, st)
	if st.dead {
		return anyValue
	}
	ip.watch(x, st, func() {
		ip.operand(st, x.X, v, Tables|String|Userdata, FailIndex, "attempt to index a %s value")
	})
	res := ip.read(st, v, key, x.Span)
	if ip.frame.record {
		ip.rec.access(&Access{Node: x, X: v, Key: key, Value: res, Func: ip.frame.fn})
	}
	return res
}

// read is what v[key] gives where it does not fail.
func (ip *interp) read(st *state, v, key *Value, at syntax.Span) *Value {
	switch {
	case v.Lib != "":
		return ip.field(v.Lib, key)
	case isList(v):
		return ip.element(st, v.From.Kind, key, at)
	case v.Only(String):
		if key.Const && key.Kinds == String {
			return builtinValue("string." + key.Text) // ("x").rep
		}
		return nilValue
	}
	if key.Const && key.Kinds == String && v.Kinds&(Status|Error) != 0 {
		if f := special(v, key.Text); f != nil {
			return f
		}
	}
	if o := ip.object(st, v); o != nil {
		return o.at(key)
	}
	if v.Reply != nil && v.Kinds&Table != 0 {
		if p, ok := partPlace(v, key); ok {
			if w := st.part(p); w != nil {
				return w
			}
		}
		return ip.replyPart(v, key)
	}
	if v.From != nil && v.From.Kind == FromDecoded {
		return decodedPart(v.From)
	}
	c := *anyValue
	c.From = derived(v.From)
	return &c
}

// derived is the origin of a part of something: where that came from, as far as it matters.
func derived(o *Origin) *Origin {
	if o == nil {
		return nil
	}
	switch o.Kind {
	case FromReply:
		return &Origin{Kind: FromReply, Call: o.Call, Path: addPath(o.Path, "[]"), At: o.At}
	case FromDecoded, FromTime, FromRandom, FromParam:
		return o
	}
	return computed(o.At, o)
}

func addPath(p, q string) string {
	if len(p) > 24 {
		return p
	}
	return p + q
}

// special reads .ok and .err of replies that are tables with one field.
func special(v *Value, key string) *Value {
	var of Kinds
	switch key {
	case "err":
		of = Error
	case "ok":
		of = Status
	default:
		return nil
	}
	hit := v.Kinds & of
	f := text(derived(v.From))
	if key == "ok" && v.Reply != nil && len(v.Reply.Words) > 0 {
		f.From = v.From
	}
	if hit == 0 {
		if v.Kinds&Table != 0 {
			return nil // an open table may have it
		}
		return nilValue
	}
	if v.Kinds&^of != 0 {
		f.Kinds |= Nil
	}
	return f
}

// element reads KEYS[key] or ARGV[key].
func (ip *interp) element(st *state, list OriginKind, key *Value, at syntax.Span) *Value {
	i := 0
	if n, ok := constNumber(key); ok && key.Const && key.Kinds == Number {
		if n != math.Floor(n) || n < 1 || n >= elementsKept {
			ip.use(list, Use{At: at, Index: -1})
			return nilValue
		}
		i = int(n)
	} else if key.Const {
		return nilValue // KEYS.foo
	}
	v := ip.listElement(st, list, i)
	ip.use(list, Use{At: at, Index: i, Guarded: v.Kinds&Nil == 0})
	return v
}

// listElement is the value of one element, as narrowed on the way here.
func (ip *interp) listElement(st *state, list OriginKind, i int) *Value {
	if k := listKey(list, i); k >= 0 {
		if v := st.lists.get(k); v != nil {
			return v
		}
	}
	k := elemKey{list, i}
	v := ip.elems[k]
	if v == nil {
		v = ip.makeElement(list, i)
		ip.elems[k] = v
	}
	return v
}

type elemKey struct {
	list  OriginKind
	index int
}

func (ip *interp) makeElement(list OriginKind, i int) *Value {
	known, from := ip.in.Keys, FromKeys
	if list == FromArgvList {
		known, from = ip.in.Args, FromArgv
	}
	origin := &Origin{Kind: from, Index: i}
	var v *Value
	switch {
	case i == 0:
		v = known.some()
	case i <= len(known.Elems):
		v = known.Elems[i-1]
	default:
		v = known.Rest
	}
	if v == nil {
		v = &Value{Kinds: String | Nil, Weak: Nil, Lo: -inf, Hi: inf}
	}
	c := *v
	c.From = origin
	if i > 0 && c.gen == 0 {
		c.gen = elementGen(from, i)
	}
	return &c
}

// elementGen stamps an element of KEYS or ARGV: it is the same value whenever it is read, until it is assigned.
func elementGen(from OriginKind, i int) uint32 {
	g := uint32(1<<31) | uint32(i)
	if from == FromArgv {
		g |= 1 << 30
	}
	return g
}

func (ip *interp) use(list OriginKind, u Use) {
	if ip.frame.record {
		ip.rec.use(list == FromKeysList, u)
	}
}

// useElements notes that all elements of KEYS or ARGV may be used: #KEYS, unpack, a loop.
func (ip *interp) useElements(v *Value, at syntax.Span) {
	if isList(v) {
		ip.use(v.From.Kind, Use{At: at, Index: 0})
	}
}

// at reads a key of a table made in the script.
func (o *object) at(key *Value) *Value {
	if key.Const && key.Kinds == String {
		if v, ok := o.fields[key.Text]; ok {
			return v
		}
		return o.missing()
	}
	if key.Const && key.Kinds == Number {
		i := key.Num
		if o.exact && i == math.Floor(i) && i >= 1 && int(i) <= len(o.list) {
			return o.list[int(i)-1]
		}
		if o.exact && !o.open && !o.lost {
			return nilValue
		}
	}
	v := o.element()
	if o.open || o.lost {
		return anyValue
	}
	for _, name := range o.fieldNames() {
		if key.Kinds&String != 0 {
			v = join(v, o.fields[name])
		}
	}
	if v == nil {
		return nilValue
	}
	if v.IsUnknown() {
		return v
	}
	c := *v
	c.Kinds |= Nil
	if v.Kinds&Nil == 0 {
		c.Weak |= Nil // the index may be past the end
	}
	c.Const = c.Kinds == Nil
	c.gen = 0
	return &c
}

// replyPart is an element of a reply.
func (ip *interp) replyPart(v, key *Value) *Value {
	r := v.Reply
	from := v.From
	n, num := constNumber(key)
	if key.Const && (!num || key.Kinds != Number) {
		if r.FieldValue || r.Elem != nil || len(r.Tuple) > 0 {
			if v.Kinds&Table != 0 && !ip.resp3 {
				return nilValue // a flat list has no named fields (fact 80)
			}
		}
		return anyValue
	}
	part, path := r.Elem, "[]"
	if key.Const && n >= 1 && int(n) <= len(r.Tuple) {
		part, path = &r.Tuple[int(n)-1], index(int(n))
	} else if key.Const {
		path = index(int(n))
		if r.FieldValue {
			path = "[]"
		}
	} else if len(r.Tuple) > 0 {
		for i := range r.Tuple {
			if part == nil || part.Kinds != r.Tuple[i].Kinds {
				part = nil
				break
			}
		}
		if part == nil && r.Elem == nil {
			c := *anyValue
			c.From = derived(from)
			return &c
		}
	}
	if part == nil {
		c := *anyValue
		c.From = derived(from)
		return &c
	}
	var o *Origin
	if from != nil {
		c := *from
		c.Path = addPath(from.Path, path)
		o = &c
	}
	e := replyValue(part, o, ip.resp3)
	if v.Present {
		e = soften(e)
	}
	fixed := key.Const && (int(n) <= len(r.Tuple) || r.MaxLen > 0 && r.NonEmpty && int(n) <= r.MaxLen) || key.Const && n == 1 && v.NonEmpty
	if !fixed && !e.IsUnknown() {
		c := *e
		c.Kinds |= Nil
		// An empty reply is what happens; a shorter one than the script counts on, or one inside another, is not.
		if !key.Const || e.Kinds&False != 0 || v.NonEmpty || from == nil || from.Path != "" {
			c.Weak |= Nil
		}
		e = &c
	}
	return e
}

// decodedPart is a part of decoded data: anything but a function.
func decodedPart(o *Origin) *Value {
	c := *anyValue
	c.From = o
	return &c
}

// elementOf is what any element of a table may be, from position skip+1 on.
func (ip *interp) elementOf(st *state, v *Value, _ int) *Value {
	switch {
	case isList(v):
		e := ip.listElement(st, v.From.Kind, 0)
		if w := e.with(Any &^ Nil); w != nil {
			return w
		}
		return e
	case v.Lib != "":
		return anyValue
	}
	if o := ip.object(st, v); o != nil {
		if o.open || o.lost {
			return anyValue
		}
		if e := o.element(); e != nil {
			return e
		}
		return nilValue
	}
	if v.Reply != nil && v.Kinds&Table != 0 {
		e := ip.replyPart(v, anyValue)
		if w := e.with(Any &^ Nil); w != nil && !e.IsUnknown() {
			return w
		}
		return e
	}
	c := *anyValue
	c.From = derived(v.From)
	return &c
}

// field is a member of a host library.
func (ip *interp) field(lib string, key *Value) *Value {
	if !key.Const || key.Kinds != String {
		return anyValue
	}
	name := key.Text
	if lib == "_G" {
		switch {
		case server.IsLibrary(name):
			return libValue(name)
		case name == "KEYS" && ip.frame.ctx == server.InScript:
			return keysList
		case name == "ARGV" && ip.frame.ctx == server.InScript:
			return argvList
		}
		return builtinValue(name)
	}
	full := lib + "." + name
	if c, ok := constants[full]; ok {
		return c
	}
	if ip.frame.ctx == server.AtLoad {
		return ip.findField(lib, name, full)
	}
	v := ip.names[full]
	if v == nil {
		v = ip.findField(lib, name, full)
		ip.names[full] = v
	}
	return v
}

func (ip *interp) findField(lib, name, full string) *Value {
	if ip.in.Target.Field(lib, name, ip.frame.ctx).Nowhere {
		return &Value{Kinds: Nil, Const: true, Lo: -inf, Hi: inf, Builtin: full}
	}
	if strings.HasPrefix(name, "REDIS_VERSION") || strings.HasPrefix(name, "VALKEY_VERSION") || strings.HasPrefix(name, "SERVER_") {
		return &Value{Kinds: String | Number | Nil, Weak: Nil, Lo: -inf, Hi: inf}
	}
	return builtinValue(full)
}

// constants are the members that are no functions (fact 154).
var constants = map[string]*Value{
	"redis.LOG_DEBUG": numberValue(0), "redis.LOG_VERBOSE": numberValue(1), "redis.LOG_NOTICE": numberValue(2),
	"redis.LOG_WARNING": numberValue(3), "redis.REPL_NONE": numberValue(0), "redis.REPL_AOF": numberValue(1),
	"redis.REPL_SLAVE": numberValue(2), "redis.REPL_REPLICA": numberValue(2), "redis.REPL_ALL": numberValue(3),
	"math.huge": numberValue(math.Inf(1)), "math.pi": numberValue(math.Pi),
	"cjson.null": {Kinds: Userdata, Lo: math.Inf(-1), Hi: math.Inf(1), Builtin: "cjson.null"},
}

// function is a closure made in the script.
func (ip *interp) function(f *syntax.Function) *Value {
	v := ip.fnVals[f]
	if v == nil {
		v = &Value{Kinds: Function, Fn: f, Lo: -inf, Hi: inf}
		ip.fnVals[f] = v
	}
	return v
}

// object is the state of the table that v is, nil where v is none that the script made.
func (ip *interp) object(st *state, v *Value) *object {
	if v.Obj == nil {
		return nil
	}
	if o := st.objs.get(v.Obj.ID); o != nil {
		return o
	}
	return lostObject()
}

// table evaluates a constructor.
func (ip *interp) table(x *syntax.Table, st *state) *Value {
	o := newObject()
	for i := range x.Fields {
		f := &x.Fields[i]
		if f.Key == nil {
			o = ip.positional(o, f, i == len(x.Fields)-1, st)
			continue
		}
		key := ip.eval(f.Key, st)
		v := ip.eval(f.Value, st)
		ip.escapeInto(st, v)
		o = ip.assignKey(o, key, v)
	}
	id := ip.objects[x]
	if id == nil {
		id = &Object{ID: len(ip.objects), At: x.Span, Node: x}
		ip.objects[x] = id
	}
	if old := st.objs.get(id.ID); old != nil && (old.many || ip.kept(st, id)) {
		o.many = true
		o, _ = joinObjects(o, old)
		o = o.clone()
		o.many = true
	}
	st.objs.set(id.ID, o)
	v := &Value{Kinds: Table, Obj: id, Lo: -inf, Hi: inf, NonEmpty: o.atLeast() > 0}
	switch {
	case o.fields["err"] != nil && o.fields["err"].Kinds&String != 0:
		v.Kinds, v.Made = Error, x
	case o.fields["ok"] != nil && o.fields["ok"].Kinds&String != 0:
		v.Kinds, v.Made = Status, x
	}
	return v
}

// kept reports whether a table that the same constructor made before may still be in use: it was put into another table, captured or handed
// on. Otherwise the new one takes its place.
func (ip *interp) kept(_ *state, id *Object) bool { return id.escaped }

func (ip *interp) positional(o *object, f *syntax.Field, last bool, st *state) *object {
	if !last {
		v := ip.eval(f.Value, st)
		ip.escapeInto(st, v)
		return o.push(v)
	}
	for _, a := range ip.multi(f.Value, st) {
		ip.escapeInto(st, a.Value)
		if a.Many {
			c := o.clone()
			c.elem, c.list, c.exact, c.least = join(o.element(), a.Value), nil, false, o.atLeast()
			c.grows = a.Source
			return c
		}
		o = o.push(a.Value)
	}
	return o
}

// escapeInto marks a table that is put into another one.
func (ip *interp) escapeInto(_ *state, v *Value) {
	if v.Obj != nil {
		v.Obj.escaped = true
	}
}

func (ip *interp) assignKey(o *object, key, v *Value) *object {
	if key.Const && key.Kinds == String {
		return o.setField(key.Text, v)
	}
	if n, ok := constNumber(key); ok && key.Const && key.Kinds == Number && n == math.Floor(n) && n >= 1 && n < elementsKept {
		return o.setIndex(int(n), v)
	}
	if key.Only(Number) {
		return o.setIndex(0, v)
	}
	c := o.clone()
	c.open = true
	return c
}

// setIndex assigns x[k] = v.
func (ip *interp) setIndex(x *syntax.Index, v *Value, st *state) {
	base, key := ip.eval(x.X, st), ip.eval(x.Key, st)
	if st.dead {
		return
	}
	ip.escapeInto(st, v)
	ip.watch(x, st, func() { ip.operand(st, x.X, base, Tables, FailIndex, "attempt to index a %s value") })
	if ip.frame.record {
		ip.rec.access(&Access{Node: x, X: base, Key: key, Value: v, Write: true, Func: ip.frame.fn, Skips: ip.skips(x, key)})
	}
	switch {
	case base.Lib != "":
		ip.note(st, &Failure{At: x.Span, Class: FailReadOnly, Sure: true, Why: "Attempt to modify a readonly table"})
	case isList(base):
		ip.setElement(st, base.From.Kind, key, v)
	case base.Obj != nil:
		ip.change(st, base, func(o *object) *object { return ip.put(o, x, key, v) })
	default:
		ip.blur(st, x.X, base)
	}
}

// put assigns an element, knowing t[#t+1] for an append.
func (ip *interp) put(o *object, x *syntax.Index, key, v *Value) *object {
	if appends(x) {
		return ip.grow(o.push(v), v)
	}
	if key.Const {
		return ip.assignKey(o, key, v)
	}
	if key.Kinds&^Number != 0 {
		return ip.grow(ip.assignKey(o, key, v), v)
	}
	c := o.setIndex(0, v)
	if ip.skips(x, key) {
		c.holes = true
	}
	return ip.grow(c, v)
}

// innermost is the loop around the present block.
func (fr *frame) innermost() *Loop {
	if fr.block == nil || fr.block.Loop == nil {
		return nil
	}
	return fr.loopOf(fr.block.Loop)
}

// loopOf is the record of a loop of this function; while and repeat get one when something is in them.
func (fr *frame) loopOf(n syntax.Stmt) *Loop {
	if n == nil {
		return nil
	}
	if l := fr.loops[n]; l != nil {
		return l
	}
	return fr.addLoop(&Loop{Node: n, Outer: fr.loopOf(fr.graph.Outer[n]), Counted: counted(n), Leaves: leavesCounted(n)})
}

func (fr *frame) addLoop(l *Loop) *Loop {
	if fr.loops == nil {
		fr.loops = map[syntax.Stmt]*Loop{}
	}
	fr.loops[l.Node] = l
	return l
}

// appends recognises t[#t + 1].
func appends(x *syntax.Index) bool {
	b, ok := unparen(x.Key).(*syntax.Binary)
	if !ok || b.Op != syntax.OpAdd {
		return false
	}
	one, ok := b.Y.(*syntax.Number)
	if !ok || one.Value != 1 {
		return false
	}
	l, ok := b.X.(*syntax.Unary)
	if !ok || l.Op != syntax.OpLen {
		return false
	}
	return sameName(l.X, x.X)
}

func sameName(a, b syntax.Expr) bool {
	switch a := unparen(a).(type) {
	case *syntax.Name:
		b, ok := unparen(b).(*syntax.Name)
		return ok && a.Text == b.Text
	case *syntax.Index:
		b, ok := unparen(b).(*syntax.Index)
		if !ok || !sameName(a.X, b.X) {
			return false
		}
		ak, aok := a.Key.(*syntax.String)
		bk, bok := b.Key.(*syntax.String)
		return aok && bok && ak.Value == bk.Value
	}
	return false
}

// change replaces the state of a table that the script made.
func (ip *interp) change(st *state, v *Value, f func(*object) *object) {
	o := st.objs.get(v.Obj.ID)
	if o == nil {
		return
	}
	st.objs.set(v.Obj.ID, f(o))
}

// setElement assigns KEYS[k] or ARGV[k].
func (ip *interp) setElement(st *state, list OriginKind, key, v *Value) {
	if n, ok := constNumber(key); ok && key.Const {
		if k := listKey(list, int(n)); k >= 0 {
			st.lists.set(k, v)
		}
		return
	}
	st.lists = tree[Value]{} // some element: whatever was known of one is not known any more
}

// blur forgets what a reply or other table held, once an element is assigned.
func (ip *interp) blur(st *state, e syntax.Expr, v *Value) {
	if v.Reply == nil {
		return
	}
	st.dropParts(v.gen)
	if n, ok := unparen(e).(*syntax.Name); ok {
		if l := ip.in.Scope.Ref(n); l != nil {
			st.setLocal(l, &Value{Kinds: v.Kinds & Tables, Lo: -inf, Hi: inf, From: derived(v.From), gen: ip.gen()})
		}
	}
}

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
		if base.Obj == nil && base.Lib == "" && !isList(base) {
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
		if v := ip.hostName(e.Text); v != nil {
			return v, true
		}
		return anyValue, false
	case *syntax.Nil:
		return nilValue, true
	case *syntax.Bool:
		return truth(e.Value), true
	case *syntax.Number:
		return numberValue(e.Value), true
	case *syntax.String:
		return ip.literal(e), true
	case *syntax.Index:
		if p, ok := ip.place(st, e); ok {
			return ip.placeValue(st, p), true
		}
		if base, ok := ip.peek(st, e.X); ok && base.Lib != "" {
			if k, ok := ip.peek(st, e.Key); ok {
				return ip.field(base.Lib, k), true
			}
		}
	}
	u, ok := unparen(e).(*syntax.Unary)
	if ok && u.Op == syntax.OpNeg {
		if n, ok := unparen(u.X).(*syntax.Number); ok {
			return numberValue(-n.Value), true
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
			return o.at(textValue(p.Field, syntax.Span{}))
		}
		return o.at(numberValue(float64(p.Index)))
	}
	return ip.listElement(st, p.List, p.Index)
}

func (ip *interp) setPlace(st *state, p Place, v *Value) {
	switch {
	case p.Local != nil:
		st.setLocal(p.Local, v)
	case p.Base != 0:
		st.setPart(p, v)
	case p.Obj != nil:
		o := st.objs.get(p.Obj.ID)
		if o == nil || o.many || o.lost {
			return
		}
		if p.Field != "" {
			st.objs.set(p.Obj.ID, o.setField(p.Field, v))
		} else if o.exact && p.Index <= len(o.list) {
			st.objs.set(p.Obj.ID, o.setIndex(p.Index, v))
		}
	default:
		if k := listKey(p.List, p.Index); k >= 0 {
			st.lists.set(k, v)
		}
	}
}

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
	f := &Failure{At: e.Bounds(), Class: class, Sure: v.Kinds&ok == 0, Weak: strong == 0, Why: why, Value: v, Node: e}
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
		if w := v.with(ok); w != nil {
			ip.implied(st, w)
		}
		return
	}
	if w := ip.placeValue(st, p).with(ok); w != nil && w != v {
		ip.setPlace(st, p, w)
		ip.follow(st, p, w)
		ip.implied(st, w)
	}
}

// fail notes a failure; a sure one ends the path.
func (ip *interp) fail(st *state, f *Failure) {
	ip.note(st, f)
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
		f.direct, f.decided = ip.decisions()
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
		ip.rec.passed[ownerKey{owner, ip.contextOf(ip.frame)}] = true
	}
}

// noteGlobal notes a failure about a global name. In a text with syntax errors a name may be no name at all.

// writesBefore are the writes that may have happened where a value makes the script fail: where it fails for being false, the call that gave
// it found nothing and has written nothing.
func writesBefore(st *state, v *Value) []*Call {
	if v == nil || v.From == nil || v.From.Kind != FromReply || v.From.Call == nil || v.From.Call.noEffect != "null" ||
		v.Kinds&Falsy == 0 || v.Kinds&^(Falsy|String|Number) != 0 {
		return st.writes
	}
	var kept []*Call
	for _, w := range st.writes {
		if w.Node != v.From.Call.Node {
			kept = append(kept, w)
		}
	}
	return kept
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

// contextOf tells the calling contexts of a function apart: the calls that led here.
func (ip *interp) contextOf(fr *frame) string {
	if fr == nil || fr.call == nil {
		return ""
	}
	if fr.where == "" {
		fr.where = strconv.Itoa(fr.call.Start) + "," + ip.contextOf(fr.outer)
	}
	return fr.where
}
