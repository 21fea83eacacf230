package server

import (
	"strings"
	"testing"
)

// Whatever a call looks like, nothing panics, roles are one per argument, and keys lie inside the call.
func FuzzCall(f *testing.F) {
	for _, s := range []string{"SET k v EX 10", "ZADD k ? ...", "XREAD STREAMS", "SORT k BY", "EVAL s 99 a", "MIGRATE h 1", "BITFIELD ...", "ZUNIONSTORE d -5 a",
		"GEORADIUS g 1 2 3 km STORE", "MSETEX 9 a 1", "XADD s MAXLEN", "HEXPIRE k 1 FIELDS 99 a", "ZRANDMEMBER", "SRANDMEMBER k -9223372036854775808"} {
		f.Add(s)
	}
	tg := mustTarget(f, "redis,valkey,dragonfly")
	f.Fuzz(func(t *testing.T, line string) {
		args := call(line)
		if len(args) == 0 {
			return
		}
		sub := ""
		if len(args) > 1 {
			sub = args[1].Text
		}
		c := tg.Lookup(args[0].Text, sub).Command
		if c == nil {
			return
		}
		if roles := c.Roles(args); len(roles) != len(args) {
			t.Errorf("%q: %d roles for %d arguments", line, len(roles), len(args))
		}
		keys, _ := c.KeysOf(args)
		for _, k := range keys {
			if k.Index < 1 || k.Index >= len(args) {
				t.Errorf("%q: key at %d of %d", line, k.Index, len(args))
			}
		}
		for _, p := range tg.ArgProblems(c, args) {
			if p.Index < 0 || p.Index > len(args) || p.Message == "" || strings.Contains(p.Message, "\n") {
				t.Errorf("%q: problem %+v", line, p)
			}
		}
		c.Reply(args, false)
		c.Reply(args, true)
		tg.Allowed(c, args, InScript)
		tg.ArityProblems(c, len(args), true)
		c.Overwrites(args)
	})
}
