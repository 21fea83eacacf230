package server

import (
	"slices"
	"strings"
	"testing"
)

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		target, name, sub string
		command, missing  string
		nearest           string
	}{
		{DefaultTarget, "GeT", "", "get", "", ""},
		{DefaultTarget, "HEXPIRE", "", "hexpire", "Redis 7.0, Redis 7.2, Valkey 7.2, Valkey 8.0, Valkey 8.1", ""},
		{"redis@8.0,redis@8.2,redis@8.4", "DELEX", "", "delex", "Redis 8.0, Redis 8.2", ""},
		{"valkey@8.1+", "HGETDEL", "", "hgetdel", "Valkey 8.1, Valkey 9.0", ""},
		{"valkey@9.0+", "DELIFEQ", "", "delifeq", "", ""},
		{"redis@8.6,valkey@9.1", "DELIFEQ", "", "delifeq", "Redis 8.6", ""},
		{"redis@6.0,redis@6.2,redis@7.0", "GETDEL", "", "getdel", "Redis 6.0", ""},
		{"redis@5.0,redis@6.0,redis@6.2,redis@7.0", "STRALGO", "", "stralgo", "Redis 5.0, Redis 7.0", ""},
		{"redis@2.6,redis@2.8", "SCAN", "", "scan", "Redis 2.6", ""},
		{"redis@7.0", "GETT", "", "", "Redis 7.0", "GET"},
		{"redis@7.0", "HGTEALL", "", "", "Redis 7.0", "HGETALL"},
		{"redis@7.0", " GET", "", "", "Redis 7.0", "GET"},
		{"redis@7.0", "CONFIG|GET", "", "", "Redis 7.0", ""},
		{"redis@7.0", "OBJECT", "encoding", "object|encoding", "", ""},
		{"redis@7.0", "OBJECT", "ENCODNG", "", "Redis 7.0", "ENCODING"},
		{"redis@7.0", "OBJECT", "", "object", "", ""},
		{"redis@6.2", "XGROUP", "CREATECONSUMER", "xgroup|createconsumer", "", ""},
		{"redis@6.0", "XGROUP", "CREATECONSUMER", "", "Redis 6.0", ""},
		{"redis@7.0,dragonfly", "FCALL", "", "fcall", "Dragonfly", ""},
	} {
		l := mustTarget(t, c.target).Lookup(c.name, c.sub)
		name := ""
		if l.Command != nil {
			name = l.Command.Name
		}
		near := ""
		if l.UnknownEverywhere {
			near = mustTarget(t, c.target).NearestCommand(c.name, c.sub)
		}
		if name != c.command || names(l.Missing) != c.missing || near != c.nearest || l.UnknownEverywhere != (c.command == "") {
			t.Errorf("%s %s %s: command %q missing %q nearest %q unknown %t", c.target, c.name, c.sub, name, names(l.Missing), near, l.UnknownEverywhere)
		}
	}
	if l := mustTarget(t, "redis@7.0").Lookup("JSON.GET", ""); l.Command != nil || l.UnknownEverywhere || len(l.Missing) > 0 {
		t.Errorf("a module command is known or unknown: %+v", l)
	}
}

func TestLookupTakesNewest(t *testing.T) {
	if c := mustTarget(t, "redis@6.2+").Lookup("expire", "").Command; c.Arity != -3 {
		t.Errorf("EXPIRE of redis@6.2+ has arity %d, want that of the newest, -3", c.Arity)
	}
	if c := mustTarget(t, "valkey@8.1+").Lookup("cluster", "replicate").Command; c.Arity != -3 {
		t.Errorf("CLUSTER REPLICATE of valkey@8.1+ has arity %d, want that of the newest, -3", c.Arity)
	}
}

// noscript is what scripts were refused when each command was called, by server; a subcommand where the server splits them.
var noscript = []struct{ target, list string }{
	{"redis@6.2.16", "acl auth bgrewriteaof bgsave blmove blpop brpop brpoplpush bzpopmax bzpopmin client config debug discard eval evalsha exec failover hello latency module monitor multi psubscribe psync punsubscribe replconf replicaof reset role save script shutdown slaveof subscribe sync unsubscribe unwatch wait watch"},
	{"redis@7.0.15", "acl|cat acl|deluser acl|dryrun acl|genpass acl|getuser acl|list acl|load acl|log acl|save acl|setuser acl|users acl|whoami auth bgrewriteaof bgsave blmove blpop brpop brpoplpush bzpopmax bzpopmin client|caching client|getname client|getredir client|id client|info client|kill client|list client|no-evict client|pause client|reply client|setname client|tracking client|trackinginfo client|unblock client|unpause cluster|reset config|get config|resetstat config|rewrite config|set debug discard eval eval_ro evalsha evalsha_ro exec failover fcall fcall_ro function|delete function|dump function|flush function|kill function|list function|load function|restore function|stats hello latency|doctor latency|graph latency|histogram latency|history latency|latest latency|reset module|list module|load module|loadex module|unload monitor multi psubscribe psync punsubscribe quit replconf replicaof reset role save script|debug script|exists script|flush script|kill script|load shutdown slaveof ssubscribe subscribe sunsubscribe sync unsubscribe unwatch wait watch"},
}

// noscriptChanges are the differences from one server to another.
var noscriptChanges = []struct{ from, to, added, removed string }{
	{"redis@7.0.15", "redis@7.2.6", "client|no-touch client|setinfo waitaof", "blmove blpop brpop brpoplpush bzpopmax bzpopmin wait"},
	{"redis@7.2.6", "redis@7.4.1", "", "waitaof"},
	{"redis@7.4.1", "redis@8.0.2", "", ""},
	{"redis@8.0.2", "redis@8.6.3", "hotkeys|get hotkeys|reset hotkeys|start hotkeys|stop", ""},
	{"redis@7.2.6", "valkey@7.2.7", "", ""},
	{"valkey@7.2.7", "valkey@8.0.1", "client|capa script|show", "waitaof"},
	{"valkey@8.0.1", "valkey@8.1.1", "client|import-source", ""},
	{"valkey@8.1.1", "valkey@9.1.2", "", ""},
}

func noscriptOf(t *testing.T, target string) []string {
	tg := mustTarget(t, target)
	var out []string
	for _, r := range Slice(tg.Builds[0]) {
		if r.Flags&NoScript != 0 && (target != "redis@6.2.16" || !strings.Contains(r.Name, "|")) {
			out = append(out, r.Name)
		}
	}
	return out
}

func TestNoScript(t *testing.T) {
	for _, c := range noscript {
		if got := strings.Join(noscriptOf(t, c.target), " "); got != c.list {
			t.Errorf("%s:\n got %s\nwant %s", c.target, got, c.list)
		}
	}
	for _, c := range noscriptChanges {
		from, to := noscriptOf(t, c.from), noscriptOf(t, c.to)
		if got := strings.Join(without(to, from), " "); got != c.added {
			t.Errorf("%s to %s: added %q, want %q", c.from, c.to, got, c.added)
		}
		if got := strings.Join(without(from, to), " "); got != c.removed {
			t.Errorf("%s to %s: removed %q, want %q", c.from, c.to, got, c.removed)
		}
	}
}

func without(list, other []string) (out []string) {
	for _, w := range list {
		if !slices.Contains(other, w) {
			out = append(out, w)
		}
	}
	return out
}

func TestCommandCounts(t *testing.T) {
	for target, want := range map[string]int{"redis@6.2.16": 224, "redis@7.0.15": 240, "redis@7.2.6": 241, "redis@7.4.1": 250, "redis@8.0.2": 265, "redis@8.6.3": 275,
		"valkey@7.2.7": 241, "valkey@8.0.1": 241, "valkey@8.1.1": 242, "valkey@9.1.2": 257} {
		got := 0
		for _, r := range Slice(mustTarget(t, target).Builds[0]) {
			if !strings.Contains(r.Name, "|") {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d commands, want %d", target, got, want)
		}
	}
}
