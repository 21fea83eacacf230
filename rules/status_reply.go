package rules

import (
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var statusReply = &Rule{
	Name:     "status-reply",
	Title:    "a status reply (a table with the field ok) taken for a string",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `TYPE, SET, PING, RENAME and others reply a status, which arrives as a table with the field ok: compared with a string it is never equal.

Write ` + "`redis.call('TYPE', KEYS[1]).ok == 'hash'`" + `. SET with NX or XX replies a status or false: test its truth. What can only be OK needs no
test, since redis.call raises an error otherwise.`,
	Bad: []Example{
		{
			Lua:     "if ⟦redis.call('TYPE', KEYS[1])⟧ == 'hash' then\n  return 1\nend\nreturn 0",
			Say:     "TYPE replies a status, a table with the field ok, so '==' never holds; write .ok behind it",
			Setup:   [][]string{{"HSET", "k", "f", "v"}},
			Keys:    []string{"k"},
			Returns: ":0",
			Fixed:   "if redis.call('TYPE', KEYS[1]).ok == 'hash' then\n  return 1\nend\nreturn 0",
		},
		{
			Lua:     "local done = redis.call('SET', KEYS[1], ARGV[1])\nif 'OK' ~= ⟦done⟧ then\n  return 'failed'\nend\nreturn 'done'",
			Say:     "'done' is the status reply of SET, a table with the field ok, so '~=' always holds; write .ok behind it",
			Keys:    []string{"k"},
			Args:    []string{"v"},
			Returns: `"failed"`,
			Fixed:   "local done = redis.call('SET', KEYS[1], ARGV[1])\nif 'OK' ~= done.ok then\n  return 'failed'\nend\nreturn 'done'",
		},
		{
			Lua:     "local won = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])\nif ⟦won⟧ == 'OK' then\n  return 'locked'\nend\nreturn 'busy'",
			Say:     "'won' is the status reply of SET, a table with the field ok, or false, so '==' never holds; test its truth",
			Keys:    []string{"k"},
			Args:    []string{"me", "1000"},
			Returns: `"busy"`,
		},
		{
			Lua:     "local function kind(key) return redis.call('TYPE', key) end\nreturn ⟦kind(KEYS[1])⟧ == ARGV[1] and 'same' or 'other'",
			Say:     "'kind(KEYS[1])' is the status reply of TYPE, a table with the field ok, so '==' never holds; write .ok behind it",
			Setup:   [][]string{{"SET", "k", "v"}},
			Keys:    []string{"k"},
			Args:    []string{"string"},
			Returns: `"other"`,
			Fixed:   "local function kind(key) return redis.call('TYPE', key) end\nreturn kind(KEYS[1]).ok == ARGV[1] and 'same' or 'other'",
		},
		{
			Lua:    "return 'it is a ' .. ⟦redis.call('TYPE', KEYS[1])⟧",
			Say:    "TYPE replies a status, a table with the field ok: attempt to concatenate a table value; write .ok behind it",
			Keys:   []string{"k"},
			Raises: "ERR user_script:1: attempt to concatenate a table value",
			Fixed:  "return 'it is a ' .. redis.call('TYPE', KEYS[1]).ok",
		},
		{
			Lua:     "local size = {list = 'LLEN', set = 'SCARD'}\nreturn size[⟦redis.call('TYPE', KEYS[1])⟧] or 'none'",
			Say:     "TYPE replies a status, a table with the field ok, which is no key of this table; write .ok behind it",
			Setup:   [][]string{{"LPUSH", "k", "v"}},
			Keys:    []string{"k"},
			Returns: `"none"`,
			Fixed:   "local size = {list = 'LLEN', set = 'SCARD'}\nreturn size[redis.call('TYPE', KEYS[1]).ok] or 'none'",
		},
	},
	Good: []Example{
		{Lua: "if redis.call('TYPE', KEYS[1]).ok == 'hash' then\n  return 1\nend\nreturn 0"},
		{Lua: "if redis.call('TYPE', KEYS[1])['ok'] == 'hash' then\n  return 1\nend\nreturn 0"},
		{Lua: "if redis.call('SET', KEYS[1], ARGV[1], 'NX') then\n  return 1\nend\nreturn 0"},
		{Lua: "return redis.call('SET', KEYS[1], ARGV[1])"},
		{Lua: "local t = redis.call('TYPE', KEYS[1])\nif t['ok'] ~= 'none' then\n  return t\nend\nreturn 0"},
		{Lua: "if redis.call('GETSET', KEYS[1], ARGV[1]) == 'OK' then\n  return 1\nend\nreturn 0"},
	},
	Op:      checkStatusOp,
	Access:  checkStatusKey,
	Failure: checkStatusUse,
}

func checkStatusOp(p *Pass, op *value.Op) {
	b, ok := op.Node.(*syntax.Binary)
	if !ok || op.Op != syntax.OpEq && op.Op != syntax.OpNotEq {
		return
	}
	verdict := ", so '==' never holds"
	if op.Op == syntax.OpNotEq {
		verdict = ", so '~=' always holds"
	}
	switch {
	case op.X.Kinds&op.Y.Kinds != 0:
	case statusSide(op.X, op.Y):
		reportStatus(p, b.X, op.X, verdict)
	case statusSide(op.Y, op.X):
		reportStatus(p, b.Y, op.Y, verdict)
	}
}

// checkStatusKey: a status as the key of a table of the script.
func checkStatusKey(p *Pass, a *value.Access) {
	if !a.Write && a.Key.Only(value.Status) && a.X.Only(value.Table) && a.X.Obj != nil {
		reportStatus(p, a.Node.Key, a.Key, ", which is no key of this table")
	}
}

// checkStatusUse: a status where text is needed.
func checkStatusUse(p *Pass, f *value.Failure) {
	switch f.Class {
	case value.FailConcat, value.FailArith, value.FailArgument:
		if f.Node != nil && f.Value != nil && f.Value.Only(value.Status) {
			reportStatus(p, f.Node, f.Value, ": "+f.Why)
		}
	}
}

func reportStatus(p *Pass, e syntax.Expr, v *value.Value, consequence string) {
	o := replyOf(v)
	if o == nil || v.Kinds&value.Error != 0 {
		return
	}
	what := snippet(p, e.Bounds()) + " is the status reply of " + o.Call.Label()
	if o.Call.Node.Span == bare(e).Bounds() {
		what = o.Call.Label() + " replies a status"
	}
	what += ", a table with the field ok"
	advice := "; write .ok behind it"
	if !v.Only(value.Status) {
		what, advice = what+", or false", "; test its truth"
	}
	f := In(e.Bounds(), Warning, what+consequence+advice)
	f.Related = source(o, e.Bounds())
	if v.Only(value.Status) {
		end := e.Bounds().End
		f.Fixes = []Fix{{Title: "read the field ok", Edits: []Edit{{syntax.Span{Start: end, End: end}, ".ok"}}}}
	}
	p.Report(f)
}
