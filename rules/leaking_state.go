package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var leakingState = &Rule{
	Name:     "leaking-state",
	Title:    "state that outlives the run of the script",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `All scripts of a server share one interpreter. A setting of cjson, the seed of math.random and the metatable of strings stay as a script
has left them, for every later script of every client, until SCRIPT FLUSH or a restart. ` + "`cjson.new()`" + ` gives an instance of one's own.

The locals of a function library outlive a call too, but they are lost when the library is loaded again or the server restarts, and they are
not replicated: keep state in keys.`,
	Bad: []Example{
		{
			Lua:     "⟦cjson.encode_number_precision(3)⟧\nreturn cjson.encode({1 / 3})",
			Say:     "'cjson.encode_number_precision' stays set for every later script of every client; use an instance of cjson.new()",
			Returns: `"[0.333]"`,
			Differs: map[string]string{"miniredis": "its cjson has no settings"},
		},
		{
			Lua:     "local c = cjson\n⟦c.encode_sparse_array(true)⟧\nreturn c.encode({[1] = 1, [100] = 2})",
			Say:     "'c.encode_sparse_array' stays set for every later script of every client; use an instance of cjson.new()",
			Returns: `"{\"1\":1,\"100\":2}"`,
			Differs: map[string]string{"miniredis": "its cjson has no settings"},
		},
		{
			Lua:     "⟦math.randomseed(tonumber(ARGV[1]) or 0)⟧\nreturn 1",
			Say:     "math.randomseed sets the generator of every later script; pass random values in ARGV",
			Args:    []string{"42"},
			Returns: ":1",
		},
		{
			Lua:     "⟦getmetatable('').__add⟧ = function(a, b) return a .. b end\nreturn 1",
			Say:     "the metatable of strings belongs to all scripts: patched servers refuse the change, others keep it for every later script",
			Raises:  "ERR user_script:1: Attempt to modify a readonly table",
			Differs: map[string]string{"miniredis": "its metatable of strings can be changed"},
		},
		{
			Lua:      "#!lua name=mylib\nlocal calls = 0\nlocal function count()\n  ⟦calls⟧ = calls + 1\n  return calls\nend\nredis.register_function{function_name = 'count', callback = count, flags = {'no-writes'}}",
			Say:      "'calls' keeps its value between calls, but not over a reload or a restart, and replicas do not get it; keep state in a key",
			Severity: new(Note),
			Library:  true, Function: "count", Returns: ":1",
		},
	},
	Good: []Example{
		{Lua: "local c = cjson.new()\nc.encode_number_precision(3)\nreturn c.encode({1 / 3})"},
		{Lua: "return cjson.encode_number_precision()"},
		{Lua: "local n = 0\nlocal function add() n = n + 1 end\nadd()\nreturn n"},
		{Lua: "return getmetatable('').__index and 1 or 0"},
		{Lua: "#!lua name=mylib\nlocal limit = 10\nlocal function get(keys)\n  return redis.call('LRANGE', keys[1], 0, limit)\nend\nredis.register_function{function_name = 'get', callback = get, flags = {'no-writes'}}", Library: true},
	},
	Lib:     checkLeakingCall,
	Access:  checkLeakingWrite,
	Program: checkLibraryLocals,
}

func checkLeakingCall(p *Pass, l *value.LibCall) {
	name, cjson := strings.CutPrefix(l.Name, "cjson.")
	switch {
	case cjson && len(l.Args) > 0 && !l.Nowhere && isSetting(name):
		p.Report(In(l.Node.Span, Warning, snippet(p, l.Node.Fn.Bounds())+" stays set for every later script of every client; use an instance of cjson.new()"))
	case l.Name == "math.randomseed" && len(l.Args) > 0:
		p.Report(In(l.Node.Span, Warning, "math.randomseed sets the generator of every later script; pass random values in ARGV"))
	}
}

// isSetting: the functions of cjson that change how it works; without an argument they only tell.
func isSetting(name string) bool {
	return strings.HasPrefix(name, "encode_") || strings.HasPrefix(name, "decode_")
}

// checkLeakingWrite: an assignment to a field of the metatable of strings, and one to a table of the library inside a function.
func checkLeakingWrite(p *Pass, a *value.Access) {
	if !a.Write {
		return
	}
	if stringMetatable(p, a.Node.X) {
		p.Report(In(a.Node.Span, Warning,
			"the metatable of strings belongs to all scripts: patched servers refuse the change, others keep it for every later script"))
		return
	}
	x, ok := bare(a.Node.X).(*syntax.Name)
	if !ok || p.Facts.Library == nil || a.Func == nil {
		return
	}
	if l := p.Facts.Scope.Ref(x); l != nil && l.Func == nil && a.X.Kinds&value.Table != 0 && a.X.Lib() == "" {
		p.Report(In(a.Node.Span, Note, libraryState(p, x)))
	}
}

// stringMetatable reports whether e is getmetatable of a text, or a local that holds it.
func stringMetatable(p *Pass, e syntax.Expr) bool {
	for _, l := range p.Facts.Libs {
		if l.Name != "getmetatable" || len(l.Args) == 0 || !l.Args[0].Value.Only(value.String) {
			continue
		}
		if bare(e) == syntax.Expr(l.Node) {
			return true
		}
		name, ok := bare(e).(*syntax.Name)
		path := pathTo(p, l.Node)
		if !ok || len(path) < 2 {
			continue
		}
		if decl, ok := path[len(path)-2].(*syntax.Local); ok && len(decl.Names) == 1 && p.Facts.Scope.Ref(decl.Names[0]) == p.Facts.Scope.Ref(name) {
			return true
		}
	}
	return false
}

// checkLibraryLocals: locals of a library that its functions assign.
func checkLibraryLocals(p *Pass) {
	if p.Facts.Library == nil || p.Facts.Scope == nil {
		return
	}
	for _, l := range p.Facts.Scope.Locals {
		if l.Func != nil || !l.CapturedWrite || l.Name == nil {
			continue
		}
		for _, w := range l.Writes {
			if inFunction(p, w) {
				p.Report(In(w.Span, Note, libraryState(p, w)))
				break
			}
		}
	}
}

func inFunction(p *Pass, n *syntax.Name) bool {
	for _, m := range pathTo(p, n) {
		if _, ok := m.(*syntax.Function); ok {
			return true
		}
	}
	return false
}

func libraryState(p *Pass, n *syntax.Name) string {
	return snippet(p, n.Span) + " keeps its value between calls, but not over a reload or a restart, and replicas do not get it; keep state in a key"
}
