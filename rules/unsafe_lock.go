package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

var unsafeLock = &Rule{
	Name:     "unsafe-lock",
	Title:    "a lock taken with NX and released by an unconditional DEL",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `A lock with an expiry may have ended, and belong to another by now, when its first owner releases it. An unconditional DEL deletes the
lock of the other. Store a token of one's own, and delete only what holds it:
` + "`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`" + `.`,
	Bad: []Example{
		{
			Lua:   "return ⟦redis.call('DEL', KEYS[1])⟧",
			Sites: func() []luacheck.Site { return onKey("lock:", "release") },
			With:  []Script{{Lua: "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])", Sites: func() []luacheck.Site { return onKey("lock:", "acquire") }}},
			Say:   "this deletes the lock whoever holds it, and the one that took it may have lost it by expiry; compare the token first: if redis.call('GET', KEYS[1]) == ARGV[1]",
		},
		{
			Lua:   "if redis.call('EXISTS', KEYS[1]) == 1 then\n  ⟦redis.call('UNLINK', KEYS[1])⟧\nend\nreturn 1",
			Sites: func() []luacheck.Site { return onKey("mutex:", "free") },
			With:  []Script{{Lua: "return redis.call('SETNX', KEYS[1], ARGV[1])", Sites: func() []luacheck.Site { return onKey("mutex:", "take") }}},
			Say:   "this deletes the lock whoever holds it, and the one that took it may have lost it by expiry; compare the token first: if redis.call('GET', KEYS[1]) == ARGV[1]",
		},
		{
			Lua: "#!lua name=locks\nlocal function lock(keys, args)\n  return redis.call('SET', keys[1], args[1], 'NX', 'PX', args[2])\nend\n" +
				"local function unlock(keys)\n  return ⟦redis.call('DEL', keys[1])⟧\nend\n" +
				"redis.register_function('lock', lock)\nredis.register_function('unlock', unlock)",
			Say:     lockAdvice,
			Library: true, Function: "unlock",
			Setup:   [][]string{{"SET", "k", "other"}},
			Keys:    []string{"k"},
			Returns: ":1",
		},
		{
			Lua: "-- the lock of a job\nif ARGV[1] == 'lock' then\n  return redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', 3000)\nend\nreturn ⟦redis.call('DEL', KEYS[1])⟧",
			Say: "this deletes the lock whoever holds it, and the one that took it may have lost it by expiry; compare the token first: if redis.call('GET', KEYS[1]) == ARGV[1]",
		},
	},
	Good: []Example{
		{
			Lua:   "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0",
			Sites: func() []luacheck.Site { return onKey("lock:", "release") },
			With:  []Script{{Lua: "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])", Sites: func() []luacheck.Site { return onKey("lock:", "acquire") }}},
		},
		{
			Lua:   "return redis.call('DEL', KEYS[1])",
			Sites: func() []luacheck.Site { return onKey("cache:", "invalidate") },
			With:  []Script{{Lua: "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])", Sites: func() []luacheck.Site { return onKey("cache:", "fill") }}},
		},
		{
			Lua:   "return redis.call('DEL', KEYS[1])",
			Sites: func() []luacheck.Site { return onKey("job:", "remove") },
			With:  []Script{{Lua: "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])", Sites: func() []luacheck.Site { return onKey("lock:", "acquire") }}},
		},
		{Lua: "return redis.call('DEL', KEYS[1])"},
		{Lua: "-- under a lock of its own\nif not redis.call('SET', KEYS[1], ARGV[1], 'NX') then return 0 end\nredis.call('INCR', KEYS[2])\nredis.call('DEL', KEYS[1])\nreturn 1"},
	},
	Program: checkOwnLock,
	Package: checkSharedLock,
	Joins:   mayShareLock,
}

// onKey is a call of an example with two arguments and one key, which starts with the text, of a script with the label.
func onKey(key, label string) []luacheck.Site {
	s := counterOf(key, label)
	s[0].Args = luacheck.List{Items: make([]luacheck.Element, 2), Exact: true, Min: 2, Max: 2}
	return s
}

const lockAdvice = "this deletes the lock whoever holds it, and the one that took it may have lost it by expiry; compare the token first: " +
	"if redis.call('GET', KEYS[1]) == ARGV[1]"

// releases are the deletions of one key that may give a lock back without a look at who holds it.
func releases(p *luacheck.Program) []*value.Call {
	var list []*value.Call
	for _, c := range p.Facts.Calls {
		if (c.Name == "del" || c.Name == "unlink") && len(c.Keys) == 1 && !looksFirst(p, c) {
			list = append(list, c)
		}
	}
	return list
}

// checkOwnLock: the script takes the lock that it gives back.
func checkOwnLock(p *Pass) {
	for _, del := range releases(p.Program) {
		if takesOwn(p.Program, del) {
			p.Report(In(del.At, Warning, lockAdvice))
		}
	}
}

// mayShareLock: the script takes or gives back what may be a lock, under a key that a call of it names.
func mayShareLock(p *luacheck.Program) bool {
	named := slices.ContainsFunc(p.Sites, func(s luacheck.Site) bool { return len(s.Keys.Items) > 0 })
	return named && (slices.ContainsFunc(p.Facts.Calls, onlyIfNew) || len(releases(p)) > 0)
}

// checkSharedLock: another script takes the lock.
func checkSharedLock(p *PackagePass) {
	for i, release := range p.Programs {
		for _, del := range releases(release) {
			if takesOwn(release, del) {
				continue
			}
			for j, acquire := range p.Programs {
				if i != j && takes(acquire, release, del) {
					p.Report(i, In(del.At, Warning, lockAdvice))
					break
				}
			}
		}
	}
}

// looksFirst: the script reads the key that it deletes, so that it may know whose it is.
func looksFirst(p *luacheck.Program, del *value.Call) bool {
	key := keyOf(del)
	for _, c := range p.Facts.Calls {
		switch c.Name {
		case "get", "hget", "hmget", "mget", "hexists", "hgetall", "getdel", "getex", "":
			if c.Name == "mget" || c.Name == "" {
				return true
			}
			if k := keyOf(c); k != nil && key != nil && (k.Same(key) || key.Index == 0) {
				return true
			}
		}
	}
	return false
}

// takesOwn reports whether a script takes the lock that del, a call of it, deletes.
func takesOwn(p *luacheck.Program, del *value.Call) bool {
	other := keyOf(del)
	return other != nil && slices.ContainsFunc(p.Facts.Calls, func(c *value.Call) bool {
		if !onlyIfNew(c) {
			return false
		}
		key := keyOf(c)
		return key != nil && key.Same(other) && !hasNode(del.Before, c) && tellsOfLock(p, "")
	})
}

// takes reports whether a script takes the lock that del, a call of another script, deletes.
func takes(p, release *luacheck.Program, del *value.Call) bool {
	other := keyOf(del)
	return other != nil && other.Kind == value.FromKeys && slices.ContainsFunc(p.Facts.Calls, func(c *value.Call) bool {
		if !onlyIfNew(c) {
			return false
		}
		key := keyOf(c)
		if key == nil || key.Kind != value.FromKeys {
			return false
		}
		name, ok := sharedName(p, key.Index, release, other.Index)
		return ok && (tellsOfLock(p, name) || tellsOfLock(release, name))
	})
}

// onlyIfNew: SETNX, or SET with NX.
func onlyIfNew(c *value.Call) bool {
	if c.Name == "setnx" {
		return true
	}
	if c.Name == "set" {
		for _, w := range c.Words[min(3, len(c.Words)):] {
			if w.Known && strings.EqualFold(w.Text, "nx") {
				return true
			}
		}
	}
	return false
}

// sharedName is the constant part of a key that a call of p passes as KEYS[i] and a call of q as KEYS[j].
func sharedName(p *luacheck.Program, i int, q *luacheck.Program, j int) (string, bool) {
	for a := range p.Sites {
		for b := range q.Sites {
			if s, ok := sameTemplate(keyAt(&p.Sites[a], i), keyAt(&q.Sites[b], j)); ok {
				return s, true
			}
		}
	}
	return "", false
}

func keyAt(s *luacheck.Site, i int) luacheck.Template {
	if i < 1 || i > len(s.Keys.Items) {
		return luacheck.Template{}
	}
	return s.Keys.Items[i-1].Text
}

// sameTemplate: the same constant parts around holes; without a word among them the holes are to be the same or called alike.
func sameTemplate(a, b luacheck.Template) (string, bool) {
	if len(a.Parts) == 0 || len(a.Parts) != len(b.Parts) {
		return "", false
	}
	text, alike := "", true
	for i, x := range a.Parts {
		y := b.Parts[i]
		if x.Lit != y.Lit || (x.Hole == "") != (y.Hole == "") {
			return "", false
		}
		alike = alike && (x.Hole == y.Hole || x.Name == y.Name)
		text += x.Lit
	}
	word := strings.ContainsFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
	return text, word || alike
}

// tellsOfLock: the key, a name of the script, or without calls its text, speaks of a lock.
func tellsOfLock(p *luacheck.Program, key string) bool {
	texts := []string{key}
	for i := range p.Sites {
		texts = append(texts, p.Sites[i].Label)
		for _, k := range p.Sites[i].Keys.Items {
			for _, part := range k.Text.Parts {
				texts = append(texts, part.Lit, part.Name)
			}
		}
	}
	if len(p.Sites) == 0 {
		texts = append(texts, p.Source.Text)
	}
	for _, t := range texts {
		t = strings.ReplaceAll(strings.ToLower(t), "block", "")
		if strings.Contains(t, "lock") || strings.Contains(t, "mutex") || strings.Contains(t, "lease") {
			return true
		}
	}
	return false
}
