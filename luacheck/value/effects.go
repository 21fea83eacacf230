package value

import (
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
)

// effects changes what is known by what the command does: writes, keys that exist from here on or no longer.
func (ip *interp) effects(c *Call, st *state) {
	if c.Command == nil {
		if c.Name == "" {
			st.known, st.types = nil, nil // any command
			st.epoch = ip.gen()
		}
		return
	}
	writes := c.Command.Flags&server.Write != 0
	undone := writes && ip.undo(c, st)
	if writes && !ip.readsOnly(c) {
		c.Writes = true
		st.repeat(c)
		if ip.frame.record {
			c.spot = ip.here()
		}
		if !undone {
			st.writes = ip.mem.union(st.writes, []*Call{c})
		}
	}
	ip.remember(c, st)
	if st.known != nil && c.Name == "hmget" {
		was := recordFound(c)
		st.known = st.known.filter(ip.mem, func(f fact) bool { return f != was })
	}
	switch c.Name {
	case "select", "flushall", "flushdb", "swapdb":
		st.known, st.types = nil, nil
		st.epoch = ip.gen()
	}
	ip.takeTypes(c, st)
	if c.Command.Random() {
		st.random = c
	}
}

// readsOnly: a command with the write flag that reads with these options (SORT without STORE, GETEX alone, BITFIELD GET).
func (ip *interp) readsOnly(c *Call) bool {
	if !c.KeysSure || len(c.Keys) == 0 {
		return false
	}
	for _, k := range c.Keys {
		if k.Access&^server.AccessRead != 0 {
			return false
		}
	}
	return true
}

// undo takes back an earlier write of the same key that this command reverses: DECR after INCR, SREM after SADD, DEL after SET NX. It
// reports whether there was one; then the command itself is no change either.
func (ip *interp) undo(c *Call, st *state) bool {
	key := c.keyOrigin()
	if key == nil {
		return false
	}
	before := len(st.writes)
	st.drop(func(w *Call) bool {
		other := w.keyOrigin()
		if other == nil || !other.Same(key) {
			return false
		}
		if w.Command != nil && ip.in.Target.Undoes(w.Command, c.Command) {
			return w.Name != "set" || w.onlyNew()
		}
		return w.Name == c.Name && negates(c)
	})
	return len(st.writes) < before
}

// onlyNew: SET with NX, which a DEL reverses.
func (c *Call) onlyNew() bool {
	for _, w := range c.Words {
		if w.Known && strings.EqualFold(w.Text, "nx") {
			return true
		}
	}
	return false
}

// negates: INCRBY and the like with a negative amount.
func negates(c *Call) bool {
	switch c.Name {
	case "incrby", "incrbyfloat", "hincrby", "hincrbyfloat", "zincrby":
		i := map[string]int{"incrby": 2, "incrbyfloat": 2, "hincrby": 3, "hincrbyfloat": 3, "zincrby": 2}[c.Name]
		return i < len(c.Args) && c.Args[i].Value.Hi < 0
	}
	return false
}

// keyOrigin is where the only key of the call comes from.
func (c *Call) keyOrigin() *Origin {
	if len(c.Keys) == 0 || c.Keys[0].Arg >= len(c.Args) {
		return nil
	}
	return c.Args[c.Keys[0].Arg].Value.From
}

// factKey is a text for an origin that is surely the same text each time; "" where it is not.
func factKey(o *Origin) string {
	if !o.definite() {
		return ""
	}
	if o.key == "" {
		o.key = o.spell()
	}
	return o.key
}

// spell writes the key of a definite origin.
func (o *Origin) spell() string {
	switch o.Kind {
	case FromKeys:
		return "K" + strconv.Itoa(o.Index)
	case FromArgv:
		return "A" + strconv.Itoa(o.Index)
	case FromLiteral:
		return quoted(o.Text)
	case FromReply:
		return "R" + strconv.Itoa(int(o.Call.Node.Start)) + o.Path
	}
	var b strings.Builder
	for _, p := range o.Parts {
		b.WriteString(factKey(p))
		b.WriteByte('+')
	}
	return b.String()
}

// quoted is strconv.Quote, which is slow where nothing needs it.
func quoted(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return strconv.Quote(text)
		}
	}
	return `"` + text + `"`
}

// argKey is a text for an argument: its origin's, or, where that is not definite, one for this very value, which is one as long as the local
// that holds it is not assigned.
func (c *Call) argKey(i int) string {
	k := c.definiteKey(i)
	if k == "" && i < len(c.Args) && !c.Args[i].Many && c.Args[i].Value.gen != 0 {
		k = "V" + strconv.FormatUint(uint64(c.Args[i].Value.gen), 10)
	}
	return k
}

// definiteKey is argKey where the origin alone gives it.
func (c *Call) definiteKey(i int) string {
	if i >= len(c.Args) || c.Args[i].Many {
		return ""
	}
	return factKey(c.Args[i].Value.From)
}

// remember keeps which keys and fields exist after the command.
func (ip *interp) remember(c *Call, st *state) {
	if len(c.Keys) == 0 {
		return
	}
	key := c.argKey(c.Keys[0].Arg)
	write := c.Command.Flags&server.Write != 0
	if write {
		ip.unlearn(c, st)
	}
	if key == "" || c.PCall {
		return
	}
	switch c.Name {
	case "set", "incr", "incrby", "decr", "decrby", "incrbyfloat", "append", "setex", "psetex", "getset", "setrange", "mset", "lpush", "rpush",
		"sadd", "zadd", "xadd", "hincrby", "hincrbyfloat", "zincrby", "setnx", "setbit":
		if c.noEffect == "" || c.Name != "set" || c.onlyNew() { // where NX sets nothing, the key was there
			st.learn(fact{keyThere, key, ""})
		}
	case "hset", "hmset", "hsetnx":
		st.learn(fact{keyThere, key, ""})
	}
	switch c.Name {
	case "hset", "hmset", "hsetnx", "hincrby", "hincrbyfloat":
		for i := 2; i < len(c.Args); i += 2 {
			if f := c.argKey(i); f != "" {
				st.learn(fact{fieldThere, key, f})
			}
		}
	case "zadd", "zincrby":
		if m := c.argKey(len(c.Args) - 1); m != "" && !c.has("nx", "xx", "gt", "lt") {
			st.learn(fact{memberThere, key, m})
		}
	}
}

func (c *Call) has(words ...string) bool {
	for _, w := range c.Words {
		for _, x := range words {
			if w.Known && strings.EqualFold(w.Text, x) {
				return true
			}
		}
	}
	return false
}

// unlearn drops what a write may make untrue.
func (ip *interp) unlearn(c *Call, st *state) {
	switch c.Command.Group {
	case "generic", "string", "list", "set", "sorted-set", "hash", "stream":
	}
	removes := false
	for _, k := range c.Keys {
		removes = removes || k.Access&server.AccessDelete != 0
	}
	if !removes && c.Name != "rename" && c.Name != "renamenx" && c.Name != "move" && c.Name != "copy" && c.Name != "restore" &&
		!strings.HasSuffix(c.Name, "store") {
		return
	}
	if c.Name == "ltrim" && c.keepsAnEnd() {
		return
	}
	st.epoch = ip.gen()
	var room [4]string
	gone := room[:0]
	for _, k := range c.Keys {
		f := c.definiteKey(k.Arg)
		if f == "" {
			st.known = nil // some key
			return
		}
		gone = append(gone, f)
	}
	st.known = st.known.filter(ip.mem, func(f fact) bool {
		for _, g := range gone {
			if f.mentions(g) {
				return false
			}
		}
		return true
	})
}

// keepsAnEnd: an LTRIM from 0 on, or up to -1, which leaves an element of a list that had one unless the other end is beyond it.
func (c *Call) keepsAnEnd() bool {
	if len(c.Words) != 4 {
		return false
	}
	start, stop := c.Words[2], c.Words[3]
	return start.Known && start.Text == "0" && (stop.Text == "-1" || !strings.HasPrefix(stop.Text, "-")) ||
		stop.Known && stop.Text == "-1" && start.Known && strings.HasPrefix(start.Text, "-")
}

// learn draws a fact from a test of a reply: EXISTS is 1, so the key is there.
func (ip *interp) learn(st *state, c *Call, v *Value) {
	if len(c.Keys) != 1 || c.Command == nil {
		return
	}
	key := c.argKey(c.Keys[0].Arg)
	if key == "" {
		return
	}
	positive := v.Only(Number) && v.Lo >= 1
	switch c.Name {
	case "ttl", "pttl", "expiretime", "pexpiretime":
		if v.Only(Number) && v.Lo > -2 { // -2 is what they reply for a missing key, -1 for one without an expiry
			st.learn(fact{keyThere, key, ""})
		}
	case "exists", "llen", "hlen", "scard", "zcard", "strlen", "xlen", "touch", "hexists", "sismember", "expire", "pexpire", "persist":
		if positive {
			st.learn(fact{keyThere, key, ""})
		}
	case "get", "hget", "lindex", "zscore", "zrank", "zrevrank":
		if v.Only(Truthy) {
			st.learn(fact{keyThere, key, ""})
		}
	}
	switch c.Name {
	case "hexists":
		if f := c.argKey(2); positive && f != "" {
			st.learn(fact{fieldThere, key, f})
		}
	case "hget":
		if f := c.argKey(2); f != "" && v.Only(Truthy) {
			st.learn(fact{fieldThere, key, f})
		}
	case "zscore", "zrank", "zrevrank":
		if m := c.argKey(2); m != "" && v.Only(Truthy) {
			st.learn(fact{memberThere, key, m})
		}
	}
}

// present takes the null out of a reply whose key, field or member is known to be there.
func (ip *interp) present(c *Call, v *Value, st *state) *Value {
	if v.IsUnknown() || len(c.Keys) == 0 {
		return v
	}
	null := v.Kinds & Falsy
	key := c.argKey(c.Keys[0].Arg)
	has := func(f fact) bool { return key != "" && st.known.has(f) }
	switch c.Name {
	case "get", "lpop", "rpop", "spop", "srandmember", "getdel", "getrange", "rpoplpush", "lmove", "zrandmember", "hrandfield", "getex":
		moves := c.Name == "rpoplpush" || c.Name == "lmove" || c.Name == "getex"
		if null != 0 && has(fact{keyThere, key, ""}) && (len(c.Args) <= 2 || moves) {
			return ip.with(v, Any&^Falsy)
		}
	case "lrange", "zrange", "zrevrange":
		if v.Kinds&Table != 0 && has(fact{keyThere, key, ""}) && c.fromFirst() {
			w := ip.copyOf(v)
			w.NonEmpty = true
			return w
		}
	case "lindex":
		if null != 0 && has(fact{keyThere, key, ""}) && len(c.Words) > 2 && c.Words[2].Known && (c.Words[2].Text == "0" || c.Words[2].Text == "-1") {
			return ip.with(v, Any&^Falsy)
		}
	case "hget":
		f := c.argKey(2)
		if null != 0 && (f != "" && has(fact{fieldThere, key, f}) || ip.memberOf(c, 2, "hkeys", "hgetall", "hscan")) {
			return ip.with(v, Any&^Falsy)
		}
		if has(fact{keyThere, key, ""}) {
			return ip.mem.soften(v)
		}
	case "zscore", "zrank", "zrevrank":
		m := c.argKey(2)
		if null != 0 && (m != "" && has(fact{memberThere, key, m}) || ip.memberOf(c, 2, "zrange", "zrangebyscore", "zrevrange", "zrevrangebyscore",
			"zrangebylex", "zscan", "zrandmember")) {
			return ip.with(v, Any&^Falsy)
		}
	case "smembers", "hkeys", "hvals", "hgetall":
		if has(fact{keyThere, key, ""}) && v.Kinds&Table != 0 {
			w := ip.copyOf(v)
			w.NonEmpty = true // no key is without an element
			return w
		}
	case "hmget":
		if has(fact{keyThere, key, ""}) && v.Reply != nil {
			w := ip.copyOf(v)
			w.Present = true
			return w
		}
	}
	return v
}

// fromFirst: the read starts with the first element and takes at least that one.
func (c *Call) fromFirst() bool {
	if len(c.Words) < 4 || !c.Words[2].Known || !c.Words[3].Known {
		return false
	}
	for _, w := range c.Words[4:] {
		if !w.Known || !strings.EqualFold(w.Text, "WITHSCORES") && !strings.EqualFold(w.Text, "REV") {
			return false
		}
	}
	return c.Words[2].Text == "0" && (c.Words[3].Text == "-1" || !strings.HasPrefix(c.Words[3].Text, "-"))
}

// soften makes a null one that nobody can vouch for: the hash is there, and scripts that test for it mean all its fields.
func (m *Scratch) soften(v *Value) *Value {
	if v.Kinds&Falsy == 0 {
		return v
	}
	w := m.newValue()
	*w = *v
	w.Weak |= v.Kinds & Falsy
	return w
}

// recordFound says that a read of several fields has found one of them.
func recordFound(c *Call) fact { return fact{recordThere, strconv.Itoa(int(c.Node.Start)), ""} }

// sibling softens a field of a read that has found another: the hash is there, and who tests for one field of a record means them all.
func (ip *interp) sibling(st *state, v *Value) *Value {
	if v.Kinds&False == 0 || v.Weak&False != 0 || st.known == nil || v.From == nil || v.From.Kind != FromReply || v.From.Path == "" || v.IsUnknown() {
		return v
	}
	if v.From.Call.Name == "hmget" && st.known.has(recordFound(v.From.Call)) {
		return ip.mem.soften(v)
	}
	return v
}

// memberOf: argument i came out of a read of the same key, so the member is there.
func (ip *interp) memberOf(c *Call, i int, reads ...string) bool {
	if i >= len(c.Args) || c.Args[i].Many {
		return false
	}
	o := c.Args[i].Value.From
	if o == nil || o.Kind != FromReply || o.Call == nil {
		return false
	}
	key, other := c.keyOrigin(), o.Call.keyOrigin()
	if key == nil || other == nil || !key.Same(other) {
		return false
	}
	for _, r := range reads {
		if o.Call.Name == r {
			return true
		}
	}
	return false
}
