package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var missingTTL = &Rule{
	Name:     "missing-ttl",
	Title:    "a limiter's counter that never expires",
	Severity: Note,
	Group:    "Atomicity, errors, expiry",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `A counter that limits something (requests, attempts) has to end with its window. Without an expiry the caller stays limited for ever, and
the keys of callers that never come back stay too. Set the expiry with the first count: ` + "`if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end`" + `.`,
	Bad: []Example{
		{
			Lua:   "return ⟦redis.call('INCR', KEYS[1])⟧",
			Sites: func() []luacheck.Site { return counterOf("ratelimit:", "hit") },
			Say:   "'ratelimit:' names a limiter, and the script gives its counter no expiry: whoever reaches the limit stays limited; add EXPIRE when the count is 1",
		},
		{
			Lua:  "return ⟦redis.call('INCRBY', 'login_attempts:' .. KEYS[1], 1)⟧",
			Say:  "'login_attempts:' names a limiter, and the script gives its counter no expiry: whoever reaches the limit stays limited; add EXPIRE when the count is 1",
			Also: []string{"dynamic-key"},
		},
		{
			Lua:     "local max_attempts = tonumber(ARGV[1]) or 5\nlocal n = ⟦redis.call('HINCRBY', KEYS[1], 'login', 1)⟧\nif n > max_attempts then\n  return 0\nend\nreturn 1",
			Say:     "'max_attempts' names a limiter, and the script gives its counter no expiry: whoever reaches the limit stays limited; add EXPIRE when the count is 1",
			Keys:    []string{"k"},
			Args:    []string{"3"},
			Returns: ":1",
			State:   []State{{[]string{"TTL", "k"}, ":-1"}},
		},
		{
			Lua:   "local n = ⟦redis.call('INCR', KEYS[1])⟧\nif n > 5 then return 0 end\nreturn 1",
			Sites: func() []luacheck.Site { return counterOf("user:", "throttleScript") },
			Say:   "'throttleScript' names a limiter, and the script gives its counter no expiry: whoever reaches the limit stays limited; add EXPIRE when the count is 1",
		},
	},
	Good: []Example{
		{Lua: "local n = redis.call('INCR', KEYS[1])\nif n == 1 then redis.call('EXPIRE', KEYS[1], 60) end\nreturn n", Sites: func() []luacheck.Site { return counterOf("ratelimit:", "hit") }},
		{Lua: "return redis.call('INCR', KEYS[1])", Sites: func() []luacheck.Site { return counterOf("bull:id", "nextID") }},
		{Lua: "return redis.call('INCR', KEYS[1])"},
		{Lua: "if redis.call('INCR', KEYS[1]) > 5 then\n  redis.call('DECR', KEYS[1])\n  return 0\nend\nreturn 1", Sites: func() []luacheck.Site { return counterOf("limit:", "acquire") }},
		{Lua: "local n = redis.call('INCR', KEYS[1])\nreturn n > 10 and 0 or n", Sites: func() []luacheck.Site { return counterOf("limit:concurrent:", "enter") }},
		{Lua: "local limit = tonumber(ARGV[1]) or 0\nlocal n = redis.call('INCR', KEYS[1])\nredis.call('PEXPIRE', KEYS[1], 1000)\nreturn n > limit and 0 or n"},
	},
	Call: checkMissingTTL,
}

// counterOf is a call of an example whose one key starts with the text, of a script with the label.
func counterOf(key, label string) []luacheck.Site {
	text := luacheck.Template{Parts: []luacheck.Part{{Lit: key}, {Hole: "1", Name: "id"}}}
	return []luacheck.Site{{Mode: luacheck.ModeEval, Library: "go-redis", Callee: "Run", Label: label,
		Keys: luacheck.List{Items: []luacheck.Element{{Text: text, Kind: luacheck.ArgKind{Type: luacheck.TypeString}}}, Exact: true, Min: 1, Max: 1},
		Args: luacheck.List{Exact: true}}}
}

func checkMissingTTL(p *Pass, c *value.Call) {
	switch c.Name {
	case "incr", "incrby", "hincrby":
	default:
		return
	}
	if by := len(c.Args) - 1; by > 1 && c.Args[by].Value.Hi <= 0 {
		return
	}
	for _, other := range p.Facts.Calls {
		switch {
		case givesExpiry(other), other.Name == "" || other.Name == "del" || other.Name == "unlink" || other.Name == "decr" || other.Name == "decrby":
			return
		}
	}
	if name := limiterName(p, c); name != "" {
		p.Report(In(c.At, Note, "'"+name+"' names a limiter, and the script gives its counter no expiry: whoever reaches the limit stays limited; "+
			"add EXPIRE when the count is 1"))
	}
}

// limiterName is a part of the key's name, or the script's, that tells of a limiter; "" where there is none.
func limiterName(p *Pass, c *value.Call) string {
	name, index := "", 0
	see := func(text string) {
		if name == "" && tellsOfLimit(text) {
			name = text
		}
	}
	keyOf(c).Leaves(func(o *value.Origin) {
		switch o.Kind {
		case value.FromLiteral:
			see(o.Text)
		case value.FromKeys:
			index = o.Index
		}
	})
	for i := range p.Sites {
		s := &p.Sites[i]
		if index > 0 && index <= len(s.Keys.Items) {
			for _, part := range s.Keys.Items[index-1].Text.Parts {
				see(part.Lit)
			}
		}
		see(s.Label)
	}
	if name == "" {
		see(orderedAgainst(p, c))
	}
	return name
}

// orderedAgainst is what the count is ordered against, as it is written; "" where it is not.
func orderedAgainst(p *Pass, c *value.Call) string {
	for _, op := range p.Facts.Ops {
		b, ok := op.Node.(*syntax.Binary)
		if !ok || op.Y == nil || op.Op == syntax.OpEq || op.Op == syntax.OpNotEq || !comparison(op.Op) {
			continue
		}
		if replyItself(op.X, c) {
			return oneLine(p, b.Y.Bounds())
		}
		if replyItself(op.Y, c) {
			return oneLine(p, b.X.Bounds())
		}
	}
	return ""
}

func replyItself(v *value.Value, c *value.Call) bool {
	return v.From != nil && v.From.Kind == value.FromReply && v.From.Call != nil && v.From.Call.Node == c.Node
}

// tellsOfLimit: words of limiters; what bounds how many run at once is given back by another script.
func tellsOfLimit(text string) bool {
	text = strings.ToLower(text)
	for _, w := range []string{"concurren", "inflight", "in_flight", "semaphore", "active", "running"} {
		if strings.Contains(text, w) {
			return false
		}
	}
	for _, w := range []string{"ratelimit", "rate_limit", "rate-limit", "rate:", "limit", "throttl", "attempt", "quota", "flood", "lockout"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
