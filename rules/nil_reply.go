package rules

import (
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var nilReply = &Rule{
	Name:     "nil-reply",
	Title:    "a reply compared with nil, which it never is",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `What is not there arrives in Lua as false, never as nil: ` + "`redis.call('GET', KEYS[1]) == nil`" + ` does not hold when the key is missing,
and ` + "`~= nil`" + ` always holds. The guard passes, and the false goes on into arithmetic, an argument or a reply.

Test the truth of the value (` + "`if v then`, `if not v then`" + `) or compare with false. Only after redis.setresp(3) a null is nil. A missing
collection is an empty table: test ` + "`#t == 0`" + `. The rule is silent where the same condition also tests for false.`,
	Bad: []Example{
		{
			Lua:     "local v = redis.call('GET', KEYS[1])\nif ⟦v == nil⟧ then\n  return 'none'\nend\nreturn v",
			Say:     "'v' is never nil: GET replies false where the key is missing, so the test never holds; compare with false",
			Fixed:   "local v = redis.call('GET', KEYS[1])\nif v == false then\n  return 'none'\nend\nreturn v",
			Keys:    []string{"k"},
			Returns: "(nil)",
		},
		{
			Lua:   "local total = 0\nfor i = 1, #KEYS do\n  local v = redis.call('GET', KEYS[i])\n  if ⟦v ~= nil⟧ then\n    total = total + v\n  end\nend\nreturn total",
			Say:   "'v' is never nil: GET replies false where the key is missing, so the test always holds; compare with false",
			Fixed: "local total = 0\nfor i = 1, #KEYS do\n  local v = redis.call('GET', KEYS[i])\n  if v ~= false then\n    total = total + v\n  end\nend\nreturn total",
			Keys:  []string{"k"}, Raises: "ERR user_script:5: attempt to perform arithmetic on local 'v' (a boolean value)",
		},
		{
			Lua:     "local m = redis.call('HMGET', KEYS[1], 'a', 'b')\nif ⟦nil == m[2]⟧ then\n  return 'none'\nend\nreturn 'some'",
			Say:     "'m[2]' is never nil: HMGET replies false where a field is missing, so the test never holds; compare with false",
			Fixed:   "local m = redis.call('HMGET', KEYS[1], 'a', 'b')\nif false == m[2] then\n  return 'none'\nend\nreturn 'some'",
			Keys:    []string{"k"},
			Returns: `"some"`,
		},
		{
			Lua:     "local all = redis.call('HGETALL', KEYS[1])\nif ⟦all == nil⟧ then\n  return 'none'\nend\nreturn 'some'",
			Say:     "'all' is never nil: HGETALL replies an empty table where there is nothing, so the test never holds; test #t == 0",
			Keys:    []string{"k"},
			Returns: `"some"`,
		},
		{
			Lua:     "local s = redis.call('ZSCORE', KEYS[1], ARGV[1])\nif ⟦type(s) == 'nil'⟧ then\n  return 'none'\nend\nreturn 'some'",
			Say:     "'s' is never nil: ZSCORE replies false where the member is missing, so the test never holds; compare with false",
			Fixed:   "local s = redis.call('ZSCORE', KEYS[1], ARGV[1])\nif s == false then\n  return 'none'\nend\nreturn 'some'",
			Keys:    []string{"k"},
			Args:    []string{"m"},
			Returns: `"some"`,
		},
		{
			Lua:     "local function absent(x) return ⟦x == nil⟧ end\nif absent(redis.call('LINDEX', KEYS[1], 0)) then\n  return 'none'\nend\nreturn 'some'",
			Say:     "'x' is never nil: LINDEX replies false where the list has no such element, so the test never holds; compare with false",
			Fixed:   "local function absent(x) return x == false end\nif absent(redis.call('LINDEX', KEYS[1], 0)) then\n  return 'none'\nend\nreturn 'some'",
			Keys:    []string{"k"},
			Returns: `"some"`,
		},
		{
			Lua:     "#!lua name=mylib\nlocal function read(keys)\n  local v = redis.call('GET', keys[1])\n  if ⟦v ~= nil⟧ then return 'some' end\n  return 'none'\nend\nredis.register_function{function_name = 'read', callback = read, flags = {'no-writes'}}",
			Say:     "'v' is never nil: GET replies false where the key is missing, so the test always holds; compare with false",
			Fixed:   "#!lua name=mylib\nlocal function read(keys)\n  local v = redis.call('GET', keys[1])\n  if v ~= false then return 'some' end\n  return 'none'\nend\nredis.register_function{function_name = 'read', callback = read, flags = {'no-writes'}}",
			Library: true, Function: "read", Keys: []string{"k"}, Returns: `"some"`,
		},
		{
			Lua:     "local v = redis.call('MGET', unpack(KEYS))\nfor i = 1, #KEYS do\n  if ⟦v[i] == nil⟧ then return i end\nend\nreturn 0",
			Say:     "'v[i]' is never nil: MGET replies false where a key is missing, so the test never holds; compare with false",
			Fixed:   "local v = redis.call('MGET', unpack(KEYS))\nfor i = 1, #KEYS do\n  if v[i] == false then return i end\nend\nreturn 0",
			Keys:    []string{"k"},
			Returns: ":0",
		},
	},
	Good: []Example{
		{Lua: "local v = redis.call('MGET', unpack(KEYS))\nfor i = 1, #KEYS + 1 do\n  if v[i] == nil then return i end\nend\nreturn 0"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif not v or v == nil then\n  return 'none'\nend\nreturn v"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif v == nil or v == false or v == '' then\n  return 'none'\nend\nreturn v"},
		{Lua: "local v = redis.call('GET', KEYS[1])\nif v ~= nil and type(v) == 'string' then\n  return v\nend\nreturn 'none'"},
		{Lua: "local n = tonumber(redis.call('GET', KEYS[1]))\nif n == nil then\n  n = 9\nend\nreturn n"},
		{Lua: "local t = redis.call('LRANGE', KEYS[1], 0, 0)\nif t[1] == nil then\n  return 'none'\nend\nreturn t[1]"},
		{Lua: "redis.setresp(3)\nif redis.call('GET', KEYS[1]) == nil then\n  return 'none'\nend\nreturn 'some'"},
		{Lua: "local v\nif ARGV[1] == 'x' then\n  v = redis.call('GET', KEYS[1])\nend\nif v == nil then\n  return 'not asked'\nend\nreturn v"},
		{Lua: "if ARGV[1] == nil then\n  return 'none'\nend\nreturn ARGV[1]"},
	},
	Op: checkNilReply,
}

func checkNilReply(p *Pass, op *value.Op) {
	t := nilTestOf(p, op)
	if t == nil {
		return
	}
	b := op.Node.(*syntax.Binary)
	if guardedBeside(p, b, t.Expr, func(o syntax.Expr) bool { return isFalse(o) || isText(o, "boolean") }) {
		return
	}
	verdict := "never holds"
	if b.Op == syntax.OpNotEq {
		verdict = "always holds"
	}
	o := replyOf(t.Value)
	msg := snippet(p, t.Expr.Bounds()) + " is never nil: " + o.Call.Label()
	f := Finding{}
	switch {
	case t.Value.Kinds&value.False != 0:
		msg += " replies false where " + missing(o) + ", so the test " + verdict + "; compare with false"
		f.Fixes = []Fix{nilFix(p, b, t)}
	case t.Value.Only(value.Tables):
		msg += " replies an empty table where there is nothing, so the test " + verdict + "; test #t == 0"
	default:
		msg += " always replies something, so the test " + verdict
	}
	fixes := f.Fixes
	f = In(b.Span, Warning, msg)
	f.Fixes, f.Related = fixes, source(o, b.Span)
	p.Report(f)
}

// nilTest is a comparison of a reply with nil.
type nilTest struct {
	Expr  syntax.Expr // the reply
	Other syntax.Expr // nil, or 'nil'
	Typed bool        // type(Expr) == 'nil'
	Value *value.Value
}

// writtenNil reports whether a value is nil at every call. An element of KEYS or ARGV that a caller forgets is one for missing-argv.
func writtenNil(v *value.Value) bool {
	return v.Only(value.Nil) && (v.From == nil || v.From.Kind != value.FromKeys && v.From.Kind != value.FromArgv)
}

// nilTestOf reads v == nil, nil ~= v and type(v) == 'nil' where v is a reply that cannot be nil; else it gives nil.
func nilTestOf(p *Pass, op *value.Op) *nilTest {
	b, ok := op.Node.(*syntax.Binary)
	if !ok || op.Op != syntax.OpEq && op.Op != syntax.OpNotEq {
		return nil
	}
	var t nilTest
	switch {
	case writtenNil(op.Y):
		t.Expr, t.Other, t.Value = bare(b.X), b.Y, op.X
	case writtenNil(op.X):
		t.Expr, t.Other, t.Value = bare(b.Y), b.X, op.Y
	case op.Y.IsText("nil"):
		t.Expr, t.Other = bare(b.X), b.Y
	case op.X.IsText("nil"):
		t.Expr, t.Other = bare(b.Y), b.X
	}
	if t.Value == nil {
		t.Value, t.Expr, t.Typed = typeArgument(p, t.Expr), typeOperand(t.Expr), true
	}
	v := t.Value
	// What tonumber made of a reply has no Reply of its own, and a reply that was tested before has lost it.
	if v == nil || v.IsUnknown() || v.Kinds&value.Nil != 0 && !insideReply(p, &t) || v.Reply == nil || replyOf(v) == nil {
		return nil
	}
	found := t
	return &found
}

// insideReply reports whether an element v[i] is there because the loop around runs i from 1 to #v, or to #KEYS where v is the reply of an
// MGET of all keys: then it may be false and is no nil.
func insideReply(p *Pass, t *nilTest) bool {
	x, ok := t.Expr.(*syntax.Index)
	if !ok || t.Value.Strong()&value.Nil != 0 {
		return false
	}
	key, ok := bare(x.Key).(*syntax.Name)
	base, isName := bare(x.X).(*syntax.Name)
	if !ok || !isName || p.Facts.Scope.Ref(key) == nil {
		return false
	}
	for _, l := range p.Facts.Loops {
		over, variable := loopOver(l.Node)
		if over == nil || variable == nil || p.Facts.Scope.Ref(variable) != p.Facts.Scope.Ref(key) || len(p.Facts.Scope.Ref(key).Writes) > 0 {
			continue
		}
		if p.Facts.Scope.Ref(over) != nil {
			return p.Facts.Scope.Ref(over) == p.Facts.Scope.Ref(base)
		}
		return over.Text == "KEYS" && readsAllKeys(replyOf(t.Value))
	}
	return false
}

// loopOver is the name whose elements a loop runs over from 1 on, and the variable that counts them; nil for other loops.
func loopOver(n syntax.Stmt) (over, variable *syntax.Name) {
	switch n := n.(type) {
	case *syntax.NumFor:
		from, ok := bare(n.From).(*syntax.Number)
		if u, is := bare(n.To).(*syntax.Unary); ok && from.Value >= 1 && is && u.Op == syntax.OpLen && n.Step == nil {
			over, _ = bare(u.X).(*syntax.Name)
			return over, n.Name
		}
	case *syntax.GenFor:
		if call, ok := bare(n.Exprs[0]).(*syntax.Call); ok && len(n.Exprs) == 1 && len(call.Args) == 1 {
			if fn, ok := call.Fn.(*syntax.Name); ok && fn.Text == "ipairs" {
				over, _ = bare(call.Args[0]).(*syntax.Name)
				return over, n.Names[0]
			}
		}
	}
	return nil, nil
}

// readsAllKeys reports whether a reply is that of MGET of just unpack(KEYS).
func readsAllKeys(o *value.Origin) bool {
	if o == nil || o.Call.Name != "mget" || !o.Call.ArgsMany || len(o.Call.Args) != 2 {
		return false
	}
	a := o.Call.Args[1]
	return !a.Range && a.Source != nil && a.Source.From != nil && a.Source.From.Kind == value.FromKeysList
}

// typeArgument is the value of x in type(x).
func typeArgument(p *Pass, e syntax.Expr) *value.Value {
	call, ok := e.(*syntax.Call)
	if !ok {
		return nil
	}
	for _, l := range p.Facts.Libs {
		if l.Node == call && l.Name == "type" && len(l.Args) > 0 {
			return l.Args[0].Value
		}
	}
	return nil
}

func typeOperand(e syntax.Expr) syntax.Expr {
	if call, ok := e.(*syntax.Call); ok && len(call.Args) > 0 {
		return bare(call.Args[0])
	}
	return e
}

func isFalse(e syntax.Expr) bool {
	b, ok := e.(*syntax.Bool)
	return ok && !b.Value
}

func isText(e syntax.Expr, text string) bool {
	s, ok := e.(*syntax.String)
	return ok && s.Value == text
}

// nilFix compares with false instead.
func nilFix(p *Pass, b *syntax.Binary, t *nilTest) Fix {
	fix := Fix{Title: "compare with false"}
	if !t.Typed {
		fix.Edits = []Edit{{t.Other.Bounds(), "false"}}
		return fix
	}
	at := t.Expr.Bounds()
	fix.Edits = []Edit{{b.Span, p.Source.Text[at.Start:at.End] + " " + b.Op.String() + " false"}}
	return fix
}

// testedAgainstNil reports whether a nil-reply finding explains why o is taken to be there: the guard that was meant to stop it does not.
func testedAgainstNil(p *Pass, o *value.Origin) bool {
	for _, op := range p.Facts.Ops {
		if t := nilTestOf(p, op); t != nil && sameReply(replyOf(t.Value), o) {
			return !guardedBeside(p, op.Node, t.Expr, isFalse)
		}
	}
	return false
}

// sameReply reports whether two origins are the same part of the reply of the same call.
func sameReply(a, b *value.Origin) bool {
	return a != nil && b != nil && a.Call != nil && b.Call != nil && a.Call.Node == b.Call.Node && a.Path == b.Path
}
