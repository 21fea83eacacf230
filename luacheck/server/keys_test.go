package server

import (
	"fmt"
	"strings"
	"testing"
)

// call makes the arguments of a call from words: "?" is one unknown argument, "..." an unknown number of them.
func call(line string) []Arg {
	var args []Arg
	for _, w := range strings.Fields(line) {
		switch w {
		case "?":
			args = append(args, Arg{})
		case "...":
			args = append(args, Arg{Many: true})
		case `""`:
			args = append(args, Arg{Known: true})
		default:
			args = append(args, Arg{Known: true, Text: w})
		}
	}
	return args
}

// find gives the command of a call on a target.
func find(t testing.TB, target string, args []Arg) *Command {
	t.Helper()
	sub := ""
	if len(args) > 1 {
		sub = args[1].Text
	}
	c := mustTarget(t, target).Lookup(args[0].Text, sub).Command
	if c == nil {
		t.Fatalf("%s lacks %s", target, args[0].Text)
	}
	return c
}

func accessText(a Access) string {
	s := ""
	for i, l := range []string{"r", "u", "i", "d", "o"} {
		if a&(1<<i) != 0 {
			s += l
		}
	}
	return s
}

func keysText(keys []KeyAt, exact bool) string {
	var words []string
	for _, k := range keys {
		w := fmt.Sprintf("%d:%s", k.Index, accessText(k.Access))
		if k.NotKey {
			w += "!"
		}
		if k.Many {
			w += fmt.Sprintf("*%d+%d", k.Step, k.Offset)
		}
		words = append(words, w)
	}
	if !exact {
		words = append(words, "?")
	}
	return strings.Join(words, " ")
}

func TestKeysOf(t *testing.T) {
	for _, c := range []struct{ target, call, want string }{
		{"redis@7.0", "GET k", "1:r"},
		{"redis@7.0", "SET k v", "1:uo"},
		{"redis@7.0", "SET k v GET", "1:ru"},
		{"redis@7.0", "SET k v ? 10", "1:ruo"},
		{"redis@7.0", "DEL a b c", "1:d 2:d 3:d"},
		{"redis@7.0", "DEL a ...", "1:d 2:d*1+0 ?"},
		{"redis@7.0", "MSET a 1 b 2", "1:uo 3:uo"},
		{"redis@7.0", "MSET a 1 ...", "1:uo 3:uo*2+0 ?"},
		{"redis@7.0", "MSET a ...", "1:uo 2:uo*2+1 ?"},
		{"redis@7.0", "MSET ...", "1:uo*2+0 ?"},
		{"redis@7.2", "BLPOP a b 0", "1:rd 2:rd"},
		{"redis@7.0", "EVAL s 2 a b c", "3:ru 4:ru"},
		{"redis@7.0", "EVAL s ? a b c", "?"},
		{"redis@7.0", "EVAL s 0", ""},
		{"redis@7.0", "ZUNIONSTORE d 2 a b WEIGHTS 1 2", "1:uo 3:r 4:r"},
		{"redis@7.0", "ZUNIONSTORE d ? a b", "1:uo 3:r ?"},
		{"redis@7.0", "ZUNIONSTORE d ? ...", "1:uo 3:r*1+0 ?"},
		{"redis@7.0", "ZUNIONSTORE d 2 a", "1:uo 3:r ?"},
		{"redis@7.0", "XREAD COUNT ? STREAMS a b 0 0", "4:r 5:r"},
		{"redis@7.0", "XREAD COUNT 2 STREAMS a b 0 0", "4:r 5:r"},
		{"redis@7.0", "XREAD STREAMS a ...", "2:r ?"},
		{"redis@7.0", "XREADGROUP GROUP g c STREAMS s >", "5:r"},
		{"redis@7.0", "GEORADIUS g 1 2 3 km STORE d", "1:r 7:uo"},
		{"redis@7.0", "GEORADIUS g 1 2 3 km", "1:r"},
		{"redis@7.0", "GEORADIUS g 1 2 3 km ? d", "1:r ?"},
		{"redis@7.0", "SORT k LIMIT 0 5 STORE d", "1:r 6:uo"},
		{"redis@7.0", "SORT k BY nosort GET #", "1:r"},
		{"redis@7.0", "SORT k BY w_* GET o_*", "1:r ?"},
		{"redis@7.0", "MIGRATE h 1 k 0 10", "3:rd"},
		{"redis@7.0", `MIGRATE h 1 "" 0 10 COPY KEYS a b`, "8:rd 9:rd"},
		{"redis@7.0", "OBJECT ENCODING k", "2:r"},
		{"redis@7.0", "XGROUP CREATE s g $", "2:i"},
		{"redis@7.0", "SPUBLISH c m", "1:!"},
		{"redis@7.0", "BITFIELD k GET u8 0", "1:r"},
		{"redis@7.0", "BITFIELD k SET u8 0 1", "1:ru"},
		{"redis@7.0", "RENAME a b", "1:rd 2:uo"},
		{"redis@7.0", "PING", ""},
		{"redis@8.6", "MSETEX 2 a 1 b 2 EX 5", "2:uo 4:uo"},
		{"redis@6.2", "LPUSH l a", "1:i"},
		{"redis@6.2", "STRALGO LCS KEYS a b", ""},
	} {
		args := call(c.call)
		keys, exact := find(t, c.target, args).KeysOf(args)
		if got := keysText(keys, exact); got != c.want {
			t.Errorf("%s: keys %q, want %q", c.call, got, c.want)
		}
	}
}

func TestArityProblems(t *testing.T) {
	for _, c := range []struct {
		target, name string
		n            int
		atLeast      bool
		want         string
	}{
		{"redis@7.0", "get", 2, false, ""},
		{"redis@7.0", "get", 3, false, "Redis 7.0"},
		{"redis@7.0", "get", 3, true, "Redis 7.0"},
		{"redis@7.0", "get", 1, true, ""},
		{"redis@6.2,redis@7.0", "expire", 4, false, "Redis 6.2"},
		{"redis@3.2,redis@4.0", "hset", 6, false, "Redis 3.2"},
		{"redis@3.2,redis@4.0", "hset", 5, true, "Redis 3.2"},
		{"redis@3.2,redis@4.0", "hset", 3, true, ""},
		{"redis@6.0,redis@6.2", "lpop", 3, false, "Redis 6.0"},
		{"redis@3.0.2,redis@3.0.3", "exists", 3, false, "Redis 3.0.2"},
		{"redis@8.0,redis@8.6", "vcard", 3, false, "Redis 8.6"},
		{"redis@7.0", "object|encoding", 2, false, "Redis 7.0"},
	} {
		tg := mustTarget(t, c.target)
		cmd := tg.CommandAt(tg.Builds[len(tg.Builds)-1], c.name)
		if got := names(tg.ArityProblems(cmd, c.n, c.atLeast)); got != c.want {
			t.Errorf("%s %s %d %t: %s, want %s", c.target, c.name, c.n, c.atLeast, got, c.want)
		}
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		target  string
		cluster bool
		call    string
		want    string
	}{
		{"redis@6.2+", false, "BLPOP k 0", "Redis 6.2, Redis 7.0: not allowed from scripts"},
		{"redis@6.2+", false, "BLMPOP 0 1 k LEFT", ""},
		{"redis@7.0,redis@7.2,redis@7.4,valkey@7.2,valkey@8.0", false, "WAITAOF 0 0 0", "Redis 7.2, Valkey 7.2: not allowed from scripts"},
		{"redis@7.2,redis@7.4,valkey@7.2,valkey@8.0", false, "XREAD BLOCK 0 STREAMS s $", "Redis 7.2, Valkey 7.2: not allowed from scripts with BLOCK"},
		{"redis@7.0", false, "XREAD STREAMS BLOCK 0", ""},
		{"redis@7.0", false, "CONFIG GET x", "Redis 7.0: not allowed from scripts"},
		{"redis@6.2", false, "CLIENT ID", "Redis 6.2: not allowed from scripts"},
		{"redis@6.2", false, "OBJECT ENCODING k", ""},
		{"redis@8.6,valkey@8.1,valkey@9.1", true, "SELECT 1", "Redis 8.6, Valkey 8.1: not allowed in cluster mode"},
		{"redis@8.6", true, "SELECT 0", ""},
		{"redis@8.6", false, "SELECT 1", ""},
		{"redis@7.2,redis@7.4", true, "SORT k BY w_*", "Redis 7.2: not allowed in cluster mode with BY and a pattern"},
		{"redis@7.0", false, "FLUSHALL", ""},
		{"dragonfly", false, "WAIT 0 0", "Dragonfly: not allowed from scripts"},
	} {
		tg, err := ParseTarget(c.target, c.cluster)
		if err != nil {
			t.Fatal(err)
		}
		args := call(c.call)
		builds, why := tg.Allowed(find(t, c.target, args), args, InScript)
		got := ""
		if len(builds) > 0 {
			got = names(builds) + ": " + why
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.target, c.call, got, c.want)
		}
	}
}

// What a sweep of every command under EVAL_RO found refused beside the commands with the write flag.
func TestReadOnlyRefused(t *testing.T) {
	for target, want := range map[string]struct {
		extra string
		total int
	}{
		"redis@7.0.15": {"pfcount publish spublish", 101}, "redis@8.6.3": {"pfcount publish spublish", 125},
		"valkey@8.1.1": {"cluster|setslot pfcount publish spublish", 108}, "valkey@9.1.2": {"cluster|setslot cluster|syncslots pfcount publish spublish", 120},
	} {
		tg := mustTarget(t, target)
		var extra []string
		total := 0
		for _, r := range Slice(tg.Builds[0]) {
			c := tg.CommandAt(tg.Builds[0], r.Name)
			refused, _ := tg.ReadOnlyRefused(c)
			if !refused || c.Flags&NoScript != 0 || isContainer(int(c.at)) {
				continue
			}
			total++
			if c.Flags&Write == 0 {
				extra = append(extra, c.Name)
			}
		}
		if got := strings.Join(extra, " "); got != want.extra {
			t.Errorf("%s: refused without the write flag: %s, want %s", target, got, want.extra)
		}
		if total != want.total {
			t.Errorf("%s: %d refused, want %d", target, total, want.total)
		}
	}
	tg := mustTarget(t, "redis@7.0")
	for name, want := range map[string]string{"sort": "SORT_RO", "getex": "GET", "bitfield": "BITFIELD_RO", "georadius": "GEORADIUS_RO", "set": ""} {
		if refused, alt := tg.ReadOnlyRefused(tg.Lookup(name, "").Command); !refused || alt != want {
			t.Errorf("%s: refused %t, alternative %q, want %q", name, refused, alt, want)
		}
	}
	if refused, _ := tg.ReadOnlyRefused(tg.Lookup("touch", "").Command); refused {
		t.Error("TOUCH is refused")
	}
}
