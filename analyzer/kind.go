package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

// argKind says what is known of an argument beside its text.
func (a *packageRun) argKind(b source.Bound) luacheck.ArgKind {
	var k luacheck.ArgKind
	if b.Expr == nil {
		return k
	}
	b.Expr = ast.Unparen(b.Expr)
	t := a.x.Info.TypeOf(b.Expr)
	if t == nil {
		return k
	}
	if types.IsInterface(t) {
		// A value in an interface: what it was made of, where there is just one such value.
		if to := a.x.Follow(b, true); len(to) == 1 && to[0].Expr != nil {
			if tt := a.x.Info.TypeOf(to[0].Expr); tt != nil && !types.IsInterface(tt) {
				b, t = to[0], tt
			}
		}
	}
	k.Type = argType(t)
	k.GoType = types.TypeString(t, types.RelativeTo(a.x.Types))
	pointed, isPointer := types.Unalias(t).(*types.Pointer)
	k.Pointer = isPointer
	k.Prints = hasMethod(t, "String", "Error", "RedisArg")
	if isPointer {
		t = pointed.Elem()
	}
	k.Tagged = tagged(t)
	k.Whole = k.Type == luacheck.TypeFloat && a.whole(b, 0)
	a.number(&k, b)
	k.Words = a.words(b)
	return k
}

// goRedisVersion is the major version of go-redis that a call goes to; 0 where it is another client's or not known.
func (a *packageRun) goRedisVersion(m *match) int {
	if m.lib.name != goRedis.name {
		return 0
	}
	fn, ok := m.call.Fn.(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg() == a.pass.Pkg {
		return 0
	}
	_, path, ok := strings.Cut(fn.Pkg().Path(), "github.com/go-redis/redis")
	switch {
	case !ok:
		return 0
	case path == "":
		return 6
	case strings.HasPrefix(path, "/v7"):
		return 7
	case strings.HasPrefix(path, "/v8"):
		return 8
	}
	return 0
}

// refuse marks what older versions of go-redis refuse and v9 takes (commands.go and internal/proto/writer.go of v6.15.9, v7.4.1 and v8.11.5):
// pointers to basic types and a struct alone, up to v8, and durations, up to v7.
func refuse(items []luacheck.Element, version int) {
	if version == 0 {
		return
	}
	for i := range items {
		k := &items[i].Kind
		switch {
		case k.Pointer && k.Type != luacheck.TypeStruct && strings.Trim(k.GoType, "*abcdefghijklmnopqrstuvwxyz0123456789") == "":
			k.Type = luacheck.TypeOther
		case k.Type == luacheck.TypeDuration && version < 8:
			k.Type, k.Unit = luacheck.TypeNamed, luacheck.UnitUnknown
		}
		k.Alone = k.Alone && k.Type != luacheck.TypeStruct
	}
}

// argType classifies a Go type by what clients do with it. A pointer to a number, a string, a duration or a time counts as what it points to.
func argType(t types.Type) luacheck.ArgType {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		_, basic := types.Unalias(p.Elem()).(*types.Basic)
		if to := argType(p.Elem()); basic || to == luacheck.TypeDuration || to == luacheck.TypeTime {
			return to
		}
	}
	n, named := t.(*types.Named)
	if named && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
		case "time.Duration":
			return luacheck.TypeDuration
		case "time.Time":
			return luacheck.TypeTime
		case "net.IP": // go-redis knows it
			return luacheck.TypeString
		}
	}
	if hasMethod(t, "MarshalBinary") {
		return luacheck.TypeString
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UntypedNil {
			return luacheck.TypeNil
		}
		if named {
			return luacheck.TypeNamed
		}
		return basicType(u)
	case *types.Slice:
		if b, ok := u.Elem().(*types.Basic); ok && b.Kind() == types.Byte {
			if named {
				return luacheck.TypeNamed
			}
			return luacheck.TypeString
		}
		return luacheck.TypeSlice
	case *types.Array:
		return luacheck.TypeSlice
	case *types.Map:
		return luacheck.TypeMap
	case *types.Struct:
		return luacheck.TypeStruct
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			return luacheck.TypeStruct
		}
		return luacheck.TypeOther
	case *types.Interface, *types.TypeParam:
		return luacheck.TypeUnknown
	}
	return luacheck.TypeOther
}

func basicType(b *types.Basic) luacheck.ArgType {
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return luacheck.TypeString
	case info&types.IsBoolean != 0:
		return luacheck.TypeBool
	case info&types.IsInteger != 0:
		return luacheck.TypeInt
	case info&types.IsFloat != 0:
		return luacheck.TypeFloat
	}
	return luacheck.TypeOther
}

// hasMethod reports whether a value of that type, as it is passed in an interface, has one of the methods: those of a pointer do not count
// for a value.
func hasMethod(t types.Type, names ...string) bool {
	set := types.NewMethodSet(t)
	for _, name := range names {
		if set.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// tagged reports whether a struct has a field that go-redis reads: one with a redis tag.
func tagged(t types.Type) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		name, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("redis"), ",")
		if name != "" && name != "-" {
			return true
		}
	}
	return false
}

// whole reports whether a float is surely an integer: rounded, or converted from one.
func (a *packageRun) whole(b source.Bound, depth int) bool {
	if depth > 6 {
		return false
	}
	tos := a.x.Follow(b, true)
	for _, to := range tos {
		c, ok := to.Expr.(*ast.CallExpr)
		if !ok {
			return false
		}
		if tv := a.x.Info.Types[c.Fun]; tv.IsType() && len(c.Args) == 1 {
			from, ok := a.x.Info.TypeOf(c.Args[0]).Underlying().(*types.Basic)
			if ok && from.Info()&types.IsInteger != 0 || a.whole(source.At(c.Args[0], to.Env), depth+1) {
				continue
			}
			return false
		}
		fn, ok := a.x.Callee(c).(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "math" {
			return false
		}
		switch fn.Name() {
		case "Ceil", "Floor", "Round", "RoundToEven", "Trunc":
		case "Max", "Min":
			if !a.whole(source.At(c.Args[0], to.Env), depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return len(tos) > 0
}

// number finds the unit and range of a number.
func (a *packageRun) number(k *luacheck.ArgKind, b source.Bound) {
	switch k.Type {
	case luacheck.TypeInt, luacheck.TypeFloat, luacheck.TypeDuration, luacheck.TypeNamed, luacheck.TypeString:
	default:
		return
	}
	if v := a.x.Const(b.Expr, b.Env); v != nil {
		if v.Kind() == constant.Int || v.Kind() == constant.Float {
			f, _ := constant.Float64Val(v)
			k.HasRange, k.Lo, k.Hi = true, f, f
		}
	}
	if k.Type == luacheck.TypeDuration {
		k.Unit = luacheck.UnitNanos
	}
	a.unit(k, b, 0)
	k.Truncates = k.Truncates && !a.bounded(b)
	if k.Type == luacheck.TypeString {
		k.Numeral, k.Whole = a.numeral(b)
	}
	if !k.HasRange && k.Type == luacheck.TypeInt {
		a.rangeOfType(k, b.Expr)
	}
}

// numeral reports whether a text always spells a number, and whether always an integer: whatever it can be is a numeral or comes from
// strconv.
func (a *packageRun) numeral(b source.Bound) (numeral, whole bool) {
	all := a.x.FollowAll(b)
	whole = true
	for _, to := range all {
		if to.Expr == nil || to.Zero {
			return false, false
		}
		if v := a.x.Const(to.Expr, to.Env); v != nil && v.Kind() == constant.String {
			n, ok := value.ToNumber(constant.StringVal(v))
			if !ok {
				return false, false
			}
			whole = whole && n == math.Trunc(n)
			continue
		}
		c, ok := to.Expr.(*ast.CallExpr)
		if !ok {
			return false, false
		}
		fn, ok := a.x.Callee(c).(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "strconv" {
			return false, false
		}
		switch fn.Name() {
		case "Itoa", "FormatInt", "FormatUint":
		case "FormatFloat":
			whole = false
		default:
			return false, false
		}
	}
	return len(all) > 0, whole && len(all) > 0
}

// rangeOfType bounds an integer by its type.
func (a *packageRun) rangeOfType(k *luacheck.ArgKind, e ast.Expr) {
	b, ok := a.x.Info.TypeOf(e).Underlying().(*types.Basic)
	if !ok {
		return
	}
	bounds := map[types.BasicKind][2]float64{
		types.Int8: {math.MinInt8, math.MaxInt8}, types.Int16: {math.MinInt16, math.MaxInt16}, types.Int32: {math.MinInt32, math.MaxInt32},
		types.Uint8: {0, math.MaxUint8}, types.Uint16: {0, math.MaxUint16}, types.Uint32: {0, math.MaxUint32},
		types.Uint: {0, math.MaxUint64}, types.Uint64: {0, math.MaxUint64},
	}
	if r, ok := bounds[b.Kind()]; ok {
		k.HasRange, k.Lo, k.Hi = true, r[0], r[1]
	}
}

// unitMethods are the methods of package time that give numbers.
var unitMethods = map[string]struct {
	unit   luacheck.Unit
	lo, hi float64 // of the clock; 0, 0 for none
}{
	"Duration.Nanoseconds":  {luacheck.UnitNanos, 0, 0},
	"Duration.Microseconds": {luacheck.UnitMicros, 0, 0},
	"Duration.Milliseconds": {luacheck.UnitMillis, 0, 0},
	"Duration.Seconds":      {luacheck.UnitSeconds, 0, 0},
	"Duration.Minutes":      {luacheck.UnitMinutes, 0, 0},
	"Time.Unix":             {luacheck.UnitUnixSeconds, 1e9, 1e10},
	"Time.UnixMilli":        {luacheck.UnitUnixMillis, 1e12, 1e13},
	"Time.UnixMicro":        {luacheck.UnitUnixMicros, 1e15, 1e16},
	"Time.UnixNano":         {luacheck.UnitUnixNanos, 1e18, math.MaxInt64},
}

// unit finds what a number counts, through conversions, variables and arithmetic that keeps the unit.
func (a *packageRun) unit(k *luacheck.ArgKind, b source.Bound, depth int) {
	if depth > 6 {
		return
	}
	for _, to := range a.x.Follow(b, true) {
		if to.Expr == nil {
			return
		}
		if t := a.x.Info.TypeOf(to.Expr); t != nil && argType(t) == luacheck.TypeDuration && k.Unit == luacheck.UnitUnknown {
			k.Unit = luacheck.UnitNanos
		}
		switch e := to.Expr.(type) {
		case *ast.CallExpr:
			a.unitOfCall(k, e, to.Env, depth)
		case *ast.BinaryExpr:
			a.unitOfBinary(k, e, to.Env, depth)
		}
	}
}

func (a *packageRun) unitOfCall(k *luacheck.ArgKind, c *ast.CallExpr, env *source.Env, depth int) {
	if tv, ok := a.x.Info.Types[c.Fun]; ok && tv.IsType() && len(c.Args) == 1 {
		a.conversion(k, c, env, depth)
		return
	}
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && id.Name == "len" {
		if _, builtin := a.x.Info.ObjectOf(id).(*types.Builtin); builtin {
			k.HasRange, k.Lo, k.Hi = true, 0, math.MaxInt32
		}
		return
	}
	fn, ok := a.x.Callee(c).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	switch fn.Pkg().Path() {
	case "time":
		u, ok := unitMethods[receiverName(fn)+"."+fn.Name()]
		if !ok {
			return
		}
		k.Unit = u.unit
		if u.hi != 0 && a.isNow(c, env) {
			k.HasRange, k.Lo, k.Hi = true, u.lo, u.hi
		}
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			a.constantLength(k, sel.X, env)
		}
	case "math":
		switch fn.Name() {
		case "Ceil", "Round", "Max", "Floor", "Trunc":
			a.unit(k, source.At(c.Args[0], env), depth+1)
			k.Truncates = fn.Name() == "Floor" || fn.Name() == "Trunc"
		}
	case "strconv":
		if fn.Name() == "Itoa" || fn.Name() == "FormatInt" || fn.Name() == "FormatUint" {
			a.unit(k, source.At(c.Args[0], env), depth+1)
		}
	}
}

// lengths are the lengths of the units of durations in nanoseconds.
var lengths = map[luacheck.Unit]float64{luacheck.UnitNanos: 1, luacheck.UnitMicros: 1e3, luacheck.UnitMillis: 1e6, luacheck.UnitSeconds: 1e9,
	luacheck.UnitMinutes: 60e9}

// constantLength bounds d.Seconds(), d / time.Second and the like where all that d can be is constant.
func (a *packageRun) constantLength(k *luacheck.ArgKind, d ast.Expr, env *source.Env) {
	if lengths[k.Unit] == 0 {
		return
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, to := range a.x.Follow(source.At(d, env), true) {
		if to.Expr == nil {
			return
		}
		v := a.x.Const(to.Expr, to.Env)
		if v == nil || v.Kind() != constant.Int {
			return
		}
		n, _ := constant.Float64Val(v)
		lo, hi = min(lo, n/lengths[k.Unit]), max(hi, n/lengths[k.Unit])
	}
	if lo <= hi {
		k.HasRange, k.Lo, k.Hi = true, lo, hi
	}
}

// conversion follows int64(x). From a float number of seconds it cuts.
func (a *packageRun) conversion(k *luacheck.ArgKind, c *ast.CallExpr, env *source.Env, depth int) {
	a.unit(k, source.At(c.Args[0], env), depth+1)
	from, to := a.x.Info.TypeOf(c.Args[0]), a.x.Info.TypeOf(c)
	if from == nil || to == nil {
		return
	}
	if argType(from) == luacheck.TypeDuration && k.Unit == luacheck.UnitUnknown {
		k.Unit = luacheck.UnitNanos
	}
	fb, _ := from.Underlying().(*types.Basic)
	tb, _ := to.Underlying().(*types.Basic)
	if fb != nil && tb != nil && fb.Info()&types.IsFloat != 0 && tb.Info()&types.IsInteger != 0 {
		if inner, ok := ast.Unparen(c.Args[0]).(*ast.CallExpr); ok {
			if fn, ok := a.x.Callee(inner).(*types.Func); ok && (fn.Name() == "Ceil" || fn.Name() == "Round" || fn.Name() == "Max") {
				return
			}
		}
		k.Truncates = k.Unit == luacheck.UnitSeconds || k.Unit == luacheck.UnitMinutes
	}
}

// unitOfBinary: d / time.Second and d / time.Millisecond count that unit, and cut; sums keep the unit of the left side.
func (a *packageRun) unitOfBinary(k *luacheck.ArgKind, e *ast.BinaryExpr, env *source.Env, depth int) {
	switch e.Op {
	case token.QUO:
		if t := a.x.Info.TypeOf(e.X); t == nil || argType(t) != luacheck.TypeDuration {
			return
		}
		v := a.x.Const(e.Y, env)
		if v == nil {
			return
		}
		units := map[int]luacheck.Unit{1: luacheck.UnitNanos, 1e3: luacheck.UnitMicros, 1e6: luacheck.UnitMillis, 1e9: luacheck.UnitSeconds,
			60e9: luacheck.UnitMinutes}
		if u, ok := units[constInt(v)]; ok {
			k.Unit = u
			k.Truncates = u == luacheck.UnitSeconds || u == luacheck.UnitMinutes
			a.constantLength(k, e.X, env)
		}
	case token.ADD, token.SUB:
		var inner luacheck.ArgKind
		a.unit(&inner, source.At(e.X, env), depth+1)
		k.Unit = inner.Unit
		if k.Type == luacheck.TypeDuration {
			k.Unit = luacheck.UnitNanos
		}
	}
}

// isNow reports whether a time is that of the clock: time.Now() or something added to it.
func (a *packageRun) isNow(c *ast.CallExpr, env *source.Env) bool {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	for range 4 {
		to := a.x.Follow(source.At(sel.X, env), true)
		if len(to) != 1 {
			return false
		}
		call, ok := to[0].Expr.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn, ok := a.x.Callee(call).(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "time" {
			return false
		}
		if fn.Name() == "Now" {
			return true
		}
		if sel, ok = ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok {
			return false
		}
		env = to[0].Env
	}
	return false
}

const maxWords = 8

// words returns the texts of a local variable that is always one of a few constants.
func (a *packageRun) words(b source.Bound) []string {
	id, ok := b.Expr.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := a.x.Info.ObjectOf(id).(*types.Var)
	if !ok || !isBasicString(v.Type()) {
		return nil
	}
	if to, ok := b.Env.Lookup(v); ok {
		if to.Expr == nil {
			return nil
		}
		to.Expr = ast.Unparen(to.Expr)
		return a.words(to)
	}
	defs, _, taken := a.x.Defs(v)
	defs = a.x.Reaching(v, defs, id.Pos())
	if fn, _ := a.x.ParamOf(v); fn != nil || taken || v.IsField() || v.Parent() == a.x.Types.Scope() || len(defs) > maxWords {
		return nil
	}
	var all []string
	for _, d := range defs {
		s, ok := "", d.Kind == source.Zero
		if !ok {
			s, ok = a.constText(d.Expr, b.Env)
		}
		if d.Kind != source.Plain && d.Kind != source.Zero || d.Index >= 0 || !ok {
			return nil
		}
		all = appendNew(all, s)
	}
	return all
}
