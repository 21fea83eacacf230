package rules

import (
	"github.com/redislint/redislint/luacheck"
)

var noscriptFallback = &Rule{
	Name:     "noscript-fallback",
	Title:    "a call by digest that nothing repeats when the server does not know the script",
	Severity: Warning,
	Group:    "The Go side",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `EVALSHA fails with NOSCRIPT on a server that does not hold the script: after a restart or a failover, after SCRIPT FLUSH, on another node of
a cluster, and from Redis 7.4 and Valkey 8.0 on also when 500 other scripts came by EVAL in between. SCRIPT LOAD in front of the call is no cure: a
proxy, a failover or a cluster may give the call to another node.

Call the client's script object (go-redis: Script.Run, redigo: Script.Do, rueidis: Lua.Exec), which sends EVAL when the digest is unknown, or look for
NOSCRIPT and send EVAL. On a pipeline and in MULTI nobody can look at the answer in between, and go-redis queues the digest alone: queue Eval, or
load the script in front of the pipeline.`,
	Bad: []Example{
		{
			Lua: "return redis.call('GET', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{byDigest("go-redis", "EvalSha", luacheck.Site{Mode: luacheck.ModeSha})}
			},
			AtSite: true,
			Say: "'EvalSha' fails with NOSCRIPT where the server does not hold the script (a restart, a failover, another node), and nothing falls back to " +
				"EVAL; run it with Script.Run",
		},
		{
			Lua: "return redis.call('GET', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{byDigest("redigo", "Do(\"EVALSHA\")", luacheck.Site{Mode: luacheck.ModeSha})}
			},
			AtSite: true,
			Say: "'Do(\"EVALSHA\")' fails with NOSCRIPT where the server does not hold the script (a restart, a failover, another node), and nothing falls " +
				"back to EVAL; run it with Script.Do",
		},
		{
			Lua: "return redis.call('GET', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{byDigest("redigo", "SendHash", luacheck.Site{Mode: luacheck.ModeSha, Pipelined: true})}
			},
			AtSite: true,
			Say: "'SendHash' queues the digest alone, which fails with NOSCRIPT where the server does not hold the script, and no answer can be looked at in " +
				"between; queue the text with Script.Send",
		},
		{
			Lua: "return redis.call('GET', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{byDigest("go-redis", "Run", luacheck.Site{Mode: luacheck.ModeEval, Pipelined: true})}
			},
			AtSite: true,
			Say: "'Run' queues the digest alone, which fails with NOSCRIPT where the server does not hold the script, and no answer can be looked at in " +
				"between; queue the text with Eval",
		},
		{
			Lua: "return redis.call('GET', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{byDigest("go-redis", "EvalSha", luacheck.Site{Mode: luacheck.ModeSha, Client: luacheck.Client{Cluster: true}}),
					byDigest("go-redis", "ScriptLoad", luacheck.Site{Mode: luacheck.ModeLoad, Client: luacheck.Client{Node: true}})}
			},
			AtSite: true,
			Say: "'EvalSha' goes to the node that holds the key, and 'ScriptLoad' puts the script on one node of the cluster: NOSCRIPT on the others; run it " +
				"with Script.Run",
		},
	},
	Good: []Example{
		{Lua: "return redis.call('GET', KEYS[1])", Sites: func() []luacheck.Site {
			return []luacheck.Site{byDigest("go-redis", "EvalSha", luacheck.Site{Mode: luacheck.ModeSha, Fallback: true})}
		}},
		{Lua: "return redis.call('GET', KEYS[1])", Sites: func() []luacheck.Site {
			return []luacheck.Site{byDigest("go-redis", "Eval", luacheck.Site{Mode: luacheck.ModeEval, Pipelined: true})}
		}},
		{Lua: "return redis.call('GET', KEYS[1])", Sites: func() []luacheck.Site {
			return []luacheck.Site{byDigest("go-redis", "Run", luacheck.Site{Mode: luacheck.ModeEval, Pipelined: true, Fallback: true})}
		}},
		// A wrapper: whoever calls it has the digest, and looks at the answer.
		{Lua: "return redis.call('GET', KEYS[1])", Sites: func() []luacheck.Site {
			return []luacheck.Site{byDigest("go-redis", "EvalSha", luacheck.Site{Mode: luacheck.ModeSha, HandsOn: true})}
		}},
	},
	Site: checkNoscriptFallback,
}

func byDigest(library, callee string, s luacheck.Site) luacheck.Site {
	s.Library, s.Callee, s.Keys, s.Args = library, callee, exactly(tmpl(hole("key"))), exactly()
	return s
}

// scriptObject is a client's script object: the method that falls back to EVAL, and what queues the text.
type scriptObject struct{ runs, queues string }

var scriptObjects = map[string]scriptObject{
	"go-redis":  {"Script.Run", "Eval"},
	"redigo":    {"Script.Do", "Script.Send"},
	"rueidis":   {"Lua.Exec", "Eval"},
	"valkey-go": {"Lua.Exec", "Eval"},
	"go-zero":   {"ScriptRun", "Eval"},
	"radix":     {"EvalScript.Cmd", "EVAL"},
}

func checkNoscriptFallback(p *Pass, i int, s *luacheck.Site) {
	if s.Fallback || s.HandsOn || !digestAlone(s) {
		return
	}
	with, known := scriptObjects[s.Library]
	if !known {
		with = scriptObject{"EVAL when the answer starts with NOSCRIPT", "EVAL"}
	}
	name := "'" + s.Callee + "'"
	if s.Pipelined {
		p.Report(At(i, PartCall, 0, Warning, name+" queues the digest alone, which fails with NOSCRIPT where the server does not hold the script, and no "+
			"answer can be looked at in between; queue the text with "+queueTwin(s, with)))
		return
	}
	if load := loadedOnNode(p); load >= 0 && s.Client.Cluster {
		found := At(i, PartCall, 0, Warning, name+" goes to the node that holds the key, and '"+p.Sites[load].Callee+
			"' puts the script on one node of the cluster: NOSCRIPT on the others; run it with "+with.runs)
		found.Related = []Related{{Site: load, Part: PartCall, Message: "it is loaded on one node here"}}
		p.Report(found)
		return
	}
	p.Report(At(i, PartCall, 0, Warning, name+" fails with NOSCRIPT where the server does not hold the script (a restart, a failover, another node), and "+
		"nothing falls back to EVAL; run it with "+with.runs))
}

// digestAlone reports whether a call sends the digest and never the text. go-redis's Run on a pipeline is one.
func digestAlone(s *luacheck.Site) bool {
	switch s.Mode {
	case luacheck.ModeSha, luacheck.ModeShaRO:
		return true
	case luacheck.ModeEval, luacheck.ModeEvalRO:
		return s.Library == "go-redis" && s.Pipelined && (s.Callee == "Run" || s.Callee == "RunRO")
	}
	return false
}

func queueTwin(s *luacheck.Site, with scriptObject) string {
	if s.Mode.ReadOnly() && s.Library == "go-redis" {
		return "EvalRO"
	}
	return with.queues
}

// loadedOnNode is the site that loads the script on one node of a cluster, -1 where there is none.
func loadedOnNode(p *Pass) int {
	for i := range p.Sites {
		if c := p.Sites[i].Client; p.Sites[i].Mode == luacheck.ModeLoad && c.Node && !c.Each {
			return i
		}
	}
	return -1
}
