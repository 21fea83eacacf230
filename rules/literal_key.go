package rules

import (
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var literalKey = &Rule{
	Name:     "literal-key",
	Title:    "a key whose name is written in the script",
	Severity: Warning,
	Group:    "Keys and cluster",
	Claim:    Cluster,
	Since:    "0.1",
	Doc: `A key that is written in the script is not passed in KEYS. A cluster client routes the call by KEYS, so it sends the script to a node
that need not hold this key, and the call fails there. ACLs, proxies and tools that change prefixes do not see the key either.

Pass the name in KEYS. Where the deployment has one node only, run with ` + "`-cluster=false`" + `: the finding is a note then.`,
	Bad: []Example{
		{
			Lua:     "return redis.call('INCR', ⟦'requests'⟧)",
			Say:     "'requests' is written in the script and not passed in KEYS: a cluster client cannot route the call to the node that holds it; pass it as an element of KEYS",
			Cluster: true,
			Raises:  "ERR Script attempted to access a non local key in a cluster node",
			Slots:   map[string]int{"requests": 9564},
		},
		{
			Lua: "local name = 'config'\nif redis.call('EXISTS', KEYS[1]) == 1 then\n  return redis.call('HGET', ⟦name⟧, ARGV[1])\nend\nreturn false",
			Say: "'name' is \"config\", written in the script and not passed in KEYS: a cluster client cannot route the call to the node that holds it; pass it as an element of KEYS",
		},
		{
			Lua:       "return redis.call('GET', ⟦'config'⟧)",
			NoCluster: true,
			Severity:  new(Note),
			Say:       "'config' is written in the script and not passed in KEYS: a cluster, an ACL or a proxy cannot tell which keys the script touches; pass it as an element of KEYS",
		},
		{
			Lua: "local function get(k) return redis.call('GET', ⟦k⟧) end\nreturn {get(KEYS[1]), get('defaults')}",
			Say: "'k' is \"defaults\", written in the script and not passed in KEYS: a cluster client cannot route the call to the node that holds it; pass it as an element of KEYS",
		},
		{
			Lua:      "#!lua name=counters\nlocal function hit(keys, args)\n  return redis.call('INCR', ⟦'hits'⟧)\nend\nredis.register_function('hit', hit)",
			Library:  true,
			Function: "hit",
			Say:      "'hits' is written in the script and not passed in KEYS: a cluster client cannot route the call to the node that holds it; pass it as an element of KEYS",
			Keys:     []string{"k"},
			Returns:  ":1",
		},
		{
			Lua:      "return redis.call('GET', ⟦'config'⟧)",
			Target:   "dragonfly",
			Severity: new(ErrorSeverity),
			Say:      "'config' is written in the script and not passed in KEYS: Dragonfly refuses keys that are not declared; pass the name in KEYS, or write --!df flags=allow-undeclared-keys above the script",
			NotRun:   "Dragonfly is not Redis",
			Recorded: []Recorded{{"dragonfly", "script tried accessing undeclared key", "its documentation and source"}},
		},
	},
	Good: []Example{
		{Lua: "local k = KEYS[1]\nif k == ARGV[1] then k = '' end\nlocal used = k ~= ''\nif used then redis.call('DEL', k) end\nreturn 1"},
		{Lua: "return redis.call('INCR', KEYS[1])"},
		{Lua: "redis.call('PUBLISH', 'events', ARGV[1])\nreturn redis.call('HSET', KEYS[1], 'state', 'done')"},
		{Lua: "local k = KEYS[2] or KEYS[1]\nreturn redis.call('OBJECT', 'ENCODING', k)"},
	},
	Call: checkLiteralKey,
}

func checkLiteralKey(p *Pass, c *value.Call) {
	keyArgs(c, func(a *value.Arg, _ int) {
		if sourceOf(a.Value.From) != keyLiteral {
			return
		}
		rank, why := literalRank(p, a)
		f := In(a.At, rank, literalName(p, a)+" written in the script and not passed in KEYS: "+why)
		f.Related = writtenAt(a)
		p.Report(f)
	})
}

// writtenAt is where the name stands, where that is not in the call itself.
func writtenAt(a *value.Arg) []Related {
	o := a.Value.From
	if o.Kind != value.FromLiteral || o.At.Len() == 0 || a.At.Contains(o.At) {
		return nil
	}
	return []Related{{Span: o.At, Site: -1, Message: "the name is written here"}}
}

// literalName is the key as it stands in the call, and what it is where that does not show it.
func literalName(p *Pass, a *value.Arg) string {
	text := codeText(p.Program, a.At, "this key")
	name := a.Value.Text
	if !a.Value.Const || len(name) > 48 {
		return text + " is"
	}
	if text == "'"+name+"'" || text == "''"+name+"''" || text == "'\""+name+"\"'" {
		return "'" + name + "' is"
	}
	return text + " is \"" + name + "\","
}

func literalRank(p *Pass, a *value.Arg) (Severity, string) {
	const pass = "; pass it as an element of KEYS"
	if why := refusesUndeclared(p.Program); why != "" {
		return ErrorSeverity, why
	}
	if p.Target.Profile == server.AliyunCluster {
		return ErrorSeverity, "Aliyun cluster refuses to load the script; write KEYS[n] in the call itself"
	}
	switch {
	case !onCluster(p.Program):
		return Note, "a cluster, an ACL or a proxy cannot tell which keys the script touches" + pass
	case declaredSlot(p.Program, a.Value.From):
		return Note, "its hash tag keeps it in the slot of the declared keys at every call" + pass
	}
	return Warning, "a cluster client cannot route the call to the node that holds it" + pass
}
