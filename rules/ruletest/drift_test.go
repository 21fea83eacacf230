package ruletest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redislint/redislint/luacheck/server"
)

// buildOf is the build that a live server is.
func buildOf(t *testing.T, s *Server) server.Build {
	t.Helper()
	target, err := server.ParseTarget("redis@"+s.Version, false)
	if err != nil {
		t.Fatal(err)
	}
	return target.Builds[0]
}

// TestCommandDrift compares the command table with COMMAND of the live server: names, arity, flags and where the keys are. The table is
// made from dumps of one release a minor version, so another patch of it must agree too.
func TestCommandDrift(t *testing.T) {
	s := liveRedis(t)
	reply, err := s.nodes[0].client.Do(context.Background(), "COMMAND").Slice()
	if err != nil {
		t.Fatal(err)
	}
	live := map[string]string{}
	for _, row := range reply {
		liveCommand(row, live)
	}
	table := map[string]string{}
	for _, c := range server.Slice(buildOf(t, s)) {
		table[c.Name] = describe(c)
	}
	for name, got := range live {
		if table[name] != got {
			t.Errorf("%s: the server says %q, the table %q", name, got, table[name])
		}
	}
	for name := range table {
		if _, ok := live[name]; !ok {
			t.Errorf("%s: in the table, unknown to redis %s", name, s.Version)
		}
	}
	closing("drift: %d commands compared with redis %s", len(live), s.Version)
}

// describe writes what is compared of a command on one line.
func describe(c server.CommandRow) string {
	return fmt.Sprintf("arity %d flags %b keys %v", c.Arity, c.Flags, c.Keys)
}

// liveCommand reads one element of COMMAND and its subcommands.
func liveCommand(x any, into map[string]string) {
	row, _ := x.([]any)
	if len(row) < 10 {
		return
	}
	name, _ := row[0].(string)
	c := server.CommandRow{Name: strings.ToLower(name), Arity: integer(row[1])}
	for _, word := range strings.Fields(fmt.Sprint(row[2])) {
		c.Flags |= server.FlagOf(strings.Trim(word, "[]"))
	}
	specs, _ := row[8].([]any)
	for _, spec := range specs {
		c.Keys = append(c.Keys, liveKeySpec(named(spec)))
	}
	into[c.Name] = describe(c)
	subs, _ := row[9].([]any)
	for _, sub := range subs {
		liveCommand(sub, into)
	}
}

func liveKeySpec(m map[string]any) server.KeySpec {
	var k server.KeySpec
	begin, find := named(m["begin_search"]), named(m["find_keys"])
	at := named(begin["spec"])
	switch begin["type"] {
	case "index":
		k.Begin, k.Index = server.BeginIndex, integer(at["index"])
	case "keyword":
		k.Begin, k.From = server.BeginKeyword, integer(at["startfrom"])
		k.Keyword, _ = at["keyword"].(string)
	}
	at = named(find["spec"])
	switch find["type"] {
	case "range":
		k.Find, k.Last, k.Step, k.Limit = server.FindRange, integer(at["lastkey"]), integer(at["keystep"]), integer(at["limit"])
	case "keynum":
		k.Find, k.NumIdx, k.FirstIdx, k.Step = server.FindKeyNum, integer(at["keynumidx"]), integer(at["firstkey"]), integer(at["keystep"])
	}
	for _, word := range strings.Fields(strings.Trim(fmt.Sprint(m["flags"]), "[]")) {
		switch word {
		case "RO", "access":
			k.Access |= server.AccessRead
		case "update":
			k.Access |= server.AccessUpdate
		case "insert":
			k.Access |= server.AccessInsert
		case "RM", "delete":
			k.Access |= server.AccessDelete
		case "OW":
			k.Access |= server.AccessOverwrite
		case "not_key":
			k.NotKey = true
		case "incomplete":
			k.Incomplete = true
		case "variable_flags":
			k.Variable = true
		}
	}
	return k
}

func integer(x any) int { n, _ := x.(int64); return int(n) }

// named makes a map of a flat list of names and values.
func named(x any) map[string]any {
	m := map[string]any{}
	list, _ := x.([]any)
	for i := 0; i+1 < len(list); i += 2 {
		if name, ok := list[i].(string); ok {
			m[name] = list[i+1]
		}
	}
	return m
}

// walk lists the globals and the fields of the library tables, as a script can read them.
const walk = `local out = {}
for k, v in pairs(_G) do
  out[#out + 1] = k
  if type(v) == 'table' and k ~= '_G' and k ~= 'KEYS' and k ~= 'ARGV' then
    for f in pairs(v) do if type(f) == 'string' then out[#out + 1] = k .. '.' .. f end end
  end
end
return out`

// TestGlobalDrift compares the table of globals with a walk of _G on the live server, in EVAL and in FCALL, both ways: what is there and
// what other servers have and this one lacks. Builds of one version differ by security fixes in the names of which Removed tells.
func TestGlobalDrift(t *testing.T) {
	s := liveRedis(t)
	target := server.Target{Builds: []server.Build{buildOf(t, s)}}
	if reply := s.Do("FUNCTION", "LOAD", "REPLACE", "#!lua name=drift\nredis.register_function('drift', function() "+walk+" end)"); reply != `"drift"` {
		t.Fatal(reply)
	}
	compared := 0
	for ctx, reply := range map[server.Context]string{server.InScript: s.Do("EVAL", walk, "0"), server.InFunction: s.Do("FCALL", "drift", "0")} {
		seen := strings.Split(strings.Trim(reply, "[]"), ", ")
		for i := range seen {
			seen[i], _ = strconv.Unquote(seen[i])
		}
		for _, name := range allNames(t, seen) {
			p := presence(target, name, ctx)
			compared++
			if there := slices.Contains(seen, name); there == p.Nowhere && p.Removed == "" {
				t.Errorf("%s (context %d): the server has it: %v, the table: %v", name, ctx, there, !p.Nowhere)
			}
		}
	}
	closing("drift: %d names of scripts and functions compared with redis %s", compared, s.Version)
}

func presence(target server.Target, name string, ctx server.Context) server.Presence {
	if lib, field, ok := strings.Cut(name, "."); ok {
		return target.Field(lib, field, ctx)
	}
	return target.Global(name, ctx)
}

// allNames adds to what was seen the names that only other servers or other Luas have.
func allNames(t *testing.T, seen []string) []string {
	t.Helper()
	others := []string{"print", "os", "os.clock", "os.time", "io", "require", "debug", "package", "module", "dofile", "loadfile", "utf8", "bit32", "rawlen",
		"table.unpack", "table.pack", "table.move", "math.type", "string.pack", "server", "server.call", "redis.acall", "cjson.decode_array_with_array_mt",
		"server.SERVER_NAME", "redis.VALKEY_VERSION", "dragonfly", "redis.register_function", "KEYS", "ARGV", "arg", "jit"}
	all := append(slices.Clone(seen), others...)
	slices.Sort(all)
	return slices.Compact(all)
}
