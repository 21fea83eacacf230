package rules

import (
	"math"
	"strconv"
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
	Doc: `Clients turn the arguments of a call into text, each in its own way (seen with go-redis 9.23.0 and redigo 1.9.3):

| Go value | go-redis | redigo |
|---|---|---|
| []string or []any, alone | spread into arguments | one text ` + "`[a b]`" + ` |
| []string beside others, any other slice | refused | one text |
| map[string]string or map[string]any, alone | spread into keys and values | one text |
| a struct, alone | spread into the fields with a redis tag; none: no argument at all | one text ` + "`{1}`" + ` |
| a struct beside others, other maps, functions | refused | one text |
| a defined type without MarshalBinary | refused | its text |
| time.Duration | a number of nanoseconds | text such as ` + "`5s`" + ` |
| time.Time | RFC 3339 text | the text of fmt.Print |
| nil | an empty string, which is true in Lua; alone: no argument | an empty string |
| bool | 1 or 0 | 1 or 0 |

What go-redis refuses ("redis: can't marshal ...") fails before anything is sent. A duration or a time is reported where the script uses it
as what it is not, and a float where the command takes integers.

Convert the value to what the script expects: string(id), d.Milliseconds(), t.UnixMilli(), elements spread with ` + "`...`" + `.`,
	Bad:  callArgumentBad,
	Good: callArgumentGood,
	Site: checkCallArgument,
}

// goValue is what a client does with one kind of Go value. In the texts $ is the value's type, and % the client.
type goValue struct {
	typ luacheck.ArgType
	// when narrows the row down; nil for every value of the type.
	when     func(*luacheck.ArgKind) bool
	severity Severity
	does     string
	instead  string
	// only asks the script: it says how the script uses the argument so that it is wrong, "" where it is right.
	only func(*argument) string
}

const refuses = "'$' is refused by % (\"can't marshal\"): the call fails before anything is sent"

// goValues are the rows of each client; the first that fits says it all. Values without a row are sent as they look.
var goValues = map[string][]goValue{
	"go-redis": goRedisValues,
	"go-zero":  goRedisValues, // hands them on to go-redis
	"redigo":   redigoValues,
}

var goRedisValues = []goValue{
	{luacheck.TypeSlice, spreadable, ErrorSeverity, "'$' beside other arguments is refused by % (\"can't marshal\"): the call fails before anything is sent",
		"append its elements to one []any and spread that", nil},
	{luacheck.TypeSlice, nil, ErrorSeverity, refuses, "make a []any of its elements and spread that", nil},
	{luacheck.TypeMap, nil, ErrorSeverity, refuses, "pass keys and values one by one", nil},
	{luacheck.TypeStruct, aloneTagged, Note, "", "", nil},
	{luacheck.TypeStruct, alone, Warning, "'$' alone is spread by % into its fields with a redis tag, and it has none: no argument is sent at all",
		"pass the values", nil},
	{luacheck.TypeStruct, nil, ErrorSeverity, refuses, "pass its fields, or give it a MarshalBinary", nil},
	{luacheck.TypeNamed, nil, ErrorSeverity, "'$' is a defined type without MarshalBinary, which % refuses (\"can't marshal\"): the call fails before anything is sent",
		"convert it to its basic type", nil},
	{luacheck.TypeOther, nil, ErrorSeverity, refuses, "pass a string or a number", nil},
	{luacheck.TypeNil, alone, Warning, "nil alone is left out by %: no argument is sent at all", "leave it out, or pass a value that the script tests for", nil},
	{luacheck.TypeNil, nil, Warning, "nil is sent by % as an empty string, which is true in Lua", "pass a value that the script tests for", nil},
	{luacheck.TypeDuration, nil, Warning, "'$' is sent by % as its number of nanoseconds", "pass .Milliseconds() or seconds, as the script counts", usedInOtherUnit},
	{luacheck.TypeTime, nil, Warning, "'$' is sent by % as RFC 3339 text", "pass .UnixMilli() or .Unix(), as the script counts", takenForNumber},
	{luacheck.TypeBool, nil, Warning, "'$' is sent by % as 1 or 0", "compare with '1'", comparedWithWord},
	{luacheck.TypeFloat, fractional, Warning, "'$' is sent by % with its fraction", "round it before the call", usedAsInteger},
}

var redigoValues = []goValue{
	{luacheck.TypeSlice, prints, Note, "", "", nil},
	{luacheck.TypeStruct, prints, Note, "", "", nil},
	{luacheck.TypeOther, prints, Note, "", "", nil},
	{luacheck.TypeSlice, nil, Warning, "'$' is sent by % as one text, [a b]", "spread it with redis.Args{}.AddFlat", nil},
	{luacheck.TypeMap, nil, Warning, "'$' is sent by % as one text, map[a:1]", "spread it with redis.Args{}.AddFlat", nil},
	{luacheck.TypeStruct, nil, Warning, "'$' is sent by % as one text, {1}", "pass its fields, or spread them with redis.Args{}.AddFlat", nil},
	{luacheck.TypeOther, nil, Warning, "'$' is sent by % as the text that fmt.Print gives", "pass a string or a number", nil},
	{luacheck.TypeNil, nil, Warning, "nil is sent by % as an empty string, which is true in Lua", "pass a value that the script tests for", nil},
	{luacheck.TypeDuration, nil, Warning, "'$' is sent by % as text such as \"5s\"", "pass .Milliseconds() or seconds, as the script counts", nil},
	{luacheck.TypeTime, nil, Warning, "'$' is sent by % as the text that fmt.Print gives", "pass .UnixMilli(), or a text that you format", nil},
	{luacheck.TypeString, address, Warning, "'$' is sent by % as an address in memory", "pass what it points to", nil},
	{luacheck.TypeInt, address, Warning, "'$' is sent by % as an address in memory", "pass what it points to", nil},
	{luacheck.TypeFloat, address, Warning, "'$' is sent by % as an address in memory", "pass what it points to", nil},
	{luacheck.TypeBool, address, Warning, "'$' is sent by % as an address in memory", "pass what it points to", nil},
	{luacheck.TypeBool, nil, Warning, "'$' is sent by % as 1 or 0", "compare with '1'", comparedWithWord},
	{luacheck.TypeFloat, fractional, Warning, "'$' is sent by % with its fraction", "round it before the call", usedAsInteger},
}

func alone(k *luacheck.ArgKind) bool       { return k.Alone }
func aloneTagged(k *luacheck.ArgKind) bool { return k.Alone && k.Tagged }
func prints(k *luacheck.ArgKind) bool      { return k.Prints }
func address(k *luacheck.ArgKind) bool     { return k.Pointer && !k.Prints }

// spreadable: go-redis would spread it if it stood alone.
func spreadable(k *luacheck.ArgKind) bool {
	switch strings.ReplaceAll(k.GoType, " ", "") {
	case "[]string", "[]any", "[]interface{}":
		return true
	}
	return false
}

func fractional(k *luacheck.ArgKind) bool {
	return !k.Whole && !(k.HasRange && k.Lo == k.Hi && k.Lo == math.Trunc(k.Lo))
}

func checkCallArgument(p *Pass, i int, s *luacheck.Site) {
	rows := goValues[s.Library]
	if !s.Mode.Runs() || rows == nil {
		return
	}
	for n := range s.Keys.Items {
		reportGoValue(p, i, rows, &argument{p: p, site: s, kind: &s.Keys.Items[n].Kind}, PartKey, n)
	}
	for n := range s.Args.Items {
		reportGoValue(p, i, rows, &argument{p: p, site: s, kind: &s.Args.Items[n].Kind, index: n + 1}, PartArg, n)
	}
	for n := range s.Args.Behind {
		a := &argument{p: p, site: s, kind: &s.Args.Behind[n].Kind, behind: true, single: s.Args.Min == 0}
		reportGoValue(p, i, rows, a, PartArg, len(s.Args.Items)+n)
	}
}

func reportGoValue(p *Pass, i int, rows []goValue, a *argument, part SitePart, n int) {
	for _, r := range rows {
		if r.typ != a.kind.Type || r.when != nil && !r.when(a.kind) {
			continue
		}
		how := ""
		if r.only != nil {
			if how = r.only(a); how == "" {
				return
			}
			how = ", and the script " + how
		}
		if r.does != "" {
			rank := r.severity
			if a.single && spread(a) {
				rank = Warning // the client does something else with one that stands alone
			}
			text := strings.NewReplacer("$", a.kind.GoType, "%", a.site.Library).Replace(r.does)
			p.Report(At(i, part, n, rank, text+how+"; "+r.instead))
		}
		return
	}
}

// spread reports whether go-redis spreads such a value where it is the only argument.
func spread(a *argument) bool {
	switch a.kind.Type {
	case luacheck.TypeSlice, luacheck.TypeMap, luacheck.TypeStruct, luacheck.TypeNil:
		return true
	}
	return false
}

func argvName(index int) string { return "ARGV[" + strconv.Itoa(index) + "]" }
