package rules

import (
	"fmt"

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
a cluster, and from Redis 7.4 and Valkey 8.0 on also when 500 other scripts came by EVAL in between. A SCRIPT LOAD before it is no help on a
cluster, where another node may answer.

Call the client's script object (Run, Do, Exec), which sends EVAL when the digest is unknown, or do so yourself. On a pipeline or in MULTI nobody
can look at the answer in between: queue EVAL there.`,
	Bad: []Example{
		{
			Lua:    "return redis.call('GET', KEYS[1])",
			Sites:  []luacheck.Site{{Mode: luacheck.ModeSha, Library: "go-redis", Callee: "EvalSha", Keys: oneElement, Args: luacheck.List{Exact: true}}},
			AtSite: true,
			Say:    `"EvalSha" fails with NOSCRIPT where the server does not hold the script (restart, failover, another node), and nothing falls back to EVAL; run it through the client's script object`,
		},
		{
			Lua: "return redis.call('GET', KEYS[1])",
			Sites: []luacheck.Site{{Mode: luacheck.ModeEval, Library: "go-redis", Callee: "Run", Pipelined: true, Keys: oneElement,
				Args: luacheck.List{Exact: true}}},
			AtSite: true,
			Say:    `"Run" queues only the digest on a pipeline, which fails with NOSCRIPT where the server does not hold the script; queue Eval instead`,
		},
		{
			Lua:    "return redis.call('GET', KEYS[1])",
			Sites:  []luacheck.Site{{Mode: luacheck.ModeLoad, Library: "go-redis", Callee: "ScriptLoad", Client: luacheck.Client{Node: true}}},
			AtSite: true,
			Say:    `"ScriptLoad" puts the script on one node of the cluster, and calls with keys go to the others too; run it through the client's script object`,
		},
	},
	Good: []Example{
		{Lua: "return redis.call('GET', KEYS[1])", Sites: []luacheck.Site{{Mode: luacheck.ModeSha, Callee: "EvalSha", Fallback: true, Keys: oneElement, Args: luacheck.List{Exact: true}}}},
		{Lua: "return redis.call('GET', KEYS[1])", Sites: []luacheck.Site{{Mode: luacheck.ModeEval, Library: "go-redis", Callee: "Eval", Pipelined: true, Keys: oneElement, Args: luacheck.List{Exact: true}}}},
	},
	Site: checkNoscriptFallback,
}

func checkNoscriptFallback(p *Pass, i int, s *luacheck.Site) {
	if s.Fallback {
		return
	}
	switch {
	case s.Mode == luacheck.ModeSha || s.Mode == luacheck.ModeShaRO:
		way := "run it through the client's script object"
		if s.Pipelined {
			way = "queue EVAL instead, since nobody sees the answer in between"
		}
		p.Report(At(i, PartCall, 0, Warning, fmt.Sprintf(
			"%q fails with NOSCRIPT where the server does not hold the script (restart, failover, another node), and nothing falls back to EVAL; %s", s.Callee, way)))
	case s.Pipelined && (s.Callee == "Run" || s.Callee == "RunRO") && s.Library == "go-redis":
		p.Report(At(i, PartCall, 0, Warning, fmt.Sprintf(
			"%q queues only the digest on a pipeline, which fails with NOSCRIPT where the server does not hold the script; queue %s instead", s.Callee, evalTwin(s.Callee))))
	case s.Mode == luacheck.ModeLoad && s.Client.Node:
		p.Report(At(i, PartCall, 0, Warning, fmt.Sprintf(
			"%q puts the script on one node of the cluster, and calls with keys go to the others too; run it through the client's script object", s.Callee)))
	}
}

func evalTwin(callee string) string {
	if callee == "RunRO" {
		return "EvalRO"
	}
	return "Eval"
}
