package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
)

var syntaxRule = &Rule{
	Name:     "syntax",
	Title:    "text that the server refuses to load",
	Severity: ErrorSeverity,
	Group:    "Load time: syntax, globals, sandbox",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `Redis and Valkey load Lua 5.1. A script that is not Lua 5.1 is refused as a whole, before its first line runs: EVAL and SCRIPT LOAD
answer "Error compiling script". What later versions of Lua and other languages have is named in the message, with the 5.1 way to write it.

The message quotes the server's own words, and the place is where its parser stops; the cause may stand above it.`,
	Bad: []Example{
		{
			Lua:    "if redis.call('EXISTS', KEYS[1]) ⟦=⟧ 1 then\n  return 1\nend",
			Say:    `'then' expected near '=': the server refuses to load the script`,
			Keys:   []string{"k"},
			Raises: "ERR Error compiling script (new function): user_script:1: 'then' expected near '='",
		},
		{
			Lua:    "local n = redis.call('INCR', KEYS[1])\nif n > 10 then\n  return 0\n⟦return⟧ n",
			Say:    `'end' expected (to close 'if' at line 2) near 'return': the server refuses to load the script`,
			Keys:   []string{"k"},
			Raises: "ERR Error compiling script (new function): user_script:4: 'end' expected (to close 'if' at line 2) near 'return'",
		},
		{
			Lua:     "for i = 1, #KEYS do\n  if KEYS[i] == '' then goto ⟦continue⟧ end\n  redis.call('DEL', KEYS[i])\n  ::continue::\nend",
			Say:     `'=' expected near 'continue': the server refuses to load the script; there is no goto in Lua 5.1, put what it skips into an if`,
			Keys:    []string{"k"},
			Raises:  "ERR Error compiling script (new function): user_script:2: '=' expected near 'continue'",
			Differs: map[string]string{"miniredis": "gopher-lua has goto"},
		},
		{
			Lua:    "local n = tonumber(ARGV[1]) or 0\nif n ⟦!⟧= 0 then return n end",
			Say:    `'then' expected near '!': the server refuses to load the script; write ~= for unequal`,
			Args:   []string{"1"},
			Raises: "ERR Error compiling script (new function): user_script:2: 'then' expected near '!'",
		},
		{
			Lua:    "redis.call('HSET', KEYS[1],\n  'at' ⟦ARGV⟧[1])\nreturn 1",
			Say:    `')' expected (to close '(' at line 1) near 'ARGV': the server refuses to load the script`,
			Keys:   []string{"k"},
			Args:   []string{"1"},
			Raises: "ERR Error compiling script (new function): user_script:2: ')' expected (to close '(' at line 1) near 'ARGV'",
		},
		{
			Lua:    "redis.call('SET', KEYS[1]\n⟦return⟧ 1",
			Say:    `')' expected (to close '(' at line 1) near 'return': the server refuses to load the script`,
			Keys:   []string{"k"},
			Raises: "ERR Error compiling script (new function): user_script:2: ')' expected (to close '(' at line 1) near 'return'",
		},
		{
			Lua:    "return #KEYS /⟦/⟧ 2",
			Say:    `unexpected symbol near '/': the server refuses to load the script; // is Lua 5.3, write math.floor(a / b)`,
			Keys:   []string{"k"},
			Raises: "ERR Error compiling script (new function): user_script:1: unexpected symbol near '/'",
		},
		{
			Lua:      "--[[ KEYS⟦[[⟧1] is the lock ]]\nreturn 1",
			Say:      "nesting of [[...]] is deprecated near '[': builds of Redis 7.0 to 7.4 and Valkey 7.2 to 8.0 without later security fixes refuse to load the script; write [=[ ... ]=] around it",
			Severity: new(Warning),
			Recorded: []Recorded{
				{"redis 7.2.6", "-ERR Error compiling script (new function): user_script:1: nesting of [[...]] is deprecated near '['", "a build of that tag"},
			},
		},
	},
	Good: []Example{
		{Lua: "local goto = redis.call('GET', KEYS[1]) -- no keyword in 5.1\nif goto == 'x' then return 1 end\nreturn [=[ [[x]] ]=]"},
	},
	Program: checkSyntax,
}

func checkSyntax(p *Pass) {
	errs := p.Chunk.Errors
	if _, stray := strayHeader(p.Source.Text); stray && len(errs) > 0 {
		errs = errs[1:] // script-header says it better
	}
	for i := range errs {
		e := &errs[i]
		switch e.Kind {
		case syntax.NestedBracket:
			if builds := p.Target.RefusesNestedBrackets(); len(builds) > 0 {
				p.Report(In(e.Span, Warning, e.Message+": builds of "+buildWords(builds)+" without later security fixes refuse to load the script; write [=[ ... ]=] around it"))
			}
		default:
			p.Report(In(e.Span, ErrorSeverity, e.Message+": the server refuses to load the script"+insteadOf(e.Feature)))
		}
	}
}

// insteads are the 5.1 ways to write what Error.Feature names.
var insteads = map[string]string{
	"goto":                         "there is no goto in Lua 5.1, put what it skips into an if",
	"label":                        "there are no labels in Lua 5.1, put what the goto skips into an if",
	"continue":                     "Lua has no continue, put the rest of the loop's body into an if",
	"integer division":             "// is Lua 5.3, write math.floor(a / b)",
	"bitwise operator":             "bitwise operators are Lua 5.3, write bit.band, bit.bor, bit.bxor, bit.lshift",
	"attribute":                    "attributes are Lua 5.4, leave out <const> and <close>",
	"empty statement":              "an empty statement is Lua 5.2, remove the semicolon",
	`\z escape`:                    `\z is Lua 5.2, join the parts with ..`,
	"!=":                           "write ~= for unequal",
	"! operator":                   "write not for !",
	"&& operator":                  "write and for &&",
	"|| operator":                  "write or for ||",
	"=== operator":                 "write == for ===",
	"? operator":                   "Lua has no ?, write cond and a or b",
	"increment":                    "Lua has no ++, write a = a + 1",
	"compound assignment":          "Lua has no compound assignment, write a = a + b",
	"arrow function":               "write function(a) return b end",
	"// comment":                   "a comment starts with --",
	"/* comment":                   "a comment is written --[[ ... ]]",
	"# comment":                    "a comment starts with --",
	"backquoted string":            "a text stands in ' or \" or [[ ... ]]",
	"elif":                         "write elseif",
	"var":                          "write local",
	"switch":                       "Lua has no switch, write if and elseif",
	"try":                          "Lua has no try, write pcall(function() ... end)",
	"class":                        "Lua has no classes, use a table of functions",
	"import":                       "scripts cannot load modules, put the code into the script",
	"def":                          "write function name(a) ... end",
	"binary numeral":               "write the number in decimal or as 0x...",
	"digit separator":              "write the number without _",
	"number suffix":                "write the number without a suffix",
	"concatenation without blanks": "put blanks around .. behind a number",
	"NUL byte":                     "remove the byte \\0",
	"compiled chunk":               "servers load source text only",
	"byte order mark":              "save the file without a byte order mark",
	"no-break space":               "replace the no-break space by a blank",
	"smart quote":                  "write ' or \" for the typographic quote",
	"non-ASCII name":               "names are of ASCII letters, digits and _",
}

func insteadOf(feature string) string {
	if words := insteads[feature]; words != "" {
		return "; " + words
	}
	return ""
}

// strayHeader finds a `#!` line that is not at byte 0 though nothing but blanks or a byte order mark stands before it.
func strayHeader(text string) (syntax.Span, bool) {
	const bom = "\xef\xbb\xbf"
	rest := strings.TrimLeft(strings.TrimPrefix(text, bom), " \t\r\n\f\v")
	start := len(text) - len(rest)
	if start == 0 || !strings.HasPrefix(rest, "#!") {
		return syntax.Span{}, false
	}
	end := start + len(rest)
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		end = start + i
	}
	return syntax.SpanOf(start, end), true
}
