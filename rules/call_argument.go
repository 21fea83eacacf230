package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck"
)

var callArgument = &Rule{
	Name:     "call-argument",
	Title:    "a Go value that the client refuses or sends as something else",
	Severity: ErrorSeverity,
	Group:    "The Go side",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `Clients turn the arguments of a call into text, each in its own way. go-redis refuses what it has no text for (slices beside other
arguments, maps, structs, defined types without MarshalBinary): the call fails before anything is sent. redigo prints everything with
fmt.Print, so a slice becomes the one argument ` + "`[a b]`" + `. A time.Duration is sent by go-redis as its nanoseconds and by redigo as ` + "`5s`" + `, and nil is
sent as an empty string, which is true in Lua.

Convert the value to what the script expects: string(id), d.Milliseconds(), values spread with ` + "`...`" + `.`,
	Bad: []Example{
		goArgument("go-redis", []luacheck.ArgKind{{Type: luacheck.TypeInt, GoType: "int"}, {Type: luacheck.TypeSlice, GoType: "[]string"}}, 1, ErrorSeverity,
			`a []string beside other arguments is refused by go-redis ("can't marshal"); spread it into the list of arguments`),
		goArgument("go-redis", []luacheck.ArgKind{{Type: luacheck.TypeSlice, GoType: "[]int", Alone: true}}, 0, ErrorSeverity,
			`a []int is refused by go-redis ("can't marshal"); only []string and []any alone are spread`),
		goArgument("go-redis", []luacheck.ArgKind{{Type: luacheck.TypeNamed, GoType: "userID"}}, 0, ErrorSeverity,
			`the defined type userID without MarshalBinary is refused by go-redis ("can't marshal"); convert it to its basic type`),
		goArgument("go-redis", []luacheck.ArgKind{{Type: luacheck.TypeStruct, GoType: "struct{Level int}", Alone: true}}, 0, Warning,
			`a struct alone is spread by go-redis into its fields with a redis tag, and without such tags into no argument at all; pass the values`),
		goArgument("go-redis", []luacheck.ArgKind{{Type: luacheck.TypeString, GoType: "string"}, {Type: luacheck.TypeDuration, GoType: "time.Duration"}}, 1, Warning,
			`a time.Duration is sent by go-redis as its number of nanoseconds; pass .Milliseconds() or seconds`),
		goArgument("redigo", []luacheck.ArgKind{{Type: luacheck.TypeSlice, GoType: "[]string", Alone: true}}, 0, Warning,
			`a []string is sent by redigo as the one text that fmt.Print gives; spread it into the list of arguments`),
		goArgument("redigo", []luacheck.ArgKind{{Type: luacheck.TypeDuration, GoType: "time.Duration"}}, 0, Warning,
			`a time.Duration is sent by redigo as text such as "5s"; pass .Milliseconds() or seconds`),
		goArgument("go-redis", []luacheck.ArgKind{{Type: luacheck.TypeNil, GoType: "untyped nil"}}, 0, Warning,
			`nil is sent by go-redis as an empty string, which is true in Lua; leave it out or pass a value that the script tests for`),
	},
	Good: []Example{
		{Lua: "return #ARGV", Sites: goSite("go-redis", luacheck.ArgKind{Type: luacheck.TypeSlice, GoType: "[]string", Alone: true})},
		{Lua: "return #ARGV", Sites: goSite("go-redis", luacheck.ArgKind{Type: luacheck.TypeMap, GoType: "map[string]any", Alone: true})},
		{Lua: "return #ARGV", Sites: goSite("redigo", luacheck.ArgKind{Type: luacheck.TypeNamed, GoType: "userID"}, luacheck.ArgKind{Type: luacheck.TypeBool, GoType: "bool"})},
		{Lua: "return #ARGV", Sites: goSite("rueidis", luacheck.ArgKind{Type: luacheck.TypeString, GoType: "string"})},
	},
	Site: checkCallArgument,
}

// goSite is a call in Go with arguments of these kinds.
func goSite(library string, kinds ...luacheck.ArgKind) []luacheck.Site {
	s := luacheck.Site{Mode: luacheck.ModeEval, Library: library, Callee: "Run", Keys: luacheck.List{Exact: true}, Fallback: true}
	s.Args.Exact = true
	for _, k := range kinds {
		s.Args.Items = append(s.Args.Items, luacheck.Element{Kind: k})
	}
	return []luacheck.Site{s}
}

func goArgument(library string, kinds []luacheck.ArgKind, index int, sev Severity, say string) Example {
	e := Example{Lua: "return #ARGV", Sites: goSite(library, kinds...), AtSite: true, Part: PartArg, Index: index, Severity: &sev, Say: say}
	if sev == ErrorSeverity {
		e.NotRun = "the client refuses the call before a server sees it"
		e.Recorded = []Recorded{{library, "redis: can't marshal " + kinds[index].GoType + " (implement encoding.BinaryMarshaler)", "a call with go-redis 9.23.0"}}
	}
	return e
}

func checkCallArgument(p *Pass, i int, s *luacheck.Site) {
	if !s.Mode.Runs() {
		return
	}
	for n := range s.Args.Items {
		k := &s.Args.Items[n].Kind
		sev, msg := Note, ""
		switch s.Library {
		case "go-redis", "go-zero":
			sev, msg = goRedisArgument(k, s.Library)
		case "redigo":
			sev, msg = printedArgument(k, s.Library)
		}
		if msg != "" {
			p.Report(At(i, PartArg, n, sev, msg))
		}
	}
}

// goRedisArgument: go-redis spreads one []string, []any or map alone, and refuses what it has no text for.
func goRedisArgument(k *luacheck.ArgKind, client string) (Severity, string) {
	const refused = ` is refused by %s ("can't marshal"); `
	name := withArticle(k.GoType)
	say := func(format string) string { return name + fmt.Sprintf(format, client) }
	switch k.Type {
	case luacheck.TypeSlice:
		if k.Alone && spreads(k.GoType, "[]string", "[]any", "[]interface{}") {
			return Note, ""
		}
		if !k.Alone && spreads(k.GoType, "[]string", "[]any", "[]interface{}") {
			return ErrorSeverity, name + " beside other arguments" + fmt.Sprintf(refused+"spread it into the list of arguments", client)
		}
		return ErrorSeverity, say(refused + "only []string and []any alone are spread")
	case luacheck.TypeMap:
		if k.Alone && spreads(k.GoType, "map[string]string", "map[string]any", "map[string]interface{}") {
			return Note, ""
		}
		return ErrorSeverity, say(refused + "only map[string]any and map[string]string alone are spread")
	case luacheck.TypeStruct:
		if k.Alone {
			return Warning, fmt.Sprintf("a struct alone is spread by %s into its fields with a redis tag, and without such tags into no argument at all; pass the values", client)
		}
		return ErrorSeverity, "a struct" + fmt.Sprintf(refused+"pass its fields, or give it a MarshalBinary", client)
	case luacheck.TypeNamed:
		return ErrorSeverity, fmt.Sprintf("the defined type %s without MarshalBinary"+refused+"convert it to its basic type", k.GoType, client)
	case luacheck.TypeOther:
		return ErrorSeverity, say(refused + "pass a string or a number")
	case luacheck.TypeDuration:
		return Warning, fmt.Sprintf("a time.Duration is sent by %s as its number of nanoseconds; pass .Milliseconds() or seconds", client)
	case luacheck.TypeNil:
		return Warning, fmt.Sprintf("nil is sent by %s as an empty string, which is true in Lua; leave it out or pass a value that the script tests for", client)
	case luacheck.TypeTime:
		return Note, fmt.Sprintf("a time.Time is sent by %s as RFC 3339 text; pass .UnixMilli() where the script computes with it", client)
	}
	return Note, ""
}

// printedArgument: redigo prints everything that is no string, number or boolean.
func printedArgument(k *luacheck.ArgKind, client string) (Severity, string) {
	switch k.Type {
	case luacheck.TypeSlice, luacheck.TypeMap, luacheck.TypeStruct, luacheck.TypeOther:
		name, way := withArticle(k.GoType), "spread it into the list of arguments"
		if k.Type == luacheck.TypeStruct {
			name, way = "a struct", "pass its fields"
		}
		if k.Type == luacheck.TypeOther {
			way = "pass a string or a number"
		}
		return Warning, fmt.Sprintf("%s is sent by %s as the one text that fmt.Print gives; %s", name, client, way)
	case luacheck.TypeDuration:
		return Warning, fmt.Sprintf("a time.Duration is sent by %s as text such as \"5s\"; pass .Milliseconds() or seconds", client)
	case luacheck.TypeTime:
		return Warning, fmt.Sprintf("a time.Time is sent by %s as the text that fmt.Print gives; pass .UnixMilli() or a formatted text", client)
	case luacheck.TypeNil:
		return Warning, fmt.Sprintf("nil is sent by %s as an empty string, which is true in Lua; leave it out or pass a value that the script tests for", client)
	}
	return Note, ""
}

// spreads compares Go types as they are written, blanks aside.
func spreads(goType string, list ...string) bool {
	goType = strings.ReplaceAll(goType, " ", "")
	for _, t := range list {
		if goType == t {
			return true
		}
	}
	return false
}

// withArticle is "a []string", "an int".
func withArticle(goType string) string {
	if goType == "" {
		return "a value"
	}
	if strings.ContainsRune("aeio", rune(goType[0])) {
		return "an " + goType
	}
	return "a " + goType
}
