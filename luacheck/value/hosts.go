package value

import (
	"math"
	"strings"
)

// hosts are the sandbox's functions of which something is known (Lua 5.1 and the servers' libraries, section 18 and 19 of the facts).
var hosts = map[string]host{
	"type":           {args: []Kinds{anyArg}, min: 1, result: hostType},
	"tostring":       {args: []Kinds{anyArg}, min: 1, result: hostTostring},
	"tonumber":       {args: []Kinds{anyArg}, min: 1, result: hostTonumber},
	"unpack":         {args: []Kinds{Tables}, min: 1, result: hostUnpack},
	"select":         {min: 1, result: hostSelect},
	"next":           {args: []Kinds{Tables}, min: 1, result: hostPart},
	"ipairs":         {args: []Kinds{Tables}, min: 1},
	"pairs":          {args: []Kinds{Tables}, min: 1},
	"rawget":         {args: []Kinds{Tables}, min: 2, result: hostPart},
	"rawequal":       {result: hostBool},
	"setmetatable":   {args: []Kinds{Tables}, min: 1, result: hostFirst},
	"getmetatable":   {},
	"rawset":         {result: hostFirst},
	"loadstring":     {args: []Kinds{str}, min: 1},
	"collectgarbage": {result: hostNumber},

	"string.format":  {args: []Kinds{str}, min: 1, result: hostFormat},
	"string.rep":     {args: []Kinds{str, num}, min: 2, result: hostText},
	"string.sub":     {args: []Kinds{str, num, num | Nil}, min: 2, result: hostText},
	"string.lower":   {args: []Kinds{str}, min: 1, result: hostText},
	"string.upper":   {args: []Kinds{str}, min: 1, result: hostText},
	"string.reverse": {args: []Kinds{str}, min: 1, result: hostText},
	"string.len":     {args: []Kinds{str}, min: 1, result: hostCount},
	"string.byte":    {args: []Kinds{str}, min: 1, result: hostByte},
	"string.char":    {args: []Kinds{num}, rest: true, result: hostText},
	"string.find":    {args: []Kinds{str, str}, min: 2, result: hostFind},
	"string.match":   {args: []Kinds{str, str}, min: 2, result: hostMatch},
	"string.gmatch":  {args: []Kinds{str, str}, min: 2, result: hostGmatch},
	"string.gsub":    {args: []Kinds{str, str, str | Tables | Function}, min: 3, result: hostGsub},

	"table.insert": {args: []Kinds{Tables}, min: 2, result: hostInsert},
	"table.remove": {args: []Kinds{Tables}, min: 1, result: hostRemove},
	"table.concat": {args: []Kinds{Tables, str | Nil}, min: 1, result: hostConcat},
	"table.getn":   {args: []Kinds{Tables}, min: 1, result: hostGetn},
	"table.sort":   {args: []Kinds{Tables}, min: 1, result: hostSort},
	"table.maxn":   {args: []Kinds{Tables}, min: 1, result: hostCount},

	"math.floor":      {args: []Kinds{num}, min: 1, result: hostFloor},
	"math.ceil":       {args: []Kinds{num}, min: 1, result: hostFloor},
	"math.abs":        {args: []Kinds{num}, min: 1, result: hostAbs},
	"math.max":        {args: []Kinds{num}, min: 1, rest: true, result: hostMinMax},
	"math.min":        {args: []Kinds{num}, min: 1, rest: true, result: hostMinMax},
	"math.random":     {result: hostRandom},
	"math.sqrt":       {args: []Kinds{num}, min: 1, result: hostFraction},
	"math.log":        {args: []Kinds{num}, min: 1, result: hostFraction},
	"math.log10":      {args: []Kinds{num}, min: 1, result: hostFraction},
	"math.exp":        {args: []Kinds{num}, min: 1, result: hostFraction},
	"math.pow":        {args: []Kinds{num, num}, min: 2, result: hostNumber},
	"math.fmod":       {args: []Kinds{num, num}, min: 2, result: hostNumber},
	"math.mod":        {args: []Kinds{num, num}, min: 2, result: hostNumber},
	"math.modf":       {args: []Kinds{num}, min: 1, result: hostNumber},
	"math.randomseed": {args: []Kinds{num}, min: 1, result: hostNothing},
	"os.clock":        {result: hostClock},

	"cjson.encode":    {min: 1, result: hostText},
	"cjson.decode":    {args: []Kinds{str}, min: 1, result: hostDecode},
	"cmsgpack.pack":   {min: 1, result: hostText},
	"cmsgpack.unpack": {args: []Kinds{str}, min: 1, result: hostDecodeMany},
	"struct.pack":     {args: []Kinds{str}, min: 1, result: hostText},
	"struct.unpack":   {args: []Kinds{str, str}, min: 2, result: hostDecodeMany},
	"struct.size":     {result: hostCount},

	"bit.band": {args: []Kinds{num}, min: 1, rest: true, result: hostBit}, "bit.bor": {args: []Kinds{num}, min: 1, rest: true, result: hostBit},
	"bit.bxor": {args: []Kinds{num}, min: 1, rest: true, result: hostBit}, "bit.bnot": {args: []Kinds{num}, min: 1, result: hostBit},
	"bit.lshift": {args: []Kinds{num, num}, min: 2, result: hostBit}, "bit.rshift": {args: []Kinds{num, num}, min: 2, result: hostBit},
	"bit.arshift": {args: []Kinds{num, num}, min: 2, result: hostBit}, "bit.rol": {args: []Kinds{num, num}, min: 2, result: hostBit},
	"bit.ror": {args: []Kinds{num, num}, min: 2, result: hostBit}, "bit.tobit": {args: []Kinds{num}, min: 1, result: hostBit},
	"bit.bswap": {args: []Kinds{num}, min: 1, result: hostBit}, "bit.tohex": {args: []Kinds{num}, min: 1, result: hostText},

	"redis.error_reply": {result: hostErrorReply}, "redis.status_reply": {result: hostStatusReply},
	"redis.sha1hex": {min: 1, result: hostText}, "redis.log": {result: hostNothing}, "redis.setresp": {result: hostSetresp},
	"redis.set_repl": {result: hostNothing}, "redis.replicate_commands": {result: hostBool}, "redis.breakpoint": {result: hostBool},
	"redis.debug": {result: hostNothing}, "redis.acl_check_cmd": {result: hostBool},
}

func hostBool(_ *interp, k *hostArgs) []Arg    { return k.one(boolValue) }
func hostNothing(_ *interp, _ *hostArgs) []Arg { return nil }
func hostFirst(_ *interp, k *hostArgs) []Arg   { return k.one(k.value(0)) }

func hostNumber(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.number(-inf, inf, FracUnknown, ip.mem.computed(k.x.Span, k.from(0), k.from(1))))
}

func hostFraction(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.number(-inf, inf, Fractional, ip.mem.computed(k.x.Span, k.from(0))))
}

func hostCount(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.number(0, inf, Whole, ip.mem.computed(k.x.Span, k.from(0))))
}

func hostClock(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.number(0, inf, Fractional, ip.mem.words.Put(Origin{Kind: FromTime, At: k.x.Span})))
}

func hostText(ip *interp, k *hostArgs) []Arg { return k.one(ip.mem.text(originsOf(k))) }

// originsOf is the origin of what is worked out from all arguments.
func originsOf(k *hostArgs) *Origin {
	parts := make([]*Origin, 0, len(k.args))
	for _, a := range k.args {
		parts = append(parts, a.Value.From)
	}
	return heap.computed(k.x.Span, parts...)
}

func hostType(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	if !v.IsUnknown() {
		for _, n := range []string{"nil", "boolean", "number", "string", "table", "function", "userdata"} {
			if v.Only(typeKinds(n)) {
				return k.one(ip.mem.textValue(n, k.x.Span))
			}
		}
	}
	t := ip.mem.text(nil)
	t.Numeric = No
	t.Of = ip.relationTo(k, "type")
	return k.one(t)
}

// relationTo ties a result to the place that the first argument names.
func (ip *interp) relationTo(k *hostArgs, how string) *Relation {
	if len(k.args) == 0 || k.args[0].Node == nil {
		return nil
	}
	p, ok := ip.place(k.st, k.args[0].Node)
	if !ok {
		return nil
	}
	return ip.mem.relations.Put(Relation{How: how, Place: p, gen: ip.placeValue(k.st, p).gen})
}

func hostTostring(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	if s, ok := constText(v); ok {
		return k.one(ip.mem.madeText(s, ip.mem.textOrigin(v), k.x.Span))
	}
	t := ip.mem.text(v.From)
	if v.From != nil && (v.From.Kind == FromLiteral || v.From.Kind == FromConcat) && v.Kinds&^(String|Number) != 0 {
		t.From = ip.mem.computed(k.x.Span, v.From) // "nil" or "false" is possible too
	}
	if v.Only(Number) || v.Only(String) && v.Numeric == Yes {
		t.Numeric, t.Lo, t.Hi, t.Frac = Yes, v.Lo, v.Hi, v.Frac
	}
	return k.one(t)
}

// hostTonumber: nil where the text spells no number. The nil of a missing reply is certain to be possible; that of a text is not.
func hostTonumber(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	if s, ok := constText(v); ok && len(k.args) == 1 {
		n, is := ToNumber(s)
		if !is {
			return k.one(nilValue)
		}
		c := *ip.mem.numberValue(n)
		c.From = v.From
		return k.one(&c)
	}
	n := ip.mem.vals.Put(Value{Lo: v.Lo, Hi: v.Hi, Frac: v.Frac, From: v.From, Of: ip.relationTo(k, "tonumber")})
	if n.From != nil && n.From.Kind == FromLiteral {
		n.From = nil
	}
	switch {
	case v.IsUnknown():
		n.Kinds, n.Weak, n.Lo, n.Hi = Number|Nil, Nil, -inf, inf
		return k.one(n)
	case v.Kinds&^(String|Number) == v.Kinds:
		none := ip.copyOf(nilValue)
		none.From = v.From // the argument or reply that is not there
		return k.one(none)
	}
	if v.Kinds&(String|Number) != 0 {
		n.Kinds |= Number
	}
	if v.Kinds&String != 0 && v.Numeric != Yes {
		n.Kinds |= Nil
		n.Weak |= Nil
		n.Lo, n.Hi = -inf, inf
	}
	if bad := v.Kinds &^ (String | Number); bad != 0 {
		n.Kinds |= Nil
		if bad&^v.Weak != 0 {
			n.Weak &^= Nil
		} else {
			n.Weak |= Nil
		}
	}
	if len(k.args) > 1 { // in another base: "10" is another number, and "2.5" is none
		n.Frac, n.Lo, n.Hi, n.Of = Whole, -inf, inf, nil
		if v.Kinds&(String|Number) != 0 && n.Kinds&Nil == 0 {
			n.Kinds, n.Weak = n.Kinds|Nil, n.Weak|Nil
		}
	}
	return k.one(n)
}

func hostUnpack(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	ranged := len(k.args) > 1
	if !ranged {
		ip.useElements(v, k.x.Span)
	} else if isList(v) {
		ip.use(v.From.Kind, Use{At: k.x.Span, Index: 0})
	}
	if o := ip.object(k.st, v); o != nil && o.exact && !ranged && !o.many && !o.lost && v.Only(Table) {
		vals := make([]Arg, len(o.list))
		for i := range o.list {
			vals[i] = Arg{At: k.x.Span, Node: k.x, Value: o.list[i], Source: v}
		}
		return vals
	}
	e := ip.elementOf(k.st, v, 0)
	var vals []Arg
	if o := ip.object(k.st, v); o != nil {
		if !ranged && v.Only(Table) && !o.open {
			vals, e = o.unpacked(k, v, e)
		}
		c := ip.copyOf(v)
		c.traits, c.NonEmpty = ip.mem.traits.Put(traits{grown: o.grows}), o.atLeast() > len(vals)
		v = c
	}
	return append(vals, Arg{At: k.x.Span, Node: k.x, Value: e, Many: true, Source: v, Range: ranged})
}

// unpacked are the first elements, and what each of the others may be. elem is what any may be.
func (o *object) unpacked(k *hostArgs, v, elem *Value) ([]Arg, *Value) {
	for _, w := range o.head {
		if w.Strong()&Nil != 0 {
			return nil, elem // the array may end before it
		}
	}
	if len(o.head) == 0 || o.tail == nil {
		return nil, elem
	}
	vals := make([]Arg, len(o.head))
	for i, w := range o.head {
		vals[i] = Arg{At: k.x.Span, Node: k.x, Value: w, Source: v}
	}
	return vals, o.tail
}

func hostSelect(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	if v.IsText("#") {
		if n := len(k.args) - 1; n >= 0 && (n == 0 || !k.args[n].Many) {
			return k.one(ip.mem.numberValue(float64(n)))
		}
		return k.one(ip.mem.number(0, inf, Whole, nil))
	}
	if v.Const && v.Kinds == Number && v.Num >= 1 && int(v.Num) < len(k.args) {
		return k.args[int(v.Num):]
	}
	return []Arg{{At: k.x.Span, Node: k.x, Value: anyValue, Many: true}}
}

func hostPart(ip *interp, k *hostArgs) []Arg {
	if k.name == "rawget" {
		if k.value(0).Lib() == "_G" {
			return k.one(anyValue) // the one safe way to ask for a global (fact 2)
		}
		return k.one(ip.read(k.st, k.value(0), k.value(1), k.x.Span))
	}
	key := ip.copyOf(anyValue)
	key.Of = ip.relationTo(k, "next")
	return []Arg{{At: k.x.Span, Node: k.x, Value: key}, {At: k.x.Span, Node: k.x, Value: ip.orNil(ip.anyIn(k.st, k.value(0)))}}
}

// hostFormat is string.format; with a constant format the result is the joined text of its parts.
func hostFormat(ip *interp, k *hostArgs) []Arg {
	f := k.value(0)
	if !f.Const || f.Kinds != String || len(k.args) > 0 && k.args[len(k.args)-1].Many {
		return k.one(ip.mem.text(originsOf(k)))
	}
	parts, texts := splitFormat(f.Text), true
	var list []*Origin
	out, next := "", 1
	for _, p := range parts {
		if !strings.HasPrefix(p, "%") || p == "%%" {
			p = strings.ReplaceAll(p, "%%", "%")
			out += p
			list = append(list, ip.mem.literal(p, k.args[0].At))
			continue
		}
		v := k.value(next)
		if next < len(k.args) {
			ip.formatArg(k, next, p)
		}
		next++
		if s, ok := constText(v); ok && (p == "%s" || p == "%d" && v.Frac == Whole) {
			out += s
			part := ip.mem.literal(s, k.args[0].At)
			if v.From != nil && v.Kinds == String {
				part = v.From
			}
			list = append(list, part)
			continue
		}
		texts = false
		list = append(list, v.From)
	}
	if texts {
		return k.one(ip.mem.madeText(out, ip.mem.concat(list, k.x.Span), k.x.Span))
	}
	return k.one(ip.mem.text(ip.mem.concat(list, k.x.Span)))
}

// formatArg: %s takes a string or a number, %d and its like a number (fact 168).
func (ip *interp) formatArg(k *hostArgs, i int, verb string) {
	if k.args[i].Many {
		return
	}
	ip.hostArg(k, i, str)
	_ = verb
}

// splitFormat cuts a format into its literal parts and its directives.
func splitFormat(f string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			continue
		}
		if i > start {
			parts = append(parts, f[start:i])
		}
		j := i + 1
		for j < len(f) && strings.IndexByte("-+ #0123456789.", f[j]) >= 0 {
			j++
		}
		if j < len(f) {
			j++
		}
		parts = append(parts, f[i:j])
		start, i = j, j-1
	}
	if start < len(f) {
		parts = append(parts, f[start:])
	}
	return parts
}

func hostByte(ip *interp, k *hostArgs) []Arg {
	n := ip.mem.number(0, 255, Whole, ip.mem.computed(k.x.Span, k.from(0)))
	c := ip.copyOf(n)
	c.Kinds, c.Weak = Number|Nil, Nil
	if len(k.args) > 2 {
		return []Arg{{At: k.x.Span, Node: k.x, Value: c, Many: true}}
	}
	return k.one(c)
}

func hostFind(ip *interp, k *hostArgs) []Arg {
	n := ip.mem.vals.Put(Value{Kinds: Number | Nil, Lo: 1, Hi: inf, Frac: Whole, From: ip.mem.computed(k.x.Span, k.from(0))})
	return []Arg{{At: k.x.Span, Node: k.x, Value: n}, {At: k.x.Span, Node: k.x, Value: n}, {At: k.x.Span, Node: k.x, Value: anyValue, Many: true}}
}

func hostMatch(ip *interp, k *hostArgs) []Arg {
	m := ip.mem.vals.Put(Value{Kinds: String | Nil, Lo: -inf, Hi: inf, From: ip.mem.computed(k.x.Span, k.from(0))})
	if f := k.value(1); f.Const && !strings.Contains(f.Text, "(") {
		return k.one(m)
	} else if f.Const && strings.Contains(f.Text, "()") || !f.Const {
		return []Arg{{At: k.x.Span, Node: k.x, Value: anyValue, Many: true}}
	}
	return []Arg{{At: k.x.Span, Node: k.x, Value: m, Many: true}}
}

func hostGmatch(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.vals.Put(Value{Kinds: Function, Lo: -inf, Hi: inf, traits: ip.mem.traits.Put(traits{builtin: "string.gmatch"}),
		From: ip.mem.computed(k.x.Span, k.from(0))}))
}

func hostGsub(ip *interp, k *hostArgs) []Arg {
	return []Arg{{At: k.x.Span, Node: k.x, Value: ip.mem.text(ip.mem.computed(k.x.Span, k.from(0), k.from(2)))},
		{At: k.x.Span, Node: k.x, Value: ip.mem.number(0, inf, Whole, nil)}}
}

func hostFloor(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	if n, ok := constNumber(v); ok && v.Const {
		if k.name == "math.ceil" {
			return k.one(ip.mem.numberValue(math.Ceil(n)))
		}
		return k.one(ip.mem.numberValue(math.Floor(n)))
	}
	lo, hi := math.Floor(v.Lo), math.Floor(v.Hi)
	if k.name == "math.ceil" {
		lo, hi = math.Ceil(v.Lo), math.Ceil(v.Hi)
	}
	return k.one(ip.mem.number(lo, hi, Whole, ip.mem.computed(k.x.Span, v.From)))
}

func hostAbs(ip *interp, k *hostArgs) []Arg {
	v := k.value(0)
	return k.one(ip.mem.number(0, math.Max(math.Abs(v.Lo), math.Abs(v.Hi)), v.Frac, ip.mem.computed(k.x.Span, v.From)))
}

func hostMinMax(ip *interp, k *hostArgs) []Arg {
	lo, hi, frac := k.value(0).Lo, k.value(0).Hi, k.value(0).Frac
	for i := range k.args {
		v := k.args[i].Value
		if k.args[i].Many {
			lo, hi, frac = -inf, inf, FracUnknown
			break
		}
		if i == 0 {
			continue
		}
		if k.name == "math.max" {
			lo, hi = math.Max(lo, v.Lo), math.Max(hi, v.Hi)
		} else {
			lo, hi = math.Min(lo, v.Lo), math.Min(hi, v.Hi)
		}
		frac = joinFrac(frac, v.Frac)
	}
	n := ip.mem.number(lo, hi, frac, originsOf(k))
	return k.one(n)
}

func joinFrac(a, b Frac) Frac {
	switch {
	case a == b:
		return a
	case a == Fractional || b == Fractional:
		return Fractional
	}
	return FracUnknown
}

func hostRandom(ip *interp, k *hostArgs) []Arg {
	from := ip.mem.words.Put(Origin{Kind: FromRandom, At: k.x.Span})
	if len(k.args) == 0 {
		return k.one(ip.mem.number(0, 1, Fractional, from))
	}
	return k.one(ip.mem.number(math.Min(1, k.value(0).Lo), k.value(len(k.args)-1).Hi, Whole, from))
}

func hostDecode(ip *interp, k *hostArgs) []Arg {
	c := ip.copyOf(anyValue)
	c.From = ip.mem.decoded(k.name, k.from(0), k.x.Span)
	return k.one(c)
}

func hostDecodeMany(ip *interp, k *hostArgs) []Arg {
	c := ip.copyOf(anyValue)
	c.From = ip.mem.decoded(k.name, k.from(len(k.args)-1), k.x.Span)
	return []Arg{{At: k.x.Span, Node: k.x, Value: c}, {At: k.x.Span, Node: k.x, Value: c, Many: true}}
}

// hostBit works on 32-bit signed numbers (fact 165).
func hostBit(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.number(-1<<31, 1<<31-1, Whole, originsOf(k)))
}

func hostErrorReply(ip *interp, k *hostArgs) []Arg {
	return k.one(ip.mem.vals.Put(Value{Kinds: Error, Lo: -inf, Hi: inf, traits: ip.mem.traits.Put(traits{made: k.x}),
		From: ip.mem.computed(k.x.Span, k.from(0))}))
}

func hostStatusReply(ip *interp, k *hostArgs) []Arg {
	if v := k.value(0); len(k.args) != 1 || v.Only(Any&^String) {
		return k.one(ip.mem.vals.Put(Value{Kinds: Error, Lo: -inf, Hi: inf}))
	}
	return k.one(ip.mem.vals.Put(Value{Kinds: Status, Lo: -inf, Hi: inf, From: ip.mem.computed(k.x.Span, k.from(0))}))
}

func hostSetresp(ip *interp, k *hostArgs) []Arg {
	ip.resp3 = true
	switch n, ok := constNumber(k.value(0)); {
	case ok && n == 3:
		k.st.resp3 = Yes
	case ok && n == 2:
		k.st.resp3 = No
	default:
		k.st.resp3 = Unknown
	}
	return nil
}
