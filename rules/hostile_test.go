//go:build unix

package rules_test

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/rules"
)

func deep(s string, n int) string { return strings.Repeat(s, n) }

// each writes f for 0 … n-1; each $ in it is the number, @ the next.
func each(n int, f string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("$", strconv.Itoa(i), "@", strconv.Itoa(i+1)).Replace(f))
	}
	return b.String()
}

// families are scripts of any size. What grows to the left or one after another has no limit on a server; what nests has.
var families = []struct {
	name string
	text func(n int) string
}{
	{"concat", func(n int) string { return "return ARGV[1]" + deep("..'x'", n) }},
	{"left concat", func(n int) string {
		return "return " + deep("(", min(n, 190)) + "ARGV[1]" + deep("..'x')", min(n, 190))
	}},
	{"sum", func(n int) string { return "return 1" + deep("+ARGV[1]", n) }},
	{"and", func(n int) string { return "return ARGV[1]" + deep(" and ARGV[1]", n) }},
	{"or", func(n int) string { return "return ARGV[1]" + deep(" or redis.call('get', KEYS[1])", n) }},
	{"if and", func(n int) string { return "if ARGV[1]" + deep(" and ARGV[2]", n) + " then return 1 end return 0" }},
	{"fields", func(n int) string { return "local a = cjson.decode(ARGV[1]) return a" + deep(".a", n) }},
	{"indexes", func(n int) string { return "local a = cjson.decode(ARGV[1]) return a" + deep("[1]", n) }},
	{"calls", func(n int) string { return "local function f() return f end f" + deep("()", n) }},
	{"methods", func(n int) string { return "local s = ARGV[1] return s" + deep(":lower()", n) }},
	{"equal", func(n int) string { return "return 1" + deep("==1", n) }},
	{"parens", func(n int) string { return "x = " + deep("(", n) + "1" + deep(")", n) }},
	{"nots", func(n int) string { return "return " + deep("not ", n) + "1" }},
	{"tables", func(n int) string { return "return " + deep("{", n) + deep("}", n) }},
	{"functions", func(n int) string { return deep("local function f() ", n) + deep(" end", n) }},
	{"right concat calls", func(n int) string { return "return " + deep("tostring(", n) + "1" + deep(")", n) }},
	{"elseif", func(n int) string {
		return "local a = ARGV[1] if a == '' then return 0 " + each(n, "elseif a == 'k$' then return $\n") + " end"
	}},
	{"elseif end", func(n int) string {
		return "local a, r = ARGV[1] if a == '' then r = 0 " + each(n, "elseif a == 'k$' then r = $\n") + " end return r"
	}},
	{"locals", func(n int) string { return each(n, "do local a$ = redis.call('GET', KEYS[1]) end\n") }},
	{"too many locals", func(n int) string { return each(n, "local a$ = $\n") }},
	{"local names", func(n int) string { return "local a" + deep(",a", n) + " = 1" }},
	{"ifs", func(n int) string {
		return "local n = 0\n" + each(n, "if ARGV[$] == 'a' then n = n + $ end\n") + "return n"
	}},
	{"write ifs", func(n int) string {
		return each(n, "if ARGV[@] == 'a' then redis.call('SET', KEYS[1], $) end\n") + "return 1"
	}},
	{"gets", func(n int) string {
		return each(n, "local v = redis.call('GET', KEYS[@])\nif not v then return $ end\nredis.call('SET', KEYS[@], v .. 'x')\n")
	}},
	{"reads and writes", func(n int) string {
		return "local v\n" + each(n, "v = tonumber(redis.call('GET', KEYS[@]) or '0')\nif v > 10 then redis.call('INCRBY', KEYS[@], ARGV[@]) end\n") + "return v"
	}},
	{"calls of a helper", func(n int) string {
		return "local function get(k) local v = redis.call('GET', k) if not v then return 0 end return tonumber(v) end\nlocal n = 0\n" +
			each(n, "n = n + get(KEYS[@])\n") + "return n"
	}},
	{"helpers", func(n int) string {
		return each(n, "do local function f(k) return redis.call('GET', k) end f(KEYS[@]) end\n")
	}},
	{"chain of helpers", func(n int) string {
		return "local f0 = function(k) return redis.call('GET', k) end\n" + each(n, "local f@ = function(k) return f$(k) end\n") + fmt.Sprintf("return f%d(KEYS[1])", n)
	}},
	{"doubling", func(n int) string {
		return "local t = {}\nt.f0 = 0\nlocal function f0(k) return redis.call('GET', k) end\n" +
			each(min(n, 150), "local function f@(k) f$(k) f$(k) return f$(k) end\n") + fmt.Sprintf("return f%d(KEYS[1])", min(n, 150)) +
			deep("\n-- padding", n)
	}},
	{"loops", func(n int) string {
		return "local s = 0\n" + each(n, "for i = 1, #KEYS do s = s + (tonumber(redis.call('GET', KEYS[i])) or $) end\n") + "return s"
	}},
	{"loops with locals", func(n int) string {
		return each(100, "local a$ = ARGV[@]\n") + each(n, "for i = 1, #KEYS do a1 = redis.call('GET', KEYS[i]) end\n") + "return a1"
	}},
	{"nested loops", func(n int) string {
		d := min(n, 90)
		return "local s = 0\n" + deep("for i = 1, #KEYS do ", d) + deep(" s = s + 1 if s > 3 then redis.call('SET', KEYS[i], s) end\n", n) + deep(" end", d) + " return s"
	}},
	{"loop of ifs", func(n int) string {
		return "local s = 0\nfor i = 1, #KEYS do\n" + each(n, "if ARGV[i] == 'a$' then s = redis.call('GET', KEYS[i]) end\n") + "end return s"
	}},
	{"table list", func(n int) string { return "local t = {" + each(n, "'a$',\n") + "} return t" }},
	{"table fields", func(n int) string { return "local t = {" + each(n, "a$ = $,\n") + "} return cjson.encode(t)" }},
	{"field writes", func(n int) string { return "local t = {}\n" + each(n, "t.a$ = ARGV[1]\n") + "return cjson.encode(t)" }},
	{"field reads", func(n int) string {
		return "local t = cjson.decode(ARGV[1])\nlocal n = 0\n" + each(n, "n = n + t.a$\n") + "return n"
	}},
	{"list writes", func(n int) string { return "local t = {}\n" + each(n, "t[#t + 1] = ARGV[@]\n") + "return t" }},
	{"globals", func(n int) string { return each(n, "g$ = 1\n") }},
	{"elements of a reply", func(n int) string {
		return "local m = redis.call('LRANGE', KEYS[1], 0, -1) local x\n" + each(n, "x = m[1]\n")
	}},
	{"globals like locals", func(n int) string { return each(n, "do local a$ = $ end\n") + each(n, "b$ = c$\n") }},
	{"same global", func(n int) string { return each(n, "g = $\n") }},
	{"upvalues", func(n int) string {
		k := min(n, 55)
		return each(k, "local u$ = ARGV[@]\n") + each(n, "do local function f() return u"+fmt.Sprint(k/2)+", $ end f() end\n")
	}},
	{"closures that write", func(n int) string {
		return each(150, "local u$ = 0\n") + each(n, "do local function f() u"+"1 = u1 + 1 end f() end\n") + "return u1"
	}},
	{"unknown functions", func(n int) string {
		return each(150, "local u$ = 0\n") + "local function w() u1, u2, u3 = 1, 2, 3 end\nlocal t = {}\n" + each(n, "t.f$(w)\n") + "return u1"
	}},
	{"functions in a table", func(n int) string {
		return "local M = {}\n" + each(n, "function M.f$(k) return redis.call('GET', k) end\n") + "return M.f1(KEYS[1])"
	}},
	{"uncalled functions", func(n int) string { return each(n, "do local function f$(k) return redis.call('GET', k) end end\n") }},
	{"library", func(n int) string {
		return "#!lua name=x\n" + each(n, "redis.register_function('f$', function(keys, args) return redis.call('GET', keys[1]) end)\n")
	}},
	{"comments", func(n int) string { return each(n, "-- comment $\n") + "return 1" }},
	{"directives", func(n int) string {
		return each(n, "local v = redis.call('GETT', KEYS[1]) -- redislint:ignore unknown-command because\n")
	}},
	{"findings", func(n int) string { return each(n, "redis.call('GETT$', KEYS[1])\n") }},
	{"syntax errors", func(n int) string { return each(n, "local = $\n") }},
	{"unclosed", func(n int) string { return deep("if x then\n", n) }},
	{"odd", func(n int) string { return deep("\x00\xff \r \xe2\x80", n) }},
	{"arguments", func(n int) string { return "redis.call('DEL'" + deep(", KEYS[1]", min(n, 240)) + ")" + deep("\n", n) }},
	{"hset", func(n int) string {
		return each(n/100+1, "redis.call('HSET', KEYS[1]"+each(100, ", 'f$', ARGV[1]")+")\n")
	}},
	{"known keys", func(n int) string {
		return each(n, "if redis.call('EXISTS', KEYS[@]) == 1 then redis.call('HGET', KEYS[@], 'f') end\n") + "return 1"
	}},
	{"pcalls", func(n int) string {
		return each(n, "do local r = redis.pcall('GET', KEYS[@]) if r.err then return r end end\n") + "return 1"
	}},
	{"hashes in loops", func(n int) string {
		return each(n, "for i, k in ipairs(redis.call('SMEMBERS', KEYS[1])) do local h = redis.call('HGETALL', k) for j = 1, #h, 2 do redis.call('HSET', 'x:' .. k, h[j], h[j+1]) end end\n")
	}},
	{"long line", func(n int) string { return "return '" + deep("x", n*20) + "'" }},
	{"strings", func(n int) string { return "local s = ''\n" + each(n, "s = s .. 'a$'\n") + "return s" }},
	{"unpacks", func(n int) string {
		return "local t = {}\n" + each(n, "t[#t+1] = KEYS[1]\nredis.call('DEL', unpack(t))\n")
	}},
}

func analyse(tb testing.TB, text string) (*luacheck.Program, []rules.Finding) {
	tb.Helper()
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		tb.Fatal(err)
	}
	p := luacheck.Analyze(syntax.Source{Text: text}, nil, luacheck.Options{Target: target})
	return p, rules.Check(p, rules.All())
}

// TestGrowth: four times the text takes about four times as long. CPU time is what is compared, of the better of two runs, and a family
// fails only where it is far from linear, for other tests run beside this one.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, f := range families {
		const n = 150
		small, large := timed(t, f.text(n)), timed(t, f.text(4*n))
		if large > 9*small+40*time.Millisecond {
			t.Errorf("%s: %v for %d, %v for %d", f.name, small, n, large, 4*n)
		}
	}
}

func timed(t *testing.T, text string) time.Duration {
	best := time.Hour
	for range 2 {
		start := cpu(t)
		analyse(t, text)
		best = min(best, cpu(t)-start)
	}
	return best
}

// cpu is the time that the process has used.
func cpu(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestDeep: chains far longer than a stack should hold. What is over the budget says so; findings stay inside the text.
func TestDeep(t *testing.T) {
	const n = 100000
	for _, c := range []struct{ name, text string }{
		{"left concat", "return " + deep("(", 190) + "'x'" + deep("..'x')", 190)},
		{"sum", "return 1" + deep("+ARGV[1]", n)},
		{"and", "return ARGV[1]" + deep(" and ARGV[1]", n/5)},
		{"or of calls", "return ARGV[1]" + deep(" or redis.call('get', KEYS[1])", n/20)},
		{"if or", "if a" + deep(" or a", n/5) + " then return 1 end"},
		{"if not and", "if not (a" + deep(" and a", n/5) + ") then return 1 end"},
		{"while and", "while a" + deep(" and a", n/5) + " do b() end"},
		{"too long and", "return a" + deep(" and a", n)},
		{"fields", "return a" + deep(".a", n)},
		{"indexes", "return a" + deep("[1]", n)},
		{"calls", "f" + deep("()", n)},
		{"methods", "a" + deep(":b()", n)},
		{"strings called", "f" + deep("''", n)},
		{"equal", "return 1" + deep("==1", n/5)},
		{"elseif", "if a then" + deep(" elseif a then", n/2) + " end"},
		{"locals", each(n, "local a$ = 1\n")},
		{"local names", "local a" + deep(",a", n)},
		{"parens", "return " + deep("(", n) + "1" + deep(")", n)},
		{"tables", "return " + deep("{", n) + deep("}", n)},
		{"tables in fields", "return " + deep("{a=", n) + deep("}", n)},
		{"nots", "return " + deep("not ", n) + "1"},
		{"functions", deep("function f() ", n) + deep("end ", n)},
		{"function values", deep("return function() ", n) + deep("end ", n)},
		{"arguments nested", "return " + deep("f(", n) + deep(")", n)},
		{"keys nested", "return " + deep("a[", n) + "1" + deep("]", n)},
		{"blocks", deep("do ", n) + deep("end ", n)},
		{"unclosed", deep("if x then ", n)},
		{"a line of 1 MB", "return '" + deep("x", 1<<20) + "'"},
		{"a comment of 1 MB", "--" + deep("x", 1<<20)},
		{"a long string that does not end", "return [==[" + deep("]=]", n)},
		{"NUL", deep("\x00", n)},
		{"invalid UTF-8", "return '" + deep("\xff\xfe", n) + "'" + deep("\xff", n)},
		{"CR only", deep("local a = redis.call('GET', KEYS[1])\r", 150) + "retur a"},
		{"BOM", "\ufeffreturn redis.call('GET', KEYS[1])"},
		{"many errors", deep("local = 1\n", n)},
		{"directives", deep("-- redislint:off nil-reply x\n", n/20)},
	} {
		p, found := analyse(t, c.text)
		for _, f := range found {
			if f.Site < 0 && (f.Span.Start < 0 || f.Span.End < f.Span.Start || int(f.Span.End) > len(c.text)) {
				t.Errorf("%s: %s at %v lies outside the text", c.name, f.Rule.Name, f.Span)
			}
			if len(f.Message) > 2000 {
				t.Errorf("%s: a message of %d bytes", c.name, len(f.Message))
			}
		}
		rules.Suppress(p, found, rules.All())
	}
}

// TestOverBudget: what is too much work is given up, and said.
func TestOverBudget(t *testing.T) {
	text := "local function f0(k) return redis.call('GET', k) end\n" +
		each(100, "local function f@(k) f$(k) f$(k) f$(k) return f$(k) end\n") + "return f100(KEYS[1])"
	start := cpu(t)
	if p, _ := analyse(t, text); !p.OverBudget {
		t.Error("the program is not said to be over the budget")
	}
	if d := cpu(t) - start; d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}

// FuzzCheck: whatever the script, the whole analysis ends, and what is found lies inside the text; fixes too.
func FuzzCheck(f *testing.F) {
	for _, x := range families {
		f.Add(x.text(3))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, found := analyse(t, text)
		inside := func(s syntax.Span) bool { return 0 <= s.Start && s.Start <= s.End && int(s.End) <= len(text) }
		for _, x := range rules.Suppress(p, found, rules.All()) {
			if x.Site < 0 && !inside(x.Span) {
				t.Errorf("%s at %v lies outside the text", x.Rule.Name, x.Span)
			}
			for _, fix := range x.Fixes {
				for _, e := range fix.Edits {
					if !inside(e.Span) {
						t.Errorf("%s: a fix at %v lies outside the text", x.Rule.Name, e.Span)
					}
				}
			}
		}
	})
}
