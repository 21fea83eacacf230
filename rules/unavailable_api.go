package rules

import (
	"slices"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var unavailableAPI = &Rule{
	Name:     "unavailable-api",
	Title:    "a library, function or field that some server of the target lacks",
	Severity: ErrorSeverity,
	Group:    "Load time: syntax, globals, sandbox",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `Scripts run in a sandbox: there is no io, debug, package, require, and no print since 7.0; os holds os.clock only, and that since Redis 7.4
and Valkey 8.0. What came with Lua 5.2 and later (table.pack, table.unpack, utf8, math.type) is missing, since the servers run Lua 5.1. The
redis table has grown over the versions, Valkey has server beside it, and redis.replicate_commands does nothing since 7.0.

Reading a missing library raises; a missing field of a library is nil, and calling it raises. A field that is only tested, as in
` + "`if redis.acl_check_cmd then`" + `, is not reported.`,
	Bad:     unavailableAPIBad,
	Good:    unavailableAPIGood,
	Program: checkUnavailable,
	Lib:     checkUnavailableCall,
}

// insteadOfField says what to write for a field that is missing.
var insteadOfField = map[string]string{
	"os.time": "pass the time in ARGV, or ask redis.call('TIME')", "os.date": "pass the text in ARGV", "os.getenv": "pass the value in ARGV",
	"os.clock": "ask redis.call('TIME')", "table.unpack": "write unpack", "table.pack": "write {...}", "table.move": "write a loop",
	"string.pack": "use struct.pack", "string.unpack": "use struct.unpack", "math.type": "compare with math.floor", "math.tointeger": "use math.floor",
	"redis.register_function": "functions are registered by a library that FUNCTION LOAD loads", "redis.replicate_commands": "leave it out: effects are replicated since Redis 5",
	"redis.sha1": "write redis.sha1hex", "redis.acl_check": "write redis.acl_check_cmd", "redis.error": "write redis.error_reply",
	"redis.status": "write redis.status_reply", "redis.command": "write redis.call", "redis.execute": "write redis.call", "redis.now": "ask redis.call('TIME')",
	"redis.time": "ask redis.call('TIME')", "redis.get": "write redis.call('GET', ...)", "redis.set": "write redis.call('SET', ...)",
	"cjson.parse": "write cjson.decode", "cjson.stringify": "write cjson.encode", "cjson.dumps": "write cjson.encode", "cjson.loads": "write cjson.decode",
	"cmsgpack.encode": "write cmsgpack.pack", "cmsgpack.decode": "write cmsgpack.unpack", "bit.shl": "write bit.lshift", "bit.shr": "write bit.rshift",
	"bit.sar": "write bit.arshift", "bit.rol32": "write bit.rol", "struct.calcsize": "write struct.size", "math.round": "write math.floor(x + 0.5)",
	"math.trunc": "write math.modf", "math.log2": "write math.log(x) / math.log(2)", "math.sign": "compare with 0", "table.contains": "write a loop",
	"table.keys": "write a loop over pairs", "table.len": "write #t", "table.size": "write #t", "table.indexof": "write a loop", "table.slice": "use unpack(t, i, j)",
	"string.startswith": "compare string.sub(s, 1, n)", "string.endswith": "compare string.sub(s, -n)", "string.contains": "use string.find(s, x, 1, true)",
	"string.replace": "use string.gsub", "string.join": "use table.concat", "string.length": "write #s", "string.substring": "write string.sub",
	"string.trim": "write string.match(s, '^%s*(.-)%s*$')", "string.split": "write a loop over string.gmatch", "cjson.null": "",
	"redis.acall": "write redis.call", "redis.apcall": "write redis.pcall", "server.call": "write redis.call", "server.pcall": "write redis.pcall",
}

// absentName is a name that some server lacks, where it is used.
type absentName struct {
	name     string // "os.time", "print"
	lib      string // "os"; "" for a global
	at       syntax.Span
	presence server.Presence
	ctx      server.Context
	called   bool
	caught   bool
}

func checkUnavailable(p *Pass) {
	if !loads(p) {
		return
	}
	fields := missingFields(p)
	for i := range fields {
		reportMissing(p, &fields[i].absentName)
	}
	if len(p.oddGlobals()) == 0 {
		return
	}
	for _, g := range p.Facts.Globals {
		name := g.Node.Text
		presence := p.Target.Global(name, g.Ctx)
		if g.Write || !lackedSomewhere(name, presence) || foreignGlobals[name] == "" && (presence.Nowhere || g.Ctx == server.AtLoad) {
			continue // global-variable, or function-library: not at load time
		}
		m := absentName{name: name, at: g.Node.Span, presence: presence, ctx: g.Ctx, called: true, caught: caught(p.Facts, g.Node.Span, value.FailGlobal)}
		if x := fieldOf(p, g.Node); x != nil {
			if slices.ContainsFunc(fields, func(m missingField) bool { return m.node == x }) {
				continue
			}
			m.at = x.Span
			if key, ok := x.Key.(*syntax.String); ok {
				m.name, m.lib = name+"."+key.Value, name
			}
		}
		reportMissing(p, &m)
	}
}

// missingField is a missing field with its expression.
type missingField struct {
	absentName
	node *syntax.Index
}

// fieldAsked is a field that every server has.
type fieldAsked struct {
	lib, name string
	ctx       server.Context
}

// missingFields are the fields of host tables that are read, are not there, and are not only tested.
func missingFields(p *Pass) []missingField {
	var out []missingField
	var tested, called map[string]bool
	var last fieldAsked
	for _, a := range p.Facts.Accesses {
		if a.X.Lib() == "" || a.X.Lib() == "_G" || a.Write {
			continue
		}
		lib, name := a.X.Lib(), constKey(a)
		ctx := contextOf(p, a.Func)
		if name == "" || ctx == server.AtLoad {
			continue
		}
		written := lib
		if n, ok := a.Node.X.(*syntax.Name); ok && n.Text == "server" && p.Facts.Scope.Ref(n) == nil {
			written = "server"
		}
		asked := fieldAsked{written, name, ctx}
		if asked == last {
			continue // scripts ask for redis.call again and again
		}
		presence := p.Target.Field(written, name, ctx)
		if presence.Everywhere {
			last = asked
			continue
		}
		if tested == nil {
			tested, called = testedFields(p), calledNames(p)
		}
		if full := lib + "." + name; !tested[full] {
			out = append(out, missingField{absentName{name: written + "." + name, lib: written, at: a.Node.Span, presence: presence, ctx: ctx,
				called: called[full]}, a.Node})
		}
	}
	return out
}

// testedFields are the fields that some condition or comparison asks for: code that does so knows that they may be missing.
func testedFields(p *Pass) map[string]bool {
	conds := map[syntax.Expr]bool{}
	for _, c := range p.Facts.Conds {
		conds[bare(c.Node)] = true
	}
	tested := map[string]bool{}
	for _, a := range p.Facts.Accesses {
		if a.X.Lib() != "" && (conds[syntax.Expr(a.Node)] || isCompared(p, a.Node)) {
			tested[a.X.Lib()+"."+constKey(a)] = true
		}
	}
	return tested
}

// isCompared reports whether e is an operand of == or ~=, of and or or, or what type is asked about.
func isCompared(p *Pass, e syntax.Expr) bool {
	m := p.around(e)
	for x, ok := m.(*syntax.Paren); ok; x, ok = m.(*syntax.Paren) {
		m = p.around(x)
	}
	switch m := m.(type) {
	case *syntax.Binary:
		return m.Op == syntax.OpEq || m.Op == syntax.OpNotEq || m.Op == syntax.OpOr || m.Op == syntax.OpAnd
	case *syntax.Call:
		f, ok := m.Fn.(*syntax.Name)
		return ok && f.Text == "type" && len(m.Args) > 0 && bare(m.Args[0]) == e
	}
	return false
}

// calledNames are the host functions that are called, by full name.
func calledNames(p *Pass) map[string]bool {
	called := map[string]bool{}
	for _, l := range p.Facts.Libs {
		called[l.Name] = true
	}
	for _, c := range p.Facts.Calls {
		called["redis.call"] = called["redis.call"] || !c.PCall
		called["redis.pcall"] = called["redis.pcall"] || c.PCall
	}
	return called
}

func reportMissing(p *Pass, m *absentName) {
	what := "'" + m.name + "'"
	instead := insteadWords(m)
	switch {
	case m.presence.Nowhere:
		text := what + " does not exist" + whereWords(m)
		if later := server.LaterLua(m.lib, lastPart(m)); later != "" {
			text += ", it is " + later
		}
		p.Report(In(m.at, missingRank(m), text+consequence(m)+instead))
	case len(m.presence.Missing) > 0:
		p.Report(In(m.at, missingRank(m), what+" does not exist on "+buildWords(m.presence.Missing)+consequence(m)+instead))
	case m.presence.Removed != "":
		p.Report(In(m.at, Warning, what+" is "+m.presence.Removed+" of these versions: there it does not exist"+instead))
	case m.name == "print":
		p.Report(In(m.at, Warning, what+" writes to the server's own output, and is gone since Redis 7.0"+instead))
	}
}

// missingRank: reading a missing library or calling a missing function raises; a missing field that is only read is nil.
func missingRank(m *absentName) Severity {
	if m.called && !m.caught {
		return ErrorSeverity
	}
	return Warning
}

func consequence(m *absentName) string {
	switch {
	case !m.called:
		return ": it is nil there"
	case m.lib == "" || foreignGlobals[m.lib] != "" && m.presence.Nowhere && m.lib != "os":
		return ": reading it aborts the script"
	}
	return ": the script is aborted"
}

func whereWords(m *absentName) string {
	if m.ctx == server.InFunction && m.lib == "redis" {
		return " in functions"
	}
	return ""
}

func lastPart(m *absentName) string {
	if m.lib == "" {
		return m.name
	}
	return m.name[len(m.lib)+1:]
}

func insteadWords(m *absentName) string {
	words := insteadOfField[m.name]
	if words == "" && m.lib != "" {
		words = foreignGlobals[m.lib]
	}
	if words == "" && m.lib == "" {
		words = foreignGlobals[m.name]
	}
	if words == "" && m.lib != "" && m.presence.Nowhere {
		if near := server.Nearest(m.lib, lastPart(m)); near != "" && near != lastPart(m) {
			words = "did you mean '" + m.lib + "." + near + "'?"
		}
	}
	if words == "" {
		return ""
	}
	return "; " + words
}

// checkUnavailableCall reports calls that are there and refuse what they are given, or do nothing any more.
func checkUnavailableCall(p *Pass, l *value.LibCall) {
	switch {
	case l.Name == "load" && len(l.Args) > 0 && l.Args[0].Value.Only(value.String):
		p.Report(In(l.Args[0].At, libRank(l), "'load' takes a function in Lua 5.1 and refuses text; write loadstring, or better, plain code"))
	case l.Name == "table.setn":
		p.Report(In(l.Node.Fn.Bounds(), libRank(l), "'table.setn' is obsolete and always raises; assign nil to the elements behind the end"))
	case l.Name == "redis.replicate_commands" && l.Ctx == server.InScript && replicatesAlready(p.Target):
		p.Report(In(l.Node.Fn.Bounds(), Warning, "'redis.replicate_commands' does nothing since Redis 7.0 and is missing on some compatible servers; leave it out: effects are replicated since Redis 5"))
	case l.Method && len(l.Args) > 0 && l.Args[0].Value.Only(value.String|value.Falsy) && l.Args[0].Value.May(value.String) && l.Node.Method != nil:
		name := l.Node.Method.Text
		if l.Name != "string."+name || !p.Target.Field("string", name, l.Ctx).Nowhere {
			return
		}
		m := absentName{name: "string." + name, lib: "string", presence: server.Presence{Nowhere: true}, called: true}
		p.Report(In(l.Node.Method.Span, libRank(l), "'"+name+"' is no method of strings: the script is aborted"+insteadWords(&m)))
	}
}

func libRank(l *value.LibCall) Severity {
	if l.Protected {
		return Warning
	}
	return ErrorSeverity
}

// replicatesAlready: no server of the target needs redis.replicate_commands; from Redis 5 on effects are replicated anyway.
func replicatesAlready(t server.Target) bool { return len(t.NoWritesAfterRandom()) == 0 }
