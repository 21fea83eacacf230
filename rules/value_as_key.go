package rules

import (
	"slices"
	"strconv"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var valueAsKey = &Rule{
	Name:     "value-as-key",
	Title:    "an element of KEYS that is no key",
	Severity: Warning,
	Group:    "Keys and cluster",
	Claim:    Cluster,
	Since:    "0.1",
	Doc: `Every element of KEYS is hashed to a slot, checked against ACLs, and perhaps given a prefix by the client. A number, a field or a
duration in KEYS is hashed as well: on a cluster the call is refused with CROSSSLOT, and a client that adds a prefix changes the value.

Pass names of keys in KEYS and everything else in ARGV.`,
	Bad: []Example{
		{
			Lua:     "return redis.call('HGET', KEYS[1], ⟦KEYS[2]⟧)",
			Say:     "'KEYS[2]' is only used as a value, of HGET, and never names a key: a cluster hashes it to a slot all the same and refuses the call with CROSSSLOT; pass it in ARGV",
			Cluster: true,
			Keys:    []string{"b", "name"},
			Raises:  "CROSSSLOT Keys in request don't hash to the same slot",
			Slots:   map[string]int{"b": 3300, "name": 5798},
		},
		{
			Lua: "redis.call('SET', KEYS[1], ARGV[1])\nreturn redis.call('PEXPIRE', KEYS[1], ⟦KEYS[2]⟧)",
			Say: "'KEYS[2]' is only used as a value, of PEXPIRE, and never names a key: a cluster hashes it to a slot all the same and refuses the call with CROSSSLOT; pass it in ARGV",
		},
		{
			Lua: "local member = KEYS[2]\nif redis.call('SISMEMBER', KEYS[1], ⟦member⟧) == 0 then\n  redis.call('SADD', KEYS[1], member)\nend\nreturn 1",
			Say: "'member' is KEYS[2], only used as a value, of SISMEMBER, and never names a key: a cluster hashes it to a slot all the same and refuses the call with CROSSSLOT; pass it in ARGV",
		},
		{
			Lua: "local n = redis.call('INCR', KEYS[1])\nif n > tonumber(⟦KEYS[2]⟧) then\n  return 0\nend\nreturn 1",
			Say: "'KEYS[2]' is only used as a value, of tonumber, and never names a key: a cluster hashes it to a slot all the same and refuses the call with CROSSSLOT; pass it in ARGV",
		},
	},
	Good: []Example{
		{Lua: "return redis.call('HGET', KEYS[1], ARGV[1])"},
		{Lua: "redis.call('SADD', KEYS[1], KEYS[2])\nreturn redis.call('SET', KEYS[2], ARGV[1])"},
		{Lua: "redis.call('SET', KEYS[1], ARGV[1])\nreturn redis.call('PUBLISH', KEYS[2], ARGV[1])"},
		{Lua: "for i = 2, #KEYS do\n  redis.call('SADD', KEYS[1], KEYS[i])\nend\nreturn 1"},
		{Lua: "if KEYS[2] == '' then\n  return 0\nend\nreturn redis.call('DEL', KEYS[1])"},
	},
	Program: checkValueAsKey,
}

// valueUse is where an element of KEYS is used as a plain value.
type valueUse struct {
	at syntax.Span
	of *value.Call // nil is tonumber
}

func (u *valueUse) word() string {
	if u.of == nil {
		return "tonumber"
	}
	return u.of.Label()
}

func checkValueAsKey(p *Pass) {
	f := p.Facts
	if f.KeysAll || f.Library != nil && len(f.Library.Functions) != 1 || !p.Complete || allNamed(f) {
		return
	}
	named := map[int]bool{} // indexes that name a key, or may
	values := map[int][]valueUse{}
	for _, c := range f.Calls {
		callUses(c, named, values)
	}
	for _, l := range f.Libs {
		if l.Name == "tonumber" && len(l.Args) > 0 {
			plainUse(&l.Args[0], nil, values)
		}
	}
	for i := 1; i <= f.KeysUsed; i++ {
		if named[i] || len(values[i]) == 0 || !explained(p, i, values[i]) {
			continue
		}
		slices.SortStableFunc(values[i], func(a, b valueUse) int { return int(a.at.Start - b.at.Start) })
		report := values[i][0]
		rank, why := Warning, "a cluster hashes it to a slot all the same and refuses the call with CROSSSLOT"
		if !onCluster(p.Program) {
			rank, why = Note, "a client that puts a prefix before keys changes it"
		}
		p.Report(In(report.at, rank, keyIndexWords(p, report.at, i)+" only used as a value, of "+report.word()+", and never names a key: "+why+"; pass it in ARGV"))
	}
}

func keyIndexWords(p *Pass, at syntax.Span, i int) string {
	name := "KEYS[" + strconv.Itoa(i) + "]"
	if text := codeText(p.Program, at, "this"); text != "'"+name+"'" {
		return text + " is " + name + ","
	}
	return "'" + name + "' is"
}

// allNamed reports whether each element of KEYS that is used names a key, or may: true for nearly every script, and soon found.
func allNamed(f *value.Facts) bool {
	if f.KeysUsed >= 64 {
		return false
	}
	var named uint64
	note := func(l *value.Origin) {
		if l.Kind == value.FromKeys && l.Index < 64 {
			named |= 1 << l.Index
		}
	}
	for _, c := range f.Calls {
		all := anyMayName(c)
		for i := range c.Args {
			if a := &c.Args[i]; i > 0 && (all || a.Many) {
				a.Value.From.Leaves(note)
			}
		}
		if all {
			continue
		}
		for _, k := range c.Keys {
			if k.Arg > 0 && k.Arg < len(c.Args) {
				c.Args[k.Arg].Value.From.Leaves(note)
			}
		}
	}
	return named|1 == 1<<(f.KeysUsed+1)-1 || f.KeysUsed == 0
}

// anyMayName: which arguments of the call name keys is not known, or they name channels or patterns of keys.
func anyMayName(c *value.Call) bool {
	if c.Command == nil || !c.KeysSure || wrongCount(c, knownArgs(c)) {
		return true // of a call that no server takes, no argument means anything
	}
	switch c.Command.Base() {
	case "publish", "pubsub", "keys", "scan", "cluster":
		return true
	}
	return false
}

// callUses sorts the arguments of a redis.call: what names a key or may, and what is a plain value.
func callUses(c *value.Call, named map[int]bool, values map[int][]valueUse) {
	keyAt := map[int]bool{}
	for _, k := range c.Keys {
		keyAt[k.Arg] = true
	}
	names := anyMayName(c)
	for i := range c.Args {
		a := &c.Args[i]
		if i > 0 && (names || keyAt[i] || a.Many) {
			a.Value.From.Leaves(func(l *value.Origin) {
				if l.Kind == value.FromKeys {
					named[l.Index] = true
				}
			})
		} else if i > 0 {
			plainUse(a, c, values)
		}
	}
}

func plainUse(a *value.Arg, of *value.Call, values map[int][]valueUse) {
	if o := a.Value.From; o != nil && o.Kind == value.FromKeys && o.Index > 0 {
		values[o.Index] = append(values[o.Index], valueUse{a.At, of})
	}
}

// explained reports whether each place that reads the element is one of those uses, or keeps it in a local, which the engine follows.
func explained(p *Pass, index int, uses []valueUse) bool {
	for _, u := range p.Facts.KeyUses {
		if u.Index != index {
			continue
		}
		direct := slices.ContainsFunc(uses, func(v valueUse) bool { return v.at.Contains(u.At) })
		if !direct && !keptInLocal(p, u.At) {
			return false
		}
	}
	return true
}

func keptInLocal(p *Pass, at syntax.Span) bool {
	kept := false
	syntax.Walk(p.Chunk.Body, func(n syntax.Node) bool {
		if l, ok := n.(*syntax.Local); ok {
			for _, e := range l.Exprs {
				kept = kept || e.Bounds() == at
			}
		}
		return !kept && n.Bounds().Contains(at)
	})
	return kept
}
