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

var functionLibrary = &Rule{
	Name:     "function-library",
	Title:    "a FUNCTION library that the server refuses, or a call that does not fit it",
	Severity: ErrorSeverity,
	Group:    "Load time: syntax, globals, sandbox",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `A library begins with ` + "`#!lua name=NAME`" + ` and registers its functions with redis.register_function, either (name, function) or one table with
function_name, callback, flags and description. While it is loaded nearly nothing exists: no redis.call, no string, table or ipairs, no KEYS and
ARGV; those are for the functions' bodies, which get keys and arguments as their two parameters. Flags are a list of words.

FCALL_RO wants a function that is registered with no-writes.`,
	Bad:     functionLibraryBad,
	Good:    functionLibraryGood,
	Program: checkLibrary,
	Access:  checkLoadTable,
	Global:  checkLibraryGlobal,
	Site:    checkForeignFunction,
	Package: checkFunctionCalls,
	Joins:   func(p *luacheck.Program) bool { return p.Facts.Library != nil },
}

func checkLibrary(p *Pass) {
	if !p.Known || !isLibraryText(p.Program) {
		return
	}
	libraryHeader(p)
	lib := p.Facts.Library
	if lib == nil {
		return
	}
	first := map[string]*value.Registered{}
	for i := range lib.Functions {
		r := &lib.Functions[i]
		registerForm(p, r)
		registeredName(p, first, r)
		registeredFlags(p, r)
		callbackParams(p, r)
		if name := strings.ToLower(r.Name); first[name] == nil {
			first[name] = r
		}
	}
	if len(lib.Functions) == 0 && p.Complete && !strings.Contains(p.Source.Text, "register_function") {
		p.Report(In(p.Chunk.Header.Span, ErrorSeverity, "'"+lib.Name+"' registers no function: FUNCTION LOAD refuses it; call redis.register_function"))
	}
}

// libraryHeader checks the first line of a library.
func libraryHeader(p *Pass) {
	h := p.Chunk.Header
	switch {
	case h == nil:
		at := syntax.SpanOf(0, min(len(p.Source.Text), max(strings.IndexByte(p.Source.Text, '\n'), 1)))
		if _, stray := strayHeader(p.Source.Text); !stray {
			p.Report(In(at, ErrorSeverity, "the library has no '#!lua name=NAME' line: FUNCTION LOAD refuses it; write it as the first line"))
		}
		return
	case h.Engine != "" && !strings.EqualFold(h.Engine, "lua"):
		p.Report(In(h.At, ErrorSeverity, "'"+h.Engine+"' is no engine of the server: FUNCTION LOAD refuses the library; write #!lua name=NAME"))
		return
	case !h.Terminated:
		p.Report(In(h.Span, ErrorSeverity, "the first line is not ended by a line feed: FUNCTION LOAD refuses the library; put the code on the next line"))
		return
	}
	libraryOptions(p, h)
	if old := p.Target.NoShebang(); len(old) > 0 {
		p.Report(In(h.Span, ErrorSeverity, "'FUNCTION' does not exist on "+buildWords(old)+": it came with Redis 7.0; use EVAL or raise the target"))
	} else if p.Target.Profile == server.Dragonfly {
		p.Report(In(h.Span, ErrorSeverity, "'FUNCTION LOAD' does not exist on Dragonfly; use EVAL"))
	}
}

func libraryOptions(p *Pass, h *syntax.Header) {
	names := 0
	for _, o := range h.Options {
		switch {
		case o.Name == "name" && o.HasEq:
			names++
			if names > 1 {
				p.Report(In(o.Span, ErrorSeverity, "'name' is given twice: FUNCTION LOAD refuses the library; remove one"))
			} else if !wordName(o.Value) {
				p.Report(In(o.Span, ErrorSeverity, "'"+o.Value+"' is no name of a library: FUNCTION LOAD takes letters, digits and underscores only"))
			}
		case o.Name == "flags":
			p.Report(In(o.Span, ErrorSeverity, "'flags' is refused in the first line of a library; give flags = {...} to redis.register_function"))
		default:
			p.Report(In(o.Span, ErrorSeverity, "'"+codeOf(p.Source.Text, o.Span)+"' is no option of a library: FUNCTION LOAD refuses it; only name= is known, without blanks around ="))
		}
	}
	if names == 0 && len(h.Options) == 0 {
		p.Report(In(h.Span, ErrorSeverity, "the library has no name: FUNCTION LOAD refuses it; write #!lua name=NAME"))
	}
}

// wordName reports whether a name of a library or function is one that the server takes.
func wordName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
	}) < 0
}

// registerForm reports how a call of register_function is not of a form that the server takes.
func registerForm(p *Pass, r *value.Registered) {
	at := r.Node.Span
	if r.FormAt.Len() > 0 {
		at = r.FormAt
	}
	const refused = ": FUNCTION LOAD refuses the library; "
	key, unknown := strings.CutPrefix(r.Form, "unknown key ")
	words := ""
	switch {
	case unknown && key == "name":
		words = "'name' is no argument of redis.register_function" + refused + "write function_name"
	case unknown:
		words = "'" + key + "' is no argument of redis.register_function" + refused + "it knows function_name, callback, flags and description"
	case r.Form == "method":
		words = "'redis:register_function' passes the table itself as the first argument" + refused + "write redis.register_function"
	case r.Form == "arguments":
		words = "'redis.register_function' takes a name and a function, or one table" + refused + "give flags in the form with one table"
	case r.Form == "positional":
		words = "'redis.register_function' takes no unnamed elements in its table" + refused + "write function_name = and callback ="
	case r.Form == "callback":
		words = "'redis.register_function' is given a callback that is no function" + refused + "pass the function itself"
	case r.Form == "no callback":
		words = "'redis.register_function' is given no callback" + refused + "write callback = and the function"
	case r.Form == "no name" && r.NameAt.Len() > 0:
		at = r.NameAt
		words = codeText(p.Program, at, "this") + " is no name of a function" + refused + "write a text of letters, digits and underscores"
	case r.Form == "no name":
		words = "'redis.register_function' is given no function_name" + refused + "write function_name = 'NAME'"
	case r.Form == "flags":
		at = r.FlagsAt
		words = "'flags' is no table" + refused + "write flags = {'no-writes'}"
	case r.Form == "flags map":
		p.Report(In(r.FlagsAt, Warning, "'flags' is no list, so the server ignores what is in it; write flags = {'no-writes'}"))
		return
	default:
		return
	}
	p.Report(In(at, ErrorSeverity, words))
}

// registeredName checks a function's name against the rules for names and the names before it: first holds the first function of each name in
// lower case.
func registeredName(p *Pass, first map[string]*value.Registered, r *value.Registered) {
	if r.Name == "" || r.Form != "" && r.Form != "flags map" {
		return
	}
	if !wordName(r.Name) {
		p.Report(In(r.NameAt, ErrorSeverity, "'"+r.Name+"' is no name of a function: FUNCTION LOAD takes letters, digits and underscores only"))
	}
	before := first[strings.ToLower(r.Name)]
	if before == nil {
		return
	}
	f := In(r.NameAt, ErrorSeverity, "'"+r.Name+"' is registered twice: FUNCTION LOAD refuses the library; give it another name")
	f.Related = []Related{{Span: before.NameAt, Site: -1, Message: "registered here before"}}
	if before.Name != r.Name {
		f.Severity = Warning
		f.Message = "'" + r.Name + "' and '" + before.Name + "' differ in case only: FCALL knows no case and always runs '" + before.Name + "'; give it another name"
	}
	p.Report(f)
}

func registeredFlags(p *Pass, r *value.Registered) {
	for _, flag := range r.Flags {
		if slices.Contains(scriptFlags, flag) {
			continue
		}
		words := "'" + flag + "' is no flag of a function: FUNCTION LOAD refuses the library; known are " + joinWords(scriptFlags, "and")
		if near := server.NearestWord(flag, scriptFlags); near != "" {
			words = "'" + flag + "' is no flag of a function: FUNCTION LOAD refuses the library; did you mean '" + near + "'?"
		}
		p.Report(In(r.FlagsAt, ErrorSeverity, words))
	}
}

func callbackParams(p *Pass, r *value.Registered) {
	if r.Callback != nil && len(r.Callback.Params) > 2 {
		n := r.Callback.Params[2]
		p.Report(In(n.Span, Warning, "'"+n.Text+"' is always nil: a callback is given keys and arguments, two tables"))
	}
}

// checkLibraryGlobal reports names that exist in function bodies and not while the library is loaded, and KEYS and ARGV in bodies.
func checkLibraryGlobal(p *Pass, g *value.Global) {
	if g.Write || p.Facts.Library == nil || !loads(p) {
		return
	}
	name := g.Node.Text
	lists := name == "KEYS" || name == "ARGV"
	switch {
	case lists && g.Ctx == server.InFunction:
		p.Report(In(g.Node.Span, ErrorSeverity, "'"+name+"' does not exist in functions: reading it aborts the call; "+paramWords(p, g, name)))
	case g.Ctx == server.AtLoad && (lists || p.Target.Global(name, server.AtLoad).Nowhere && !p.Target.Global(name, server.InFunction).Nowhere):
		at, what := g.Node.Span, name
		if x := fieldOf(p, g.Node); x != nil {
			at, what = x.Span, codeOf(p.Source.Text, x.Span)
		}
		p.Report(In(at, ErrorSeverity, "'"+what+"' does not exist while a library is loaded: FUNCTION LOAD fails; use it inside a function"))
	}
}

// paramWords says where a function finds its keys or arguments.
func paramWords(p *Pass, g *value.Global, list string) string {
	i, usual := 0, "keys"
	if list == "ARGV" {
		i, usual = 1, "args"
	}
	for _, r := range p.Facts.Library.Functions {
		if r.Callback != nil && r.Callback.Span.Contains(g.Node.Span) && len(r.Callback.Params) > i {
			return "write " + r.Callback.Params[i].Text + ", the callback's parameter"
		}
	}
	return fmt.Sprintf("take it from the callback's parameters: function(keys, args), and write %s", usual)
}

// checkLoadTable reports members of redis that do not exist while the library is loaded, also through a local that keeps that table.
func checkLoadTable(p *Pass, a *value.Access) {
	if p.Facts.Library == nil || a.X.Lib() != "redis" || a.Write {
		return
	}
	name := constKey(a)
	if name == "" || !p.Target.Field("redis", name, server.AtLoad).Nowhere {
		return
	}
	head, ok := a.Node.X.(*syntax.Name)
	if !ok || p.Target.Field("redis", name, server.InFunction).Nowhere {
		return
	}
	local := p.Facts.Scope.Ref(head)
	switch {
	case a.Func == nil && (local == nil || local.Func == nil):
		p.Report(In(a.Node.Span, ErrorSeverity, "'"+codeOf(p.Source.Text, a.Node.Span)+"' does not exist while a library is loaded: FUNCTION LOAD fails; use it inside a function"))
	case a.Func != nil && local != nil && local.Func == nil:
		p.Report(In(a.Node.Span, ErrorSeverity, "'"+head.Text+"' is the redis table of load time, which has no '"+name+"': the call is aborted; write redis."+name+" inside the function"))
	}
}

// checkFunctionCalls joins the calls of functions with the libraries of the package.
func checkFunctionCalls(p *PackagePass) {
	funcs := map[string]*value.Registered{}
	var names []string
	complete := false
	for i, prog := range p.Programs {
		if prog.Facts.Library == nil {
			continue
		}
		complete = complete || i >= 0
		for j := range prog.Facts.Library.Functions {
			r := &prog.Facts.Library.Functions[j]
			if r.Name == "" || !prog.Complete {
				return // not all names are known
			}
			if funcs[strings.ToLower(r.Name)] == nil {
				funcs[strings.ToLower(r.Name)] = r
				names = append(names, r.Name)
			}
		}
	}
	if !complete {
		return
	}
	for i, prog := range p.Programs {
		if prog.Interface.IsLibrary && !prog.Known {
			continue // of another package, which knows what it registers
		}
		for j := range prog.Sites {
			functionCall(p, i, j, &prog.Sites[j], funcs, names)
		}
	}
}

// checkForeignFunction looks at a call of a function that the library of another package registers.
func checkForeignFunction(p *Pass, i int, s *luacheck.Site) {
	if s.Mode == luacheck.ModeFunctionRO && !p.Known && p.Interface.IsLibrary && !slices.Contains(p.Interface.NoWrites, s.Function) {
		p.Report(At(i, PartName, 0, ErrorSeverity, writesWords(s.Function)))
	}
}

func writesWords(name string) string {
	return "'" + name + "' is not registered with no-writes: FCALL_RO refuses it; add flags = {'no-writes'} or call FCALL"
}

func functionCall(p *PackagePass, program, site int, s *luacheck.Site, funcs map[string]*value.Registered, names []string) {
	if s.Mode != luacheck.ModeFunction && s.Mode != luacheck.ModeFunctionRO || s.Function == "" {
		return
	}
	r := funcs[strings.ToLower(s.Function)]
	switch {
	case r == nil && len(names) > 0:
		words := "'" + s.Function + "' is registered by no library of this package: FCALL answers 'Function not found'"
		if near := server.NearestWord(s.Function, names); near != "" {
			words += "; did you mean '" + near + "'?"
		} else {
			words += " unless another one is loaded"
		}
		p.Report(program, At(site, PartName, 0, Warning, words))
	case r != nil && s.Mode == luacheck.ModeFunctionRO && (r.FlagsOK || r.Form == "flags map") && !slices.Contains(r.Flags, "no-writes"):
		p.Report(program, At(site, PartName, 0, ErrorSeverity, writesWords(r.Name)))
	}
}
