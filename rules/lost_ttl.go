package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var lostTTL = &Rule{
	Name:     "lost-ttl",
	Title:    "an overwrite that drops an expiry which the script manages",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `SET, GETSET and MSET take the expiry of a key away. A counter that is written back with SET lives for ever from its second run on, and a
test of TTL behind the SET always finds -1, so that the window starts anew at every run.

Write KEEPTTL (Redis 6.0), set the expiry in the same SET, or use a command that keeps it: INCRBY, APPEND, SETRANGE.`,
	Bad: []Example{
		{
			Lua: "local cur = redis.call('GET', KEYS[1])\nlocal new = (tonumber(cur or 0) or 0) + 1\n⟦redis.call('SET', KEYS[1], new)⟧\n" +
				"if redis.call('TTL', KEYS[1]) < 0 then\n  redis.call('EXPIRE', KEYS[1], ARGV[1])\nend\nreturn redis.call('TTL', KEYS[1])",
			Say: "SET drops the expiry of the key, so 'redis.call('TTL', KEYS[1])' always finds none and it starts anew at every run; add KEEPTTL",
			Fixed: "local cur = redis.call('GET', KEYS[1])\nlocal new = (tonumber(cur or 0) or 0) + 1\nredis.call('SET', KEYS[1], new, 'KEEPTTL')\n" +
				"if redis.call('TTL', KEYS[1]) < 0 then\n  redis.call('EXPIRE', KEYS[1], ARGV[1])\nend\nreturn redis.call('TTL', KEYS[1])",
			Setup:   [][]string{{"SET", "k", "1", "EX", "10"}},
			Keys:    []string{"k"},
			Args:    []string{"60"},
			Returns: ":60",
		},
		{
			Lua: "local n = tonumber(redis.call('GET', KEYS[1]) or '0') or 0\nn = n + 1\n⟦redis.call('SET', KEYS[1], n)⟧\n" +
				"if n == 1 then\n  redis.call('PEXPIRE', KEYS[1], ARGV[1])\nend\nreturn redis.call('TTL', KEYS[1])",
			Say: "SET drops the expiry that PEXPIRE gives the key on another run or path; add KEEPTTL",
			Fixed: "local n = tonumber(redis.call('GET', KEYS[1]) or '0') or 0\nn = n + 1\nredis.call('SET', KEYS[1], n, 'KEEPTTL')\n" +
				"if n == 1 then\n  redis.call('PEXPIRE', KEYS[1], ARGV[1])\nend\nreturn redis.call('TTL', KEYS[1])",
			Setup:   [][]string{{"SET", "k", "1", "EX", "10"}},
			Keys:    []string{"k"},
			Args:    []string{"60000"},
			Returns: ":-1",
		},
		{
			Lua: "local cur = redis.call('GET', KEYS[1])\nif not cur then\n  redis.call('SET', KEYS[1], 1, 'EX', ARGV[1])\nelse\n" +
				"  ⟦redis.call('SET', KEYS[1], cur .. 'x')⟧\nend\nreturn redis.call('TTL', KEYS[1])",
			Say: "SET drops the expiry that SET gives the key on another run or path; add KEEPTTL",
			Fixed: "local cur = redis.call('GET', KEYS[1])\nif not cur then\n  redis.call('SET', KEYS[1], 1, 'EX', ARGV[1])\nelse\n" +
				"  redis.call('SET', KEYS[1], cur .. 'x', 'KEEPTTL')\nend\nreturn redis.call('TTL', KEYS[1])",
			Setup:   [][]string{{"SET", "k", "1", "EX", "10"}},
			Keys:    []string{"k"},
			Args:    []string{"60"},
			Returns: ":-1",
		},
		{
			Lua: "if redis.call('EXISTS', KEYS[1]) == 1 then\n  ⟦redis.call('GETSET', KEYS[1], ARGV[1])⟧\nelse\n  redis.call('SETEX', KEYS[1], 60, ARGV[1])\nend\n" +
				"return redis.call('TTL', KEYS[1])",
			Say:     "GETSET drops the expiry that SETEX gives the key on another run or path; set the expiry again",
			Setup:   [][]string{{"SET", "k", "1", "EX", "10"}},
			Keys:    []string{"k"},
			Args:    []string{"v"},
			Returns: ":-1",
		},
		{
			Lua:     "redis.call('INCR', KEYS[1])\nredis.call('EXPIRE', KEYS[1], 60)\n⟦redis.call('SET', KEYS[1], ARGV[1])⟧\nreturn redis.call('TTL', KEYS[1])",
			Say:     "SET drops the expiry that EXPIRE gives the key above; add KEEPTTL",
			Fixed:   "redis.call('INCR', KEYS[1])\nredis.call('EXPIRE', KEYS[1], 60)\nredis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL')\nreturn redis.call('TTL', KEYS[1])",
			Keys:    []string{"k"},
			Args:    []string{"v"},
			Returns: ":-1",
		},
		{
			Lua:     "if redis.call('PTTL', KEYS[1]) > 0 then\n  ⟦redis.call('SET', KEYS[1], ARGV[1], 'XX')⟧\nend\nreturn redis.call('TTL', KEYS[1])",
			Say:     "SET drops the expiry that 'redis.call('PTTL', KEYS[1])' has found on the key; add KEEPTTL",
			Fixed:   "if redis.call('PTTL', KEYS[1]) > 0 then\n  redis.call('SET', KEYS[1], ARGV[1], 'XX', 'KEEPTTL')\nend\nreturn redis.call('TTL', KEYS[1])",
			Setup:   [][]string{{"SET", "k", "1", "EX", "10"}},
			Keys:    []string{"k"},
			Args:    []string{"v"},
			Returns: ":-1",
		},
	},
	Good: []Example{
		{Lua: "local ttl = tonumber(ARGV[2])\nif ttl and ttl > 0 then\n  redis.call('SET', KEYS[1], ARGV[1], 'PX', ttl)\nelse\n  redis.call('SET', KEYS[1], ARGV[1])\nend\nreturn redis.call('PTTL', KEYS[1])"},
		{Lua: "redis.call('SET', KEYS[1], ARGV[1])\nredis.call('EXPIRE', KEYS[1], 60)\nreturn 1"},
		{Lua: "redis.call('SET', KEYS[1], ARGV[1])\nif tonumber(ARGV[2]) then\n  redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\nreturn 1"},
		{Lua: "if ARGV[2] ~= '' then\n  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])\nelse\n  redis.call('SET', KEYS[1], ARGV[1])\nend\nreturn 1"},
		{
			Lua: "local ttl = redis.call('PTTL', KEYS[1])\nlocal v = redis.call('GET', KEYS[1]) or ''\nredis.call('SET', KEYS[1], v .. 'x')\n" +
				"if ttl > 0 then\n  redis.call('PEXPIRE', KEYS[1], ttl)\nend\nreturn 1",
		},
		{
			Lua: "local ttl = redis.call('TTL', KEYS[1])\nlocal v = (redis.call('GET', KEYS[1]) or '') .. 'x'\nif ttl > 0 then\n" +
				"  redis.call('SET', KEYS[1], v, 'EX', ttl)\nelse\n  redis.call('SET', KEYS[1], v)\nend\nreturn 1",
		},
		{Lua: "if not redis.call('GET', KEYS[1]) then\n  redis.call('SET', KEYS[1], 'pending', 'EX', 60)\nelse\n  redis.call('SET', KEYS[1], 'done')\nend\nreturn 1"},
		{Lua: "redis.call('DEL', KEYS[1])\nredis.call('SET', KEYS[1], ARGV[1])\nif redis.call('TTL', KEYS[1]) < 0 then\n  redis.call('EXPIRE', KEYS[1], 60)\nend\nreturn 1"},
		{
			Lua: "local old, ttl = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])\nredis.call('SET', KEYS[1], ARGV[1])\nif old then\n" +
				"  redis.call('PEXPIRE', KEYS[1], math.max(ttl, 1))\nend\nreturn 1",
		},
		{
			Lua: "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', '86400') then\n  return 'ok'\nend\nredis.call('SET', KEYS[1], ARGV[1], 'EX', '86400')\nreturn 'dup'",
		},
		{Lua: "if redis.call('SETNX', KEYS[1], ARGV[1]) == 1 then\n  redis.call('EXPIRE', KEYS[1], 60)\nend\nreturn 1"},
		{Lua: "local n = redis.call('INCR', KEYS[1])\nif n == 1 then\n  redis.call('EXPIRE', KEYS[1], 60)\nend\nredis.call('SET', KEYS[2], n)\nreturn n"},
	},
	Call: checkLostTTL,
}

func checkLostTTL(p *Pass, c *value.Call) {
	if !dropsExpiry(c) {
		return
	}
	for _, k := range c.Keys {
		if k.Arg+1 >= len(c.Args) || c.Args[k.Arg].Many {
			continue
		}
		s := &overwrite{Pass: p, set: c, key: c.Args[k.Arg].Value.From, path: pathTo(p, c.Node)}
		s.derived = s.fromKey(c.Args[k.Arg+1].Value.From)
		s.value = c.Args[k.Arg+1].Value.From
		s.check()
	}
}

// dropsExpiry: the call overwrites keys with all that they had, and may find them there.
func dropsExpiry(c *value.Call) bool {
	switch c.Name {
	case "getset", "mset":
		return !c.ArgsMany
	case "set":
		if c.ArgsMany {
			return false
		}
		for _, w := range c.Words[min(3, len(c.Words)):] {
			switch strings.ToUpper(w.Text) {
			case "XX", "GET":
			default:
				return false // an expiry, KEEPTTL, NX, or something that is not known
			}
			if !w.Known {
				return false
			}
		}
		return true
	}
	return false
}

// overwrite is one SET that may drop an expiry.
type overwrite struct {
	*Pass
	set     *value.Call
	key     *value.Origin
	value   *value.Origin
	path    []syntax.Node
	derived bool // the value is worked out from what the key held
}

func (s *overwrite) sameKey(c *value.Call) bool {
	for _, k := range c.Keys {
		if k.Arg < len(c.Args) && s.key != nil && s.key.Same(c.Args[k.Arg].Value.From) {
			return true
		}
	}
	return false
}

// fromKey: an origin has a reply about the key in it.
func (s *overwrite) fromKey(o *value.Origin) bool {
	found := false
	o.Leaves(func(l *value.Origin) {
		if l.Kind == value.FromDecoded && len(l.Parts) > 0 {
			found = found || s.fromKey(l.Parts[0])
			return
		}
		found = found || l.Kind == value.FromReply && l.Call != nil && !readsTTL(l.Call) && s.sameKey(l.Call)
	})
	return found
}

func readsTTL(c *value.Call) bool {
	scale, _ := replyScale(c.Name)
	return scale != 0
}

// givesExpiry: the call gives its key an expiry.
func givesExpiry(c *value.Call) bool {
	switch c.Name {
	case "expire", "pexpire", "expireat", "pexpireat", "setex", "psetex":
		return true
	case "set", "getex":
		for i, role := range c.Form.Roles() {
			if _, ok := timeOf(role); ok && i > 1 {
				return true
			}
		}
	}
	return false
}

// check decides by where the calls stand that give the key an expiry: always behind the SET, it is set again; behind a test of the caller's
// wish, or of a TTL that was read before, the script knows what it does.
func (s *overwrite) check() {
	var why string
	var at *value.Call
	expiries := 0
	for _, e := range aboutExpiry(s.Pass) {
		if e.Node == s.set.Node || !s.sameKey(e) {
			continue
		}
		switch {
		case e.Name == "persist", removes(e) && hasNode(s.set.Before, e), givesExpiry(e) && restores(e), e.Func != s.set.Func && (givesExpiry(e) || readsTTL(e)):
			return
		case !givesExpiry(e):
			continue
		}
		expiries++
		w, silent := s.judge(e)
		if silent {
			return
		}
		if w != "" && why == "" {
			why, at = w, e
		}
	}
	if expiries == 0 {
		why, at = s.testedTTL()
	}
	if why != "" {
		s.tell(why, at)
	}
}

// aboutExpiry lists the calls that give, take or read an expiry.
func aboutExpiry(p *Pass) []*value.Call {
	if !p.shared.hasExpiry {
		p.shared.hasExpiry = true
		for _, e := range p.Facts.Calls {
			if e.Command != nil && (e.Name == "persist" || removes(e) || readsTTL(e) || givesExpiry(e)) {
				p.shared.aboutExpiry = append(p.shared.aboutExpiry, e)
			}
		}
	}
	return p.shared.aboutExpiry
}

// removes: the key is gone afterwards, and its expiry with it.
func removes(c *value.Call) bool { return c.Name == "del" || c.Name == "unlink" || c.Name == "getdel" }

// restores: the expiry is worked out from one that was read.
func restores(c *value.Call) bool {
	found := false
	for _, a := range c.Args {
		a.Value.From.Leaves(func(o *value.Origin) {
			found = found || o.Kind == value.FromReply && o.Call != nil && readsTTL(o.Call)
		})
	}
	return found
}

// judge looks at one call that gives the key an expiry: why it is lost, or that all is well.
func (s *overwrite) judge(e *value.Call) (why string, silent bool) {
	arms, exclusive := s.arms(pathTo(s.Pass, e.Node))
	after := e.Node.Start > s.set.Node.Start
	if len(arms) == 0 {
		if after {
			return "", true
		}
		if conditional(e) && !s.likely(e) || s.nested(e) && !s.derived {
			return "", false
		}
		return s.set.Label() + " drops the expiry that " + e.Label() + " gives the key above", false
	}
	reads := s.readsIn(arms)
	state, ttl := false, (*value.Call)(nil)
	for _, r := range reads {
		if readsTTL(r) {
			ttl = r
		} else {
			state = true
		}
	}
	elsewhere := s.set.Label() + " drops the expiry that " + e.Label() + " gives the key on another run or path"
	switch {
	case ttl != nil && !exclusive && after && ttl.Node.Start > s.set.Node.Start:
		return s.set.Label() + " drops the expiry of the key, so " + snippet(s.Pass, ttl.Node.Span) + " always finds none and it starts anew at every run", false
	case ttl != nil:
		return "", true
	case exclusive || !after:
		if state && s.likely(e) {
			return elsewhere, false
		}
		return "", false
	case state:
		return elsewhere, false
	}
	return "", true
}

// conditional: SET with NX or XX need not set anything.
func conditional(c *value.Call) bool {
	return hasOption(c, "nx") || hasOption(c, "xx")
}

func hasOption(c *value.Call, word string) bool {
	for _, w := range c.Words[1:] {
		if w.Known && strings.EqualFold(w.Text, word) {
			return true
		}
	}
	return false
}

// likely: the SET goes on with what the other call began: its value comes from the key, or is the same.
func (s *overwrite) likely(e *value.Call) bool {
	if s.derived {
		return true
	}
	for i := range e.Args {
		if i > 1 && s.value != nil && s.value.Same(e.Args[i].Value.From) && s.value.Kind != value.FromLiteral {
			return true
		}
	}
	return false
}

// nested: the SET stands in a branch that the other call does not stand in.
func (s *overwrite) nested(e *value.Call) bool {
	other := &overwrite{Pass: s.Pass, path: pathTo(s.Pass, e.Node)}
	arms, _ := other.arms(s.path)
	return len(arms) > 0
}

// arms are the conditions of the branches that a path goes into and the SET does not; exclusive: the SET stands in another branch of the same
// if. A loop or a function counts as a branch without a condition.
func (s *overwrite) arms(path []syntax.Node) (conds []syntax.Expr, exclusive bool) {
	in := map[syntax.Node]bool{}
	for _, n := range s.path {
		in[n] = true
	}
	for i, n := range path {
		if in[n] {
			continue
		}
		if _, isBlock := n.(*syntax.Block); !isBlock {
			continue
		}
		found := false
		for j := i - 1; j >= 0 && j >= i-2; j-- {
			if x, ok := path[j].(*syntax.If); ok {
				conds = append(conds, condsBefore(x, n)...)
				exclusive = exclusive || in[x]
				found = true
			}
		}
		if !found {
			conds = append(conds, nil)
		}
	}
	return conds, exclusive
}

// condsBefore are the conditions that decide whether a block of an if is entered.
func condsBefore(x *syntax.If, block syntax.Node) []syntax.Expr {
	var conds []syntax.Expr
	for i := range x.Clauses {
		conds = append(conds, x.Clauses[i].Cond)
		if x.Clauses[i].Body == block {
			break
		}
	}
	return conds
}

// readsIn are the calls about the key whose replies the conditions look at.
func (s *overwrite) readsIn(conds []syntax.Expr) []*value.Call {
	var reads []*value.Call
	look := func(at syntax.Span, v *value.Value) {
		for _, e := range conds {
			if e == nil || v == nil || !e.Bounds().Contains(at) {
				continue
			}
			v.From.Leaves(func(l *value.Origin) {
				if l.Kind == value.FromReply && l.Call != nil && s.sameKey(l.Call) {
					reads = append(reads, l.Call)
				}
			})
		}
	}
	for _, op := range s.Facts.Ops {
		look(op.Node.Bounds(), op.X)
		look(op.Node.Bounds(), op.Y)
	}
	for _, c := range s.Facts.Conds {
		look(c.Node.Bounds(), c.Value)
	}
	return reads
}

// testedTTL: no call gives an expiry, but the SET stands behind a test that has found one.
func (s *overwrite) testedTTL() (string, *value.Call) {
	for i, n := range s.path {
		x, ok := n.(*syntax.If)
		if !ok || i+1 >= len(s.path) {
			continue
		}
		for _, clause := range x.Clauses {
			b, ok := bare(clause.Cond).(*syntax.Binary)
			if !ok || !clause.Body.Bounds().Contains(s.set.Node.Span) || b.Op != syntax.OpGreater {
				continue
			}
			for _, op := range s.Facts.Ops {
				if op.Node != syntax.Expr(b) || op.X.From == nil || op.X.From.Kind != value.FromReply || op.X.From.Call == nil {
					continue
				}
				n, isConst := constNumber(op.Y)
				if r := op.X.From.Call; isConst && n >= 0 && readsTTL(r) && s.sameKey(r) {
					return s.set.Label() + " drops the expiry that " + snippet(s.Pass, r.Node.Span) + " has found on the key", r
				}
			}
		}
	}
	return "", nil
}

func (s *overwrite) tell(why string, at *value.Call) {
	advice := "; set the expiry again"
	keep := s.keepTTL()
	if keep {
		advice = "; add KEEPTTL"
	}
	f := In(s.set.At, Warning, why+advice)
	f.Related = []Related{{Span: at.At, Site: -1, Message: "the expiry is looked after here"}}
	if n := len(s.set.Node.Args); keep && n > 0 && s.set.Node.Span == s.set.At {
		end := s.set.Node.Args[n-1].Bounds().End
		f.Fixes = []Fix{{Title: "add KEEPTTL", Edits: []Edit{{syntax.Span{Start: end, End: end}, ", 'KEEPTTL'"}}}}
	}
	s.Report(f)
}

// keepTTL: every server of the target takes KEEPTTL here.
func (s *overwrite) keepTTL() bool {
	if s.set.Name != "set" {
		return false
	}
	words := append(append([]server.Arg(nil), s.set.Words...), server.Arg{Known: true, Text: "KEEPTTL"})
	return len(s.Target.ArgProblems(s.set.Command, words)) == 0
}
