package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var lostTTL = &Rule{
	Name:     "lost-ttl",
	Title:    "a SET without KEEPTTL or expiry on a key whose expiry the script manages",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `SET and GETSET remove the expiry of the key. A counter that is read, changed and set again loses its window: it either never ends, or
starts anew at each call because the TTL is -1 when it is looked at. INCRBY keeps the expiry, and so does SET with KEEPTTL (Redis 6.0).`,
	Bad: []Example{
		{
			Lua:     "local cur = redis.call('GET', KEYS[1])\nlocal new = tonumber(cur or 0) + 1\n⟦redis.call('SET', KEYS[1], new)⟧\nif redis.call('TTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn redis.call('TTL', KEYS[1])",
			Say:     "SET removes the expiry that the script gives this key, and the TTL that is read afterwards is -1 in any case; add 'KEEPTTL', or count with INCRBY",
			Setup:   [][]string{{"SET", "k", "5", "EX", "10"}},
			Keys:    []string{"k"},
			Returns: ":60",
			Fixed:   "local cur = redis.call('GET', KEYS[1])\nlocal new = tonumber(cur or 0) + 1\nredis.call('SET', KEYS[1], new, 'KEEPTTL')\nif redis.call('TTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn redis.call('TTL', KEYS[1])",
		},
		{
			Lua:     "local n = tonumber(redis.call('GET', KEYS[1]) or 0)\n⟦redis.call('SET', KEYS[1], n + 1)⟧\nif n == 0 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn n",
			Say:     "SET removes the expiry that the script gives this key elsewhere; add 'KEEPTTL', or count with INCRBY",
			Setup:   [][]string{{"SET", "k", "5", "EX", "10"}},
			Keys:    []string{"k"},
			State:   []State{{[]string{"TTL", "k"}, ":-1"}},
			Returns: ":5",
			Fixed:   "local n = tonumber(redis.call('GET', KEYS[1]) or 0)\nredis.call('SET', KEYS[1], n + 1, 'KEEPTTL')\nif n == 0 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn n",
		},
		{
			Lua:     "local raw = redis.call('GET', KEYS[1])\nif not raw then\n  redis.call('SETEX', KEYS[1], 60, ARGV[1])\nelse\n  ⟦redis.call('SET', KEYS[1], raw .. ARGV[1])⟧\nend\nreturn 1",
			Say:     "SET removes the expiry that the script gives this key elsewhere; add 'KEEPTTL', or count with INCRBY",
			Setup:   [][]string{{"SET", "k", "a", "EX", "10"}},
			Keys:    []string{"k"},
			Args:    []string{"b"},
			State:   []State{{[]string{"TTL", "k"}, ":-1"}},
			Returns: ":1",
			Fixed:   "local raw = redis.call('GET', KEYS[1])\nif not raw then\n  redis.call('SETEX', KEYS[1], 60, ARGV[1])\nelse\n  redis.call('SET', KEYS[1], raw .. ARGV[1], 'KEEPTTL')\nend\nreturn 1",
		},
		{
			Lua:     "redis.call('EXPIRE', KEYS[1], 60)\n⟦redis.call('SET', KEYS[1], ARGV[1])⟧\nreturn redis.call('TTL', KEYS[1])",
			Say:     "SET removes the expiry that the script gives this key, and the TTL that is read afterwards is -1 in any case; add 'KEEPTTL', or count with INCRBY",
			Setup:   [][]string{{"SET", "k", "a"}},
			Keys:    []string{"k"},
			Args:    []string{"b"},
			Returns: ":-1",
			Fixed:   "redis.call('EXPIRE', KEYS[1], 60)\nredis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL')\nreturn redis.call('TTL', KEYS[1])",
		},
	},
	Good: []Example{
		{Lua: "redis.call('SET', KEYS[1], ARGV[1])\nredis.call('EXPIRE', KEYS[1], 60)\nreturn redis.call('TTL', KEYS[1])"},
		{Lua: "local ttl = redis.call('PTTL', KEYS[1])\nlocal n = tonumber(redis.call('GET', KEYS[1]) or 0)\nredis.call('SET', KEYS[1], n + 1)\nif ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl) end\nreturn n"},
		{Lua: "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', '86400') then return 'ok' end\nredis.call('SET', KEYS[1], ARGV[1], 'EX', '86400')\nreturn 'dup'"},
		{Lua: "if ARGV[2] ~= '0' then\n  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\nelse\n  redis.call('SET', KEYS[1], ARGV[1])\nend\nreturn 1"},
		{Lua: "if tonumber(redis.call('GET', KEYS[1])) == tonumber(ARGV[1]) then\n  redis.call('SET', KEYS[1], 1)\nelse\n  redis.call('INCR', KEYS[1])\nend\nreturn 1"},
		{Lua: "local n = tonumber(redis.call('GET', KEYS[1]) or 0)\nredis.call('SET', KEYS[1], n + 1, 'KEEPTTL')\nif n == 0 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn n"},
	},
	Call: checkLostTTL,
}

func checkLostTTL(p *Pass, s *value.Call) {
	if !dropsExpiry(s) {
		return
	}
	same := onSameKey(p, s)
	why := ""
	switch {
	case expiryRestored(same, s):
	case readAfter(same, s) && givenExpiry(same):
		why = ", and the TTL that is read afterwards is -1 in any case"
	case givenExpiry(same) && changesInPlace(s):
		why = " elsewhere"
	}
	if why == "" {
		return
	}
	advice := "add 'KEEPTTL', or count with INCRBY"
	f := In(s.At, Warning, s.Label()+" removes the expiry that the script gives this key"+why+"; "+advice)
	if at := s.Node.Parens; s.Name == "set" && at.Len() > 0 && s.At == s.Node.Span && keepsTTL(p) {
		end := at.End - 1
		f.Fixes = []Fix{{Title: "keep the expiry", Edits: []Edit{{syntax.Span{Start: end, End: end}, ", 'KEEPTTL'"}}}}
	}
	p.Report(f)
}

// keepsTTL: every server of the target knows SET with KEEPTTL.
func keepsTTL(p *Pass) bool {
	b, ok := p.Target.Oldest(server.Redis)
	return !ok || !b.Version.Less(server.Version{Major: 6})
}

// dropsExpiry: a SET without options, or a GETSET, on a key of which the name is known.
func dropsExpiry(c *value.Call) bool {
	return (c.Name == "set" || c.Name == "getset") && len(c.Args) == 3 && !c.ArgsMany && !c.PCall
}

// onSameKey are the other calls on the key of s.
func onSameKey(p *Pass, s *value.Call) []*value.Call {
	var list []*value.Call
	key := keyOf(s)
	for _, c := range p.Facts.Calls {
		if k := keyOf(c); c.Node != s.Node && key != nil && k != nil && k.Same(key) {
			list = append(list, c)
		}
	}
	return list
}

// givesExpiry: the call sets an expiry.
func givesExpiry(c *value.Call) bool {
	switch c.Name {
	case "expire", "pexpire", "expireat", "pexpireat", "setex", "psetex":
		return true
	case "set", "getex":
		for _, w := range c.Words {
			if w.Known && (strings.EqualFold(w.Text, "ex") || strings.EqualFold(w.Text, "px") || strings.EqualFold(w.Text, "exat") ||
				strings.EqualFold(w.Text, "pxat")) {
				return true
			}
		}
	}
	return false
}

func givenExpiry(calls []*value.Call) bool {
	for _, c := range calls {
		if givesExpiry(c) {
			return true
		}
	}
	return false
}

// expiryRestored: behind s the key gets an expiry in any case, or the one that was read before, or it had none: it was deleted.
func expiryRestored(calls []*value.Call, s *value.Call) bool {
	for _, c := range calls {
		if (c.Name == "del" || c.Name == "unlink" || c.Name == "persist") && hasNode(s.Before, c) {
			return true
		}
		if givesExpiry(c) && hasNode(c.Before, s) && (c.Follows(s) || restores(c)) {
			return true
		}
	}
	return false
}

// restores: the new expiry is worked out from a TTL that was read.
func restores(c *value.Call) bool {
	found := false
	for _, a := range c.Args {
		a.Value.From.Leaves(func(o *value.Origin) {
			found = found || o.Call != nil && isTTL(o.Call.Name)
		})
	}
	return found
}

func isTTL(name string) bool {
	return name == "ttl" || name == "pttl" || name == "expiretime" || name == "pexpiretime"
}

// readAfter: the TTL of the key is read behind s.
func readAfter(calls []*value.Call, s *value.Call) bool {
	for _, c := range calls {
		if isTTL(c.Name) && hasNode(c.Before, s) {
			return true
		}
	}
	return false
}

// changesInPlace: the value that is set is worked out from what the key held.
func changesInPlace(s *value.Call) bool {
	found := false
	key := keyOf(s)
	s.Args[2].Value.From.Leaves(func(o *value.Origin) {
		if o.Kind == value.FromReply && o.Call != nil {
			k := keyOf(o.Call)
			found = found || k != nil && k.Same(key)
		}
	})
	return found
}
