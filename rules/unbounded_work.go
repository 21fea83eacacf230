package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var unboundedWork = &Rule{
	Name:     "unbounded-work",
	Title:    "work in one run that grows with the data without a limit",
	Severity: Warning,
	Group:    "Time, randomness, cost",
	Claim:    Cost,
	Since:    "0.1",
	Doc: `While a script runs the server answers nobody else. KEYS walks every key of the database; a loop over SCAN does the same in steps that
nobody gets between; a collection that is read as a whole and then worked through, with a write for each element, takes as long as the
collection has grown. After 5 seconds clients get BUSY, and a script that has written can only be ended with SHUTDOWN NOSAVE.

Read with LIMIT, COUNT or a range, handle a part in each run, and let the caller come again while there is more. Step through SCAN in the client.`,
	Bad: []Example{
		{
			Lua: "return #⟦redis.call('KEYS', ARGV[1])⟧",
			Say: `"KEYS" walks the whole keyspace while the server answers nobody else; keep the names in a set, or step through SCAN in the client`,
		},
		{
			Lua: "local at, n = '0', 0\nrepeat\n  local r = ⟦redis.call('SCAN', at, 'MATCH', ARGV[1], 'COUNT', 1000)⟧\n  n = n + #r[2]\n  at = r[1]\nuntil at == '0'\nreturn n",
			Say: `"SCAN" in a loop walks the whole keyspace in one run; return the cursor and let the client take the next step`,
		},
		{
			Lua: "local at = '0'\nwhile true do\n  local r = ⟦redis.call('HSCAN', KEYS[1], at)⟧\n  at = r[1]\n  if at == '0' then break end\nend\nreturn 1",
			Say: `"HSCAN" in a loop walks the whole collection in one run; return the cursor and let the client take the next step`,
		},
		{
			Lua: "local n = 0\nfor _, id in ipairs(⟦redis.call('ZRANGEBYSCORE', KEYS[1], 0, ARGV[1])⟧) do\n  redis.call('LPUSH', KEYS[2], id)\n  redis.call('ZREM', KEYS[1], id)\n  n = n + 1\nend\nreturn n",
			Say: `"ZRANGEBYSCORE" reads without a limit, and the loop over its reply writes for each element; add LIMIT and handle a part in each run`,
		},
		{
			Lua: "local all = ⟦redis.call('SMEMBERS', KEYS[1])⟧\nfor i = 1, #all do\n  if all[i] ~= ARGV[1] then redis.call('SREM', KEYS[1], all[i]) end\nend\nreturn #all",
			Say: `"SMEMBERS" reads the whole collection, and the loop over its reply writes for each element; read a part and handle it in each run`,
		},
		{
			Lua: "local function drop(key, id) return redis.call('HDEL', key, id) end\nlocal all = ⟦redis.call('HKEYS', KEYS[1])⟧\nfor _, id in pairs(all) do drop(KEYS[1], id) end\nreturn 1",
			Say: `"HKEYS" reads the whole collection, and the loop over its reply writes for each element; read a part and handle it in each run`,
		},
		{
			Lua:      "redis.call('SET', KEYS[1], 1)\n⟦while true⟧ do end",
			Say:      `"while true" never ends: clients get BUSY, and since the script has written only SHUTDOWN NOSAVE ends it`,
			NotRun:   "it never ends",
			Recorded: []Recorded{{"redis 7.0.15", "NO REPLY; to SCRIPT KILL -UNKILLABLE Sorry the script already executed write commands against the dataset.", "a run of that version"}},
		},
		{
			Lua:      "local n = 0\n⟦repeat⟧\n  n = n + 1\nuntil false",
			Say:      `"repeat" never ends: clients get BUSY until somebody sends SCRIPT KILL`,
			NotRun:   "it never ends",
			Recorded: []Recorded{{"redis 7.0.15", "NO REPLY; to SCRIPT KILL +OK", "a run of that version"}},
		},
		{
			Library: true,
			Lua: "#!lua name=l\nlocal function clear(keys)\n  for _, m in ipairs(⟦redis.call('LRANGE', keys[1], 0, -1)⟧) do redis.call('SREM', keys[2], m) end\n  return 1\nend\n" +
				"redis.register_function('clear', clear)",
			Say: `"LRANGE" reads the whole collection, and the loop over its reply writes for each element; read a part and handle it in each run`,
		},
		{
			Lua: "local n = 0\n⟦while redis.call('LLEN', KEYS[1]) > 0⟧ do\n  redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\n  n = n + 1\nend\nreturn n",
			Say: `the loop runs once for each element that "LLEN" counts, and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run`,
		},
		{
			Lua:  "local left = redis.call('SCARD', KEYS[1])\n⟦while left ~= 0⟧ do\n  redis.call('SREM', KEYS[1], redis.call('SRANDMEMBER', KEYS[1]))\n  left = redis.call('SCARD', KEYS[1])\nend\nreturn 1",
			Say:  `the loop runs once for each element that "SCARD" counts, and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run`,
			Also: []string{"time-random"},
		},
		{
			Lua: "repeat\n  redis.call('ZPOPMIN', KEYS[1])\nuntil ⟦redis.call('ZCARD', KEYS[1]) == 0⟧\nreturn 1",
			Say: `the loop runs once for each element that "ZCARD" counts, and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run`,
		},
		{
			Lua: "local n = redis.call('LLEN', KEYS[1])\n⟦for i = 1, n⟧ do redis.call('RPOPLPUSH', KEYS[1], KEYS[2]) end\nreturn n",
			Say: `the loop runs once for each element that "LLEN" counts, and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run`,
		},
		{
			Lua: "local due = {}\nfor _, id in ipairs(⟦redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])⟧) do\n  due[#due + 1] = id\nend\nfor _, id in ipairs(due) do redis.call('LPUSH', KEYS[2], id) end\nreturn #due",
			Say: `"ZRANGEBYSCORE" reads without a limit, and the loop over its reply writes for each element; add LIMIT and handle a part in each run`,
		},
		{
			Lua: "local all = ⟦redis.call('HGETALL', KEYS[1])⟧\nfor i = 1, #all, 2 do redis.call('HSET', KEYS[2], all[i], all[i + 1]) end\nreturn #all / 2",
			Say: `"HGETALL" reads the whole collection, and the loop over its reply writes for each element; read a part and handle it in each run`,
		},
		{
			Lua:     "local n = 0\nfor i = 1, 10, ⟦0⟧ do n = n + redis.call('INCR', KEYS[1]) end\nreturn n",
			Say:     `a loop with step 0 does nothing where it starts below its limit, and never ends otherwise; write the step that is meant`,
			Keys:    []string{"k"},
			Returns: ":0",
		},
		{
			Lua: "⟦while not (0 == redis.call('HLEN', KEYS[1]))⟧ do\n  redis.call('HDEL', KEYS[1], redis.call('HKEYS', KEYS[1])[1])\nend\nreturn 1",
			Say: `the loop runs once for each element that "HLEN" counts, and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run`,
		},
		{
			Lua: "⟦while redis.call('EXISTS', KEYS[1]) == 1⟧ do\n  redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\nend\nreturn 1",
			Say: `the loop runs until "EXISTS" finds the key empty, and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run`,
		},
	},
	Good: []Example{
		{Lua: "local r = redis.call('SCAN', ARGV[1], 'COUNT', 100)\nreturn {r[1], #r[2]}"},
		{Lua: "for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], 0, ARGV[1], 'LIMIT', 0, 100)) do\n  redis.call('ZREM', KEYS[1], id)\nend\nreturn 1"},
		{Lua: "for _, off in ipairs(ARGV) do redis.call('SETBIT', KEYS[1], off, 1) end\nreturn 1"},
		{Lua: "local sum = 0\nfor _, v in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do sum = sum + #v end\nreturn sum"},
		{Lua: "for _, f in ipairs(redis.call('HMGET', KEYS[1], 'a', 'b')) do\n  if f then redis.call('SADD', KEYS[2], f) end\nend\nreturn 1"},
		{Lua: "while true do\n  local id = redis.call('LPOP', KEYS[1])\n  if not id then return 1 end\n  redis.call('SADD', KEYS[2], id)\nend"},
		{Lua: "local at, n = '0', 0\nrepeat\n  local r = redis.call('SSCAN', KEYS[1], at)\n  at, n = r[1], n + 1\nuntil at == '0' or n >= 10\nreturn n"},
		{Lua: "for _, k in ipairs(KEYS) do redis.call('SSCAN', k, 0) end\nreturn 1"},
		{Lua: "local extra = redis.call('ZRANGE', KEYS[1], 0, -1000)\nfor _, id in ipairs(extra) do redis.call('ZREM', KEYS[1], id) end\nreturn #extra"},
		{Lua: "while true do\n  if not redis.call('RPOPLPUSH', KEYS[1], KEYS[2]) then error('empty') end\nend"},
		{Lua: "local all = redis.call('LRANGE', KEYS[1], 0, -1)\nfor i = 1, math.min(#all, 100) do redis.call('SADD', KEYS[2], all[i]) end\nreturn 1"},
		{Lua: "for i, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n  if i > 100 then break end\n  redis.call('SREM', KEYS[1], id)\nend\nreturn 1"},
		{Lua: "while redis.call('LLEN', KEYS[1]) > 1000 do redis.call('RPOP', KEYS[1]) end\nreturn 1"},
		{Lua: "local n = 0\nwhile redis.call('LLEN', KEYS[1]) > 0 and n < 100 do\n  redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\n  n = n + 1\nend\nreturn n"},
		{Lua: "local n = math.min(redis.call('LLEN', KEYS[1]), 100)\nfor i = 1, n do redis.call('RPOPLPUSH', KEYS[1], KEYS[2]) end\nreturn n"},
		{Lua: "local n = redis.call('LLEN', KEYS[1])\nfor i = 1, n - tonumber(ARGV[1]) do redis.call('RPOP', KEYS[1]) end\nreturn n"},
		{Lua: "local n = tonumber(ARGV[1])\nwhile n > 0 do\n  redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\n  n = n - 1\nend\nreturn 1"},
		{Lua: "while redis.call('LLEN', KEYS[1]) > 0 do\n  redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\n  if redis.call('LLEN', KEYS[2]) >= 100 then break end\nend\nreturn 1"},
		{Lua: "local some = {}\nfor i, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do\n  if i > 100 then break end\n  some[i] = id\nend\nfor _, id in ipairs(some) do redis.call('SREM', KEYS[1], id) end\nreturn #some"},
		{Lua: "local n = 0\nwhile redis.call('LLEN', KEYS[1]) > 0 do\n  redis.call('RPOPLPUSH', KEYS[1], KEYS[2])\n  n = n + 1\n  if n == 100 then break end\nend\nreturn n"},
	},
	Program: checkUnboundedWork,
}

func checkUnboundedWork(p *Pass) {
	for _, c := range p.Facts.Calls {
		switch c.Name {
		case "keys":
			p.Report(In(c.At, Warning, `"KEYS" walks the whole keyspace while the server answers nobody else; keep the names in a set, or step through SCAN in the client`))
		case "scan", "sscan", "hscan", "zscan":
			checkScanLoop(p, c)
		}
		if c.Writes {
			for l := c.LoopOf; l != nil; l = l.Outer {
				checkWriteLoop(p, l)
				checkDrain(p, l, c)
			}
		}
	}
	for _, l := range p.Facts.Loops {
		if l.Endless {
			checkEndless(p, l)
		}
		if n, ok := l.Node.(*syntax.NumFor); ok && l.Stands {
			p.Report(In(n.Step.Bounds(), Warning, "a loop with step 0 does nothing where it starts below its limit, and never ends otherwise; write the step that is meant"))
		}
	}
}

// checkScanLoop: a loop that only the cursor ends walks everything.
func checkScanLoop(p *Pass, c *value.Call) {
	l := c.LoopOf
	if l == nil || l.Over != nil || l.Counted {
		return
	}
	what := "collection"
	if c.Name == "scan" {
		what = "keyspace"
	}
	p.Report(In(c.At, Warning, fmt.Sprintf("%q in a loop walks the whole %s in one run; return the cursor and let the client take the next step", c.Label(), what)))
}

// checkWriteLoop: a loop with a write that runs over a reply without a bound.
func checkWriteLoop(p *Pass, l *value.Loop) {
	read := wholeRead(l.All)
	if read == nil {
		read = wholeRead(l.Filled)
	}
	if w, ok := l.Node.(*syntax.While); ok {
		read = whileRead(p, w)
	} else if l.Counted {
		return
	}
	if read == nil || read.Name == "keys" {
		return
	}
	how := "reads the whole collection"
	way := "read a part and handle it in each run"
	if word := limitWord(read); word != "" {
		how, way = "reads without a limit", "add "+word+" and handle a part in each run"
	}
	p.Report(In(read.At, Warning, fmt.Sprintf("%q %s, and the loop over its reply writes for each element; %s", read.Label(), how, way)))
}

// checkDrain: a loop that goes on until a collection is empty, or as often as it has elements. The write in it is c.
func checkDrain(p *Pass, l *value.Loop, c *value.Call) {
	if l.Leaves {
		return
	}
	var count *value.Call
	at := l.Node.Bounds()
	switch n := l.Node.(type) {
	case *syntax.NumFor:
		count, at.End = upTo(l.Over, n.To), n.To.Bounds().End
	case *syntax.While:
		count, at.End = untilEmpty(p, n.Cond, true), n.Cond.Bounds().End
	case *syntax.Repeat:
		count, at = untilEmpty(p, n.Cond, false), n.Cond.Bounds()
	}
	if count == nil {
		return
	}
	if _, ok := l.Node.(*syntax.NumFor); !ok && !takesFrom(c, count) {
		return // what ends it is not this write
	}
	how := fmt.Sprintf("once for each element that %q counts", count.Label())
	if count.Name == "exists" {
		how = fmt.Sprintf("until %q finds the key empty", count.Label())
	}
	p.Report(In(at, Warning, "the loop runs "+how+", and writes each time: it takes as long as the collection has grown; stop after a number of elements and handle a part in each run"))
}

// upTo is the call that counts what a numeric loop runs up to: n or n - 1.
func upTo(over *value.Value, e syntax.Expr) *value.Call {
	if over == nil || over.From == nil || over.Hi < 1<<53 {
		return nil
	}
	o := over.From
	if b, ok := bare(e).(*syntax.Binary); ok {
		one, is := bare(b.Y).(*syntax.Number)
		if b.Op != syntax.OpSub || !is || one.Value != 1 || len(o.Parts) != 1 {
			return nil
		}
		o = o.Parts[0]
	}
	return counts(o)
}

// counts is the call whose reply is the number of elements of a whole collection, nil for others.
func counts(o *value.Origin) *value.Call {
	if o == nil || o.Kind != value.FromReply || o.Path != "" || o.Call == nil {
		return nil
	}
	switch o.Call.Name {
	case "llen", "scard", "zcard", "hlen", "xlen":
		return o.Call
	}
	return nil
}

// untilEmpty is the call that counts the elements where a loop goes on while (or until) there are none left.
func untilEmpty(p *Pass, cond syntax.Expr, while bool) *value.Call {
	cond = bare(cond)
	for u, ok := cond.(*syntax.Unary); ok && u.Op == syntax.OpNot; u, ok = cond.(*syntax.Unary) {
		cond, while = bare(u.X), !while
	}
	b, ok := cond.(*syntax.Binary)
	if !ok {
		return nil
	}
	for _, op := range p.Facts.Ops {
		if op.Node != syntax.Expr(b) {
			continue
		}
		left, is, right := op.X, op.Op, op.Y
		if left.Const {
			left, is, right = right, is.Turned(), left
		}
		o := replyOf(left)
		if o == nil || !right.Const || right.Kinds != value.Number {
			continue
		}
		if o.Call.Name == "exists" && o.Path == "" && len(o.Call.Keys) == 1 && right.Num == 1 && while == (is == syntax.OpEq) && (is == syntax.OpEq || is == syntax.OpNotEq) {
			return o.Call
		}
		goesOn := is == syntax.OpGreater && right.Num == 0 || is == syntax.OpNotEq && right.Num == 0 || is == syntax.OpGreaterEq && right.Num == 1
		ends := is == syntax.OpEq && right.Num == 0 || is == syntax.OpLessEq && right.Num == 0 || is == syntax.OpLess && right.Num == 1
		if while && goesOn || !while && ends {
			return counts(o)
		}
	}
	return nil
}

// takesFrom reports whether a write takes elements out of the collection that a call counts.
func takesFrom(c, count *value.Call) bool {
	switch c.Name {
	case "lpop", "rpop", "spop", "zpopmin", "zpopmax", "rpoplpush", "lmove", "lrem", "srem", "zrem", "hdel", "smove", "xdel":
		a, b := keyOf(c), keyOf(count)
		return a != nil && b != nil && a.Same(b)
	}
	return false
}

// whileRead is the read that a loop goes through by an index of its own: while i <= #t.
func whileRead(p *Pass, w *syntax.While) *value.Call {
	cond, ok := w.Cond.(*syntax.Binary)
	if !ok || cond.Op != syntax.OpLessEq {
		return nil
	}
	for _, o := range p.Facts.Ops {
		if o.Node == syntax.Expr(cond) {
			return measured(o.Y)
		}
	}
	return nil
}

// limitWord is the option that bounds a read of a range, "" where it has none.
func limitWord(c *value.Call) string {
	switch c.Name {
	case "zrangebyscore", "zrevrangebyscore", "zrangebylex", "zrevrangebylex":
		return "LIMIT"
	case "xrange", "xrevrange":
		return "COUNT"
	case "zrange":
		for _, w := range c.Words {
			if w.Known && (strings.EqualFold(w.Text, "BYSCORE") || strings.EqualFold(w.Text, "BYLEX")) {
				return "LIMIT"
			}
		}
	}
	return ""
}

// wholeRead is the call whose unbounded reply a value is, nil where there is none.
func wholeRead(v *value.Value) *value.Call {
	if v == nil {
		return nil
	}
	o := v.From
	if o == nil || o.Kind != value.FromReply || o.Path != "" || o.Call == nil || o.Call.Command == nil || !unboundedReply(o.Call.Result) || trims(o.Call) {
		return nil
	}
	return o.Call
}

// trims: a range that ends far from the end (0 to -1000) reads what is more than so many elements, which is little where each run trims.
func trims(c *value.Call) bool {
	switch c.Name {
	case "lrange", "zrange", "zrevrange":
		if len(c.Words) < 4 || !c.Words[3].Known {
			return false
		}
		n, err := strconv.Atoi(c.Words[3].Text)
		return err == nil && n <= -100
	}
	return false
}

// measured is the reply whose length a value is, as far as its origin tells.
func measured(v *value.Value) *value.Call {
	if v == nil || v.From == nil || v.From.Kind != value.FromComputed || len(v.From.Parts) != 1 || !math.IsInf(v.Hi, 1) {
		return nil
	}
	return wholeRead(&value.Value{Kinds: value.Table, From: v.From.Parts[0]})
}

// unboundedReply is whether a value is an array that grows with the data.
func unboundedReply(v *value.Value) bool {
	return v != nil && !v.IsUnknown() && v.Kinds&value.Tables != 0 && v.Reply != nil && !v.Reply.Bounded && v.Reply.MaxLen == 0 && v.Reply.Elem != nil
}

// checkEndless reports the words that open a loop without a way out.
func checkEndless(p *Pass, l *value.Loop) {
	at, words := l.Node.Bounds(), ""
	switch n := l.Node.(type) {
	case *syntax.While:
		at.End = n.Cond.Bounds().End
		words = codeWords(p, at)
	case *syntax.Repeat:
		at.End = at.Start + syntax.Pos(len("repeat"))
		words = `"repeat"`
	default:
		return
	}
	how := "until somebody sends SCRIPT KILL"
	if len(l.Writes) > 0 {
		how = ", and since the script has written only SHUTDOWN NOSAVE ends it"
		p.Report(In(at, Warning, words+" never ends: clients get BUSY"+how))
		return
	}
	p.Report(In(at, Warning, words+" never ends: clients get BUSY "+how))
}
