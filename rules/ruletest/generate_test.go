package ruletest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A trial is a small random script with the call that runs it.
type trial struct {
	text       string
	keys, args []string
	readOnly   bool
	library    bool // FUNCTION LOAD and FCALL instead of EVAL
	setup      [][]string
}

// generate makes a trial from a seed. Each statement is on a line of its own, so that the line of an error tells which one it was. All
// loops are bounded, and no command reaches beyond the data.
func generate(seed uint64, cluster bool) trial {
	g := generator{rng: rand.New(rand.NewPCG(seed, 11)), cluster: cluster}
	g.calm = 4 + 30*g.rng.IntN(4)
	t := trial{readOnly: g.one(12)}
	for range g.rng.IntN(4) {
		t.keys = append(t.keys, g.pick(keyNames))
	}
	if cluster {
		t.keys = []string{"{a}1", "{a}2"}[:g.rng.IntN(3)]
	}
	for range g.rng.IntN(4) {
		t.args = append(t.args, g.pick([]string{"1", "10", "x", "", "-3", "1.5", "0x10", "1e3", " 7 ", "k1", "nil"}))
	}
	for _, set := range [][]string{{"SET", "k1", "5"}, {"SET", "k2", "text"}, {"RPUSH", "k3", "a", "b"}, {"HSET", "k4", "f", "1"}, {"ZADD", "k5", "1.5", "m"}} {
		if g.one(2) && !cluster {
			t.setup = append(t.setup, set)
		}
	}
	if t.library = !cluster && g.one(8); t.library {
		g.body(&t)
		return t
	}
	if g.one(10) {
		g.line("#!lua" + g.pick([]string{"", " flags=no-writes", " flags=allow-oom", " flags=allow-cross-slot-keys"}))
	}
	for range 2 + g.rng.IntN(6) {
		g.statement(0)
	}
	if g.one(2) {
		g.line("return " + g.expr(2))
	}
	t.text = g.b.String()
	return t
}

// body writes a library with one function.
func (g *generator) body(t *trial) {
	g.line("#!lua name=l")
	for range g.rng.IntN(3) {
		g.locals = append(g.locals, g.fresh())
		g.line("local " + g.locals[len(g.locals)-1] + " = " + g.pick([]string{"1", "'x'", "{}", "{1, 2}", "nil", "redis", "redis.REDIS_VERSION", "1 + 2"}))
	}
	if g.odd() {
		g.line(g.pick([]string{"local x = string.format('x')", "local y = KEYS", "redis.call('PING')", "local z = pairs", "glob = 1", "local c = redis.call"}))
	}
	g.line("redis.register_function(" + g.pick([]string{"'f', function(KEYS, ARGV)", "{function_name = 'f', callback = function(KEYS, ARGV)"}))
	open := strings.Contains(g.b.String(), "callback")
	for range 2 + g.rng.IntN(5) {
		g.statement(0)
	}
	g.line("return " + g.expr(2))
	switch {
	case !open:
		g.line("end)")
	case g.one(3):
		g.line("end, flags = {'no-writes'}})")
	default:
		g.line("end})")
	}
	t.text = g.b.String()
}

var (
	keyNames   = []string{"k1", "k2", "k3", "k4", "k5", "none"}
	crossSlots = []string{"{a}1", "{a}2", "{b}1", "a", "b", "{}x", "x{a}"}
)

type generator struct {
	rng     *rand.Rand
	b       strings.Builder
	depth   int
	locals  []string
	named   int
	cluster bool
	calm    int // one choice in so many is an odd one
}

// odd decides to do something that is likely to fail.
func (g *generator) odd() bool { return g.one(g.calm) }

func (g *generator) one(of int) bool           { return g.rng.IntN(of) == 0 }
func (g *generator) pick(list []string) string { return list[g.rng.IntN(len(list))] }

func (g *generator) line(text string) { g.b.WriteString(strings.Repeat("  ", g.depth) + text + "\n") }

// block writes statements one level deeper; their locals end with it.
func (g *generator) block(level int) {
	keep := len(g.locals)
	g.depth++
	for range 1 + g.rng.IntN(3) {
		g.statement(level + 1)
	}
	g.depth--
	g.locals = g.locals[:keep]
}

func (g *generator) fresh() string {
	g.named++
	return fmt.Sprintf("v%d", g.named)
}

func (g *generator) statement(level int) {
	kind := g.rng.IntN(22)
	if level > 2 && kind >= 14 {
		kind = g.rng.IntN(14)
	}
	switch {
	case kind < 6:
		value := g.expr(3)
		g.locals = append(g.locals, g.fresh())
		g.line("local " + g.locals[len(g.locals)-1] + " = " + value)
	case kind < 8 && len(g.locals) > 0:
		g.line(g.pick(g.locals) + " = " + g.expr(3))
	case kind == 12 && g.one(1+g.calm/8):
		g.line(g.pick([]string{"glob = 1", "KEYS = {}", "string.x = 1", "redis.call = 1", "_G.y = 2", "KEYS[1] = 'k1'", "local t = {} t.x = nosuch",
			"local KEYS = {'k1'}", "error('stop')", "error({err = 'MY stop'})", "assert(false, 'no')", "assert(redis.call('GET', 'none'))"}))
	case kind == 13 && g.one(1+g.calm/8):
		g.line(g.pick([]string{"print('x')", "local o = os.time()", "local r = require('x')", "local t = table.unpack({1})", "redis.log(redis.LOG_DEBUG, 'x')",
			"local s = cjson.decode('{')", "local f = loadstring('return 1')", "local z = string.format('%d', 'x')", "redis.setresp(4)", "local c = cjson.encode({1})",
			"local q = ('x'):rep(3)", "local n = #5", "local z = struct.pack('I', -1)", "local m = math.floor('x')", "redis.sha1hex()", "local s = bit.band(1)"}))
	case kind < 14:
		g.line(g.call())
	case kind < 17:
		g.line("if " + g.expr(2) + " then")
		g.block(level)
		if g.one(3) {
			g.line("else")
			g.block(level)
		}
		g.line("end")
	case kind == 17:
		g.line(fmt.Sprintf("for i%d = 1, %s do", level, g.pick([]string{"2", "#KEYS", "#ARGV", "0", "'3'", "nil", "ARGV[1] and 1 or 2"})))
		g.block(level)
		g.line("end")
	case kind == 18:
		g.line("for _, e" + fmt.Sprint(level) + " in ipairs(" + g.pick([]string{"KEYS", "ARGV", "{1, 2}", "redis.call('LRANGE', 'k3', 0, -1)", g.expr(1)}) + ") do")
		g.block(level)
		g.line("end")
	case kind == 19:
		g.function(level)
	default:
		g.line("local ok" + fmt.Sprint(level) + ", er = pcall(function()")
		g.block(level)
		g.line("end)")
	}
}

func (g *generator) function(level int) {
	name := g.fresh()
	g.line("local function " + name + "(p)")
	g.locals = append(g.locals, "p")
	g.block(level)
	g.line("  return " + g.expr(2))
	g.line("end")
	g.locals = g.locals[:len(g.locals)-1]
	for range g.rng.IntN(3) {
		result := g.fresh()
		g.line("local " + result + " = " + name + "(" + g.expr(1) + ")")
		g.locals = append(g.locals, result)
	}
}

// leaf is an expression without parts.
func (g *generator) leaf() string {
	if len(g.locals) > 0 && g.one(2) {
		return g.pick(g.locals)
	}
	if g.odd() {
		return g.pick([]string{"nil", "nosuch", "redis", "cjson.null", "tonumber", "KEYS", "{}", "{a = 1}", "KEYS[3]", "ARGV[3]", "KEYS.x", "ARGV[0]", "redis.nosuch"})
	}
	return g.pick([]string{"1", "0", "-2", "2.5", "'x'", "'5'", "''", "true", "false", "KEYS[1]", "ARGV[1]", "ARGV[2]", "#KEYS", "#ARGV", "{1, 'x'}", "nil"})
}

// number is an expression that mostly is a number, text one that mostly is a string, list one that mostly is a table.
func (g *generator) number(depth int) string {
	if g.odd() {
		return g.expr(depth)
	}
	if depth == 0 || g.one(3) {
		return g.pick([]string{"1", "0", "-2", "2.5", "#KEYS", "#ARGV", "'5'", "tonumber('7')", "(tonumber(ARGV[1]) or 1)", "string.len('abc')", "1e3"})
	}
	switch g.rng.IntN(6) {
	case 0, 1:
		return "(" + g.number(depth-1) + g.pick([]string{" + ", " - ", " * ", " / ", " % "}) + g.number(depth-1) + ")"
	case 2:
		return "(tonumber(" + g.text(depth-1) + ") or " + g.number(depth-1) + ")"
	case 3:
		return "#" + g.list(depth-1)
	case 4:
		return g.pick([]string{"math.floor(", "math.abs(", "-", "math.max(1, "}) + g.number(depth-1) + ")"
	}
	return "redis.call('EXISTS', " + g.key() + ")"
}

func (g *generator) text(depth int) string {
	if g.odd() {
		return g.expr(depth)
	}
	if depth == 0 || g.one(3) {
		return g.pick([]string{"'x'", "'5'", "''", "(KEYS[1] or 'k1')", "(ARGV[1] or '')", "redis.sha1hex('x')", "type(KEYS)"})
	}
	switch g.rng.IntN(5) {
	case 0:
		return "(" + g.text(depth-1) + " .. " + g.text(depth-1) + ")"
	case 1:
		return "tostring(" + g.expr(depth-1) + ")"
	case 2:
		return "(redis.call('GET', 'k1') or " + g.text(depth-1) + ")"
	case 3:
		return "string.format('%s', " + g.text(depth-1) + ")"
	}
	return "string.upper(" + g.text(depth-1) + ")"
}

func (g *generator) list(depth int) string {
	if g.odd() {
		return g.expr(depth)
	}
	return g.pick([]string{"KEYS", "ARGV", "{}", "{1, 2}", "{" + g.number(max(depth-1, 0)) + "}", "redis.call('LRANGE', 'none', 0, -1)", "redis.call('HGETALL', 'k4')"})
}

func (g *generator) expr(depth int) string {
	if depth == 0 || g.one(4) {
		return g.leaf()
	}
	d := depth - 1
	switch g.rng.IntN(18) {
	case 0, 1:
		return "(" + g.number(d) + g.pick([]string{" + ", " - ", " * ", " / ", " % ", " ^ "}) + g.number(d) + ")"
	case 2:
		return "(" + g.text(d) + " .. " + g.pick([]string{g.text(d), g.number(d)}) + ")"
	case 3:
		return "(" + g.number(d) + g.pick([]string{" < ", " <= ", " > ", " >= "}) + "(tonumber(" + g.number(d) + ") or 0))"
	case 4:
		return "(" + g.expr(d) + g.pick([]string{" == ", " ~= "}) + g.expr(d) + ")"
	case 5:
		return "(" + g.expr(d) + g.pick([]string{" and ", " or "}) + g.expr(d) + ")"
	case 6:
		return g.pick([]string{"not " + g.expr(d), "-" + g.number(d), "#" + g.list(d)})
	case 7:
		return "tonumber(" + g.text(d) + ")"
	case 8:
		return g.pick([]string{"tostring(", "type(", "cjson.encode("}) + g.expr(d) + ")"
	case 9:
		return g.pick([]string{"math.floor(" + g.number(d), "string.len(" + g.text(d), "string.sub(" + g.text(d) + ", 1", "table.concat({" + g.text(d) + "}",
			"next(" + g.list(d), "unpack(" + g.list(d), "cjson.decode('[1]'", "string.rep('x', 3"}) + ")"
	case 10:
		return "({" + g.expr(d) + ", " + g.expr(d) + "})[" + g.pick([]string{"1", "2", "3", "'a'"}) + "]"
	case 11:
		return g.list(d) + g.pick([]string{"", ""})
	case 12:
		if len(g.locals) > 0 && g.odd() {
			return g.pick(g.locals) + g.pick([]string{"[1]", ".a", "['err']", "[KEYS[1]]", "()"})
		}
	case 13:
		return "string.format(" + g.pick([]string{"'%d', " + g.number(d), "'%s', " + g.text(d), "'%s:%s', " + g.text(d) + ", " + g.text(d)}) + ")"
	}
	return g.call()
}

// commands are names with a usual argument list; k1 to k5 are keys of the type that the set-up gives them, k is any key, n a number, v any
// value. oddCommands are those that servers refuse in scripts or do not know, or that are likely to meet the wrong type.
var (
	commands = []string{"GET k1", "SET k v", "SET k v EX n", "SET k1 n", "INCR k1", "INCRBY k1 n", "DECR k1", "DEL k", "DEL k k", "EXISTS k", "EXPIRE k n", "TTL k",
		"HGET k4 v", "HSET k4 v v", "HGETALL k4", "HINCRBY k4 v n", "HDEL k4 v", "LPUSH k3 v", "LPOP k3", "LLEN k3", "LRANGE k3 n n", "LINDEX k3 n", "SADD s v",
		"SMEMBERS s", "SISMEMBER s v", "ZADD k5 n v", "ZSCORE k5 v", "ZRANGE k5 n n", "ZINCRBY k5 n v", "MGET k k", "MSET k v k v", "TYPE k", "APPEND k2 v",
		"STRLEN k2", "GETSET k2 v", "SETEX k n v", "PING", "ECHO v", "TIME", "PUBLISH v v", "GETRANGE k2 n n", "GETDEL k2", "SET k v NX", "SET k v PX n KEEPTTL"}
	oddCommands = []string{"GET k", "INCR k", "HGET k v", "LPUSH k v", "ZADD k n v", "RENAME k k", "COPY k k", "SINTERSTORE k k k", "SORT k", "OBJECT ENCODING k",
		"PFCOUNT k", "GETX k", "MULTI", "WATCH k", "SUBSCRIBE v", "OBJECT NOSUCH k", "BITCOUNT k", "SPOP k", "EVAL v n", "SELECT n", "ZUNION n k k", "OBJECT",
		"SCRIPT LOAD v", "CLIENT ID", "CONFIG GET v", "WAIT n n", "XADD k n v v", "SET k v XX NX", "ZADD k5 NX XX n v", "EXPIRE k v"}
)

func (g *generator) call() string {
	list := commands
	if g.odd() {
		list = oddCommands
	}
	words := strings.Fields(g.pick(list))
	var args []string
	for i, w := range words {
		switch {
		case w == "k" && i > 0:
			args = append(args, g.key())
		case i > 0 && (len(w) == 2 && w[0] == 'k' || w == "s"):
			args = append(args, g.pick([]string{"'" + w + "'", "'" + w + "'", g.key()}))
		case w == "n" && i > 0:
			args = append(args, g.count())
		case w == "v" && i > 0:
			args = append(args, g.value())
		case g.one(6):
			args = append(args, "'"+strings.ToLower(w)+"'")
		default:
			args = append(args, "'"+w+"'")
		}
	}
	if !g.odd() {
		return "redis." + g.pick([]string{"call", "call", "call", "pcall"}) + "(" + strings.Join(args, ", ") + ")"
	}
	switch g.rng.IntN(3) {
	case 0:
		args = args[:len(args)-1] // one too few, or none at all
	case 1:
		args = append(args, g.value())
	case 2:
		args = append(args, g.pick([]string{"unpack(ARGV)", "unpack(KEYS)", "unpack({})", "nil"}))
	}
	return "redis." + g.pick([]string{"call", "call", "call", "pcall"}) + "(" + strings.Join(args, ", ") + ")"
}

// count is an argument that is an integer, mostly.
func (g *generator) count() string {
	if g.odd() {
		return g.pick([]string{"ARGV[1]", "ARGV[2]", "'x'", "1.5", "-1", "nil", "0"})
	}
	return g.pick([]string{"1", "'2'", "100", "#KEYS + 1", "math.floor(7.5)"})
}

func (g *generator) key() string {
	if g.cluster && g.one(2) {
		return "'" + g.pick(crossSlots) + "'"
	}
	if g.one(3) {
		return "'" + g.pick(keyNames) + "'"
	}
	if g.odd() {
		return g.pick([]string{"KEYS[1]", "KEYS[2]", "KEYS[3]", "ARGV[1]", "KEYS[1] .. ':x'"})
	}
	return g.pick([]string{"(KEYS[1] or 'none')", "(KEYS[2] or 'none')", "'none' .. ':x'"})
}

func (g *generator) value() string {
	if len(g.locals) > 0 && g.one(8) {
		return g.pick(g.locals)
	}
	if g.odd() {
		return g.pick([]string{"ARGV[1]", "ARGV[2]", "nil", "false", "{}", "KEYS[1]", "tonumber(ARGV[1])"})
	}
	return g.pick([]string{"'v'", "1", "2.5", "(ARGV[1] or '')", "(KEYS[1] or '')", "'f'", "'m'"})
}
