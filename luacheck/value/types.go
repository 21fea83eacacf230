package value

import "github.com/redislint/redislint/luacheck/server"

// typed is a key that a call took for a data type: behind the call the key holds that type or does not exist.
type typed struct {
	key  string // see typeKey
	is   server.DataType
	by   *Call
	next *typed
}

const maxTyped = 24

func (t *typed) find(key string) *typed {
	for ; t != nil; t = t.next {
		if t.key == key {
			return t
		}
	}
	return nil
}

// filter keeps the keys for which keep holds.
func (t *typed) filter(keep func(*typed) bool) *typed {
	if t == nil {
		return nil
	}
	rest := t.next.filter(keep)
	switch {
	case !keep(t):
		return rest
	case rest == t.next:
		return t
	}
	return &typed{key: t.key, is: t.is, by: t.by, next: rest}
}

func (t *typed) intersect(o *typed) *typed {
	if t == o {
		return t
	}
	return t.filter(func(x *typed) bool {
		y := o.find(x.key)
		return y != nil && y.is == x.is
	})
}

func (t *typed) size() int {
	n := 0
	for ; t != nil; t = t.next {
		n++
	}
	return n
}

// typeKey is a text for a key that is the same key wherever in the script it is made: of elements of KEYS and ARGV and of literals. A reply
// is not: the same call gives another name the next time.
func typeKey(o *Origin) string {
	same := o.definite()
	o.Leaves(func(l *Origin) { same = same && l.Kind != FromReply })
	if !same {
		return ""
	}
	return factKey(o)
}

// keyTexts calls visit for each key argument that can be told again; all is false where some cannot.
func (c *Call) keyTexts(visit func(k KeyArg, key string)) (all bool) {
	all = c.KeysSure
	for _, k := range c.Keys {
		if k.Arg >= len(c.Args) || c.Args[k.Arg].Many {
			all = false
			continue
		}
		key := typeKey(c.Args[k.Arg].Value.From)
		if key == "" {
			all = false
			continue
		}
		visit(k, key)
	}
	return all
}

// typed notes a key that an earlier call took for another type than this one does.
func (ip *interp) typed(c *Call, st *state) {
	if c.Command == nil || c.PCall || ip.frame.guarded() {
		return
	}
	is := c.Command.KeyType()
	if is == server.AnyType {
		return
	}
	c.keyTexts(func(k KeyArg, key string) {
		if t := st.types.find(key); t != nil && t.is != is && k.Access&server.AccessOverwrite == 0 && !k.NotKey && c.Conflict == nil {
			c.Conflict = ip.mem.conflicts.Put(Conflict{Arg: k.Arg, Earlier: t.by, Was: t.is})
		}
	})
}

// takeTypes keeps the types that the call's keys have behind it, and forgets those of keys that it may take away or give another type.
func (ip *interp) takeTypes(c *Call, st *state) {
	is := c.Command.KeyType()
	replaces := c.Command.Deletes() || is == server.AnyType && c.Command.Flags&server.Write != 0
	all := c.keyTexts(func(k KeyArg, key string) {
		if replaces && !keepsType(c.Name) || k.Access&server.AccessOverwrite != 0 {
			st.types = st.types.filter(func(t *typed) bool { return t.key != key })
		}
		if is == server.AnyType || c.PCall || k.NotKey || replaces || c.refused() {
			return
		}
		if old := st.types.find(key); old != nil {
			if old.is == is {
				return
			}
			st.types = st.types.filter(func(t *typed) bool { return t.key != key }) // one finding for each change
		}
		if st.types.size() < maxTyped {
			st.types = ip.mem.typed.Put(typed{key: key, is: is, by: c, next: st.types})
		}
	})
	if !all && (replaces && !keepsType(c.Name) || c.overwrites()) {
		st.types = nil // some key
	}
}

// refused is whether the call surely fails, so that it tells nothing of the key.
func (c *Call) refused() bool {
	for _, f := range c.Fails {
		if f.Sure {
			return true
		}
	}
	return !c.ArgsMany && !c.Command.ArityOK(len(c.Args))
}

func (c *Call) overwrites() bool {
	for _, k := range c.Keys {
		if k.Access&server.AccessOverwrite != 0 {
			return true
		}
	}
	return false
}

// keepsType lists commands that write keys of any type and leave them where they are.
func keepsType(name string) bool {
	switch name {
	case "expire", "pexpire", "expireat", "pexpireat", "persist", "touch":
		return true
	}
	return false
}
