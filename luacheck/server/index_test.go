package server

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// A target's index says of every name what the tables say when they are asked anew.
func TestIndexIsTheTables(t *testing.T) {
	for _, text := range []string{DefaultTarget, "redis@2.6+", "valkey@9.0+", "redis@7.2,dragonfly", "upstash"} {
		indexed := mustTarget(t, text)
		plain := Target{Builds: indexed.Builds, Profile: indexed.Profile}
		for i := range rows {
			name := rows[i].Name
			if len(name) >= maxName {
				t.Fatalf("%s has no room in %d bytes", name, maxName)
			}
			c := &rows[i].Command
			a, b := indexed.of(c), plain.of(c)
			if !reflect.DeepEqual(*a, *b) {
				t.Errorf("%s: %s is %+v in the index and %+v in the tables", text, name, *a, *b)
			}
			base, sub, _ := strings.Cut(name, "|")
			for _, ask := range [][2]string{{name, ""}, {strings.ToUpper(base), sub}, {base, "none"}} {
				if a, b := indexed.Lookup(ask[0], ask[1]), plain.Lookup(ask[0], ask[1]); !reflect.DeepEqual(a, b) {
					t.Errorf("%s: %q is %+v in the index and %+v in the tables", text, ask, a, b)
				}
			}
		}
	}
}

// Forms are shared where their words are the same, and right also where more are asked for than are kept.
func TestForm(t *testing.T) {
	target := mustTarget(t, DefaultTarget)
	set := target.Lookup("SET", "").Command
	words := func(value string) []Arg {
		return []Arg{{Known: true, Text: "SET"}, {}, {Known: true, Text: value}, {Known: true, Text: "EX"}, {}}
	}
	if a, b := target.Form(set, words("v")), target.Form(set, words("v")); a != b {
		t.Error("two calls of one form have two forms")
	}
	if a, b := target.Form(set, words("v")), target.Form(set, words("w")); a == b {
		t.Error("calls with different words have one form")
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 2 * formSlots {
				value := fmt.Sprint(i)
				f := target.Form(set, words(value))
				if f.Words[2].Text != value || f.Roles()[4] != RoleSeconds || len(f.Keys) != 1 || f.Reply(false).Kinds != ReplyStatus || f.Problems() != nil {
					t.Errorf("the form of SET %s: words %v, roles %v, keys %v, problems %v", value, f.Words, f.Roles(), f.Keys, f.Problems())
				}
			}
		})
	}
	group.Wait()
	long := words(strings.Repeat("x", maxKeptText))
	f := target.Form(set, long)
	if g := target.Form(set, long); f == g || !f.KeysSure || len(f.KeyArgs) != 1 || f.KeyArgs[0].Arg != 1 {
		t.Errorf("a long form is kept, or wrong: %+v", f)
	}
	if long[0].Text = "OTHER"; f.Words[0].Text != "SET" {
		t.Error("a form changes with the words that it was asked for")
	}
}

// Whatever argument of a grammar is a time, the command is known to take one.
func TestMayTakeTime(t *testing.T) {
	target := mustTarget(t, "redis@8.6,valkey@9.1")
	var check func(c *Command, list []ArgSpec)
	check = func(c *Command, list []ArgSpec) {
		for i := range list {
			if role := c.timeRole(&list[i], nil); role != RoleUnknown && !target.Form(c, nil).MayTakeTime() {
				t.Errorf("%s takes %s as %s and is said to take no time", c.Name, list[i].Name, role)
			}
			check(c, list[i].Args)
		}
	}
	for i := range rows {
		check(&rows[i].Command, rows[i].Args)
	}
	for name, want := range map[string]bool{"set": true, "expire": true, "restore": true, "xadd": false, "get": false, "hset": false, "zadd": false} {
		if got := target.Form(target.Lookup(name, "").Command, nil).MayTakeTime(); got != want {
			t.Errorf("%s takes a time: %t", name, got)
		}
	}
}
