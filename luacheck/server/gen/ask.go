package main

import (
	"context"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/redis/go-redis/v9"
)

// ask makes the dump of a running server. It writes nothing there but a function library for a moment. A server's own name is enough
// unless it is patched: then name it (redis-7.0.15-debian).
func ask(ctx context.Context, url, name string) (*dump, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("-from %s: %w", url, err)
	}
	options.Protocol = 2
	c := redis.NewClient(options)
	defer c.Close()
	d := &dump{Server: name}
	if name == "" {
		info, err := c.Info(ctx, "server").Result()
		if err != nil {
			return nil, fmt.Errorf("-from %s: %w", url, err)
		}
		d.Server = serverName(info)
	}
	list, err := c.Do(ctx, "COMMAND").Slice()
	if err != nil {
		return nil, fmt.Errorf("COMMAND: %w", err)
	}
	docs := map[string]any{}
	if all, err := c.Do(ctx, "COMMAND", "DOCS").Slice(); err == nil { // 6.2 has none
		docs = pairs(all)
	}
	for _, x := range list {
		d.Commands = append(d.Commands, readCommand(x, docs))
	}
	sort.Slice(d.Commands, func(i, j int) bool { return d.Commands[i].Name < d.Commands[j].Name })
	d.Globals, err = askGlobals(ctx, c)
	return d, err
}

var infoVersion = regexp.MustCompile(`(?m)^(redis|valkey)_version:([0-9.]+)`)

func serverName(info string) string {
	name := ""
	for _, m := range infoVersion.FindAllStringSubmatch(info, -1) {
		if name == "" || m[1] == "valkey" { // Valkey also tells the version of Redis it is compatible with
			name = m[1] + "-" + m[2]
		}
	}
	return name
}

// pairs makes a map of a flat list of names and values; what is no list is an empty map.
func pairs(x any) map[string]any {
	out := map[string]any{}
	list, _ := x.([]any)
	for i := 0; i+1 < len(list); i += 2 {
		if k, ok := list[i].(string); ok {
			out[k] = list[i+1]
		}
	}
	return out
}

func texts(x any) []string {
	out := []string{}
	list, _ := x.([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	sort.Strings(out)
	return out
}

func number(x any) int  { n, _ := x.(int64); return int(n) }
func text(x any) string { s, _ := x.(string); return s }

// readCommand takes one element of COMMAND: name, arity, flags, first, last, step, categories, tips, key specs, subcommands.
func readCommand(x any, docs map[string]any) command {
	row, _ := x.([]any)
	for len(row) < 10 {
		row = append(row, nil)
	}
	c := command{Name: strings.ToLower(text(row[0])), Arity: number(row[1]), Flags: texts(row[2])}
	for i, f := range c.Flags {
		c.Flags[i] = strings.ToLower(f)
	}
	if first := number(row[3]); first != 0 {
		c.Range = []int{first, number(row[4]), number(row[5])}
	}
	specs, _ := row[8].([]any)
	for _, s := range specs {
		c.Keys = append(c.Keys, readKeySpec(pairs(s)))
	}
	doc := pairs(docs[text(row[0])])
	c.Since, c.Group, c.Args = text(doc["since"]), text(doc["group"]), readArgs(doc["arguments"])
	subs, _ := row[9].([]any)
	subDocs := pairs(doc["subcommands"])
	for _, s := range subs {
		c.Subs = append(c.Subs, readCommand(s, subDocs))
	}
	sort.Slice(c.Subs, func(i, j int) bool { return c.Subs[i].Name < c.Subs[j].Name })
	return c
}

func readKeySpec(m map[string]any) keySpec {
	k := keySpec{Flags: texts(m["flags"])}
	begin, find := pairs(m["begin_search"]), pairs(m["find_keys"])
	spec := pairs(begin["spec"])
	switch text(begin["type"]) {
	case "index":
		k.Index = number(spec["index"])
	case "keyword":
		k.Word, k.Index = text(spec["keyword"]), number(spec["startfrom"])
	}
	spec = pairs(find["spec"])
	switch text(find["type"]) {
	case "range":
		k.Range = []int{number(spec["lastkey"]), number(spec["keystep"]), number(spec["limit"])}
	case "keynum":
		k.Num = []int{number(spec["keynumidx"]), number(spec["firstkey"]), number(spec["keystep"])}
	}
	return k
}

func readArgs(x any) (out []arg) {
	list, _ := x.([]any)
	for _, v := range list {
		m := pairs(v)
		out = append(out, arg{text(m["name"]), text(m["type"]), text(m["token"]), texts(m["flags"]), text(m["since"]), readArgs(m["arguments"])})
	}
	return out
}

// walkScript lists what a script can read: the globals and the fields of their tables. It is the body of a function, too.
const walkScript = `
local out = {}
for k, v in pairs(_G) do
  out[#out + 1] = k
  if type(v) == 'table' and k ~= '_G' and k ~= 'KEYS' and k ~= 'ARGV' then
    for f in pairs(v) do
      if type(f) == 'string' then out[#out + 1] = k .. '.' .. f end
    end
  end
end
return out`

func askGlobals(ctx context.Context, c *redis.Client) ([]string, error) {
	where := map[string]string{}
	seen, err := c.Eval(ctx, walkScript, nil).StringSlice()
	if err != nil {
		return nil, fmt.Errorf("walk in EVAL: %w", err)
	}
	for _, n := range seen {
		where[n] += "e"
	}
	const lib = "redislint_walk"
	code := "#!lua name=" + lib + "\nredis.register_function('" + lib + "', function()" + walkScript + "\nend)"
	if c.FunctionLoadReplace(ctx, code).Err() == nil { // 6.2 has no functions
		seen, err = c.FCall(ctx, lib, nil).StringSlice()
		if err != nil {
			return nil, fmt.Errorf("walk in FCALL: %w", err)
		}
		for _, n := range seen {
			where[n] += "f"
		}
		if err := c.FunctionDelete(ctx, lib).Err(); err != nil {
			return nil, fmt.Errorf("FUNCTION DELETE %s: %w", lib, err)
		}
	}
	var out []string
	for _, n := range sortedKeys(where) {
		out = append(out, n+" "+where[n])
	}
	return out, nil
}
