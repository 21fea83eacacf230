package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var readonlyWrite = &Rule{
	Name:     "readonly-write",
	Title:    "a write in a script that may only read",
	Severity: ErrorSeverity,
	Group:    "Commands",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `A script that is run by EVAL_RO, EVALSHA_RO or FCALL_RO, or that declares no-writes, may not call a command with the write flag. The
server goes by the flag and not by what the call does: SORT without STORE, GETEX without an option and BITFIELD GET are refused too, and so
are PFCOUNT, PUBLISH and SPUBLISH, which are not shown as writes. Use SORT_RO, BITFIELD_RO, GEOSEARCH and the like, or run the script as one that writes.`,
	Bad: []Example{
		{
			Lua:    "#!lua flags=no-writes\nlocal args = {'RPUSH', KEYS[1]}\nfor _, v in ipairs(ARGV) do table.insert(args, v) end\nreturn ⟦redis.call(unpack(args))⟧",
			Say:    `"RPUSH" is a write, and the script declares no-writes: the server refuses the call; remove the flag`,
			Keys:   []string{"k"},
			Args:   []string{"a"},
			Raises: "ERR Write commands are not allowed from read-only scripts",
		},
		{
			Lua: "⟦redis.call('SET', KEYS[1], ARGV[1])⟧\nreturn redis.call('GET', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{{Mode: luacheck.ModeEvalRO, Callee: "EvalRO", Keys: oneElement, Args: oneElement}}
			},
			Say:      `"SET" is a write, and "EvalRO" runs the script as one that may only read: the server refuses the call; run it with EVAL`,
			Keys:     []string{"k"},
			Args:     []string{"v"},
			ReadOnly: true,
			Raises:   "ERR Write commands are not allowed from read-only scripts.",
		},
		{
			Lua:    "#!lua flags=no-writes\nreturn ⟦redis.call('SORT', KEYS[1])⟧",
			Say:    `"SORT" counts as a write, and the script declares no-writes: the server refuses the call; write "SORT_RO"`,
			Keys:   []string{"k"},
			Raises: "ERR Write commands are not allowed from read-only scripts.",
		},
		{
			Lua:    "#!lua flags=allow-stale,no-writes\nlocal n = ⟦redis.call('PFCOUNT', KEYS[1])⟧\nreturn n",
			Say:    `"PFCOUNT" counts as a write, and the script declares no-writes: the server refuses the call; remove the flag`,
			Keys:   []string{"k"},
			Raises: "ERR Write commands are not allowed from read-only scripts.",
		},
		{
			Library:  true,
			Function: "peek",
			Lua: "#!lua name=l\nlocal function note(key)\n  return ⟦redis.call('INCR', key)⟧\nend\nredis.register_function{\n  function_name = 'peek',\n" +
				"  callback = function(keys)\n    note(keys[2])\n    return redis.call('GET', keys[1])\n  end,\n  flags = {'no-writes'},\n}",
			Say:    `"INCR" is a write, and the function "peek" is registered with no-writes: the server refuses the call; remove the flag`,
			Keys:   []string{"a", "b"},
			Raises: "ERR Write commands are not allowed from read-only scripts.",
		},
		{
			Lua: "local r = ⟦redis.pcall('EXPIRE', KEYS[1], 10)⟧\nif type(r) == 'table' and r.err then return redis.call('GET', KEYS[1]) end\nreturn r",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{{Mode: luacheck.ModeShaRO, Callee: "EvalShaRO", Fallback: true, Keys: oneElement, Args: luacheck.List{Exact: true}}}
			},
			Say:      `"EXPIRE" is a write, and "EvalShaRO" runs the script as one that may only read: the server refuses the call; run it with EVAL`,
			Severity: new(Warning),
			Keys:     []string{"k"},
			ReadOnly: true,
			Returns:  "(nil)",
			State:    []State{{[]string{"TTL", "k"}, ":-2"}},
		},
		{
			Lua: "redis.call('SET', KEYS[1], 1)\nreturn 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{
					{Mode: luacheck.ModeEvalRO, Callee: "RunRO", Keys: oneElement, Args: luacheck.List{Exact: true}},
					{Mode: luacheck.ModeEval, Callee: "Run", Keys: oneElement, Args: luacheck.List{Exact: true}},
				}
			},
			AtSite:   true,
			Say:      `"RunRO" runs the script as one that may only read, and it writes by "SET": the server refuses the write`,
			ReadOnly: true,
			Keys:     []string{"k"},
			Raises:   "ERR Write commands are not allowed from read-only scripts.",
		},
	},
	Good: []Example{
		{Lua: "#!lua flags=no-writes\nreturn {redis.call('SORT_RO', KEYS[1]), redis.call('TOUCH', KEYS[1])}"},
		{Lua: "redis.call('SET', KEYS[1], 1)\nreturn 1", Sites: func() []luacheck.Site {
			return []luacheck.Site{{Mode: luacheck.ModeEval, Keys: oneElement, Args: luacheck.List{Exact: true}}}
		}},
		{Library: true, Lua: "#!lua name=l\nredis.register_function('put', function(keys) return redis.call('SET', keys[1], 1) end)\n" +
			"redis.register_function{function_name = 'get', callback = function(keys) return redis.call('GET', keys[1]) end, flags = {'no-writes'}}"},
	},
	Program: checkReadonlyWrite,
}

// oneElement is a list of one element of which nothing more is known.
var oneElement = luacheck.List{Items: []luacheck.Element{{}}, Exact: true}

func checkReadonlyWrite(p *Pass) {
	if !p.Known && p.Interface.Writes && !p.Interface.IsLibrary { // a script of another package
		for i := range p.Sites {
			if p.Sites[i].Mode.ReadOnly() {
				p.Report(At(i, PartCall, 0, Warning, fmt.Sprintf("%q runs the script as one that may only read, and it writes: the server refuses the write", p.Sites[i].Callee)))
			}
		}
		return
	}
	by := readOnlySites(p)
	if p.Facts.Library == nil && p.Chunk.Header == nil && by.callee == "" && len(by.some) == 0 {
		return // nothing makes it one that only reads
	}
	for _, c := range p.Facts.Calls {
		if c.Command == nil {
			continue
		}
		refused, twin := p.Target.ReadOnlyRefused(c.Command)
		if !refused {
			continue
		}
		if why, way := readOnlyReason(p, c, by); why != "" {
			if twin != "" {
				way = fmt.Sprintf("write %q", twin)
			}
			p.Report(In(c.At, callRank(c), fmt.Sprintf("%q %s, and %s: the server refuses the call; %s", c.Label(), writeWord(c), why, way)))
			continue
		}
		for _, i := range by.some {
			f := At(i, PartCall, 0, callRank(c), fmt.Sprintf("%q runs the script as one that may only read, and it writes by %q: the server refuses the write",
				p.Sites[i].Callee, c.Label()))
			f.Related = []Related{{Span: c.At, Site: -1, Message: "the write"}}
			p.Report(f)
		}
	}
}

// writeWord tells a write from a command that the server takes for one.
func writeWord(c *value.Call) string {
	if c.Writes {
		return "is a write"
	}
	return "counts as a write"
}

// sitesReadOnly are the sites that run the script read-only: callee where all do, else some.
type sitesReadOnly struct {
	callee string
	some   []int
}

func readOnlySites(p *Pass) sitesReadOnly {
	var by sitesReadOnly
	running := 0
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Mode.Runs() || p.Facts.Library != nil {
			continue
		}
		running++
		if s.Mode.ReadOnly() {
			by.some = append(by.some, i)
		}
	}
	if len(by.some) > 0 && len(by.some) == running {
		by.callee = p.Sites[by.some[0]].Callee
		by.some = nil
	}
	return by
}

// readOnlyReason says why the call may only read, and the way out; "" where it may write.
func readOnlyReason(p *Pass, c *value.Call, by sitesReadOnly) (why, way string) {
	if lib := p.Facts.Library; lib != nil {
		if c.Ctx != server.InFunction || c.Entry == nil {
			return "", ""
		}
		for _, r := range lib.Functions {
			if r.Callback == c.Entry && slices.Contains(r.Flags, "no-writes") {
				return fmt.Sprintf("the function %q is registered with no-writes", r.Name), "remove the flag"
			}
		}
		return "", ""
	}
	switch {
	case headerFlag(p.Chunk, "no-writes"):
		return "the script declares no-writes", "remove the flag"
	case by.callee != "":
		return fmt.Sprintf("%q runs the script as one that may only read", by.callee), "run it with EVAL"
	}
	return "", ""
}

// headerFlag is whether the `#!lua` line has the flag.
func headerFlag(c *syntax.Chunk, flag string) bool {
	if c.Header == nil {
		return false
	}
	for _, o := range c.Header.Options {
		if o.Name == "flags" && slices.Contains(strings.Split(o.Value, ","), flag) {
			return true
		}
	}
	return false
}
