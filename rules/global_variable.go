package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var globalVariable = &Rule{
	Name:     "global-variable",
	Title:    "a global variable that is made, or that does not exist",
	Severity: ErrorSeverity,
	Group:    "Load time: syntax, globals, sandbox",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `Scripts may not make global variables: the table of globals is read-only, and so are the tables of the libraries. Reading a name that
does not exist raises as well, also in ` + "`name == nil`, `name or x` and `type(name)`" + `; only ` + "`rawget(_G, 'name')`" + ` may ask.

Write ` + "`local`" + ` before the first assignment, and ` + "`local function`" + ` before functions. KEYS and ARGV cannot be replaced, though their elements can.`,
	Bad:     globalVariableBad,
	Good:    globalVariableGood,
	Program: checkGlobals,
	Access:  checkHostTable,
	Lib:     checkRawSet,
}

func checkGlobals(p *Pass) {
	if !loads(p) {
		return
	}
	var made, fixed map[string]bool
	for _, g := range p.Facts.Globals {
		if !g.Write || fixed[g.Node.Text] {
			continue
		}
		if made == nil {
			made = map[string]bool{}  // names that the script assigns: one finding at the assignment is enough
			fixed = map[string]bool{} // of those, the ones that the fix of a finding settles
		}
		made[g.Node.Text] = true
		for _, name := range reportWrite(p, g) {
			fixed[name] = true
		}
	}
	if len(p.oddGlobals()) == 0 {
		return
	}
	for _, g := range p.Facts.Globals {
		if !g.Write && !made[g.Node.Text] && !fixed[g.Node.Text] && missingGlobal(p, g) {
			p.Report(In(g.Node.Span, globalRank(p, g.Node.Span, value.FailGlobal), readWords(p, g)))
		}
	}
}

// missingGlobal reports whether a name exists on no server and is none that other hosts have.
func missingGlobal(p *Pass, g *value.Global) bool {
	name := g.Node.Text
	if foreignGlobals[name] != "" || name == "KEYS" || name == "ARGV" {
		return false
	}
	if g.Ctx == server.AtLoad && !p.Target.Global(name, server.InFunction).Nowhere {
		return false // function-library: not at load time
	}
	return p.Target.Global(name, g.Ctx).Nowhere
}

func globalRank(p *Pass, at syntax.Span, class value.FailClass) Severity {
	if caught(p.Facts, at, class) {
		return Warning
	}
	return ErrorSeverity
}

// reportWrite reports an assignment and returns the names that its fix settles.
func reportWrite(p *Pass, g *value.Global) []string {
	name := g.Node.Text
	f := In(g.Node.Span, globalRank(p, g.Node.Span, value.FailReadOnly), "")
	if name == "KEYS" || name == "ARGV" {
		f.Message = "'" + name + "' cannot be replaced: the table of globals is read-only and the script is aborted; assign to its elements, or write 'local " + name + "'"
		p.Report(f)
		return nil
	}
	f.Message = "'" + name + "' is no local variable: assigning a global aborts the script"
	near := server.NearestWord(name, localNames(p.Facts, g.Node.Start))
	stmt := firstAssignment(p, g.Node)
	switch {
	case near != "" && near != name && stmt == nil, near != "" && near != name && len(name) > 3:
		f.Message += "; did you mean the local '" + near + "'?"
	case stmt != nil:
		f.Message += "; write '" + declared(stmt, name) + "'"
		f.Fixes = []Fix{{Title: "declare '" + name + "' as a local", Edits: []Edit{{Span: syntax.Span{Start: stmt.Bounds().Start, End: stmt.Bounds().Start}, New: "local "}}}}
	default:
		f.Message += "; declare it with local before its first use"
	}
	p.Report(f)
	if len(f.Fixes) == 0 {
		return nil
	}
	return assigned(stmt, name)
}

func declared(stmt syntax.Stmt, name string) string {
	if _, ok := stmt.(*syntax.FuncStmt); ok {
		return "local function " + name
	}
	return "local " + name
}

// assigned are the names that a statement gives a value.
func assigned(stmt syntax.Stmt, name string) []string {
	names := []string{name}
	if s, ok := stmt.(*syntax.Assign); ok {
		for _, t := range s.Targets {
			if n, ok := t.(*syntax.Name); ok {
				names = append(names, n.Text)
			}
		}
	}
	return names
}

// firstAssignment is the statement that assigns the name first, where `local` before it covers every other use: the use is in the same
// block, behind it, and all that the statement assigns are such names. Else nil.
func firstAssignment(p *Pass, n *syntax.Name) syntax.Stmt {
	var found syntax.Stmt
	switch s := p.around(n).(type) {
	case *syntax.Assign:
		if slices.ContainsFunc(s.Targets, func(t syntax.Expr) bool { return t == syntax.Expr(n) }) {
			found = s
		}
	case *syntax.FuncStmt:
		found = s
	}
	block, ok := p.around(found).(*syntax.Block)
	if !ok {
		return nil
	}
	names := []*syntax.Name{n}
	if s, ok := found.(*syntax.Assign); ok {
		names = names[:0]
		for _, t := range s.Targets {
			name, ok := t.(*syntax.Name)
			if !ok || p.Facts.Scope.Ref(name) != nil {
				return nil
			}
			names = append(names, name)
		}
	}
	for _, name := range names {
		for i, use := range p.Facts.Scope.Globals[name.Text] {
			inside := block.Span.Contains(use.Span) || use.Start >= block.Start && block == p.Chunk.Body
			if i == 0 && use != name || !inside || use != name && readsItself(found, use) {
				return nil
			}
		}
	}
	return found
}

// readsItself: `x = x + 1` would read the x before the local one.
func readsItself(stmt syntax.Stmt, use *syntax.Name) bool {
	_, assign := stmt.(*syntax.Assign)
	return assign && stmt.Bounds().Contains(use.Span)
}

// readWords says what a name that does not exist may be meant for.
func readWords(p *Pass, g *value.Global) string {
	name := g.Node.Text
	text := "'" + name + "' does not exist: reading an undefined global aborts the script"
	locals := localNames(p.Facts, g.Node.Start)
	if at := slices.IndexFunc(p.Facts.Scope.Locals, localNamed(name)); at >= 0 {
		decl := p.Facts.Scope.Locals[at].Name
		line := 1 + strings.Count(p.Source.Text[:decl.Start], "\n")
		return text + "; the local of that name in line " + strconv.Itoa(line) + " is not visible here, declare it before"
	}
	if near := server.NearestWord(name, locals); near != "" {
		return text + "; did you mean the local '" + near + "'?"
	}
	if near := nearHost(p, g); near != "" {
		return text + "; did you mean '" + near + "'?"
	}
	return text + "; pass the value in ARGV or declare it with local"
}

// nearHost is the nearest name that the server has.
func nearHost(p *Pass, g *value.Global) string {
	name := g.Node.Text
	for _, list := range []string{"KEYS", "ARGV"} {
		if p.Facts.Library == nil && (strings.EqualFold(name, list) || server.NearestWord(name, []string{list}) != "") {
			return list
		}
	}
	near := server.Nearest("", name)
	if near == "" || p.Target.Global(near, g.Ctx).Nowhere {
		return ""
	}
	return near
}

// checkHostTable reports assignments to fields of the server's tables, and reads of undefined names through _G.
func checkHostTable(p *Pass, a *value.Access) {
	lib := a.X.Lib()
	if lib == "" || !loads(p) {
		return
	}
	ctx := contextOf(p, a.Func)
	switch name := constKey(a); {
	case a.Write && lib == "_G":
		p.Report(In(a.Node.Span, globalRank(p, a.Node.Span, value.FailReadOnly), "assigning a global through '_G' aborts the script: the table is read-only; use a local"))
	case a.Write:
		if builds := readOnlyLibraries(p.Target); len(builds) > 0 {
			p.Report(In(a.Node.Span, globalRank(p, a.Node.Span, value.FailReadOnly), codeText(p.Program, a.Node.Span, "this")+" cannot be assigned: the table '"+lib+
				"' is read-only since Redis 6.2.7 and the script is aborted; use a local"))
		}
	case lib == "_G" && name != "" && ctx != server.AtLoad && p.Target.Global(name, ctx).Nowhere:
		p.Report(In(a.Node.Span, ErrorSeverity, "'"+name+"' does not exist: reading it through _G aborts the script as well; ask with rawget(_G, '"+name+"')"))
	}
}

// readOnlyLibraries are the builds on which the tables of the libraries cannot be changed: Redis from 6.2.7 on, every Valkey.
func readOnlyLibraries(t server.Target) []server.Build {
	var out []server.Build
	for _, b := range t.Builds {
		if b.Product == server.Valkey || !b.Version.Less(server.Version{Major: 6, Minor: 2, Patch: 7}) {
			out = append(out, b)
		}
	}
	return out
}

// checkRawSet reports rawset and setmetatable on the server's tables.
func checkRawSet(p *Pass, l *value.LibCall) {
	if l.Name != "rawset" && l.Name != "setmetatable" || len(l.Args) == 0 || l.Args[0].Value.Lib() == "" || len(readOnlyLibraries(p.Target)) == 0 {
		return
	}
	rank := ErrorSeverity
	if l.Protected {
		rank = Warning
	}
	p.Report(In(l.Node.Span, rank, "'"+l.Name+"' cannot change '"+l.Args[0].Value.Lib()+"': the table is read-only since Redis 6.2.7 and the script is aborted; use a table of your own"))
}
