package server

import "slices"

// noEffect says what reply of a write command means that nothing changed: "0", "null" or "" for none.
func noEffect(name string, args []Arg) string {
	switch name {
	case "del", "unlink", "srem", "zrem", "hdel", "lrem", "setnx", "hsetnx", "msetnx", "msetex", "hsetex", "sadd", "expire", "pexpire",
		"expireat", "pexpireat", "persist", "smove", "renamenx", "copy", "move", "xdel", "xack", "pfadd", "lpushx", "rpushx", "xtrim",
		"zremrangebyscore", "zremrangebyrank", "zremrangebylex", "xgroup|createconsumer", "xgroup|destroy", "delex", "delifeq",
		"vrem", "vsetattr":
		return "0"
	case "spop":
		if atLeast(args, 3) == yes { // an empty array then
			return ""
		}
		return "null"
	case "lpop", "rpop", "rpoplpush", "lmove", "blmove", "brpoplpush", "getdel", "getex", "blpop", "brpop", "lmpop", "blmpop", "zmpop", "bzmpop",
		"bzpopmin", "bzpopmax":
		return "null"
	case "set":
		o := scanOptions(args, 3, setValued)
		if o.has("GET") == no && o.has("NX", "XX", "IFEQ", "IFNE", "IFDEQ", "IFDNE") == yes {
			return "null"
		}
	case "zadd", "geoadd":
		return zaddNoEffect(args)
	case "xadd":
		if hasWord(args[:min(len(args), 5)], 2, "NOMKSTREAM") {
			return "null"
		}
	}
	return ""
}

// zaddNoEffect: 0 counts what was added, so it may hide changed scores unless NX forbids them or CH counts them.
func zaddNoEffect(args []Arg) string {
	counts, incr := false, false
	for at := 2; at < len(args) && args[at].Known && isWord(args[at].Text, "NX", "XX", "GT", "LT", "CH", "INCR"); at++ {
		counts = counts || isWord(args[at].Text, "NX", "CH")
		incr = incr || isWord(args[at].Text, "INCR")
	}
	switch {
	case incr:
		return "null"
	case counts:
		return "0"
	}
	return ""
}

// Random is whether the reply differs from run to run on the same data, or comes from the clock, so that Redis before 5.0 refuses writes
// behind it. PUBSUB is left out, which has no place in scripts.
func (c *Command) Random() bool {
	switch c.Name {
	case "time", "lastsave", "randomkey", "srandmember", "spop", "scan", "sscan", "hscan", "zscan", "hrandfield", "zrandmember", "vrandmember":
		return true
	}
	return false
}

// inverses pairs commands that undo one another; each pair counts both ways.
var inverses = [][2][]string{
	{{"incr", "incrby"}, {"decr", "decrby"}},
	{{"incrbyfloat"}, {"incrbyfloat"}},
	{{"hincrby"}, {"hincrby"}},
	{{"hincrbyfloat"}, {"hincrbyfloat"}},
	{{"zincrby"}, {"zincrby"}},
	{{"sadd"}, {"srem", "spop"}},
	{{"zadd", "geoadd"}, {"zrem", "zpopmin", "zpopmax"}},
	{{"hset", "hsetnx", "hmset", "hsetex"}, {"hdel", "hgetdel"}},
	{{"set", "setnx", "setex", "psetex", "mset", "msetnx", "msetex"}, {"del", "unlink", "getdel", "delex", "delifeq"}},
	{{"lpush", "lpushx"}, {"lpop", "lrem", "lmpop"}},
	{{"rpush", "rpushx"}, {"rpop", "lrem", "lmpop"}},
	{{"rpoplpush", "lmove"}, {"lmove", "rpoplpush"}},
	{{"smove"}, {"smove"}},
	{{"xadd"}, {"xdel", "xdelex"}},
	{{"expire", "pexpire", "expireat", "pexpireat"}, {"persist"}},
	{{"rename", "renamenx"}, {"rename", "renamenx"}},
	{{"setbit"}, {"setbit"}},
}

// sidesOf are the pairs that a command is in, by bit: on the one side and on the other.
func sidesOf(name string) (sides [2]uint32) {
	for i := range inverses {
		for side, list := range inverses[i] {
			if slices.Contains(list, name) {
				sides[side] |= 1 << i
			}
		}
	}
	return sides
}

// Undoes is whether a command can undo a write command.
func (t Target) Undoes(write, by *Command) bool {
	a, b := t.of(write).sides, t.of(by).sides
	return a[0]&b[1]|a[1]&b[0] != 0
}
