package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var ignoredError = &Rule{
	Name:     "ignored-error",
	Title:    "an error that redis.pcall gives is used as data, or an error reply is built and dropped",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `Where the command fails, redis.pcall gives a table with the field err. That table counts as true, equals nothing, has no elements and
cannot be added, so a script that takes it for a reply goes on with wrong data. Where the command succeeds, the plain reply comes back, and
` + "`.err`" + ` of a number or of false is an error of its own. Write ` + "`if type(r) == 'table' and r.err then`" + `, or use redis.call and let the error through.

redis.error_reply only builds a table: without return it does nothing. Lua's pcall gives the text of the error, which has no field err.`,
	Bad: []Example{
		{
			Lua:     "if ⟦redis.pcall('INCR', KEYS[1])⟧ then\n  return 'ok'\nend\nreturn 'failed'",
			Say:     "redis.pcall gives a table where INCR fails, which counts as true; test type(r) == 'table' and r.err first, or use redis.call",
			Setup:   [][]string{{"LPUSH", "k", "x"}},
			Keys:    []string{"k"},
			Returns: `"ok"`,
		},
		{
			Lua:    "local n = redis.pcall('INCR', KEYS[1])\nreturn ⟦n⟧ + 1",
			Say:    "'n' is a table where INCR fails under redis.pcall, which cannot be computed with; test type(r) == 'table' and r.err first, or use redis.call",
			Setup:  [][]string{{"LPUSH", "k", "x"}},
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to perform arithmetic on local 'n' (a table value)",
		},
		{
			Lua:     "local owner = redis.pcall('GET', KEYS[1])\nif ⟦owner⟧ == ARGV[1] then\n  return 'mine'\nend\nreturn 'free'",
			Say:     "'owner' is a table where GET fails under redis.pcall, which equals nothing; test type(r) == 'table' and r.err first, or use redis.call",
			Setup:   [][]string{{"LPUSH", "k", "x"}},
			Keys:    []string{"k"},
			Args:    []string{"me"},
			Returns: `"free"`,
		},
		{
			Lua:     "local n = 0\nfor _, m in ipairs(⟦redis.pcall('SMEMBERS', KEYS[1])⟧) do\n  n = n + #m\nend\nreturn n",
			Say:     "redis.pcall gives a table where SMEMBERS fails, which has no elements; test type(r) == 'table' and r.err first, or use redis.call",
			Setup:   [][]string{{"LPUSH", "k", "x"}},
			Keys:    []string{"k"},
			Returns: ":0",
		},
		{
			Lua:    "local r = redis.pcall('INCR', KEYS[1])\nif ⟦r.err⟧ then\n  return redis.error_reply('FAILED to count')\nend\nreturn r",
			Say:    "'r' is no table where INCR succeeds under redis.pcall, and '.err' aborts the script then; write type(r) == 'table' and r.err",
			Keys:   []string{"k"},
			Raises: "ERR user_script:2: attempt to index local 'r' (a number value)",
		},
		{
			Lua:     "if redis.call('EXISTS', KEYS[1]) == 0 then\n  ⟦redis.error_reply('MISSING no such key')⟧\nend\nreturn 'there'",
			Say:     "redis.error_reply only builds the reply, and nothing returns it: the script goes on; write return before it",
			Keys:    []string{"k"},
			Returns: `"there"`,
			Fixed:   "if redis.call('EXISTS', KEYS[1]) == 0 then\n  return redis.error_reply('MISSING no such key')\nend\nreturn 'there'",
		},
		{
			Lua:     "local ok, e = pcall(redis.call, 'INCR', KEYS[1])\nif not ok then\n  return {err = ⟦e.err⟧}\nend\nreturn e",
			Say:     "Lua's pcall gives the error as text, which has no field err, so this is nil; use 'e' itself",
			Setup:   [][]string{{"LPUSH", "k", "x"}},
			Keys:    []string{"k"},
			Returns: "[]",
			Fixed:   "local ok, e = pcall(redis.call, 'INCR', KEYS[1])\nif not ok then\n  return {err = e}\nend\nreturn e",
		},
	},
	Good: []Example{
		{Lua: "local r = redis.pcall('INCR', KEYS[1])\nif type(r) == 'table' and r.err then\n  return redis.error_reply(r.err)\nend\nreturn r + 1"},
		{Lua: "return redis.pcall('INCR', KEYS[1])"},
		{Lua: "local etag = redis.pcall('HGET', KEYS[1], 'version')\nif type(etag) == 'table' then\n  redis.call('DEL', KEYS[1])\nend\nlocal first = redis.pcall('HGET', KEYS[1], 'first')\nif not first then\n  redis.call('HSET', KEYS[1], 'first', ARGV[1])\nend\nreturn etag"},
		{Lua: "redis.pcall('XGROUP', 'CREATE', KEYS[1], 'g', '$', 'MKSTREAM')\nreturn 1"},
		{Lua: "local t = redis.pcall('HGETALL', KEYS[1])\nif t.err then\n  return t\nend\nreturn #t"},
		{Lua: "local r = redis.pcall('SET', KEYS[1], ARGV[1])\nif r['err'] then\n  return 0\nend\nreturn 1"},
		{Lua: "local ok, e = pcall(redis.call, 'INCR', KEYS[1])\nif not ok then\n  if type(e) == 'table' then e = e.err end\n  return redis.error_reply(e)\nend\nreturn e"},
		{Lua: "local function check(r)\n  if type(r) == 'table' and r['err'] then return nil end\n  return r\nend\nlocal n = check(redis.pcall('INCR', KEYS[1]))\nif n then return n end\nreturn 0"},
	},
	Program: checkIgnoredError,
	Lib:     checkDroppedError,
	Access:  checkCaughtErr,
}

// checkDroppedError: redis.error_reply as a statement.
func checkDroppedError(p *Pass, l *value.LibCall) {
	if l.Name != "redis.error_reply" && l.Name != "server.error_reply" || !l.Unused {
		return
	}
	f := In(l.Node.Span, Warning, oneLine(p, l.Node.Fn.Bounds())+" only builds the reply, and nothing returns it: the script goes on; write return before it")
	if lastStatement(p, l.Node) {
		at := l.Node.Span.Start
		f.Fixes = []Fix{{Title: "return the error", Edits: []Edit{{syntax.Span{Start: at, End: at}, "return "}}}}
	}
	p.Report(f)
}

// lastStatement reports whether the call is the last statement of its block, where alone a return may stand.
func lastStatement(p *Pass, call *syntax.Call) bool {
	path := pathTo(p, call)
	for i := len(path) - 2; i >= 0; i-- {
		if b, ok := path[i].(*syntax.Block); ok {
			return b.Stmts[len(b.Stmts)-1].Bounds().Contains(call.Span)
		}
	}
	return false
}

// checkCaughtErr: .err of what Lua's pcall caught.
func checkCaughtErr(p *Pass, a *value.Access) {
	if a.Write || a.X.Caught() != "pcall" || !a.Key.IsText("err") || a.X.Kinds&value.String == 0 {
		return
	}
	x := a.Node.X.Bounds()
	f := In(a.Node.Span, Warning, "Lua's pcall gives the error as text, which has no field err, so this is nil; use "+snippet(p, x)+" itself")
	f.Fixes = []Fix{{Title: "use the text", Edits: []Edit{{a.Node.Span, p.Source.Text[x.Start:x.End]}}}}
	p.Report(f)
}

// pcallUse is one place where the result of a redis.pcall is taken for a reply.
type pcallUse struct {
	expr  syntax.Expr
	value *value.Value
	how   string
}

func checkIgnoredError(p *Pass) {
	if !slices.ContainsFunc(p.Facts.Calls, func(c *value.Call) bool { return c.PCall }) {
		return
	}
	reportErrOfPlain(p)
	first := map[*syntax.Call]pcallUse{}
	for _, u := range pcallUses(p) {
		o := replyOf(u.value)
		if o == nil || !o.Call.PCall || o.Path != "" || u.value.Strong()&value.Error == 0 || u.value.IsUnknown() || looksAtErr(p, o.Call.Node) || testedBefore(p, o.Call) {
			continue
		}
		old, seen := first[o.Call.Node]
		if !seen || u.expr.Bounds().Start < old.expr.Bounds().Start {
			first[o.Call.Node] = u
		}
	}
	for call, u := range first {
		o := replyOf(u.value)
		what := snippet(p, u.expr.Bounds()) + " is a table where " + o.Call.Label() + " fails under redis.pcall"
		if bare(u.expr).Bounds() == call.Span {
			what = oneLine(p, call.Fn.Bounds()) + " gives a table where " + o.Call.Label() + " fails"
		}
		f := In(u.expr.Bounds(), Warning, what+", which "+u.how+"; test type(r) == 'table' and r.err first, or use redis.call")
		f.Related = source(o, u.expr.Bounds())
		p.Report(f)
	}
}

// pcallUses lists the operands, conditions, arguments and lists of the script with what an error table does there.
func pcallUses(p *Pass) []pcallUse {
	var uses []pcallUse
	for _, op := range p.Facts.Ops {
		how := "cannot be computed with"
		switch op.Op {
		case syntax.OpEq, syntax.OpNotEq:
			how = "equals nothing"
		case syntax.OpLen:
			how = "has no elements"
		}
		switch n := op.Node.(type) {
		case *syntax.Binary:
			uses = append(uses, pcallUse{n.X, op.X, how}, pcallUse{n.Y, op.Y, how})
		case *syntax.Unary:
			uses = append(uses, pcallUse{n.X, op.X, how})
		}
	}
	for _, c := range p.Facts.Conds {
		uses = append(uses, pcallUse{c.Node, c.Value, "counts as true"})
	}
	for _, a := range p.Facts.Accesses {
		if !a.Write {
			uses = append(uses, pcallUse{a.Node.X, a.X, "has no elements"})
		}
	}
	for _, l := range p.Facts.Libs {
		if len(l.Args) == 0 || l.Args[0].Node == nil {
			continue
		}
		switch l.Name {
		case "tonumber", "cjson.decode", "cmsgpack.unpack", "string.len", "string.sub", "string.find", "string.match":
			uses = append(uses, pcallUse{l.Args[0].Node, l.Args[0].Value, "is no text"})
		case "unpack", "next", "table.concat", "table.getn":
			uses = append(uses, pcallUse{l.Args[0].Node, l.Args[0].Value, "has no elements"})
		}
	}
	for _, l := range p.Facts.Loops {
		g, ok := l.Node.(*syntax.GenFor)
		if !ok || len(g.Exprs) == 0 || l.Over == nil {
			continue
		}
		if call, ok := g.Exprs[0].(*syntax.Call); ok && len(call.Args) > 0 {
			uses = append(uses, pcallUse{call.Args[0], l.Over, "has no elements"})
		}
	}
	return uses
}

// testedBefore reports whether an earlier redis.pcall of a read on the same key, for the same type of data, is looked at for its error: where
// that type is wrong, the script has dealt with it.
func testedBefore(p *Pass, c *value.Call) bool {
	key := keyOf(c)
	return key != nil && c.Command != nil && !c.Writes && slices.ContainsFunc(p.Facts.Calls, func(b *value.Call) bool {
		return b.PCall && b.Command != nil && b.Node.Start < c.Node.Start && b.Command.KeyType() == c.Command.KeyType() &&
			b.Command.KeyType() != server.AnyType && keyOf(b).Same(key) && looksAtErr(p, b.Node)
	})
}

// looksAtErr reports whether the script reads .err of the call's result or asks for its type.
func looksAtErr(p *Pass, call *syntax.Call) bool {
	of := func(v *value.Value) bool { o := replyOf(v); return o != nil && o.Call.Node == call }
	return slices.ContainsFunc(p.Facts.Accesses, func(a *value.Access) bool { return of(a.X) && (a.Key.IsText("err") || a.Key.IsText("ok")) }) ||
		slices.ContainsFunc(p.Facts.Libs, func(l *value.LibCall) bool { return l.Name == "type" && len(l.Args) > 0 && of(l.Args[0].Value) })
}

// reportErrOfPlain: .err of a redis.pcall result that is a number or false where the command succeeds.
func reportErrOfPlain(p *Pass) {
	for _, f := range p.Facts.Failures {
		o := replyOf(f.Value)
		if f.Class != value.FailIndex || o == nil || !o.Call.PCall || o.Path != "" || f.Value.Kinds&value.Error == 0 || f.Weak {
			continue
		}
		for _, a := range p.Facts.Accesses {
			if a.Node.X == f.Node && a.Key.IsText("err") {
				when := "succeeds"
				if !strings.Contains(f.Why, "number") {
					when = "finds nothing"
				}
				found := In(a.Node.Span, Warning, snippet(p, f.At)+" is no table where "+o.Call.Label()+" "+when+
					" under redis.pcall, and '.err' aborts the script then; write type(r) == 'table' and r.err")
				found.Related = source(o, f.At)
				p.Report(found)
			}
		}
	}
}
