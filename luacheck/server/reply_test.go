package server

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// replyText writes a model in words.
func replyText(r Reply) string {
	var parts []string
	for i, word := range []string{"int", "bulk", "status", "null", "array", "map", "set", "double", "bool", "verbatim", "any"} {
		if r.Kinds&(1<<i) == 0 {
			continue
		}
		switch word {
		case "int":
			word += boundsText(r)
		case "bulk":
			if r.Integer {
				word += " integer"
			} else if r.Numeric {
				word += " number"
			}
		case "status":
			word = strings.TrimSpace(word + " " + strings.Join(r.Words, "/"))
		case "array":
			word = arrayText(r)
		}
		parts = append(parts, word)
	}
	text := strings.Join(parts, "|")
	if r.Random {
		text += " random"
	}
	if r.Time {
		text += " time"
	}
	if r.NoEffect != "" {
		text += " noeffect=" + r.NoEffect
	}
	return text
}

func boundsText(r Reply) string {
	switch {
	case r.Lo > r.Hi:
		return ""
	case r.Hi == math.MaxInt64:
		return fmt.Sprintf(" %d..", r.Lo)
	}
	return fmt.Sprintf(" %d..%d", r.Lo, r.Hi)
}

func arrayText(r Reply) string {
	var parts []string
	for _, x := range r.Tuple {
		parts = append(parts, replyText(x))
	}
	if r.Elem != nil {
		parts = append(parts, replyText(*r.Elem)+"…")
	}
	text := "[" + strings.Join(parts, ", ") + "]"
	if r.Tuple != nil {
		return text
	}
	if r.Bounded {
		text += " bounded"
	}
	if r.MaxLen > 0 {
		text += fmt.Sprintf(" most %d", r.MaxLen)
	}
	if r.NonEmpty {
		text += " nonempty"
	}
	if r.FieldValue {
		text += " pairs"
	}
	return text
}

func TestReply(t *testing.T) {
	for _, c := range []struct{ target, call, resp2, resp3 string }{
		{"redis@7.0", "GET k", "bulk|null", ""},
		{"redis@7.0", "EXISTS k", "int 0..1", ""},
		{"redis@7.0", "SISMEMBER k m", "int 0..1", ""},
		{"redis@7.0", "INCR k", "int", ""},
		{"redis@7.0", "TTL k", "int -2..", ""},
		{"redis@7.0", "EXPIRE k 1", "int 0..1 noeffect=0", ""},
		{"redis@7.0", "TYPE k", "status none/string/list/set/zset/hash/stream/vectorset", ""},
		{"redis@7.0", "SET k v", "status OK", ""},
		{"redis@7.0", "SET k v EX ?", "status OK", ""},
		{"redis@7.0", "SET k v PX ? NX", "status OK|null noeffect=null", ""},
		{"redis@7.0", "SET k v GET", "bulk|null", ""},
		{"redis@7.0", "SET k v NX GET", "bulk|null", ""},
		{"redis@7.0", "SET k v ?", "bulk|status OK|null", ""},
		{"redis@7.0", "SET k NX", "status OK", ""},
		{"redis@7.0", "LPOP k", "bulk|null noeffect=null", ""},
		{"redis@7.0", "LPOP k 2", "null|[bulk…] bounded most 2 noeffect=null", ""},
		{"redis@7.0", "LPOP k ?", "null|[bulk…] bounded noeffect=null", ""},
		{"redis@7.0", "LPOP ...", "bulk|null|[bulk…] bounded noeffect=null", ""},
		{"redis@7.0", "SPOP k 3", "[bulk…] bounded most 3 random", "set random"},
		{"redis@7.0", "SRANDMEMBER k -5", "[bulk…] bounded most 5 random", "[bulk…] bounded most 5|set random"},
		{"redis@7.0", "HGETALL k", "[bulk…] pairs", "map"},
		{"redis@7.0", "HMGET k a b", "[bulk|null…] bounded most 2 nonempty", ""},
		{"redis@7.0", "MGET ...", "[bulk|null…] bounded", ""},
		{"redis@7.0", "SMEMBERS k", "[bulk…]", "set"},
		{"redis@7.0", "ZSCORE k m", "bulk number|null", "null|double"},
		{"redis@7.0", "ZINCRBY k 1 m", "bulk number", "double"},
		{"redis@7.0", "ZADD k 1 m", "int 0..", ""},
		{"redis@7.0", "ZADD k INCR 1 m", "bulk number|null noeffect=null", "null|double noeffect=null"},
		{"redis@7.0", "ZADD k NX 1 m", "int 0.. noeffect=0", ""},
		{"redis@7.0", "ZADD k ? m", "int 0..", ""},
		{"redis@7.0", "ZADD k ? ? m", "int 0..|bulk number|null", "int 0..|null|double"},
		{"redis@7.0", "ZRANGE k 0 -1", "[bulk…]", ""},
		{"redis@7.0", "ZRANGE k 0 9 WITHSCORES", "[bulk…] bounded most 20 pairs", "[[bulk, double]…] bounded most 10"},
		{"redis@7.0", "ZRANGE k 0 ?", "[bulk…] bounded", ""},
		{"redis@7.0", "ZRANGEBYSCORE k -inf +inf LIMIT 0 100", "[bulk…] bounded most 100", ""},
		{"redis@7.0", "ZRANGEBYSCORE k -inf +inf", "[bulk…]", ""},
		{"redis@7.0", "ZRANGEBYSCORE k -inf +inf LIMIT 0 -1", "[bulk…]", ""},
		{"redis@7.0", "LRANGE k 0 -1", "[bulk…]", ""},
		{"redis@7.0", "LRANGE k -10 -1", "[bulk…] bounded most 10", ""},
		{"redis@7.0", "ZPOPMIN k", "[bulk…] bounded most 2 pairs", "[bulk|double…] bounded most 2"},
		{"redis@7.0", "ZRANDMEMBER k 2 WITHSCORES", "[bulk…] bounded most 4 pairs random", "[[bulk, double]…] bounded most 2 random"},
		{"redis@7.2", "ZRANK k m WITHSCORE", "null|[int 0.., bulk number]", "null|[int 0.., double]"},
		{"redis@7.0", "SCAN 0", "[bulk integer, [bulk…]]", ""},
		{"redis@7.0", "TIME", "[bulk integer, bulk integer] time", ""},
		{"redis@7.0", "XREAD STREAMS s 0", "null|[[bulk, [[bulk, [bulk…] nonempty pairs]…] nonempty]…] bounded nonempty", "null|map"},
		{"redis@7.0", "XADD s * f v", "bulk", ""},
		{"redis@7.0", "XADD s NOMKSTREAM * f v", "bulk|null noeffect=null", ""},
		{"redis@7.0", "XPENDING s g", "[int 0.., bulk|null, bulk|null, null|[[bulk, bulk integer]…]]", ""},
		{"redis@7.0", "GEOPOS g a", "[null|[bulk number, bulk number]…] bounded most 1 nonempty", "[null|[double, double]…] bounded most 1 nonempty"},
		{"redis@7.0", "GEORADIUS g 1 2 3 km COUNT 5 STORE d", "int 0..", ""},
		{"redis@7.0", "SORT k LIMIT 0 5 GET w_*", "[bulk|null…] bounded most 5", ""},
		{"redis@7.0", "SORT k STORE d", "int 0..", ""},
		{"redis@7.0", "OBJECT ENCODING k", "bulk|null", ""},
		{"redis@7.0", "INFO", "bulk", "verbatim"},
		{"redis@7.0", "PING", "status PONG", ""},
		{"redis@7.0", "PING x", "bulk", ""},
		{"redis@7.0", "EVAL s 0", "any", ""},
		{"redis@7.0", "LCS a b LEN", "int 0..", ""},
		{"redis@7.0", "LCS a b", "bulk", ""},
		{"redis@8.6", "VADD k VALUES 1 1 e", "int 0..1", "bool"},
		{"redis@8.6", "HGETDEL k FIELDS 1 f", "[bulk|null…] bounded", ""},
		{"redis@7.0", "RPOPLPUSH a b", "bulk|null noeffect=null", ""},
		{"redis@7.0", "SETNX k v", "int 0..1 noeffect=0", ""},
		{"redis@7.0", "SADD k ...", "int 0.. noeffect=0", ""},
	} {
		args := call(c.call)
		cmd := find(t, c.target, args)
		if c.resp3 == "" {
			c.resp3 = c.resp2
		}
		if got := replyText(cmd.Reply(args, false)); got != c.resp2 {
			t.Errorf("%s:\n got %s\nwant %s", c.call, got, c.resp2)
		}
		if got := replyText(cmd.Reply(args, true)); got != c.resp3 {
			t.Errorf("%s under setresp(3):\n got %s\nwant %s", c.call, got, c.resp3)
		}
	}
}

// unmodelled are the commands that scripts may call and whose reply has no model: they depend on their subcommand-like arguments.
var unmodelled = []string{"cluster|migration", "cluster|syncslots", "host:", "pfdebug", "post", "stralgo", "trimslots", "vlinks", "xidmprecord"}

func TestEveryCommandHasAReply(t *testing.T) {
	for i, x := range replies {
		if i > 0 && replies[i-1].name >= x.name {
			t.Errorf("%s is out of order", x.name)
		}
		if len(rowsOf(x.name)) == 0 {
			t.Errorf("%s is no command", x.name)
		}
		for part := range strings.SplitSeq(x.spec, " / ") {
			p := replyParser{text: part}
			if r := p.alternatives(); p.at != len(part) || r.Kinds == 0 {
				t.Errorf("%s: %q cannot be read behind %q", x.name, part, part[:p.at])
			}
		}
	}
	for i := range rows {
		c := &rows[i].Command
		spec := baseReply(c.Name)
		if !slices.ContainsFunc(replies[:], func(x struct{ name, spec string }) bool { return x.name == c.Name }) {
			t.Errorf("%s has no reply", c.Name)
		}
		if spec == "any" && c.Flags&NoScript == 0 && !isContainer(int(c.at)) && !slices.Contains(unmodelled, c.Name) {
			t.Errorf("%s has no model of its reply", c.Name)
		}
	}
}

func TestUndoes(t *testing.T) {
	tg := mustTarget(t, "redis@8.6,valkey@9.1")
	for cmd, want := range map[string]string{"incr": "decr decrby", "sadd": "spop srem", "srem": "sadd", "setnx": "del delex delifeq getdel unlink",
		"lrem": "lpush lpushx rpush rpushx", "rpoplpush": "lmove rpoplpush", "hset": "hdel hgetdel", "get": "", "zrem": "geoadd zadd", "incrbyfloat": "incrbyfloat"} {
		var got []string
		for i := range rows {
			if n := rows[i].Name; tg.Undoes(tg.Lookup(cmd, "").Command, &rows[i].Command) && !slices.Contains(got, n) {
				got = append(got, n)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("what undoes %s: %s, want %s", cmd, strings.Join(got, " "), want)
		}
	}
}

func TestKeyType(t *testing.T) {
	tg := mustTarget(t, "redis@8.6")
	for name, want := range map[string]DataType{"get": StringType, "setbit": StringType, "pfadd": StringType, "lpush": ListType, "hset": HashType, "sadd": SetType,
		"zadd": ZSetType, "geoadd": ZSetType, "xadd": StreamType, "del": AnyType, "zunionstore": AnyType, "sort": AnyType, "vadd": VectorSetType, "setnx": AnyType, "publish": AnyType} {
		if got := tg.Lookup(name, "").Command.KeyType(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for line, want := range map[string]bool{"SET k v": true, "SET k v GET": false, "GETSET k v": false, "SINTERSTORE d a": true, "SORT k STORE d": true, "SORT k": false, "HSET k f v": false} {
		args := call(line)
		if got := find(t, "redis@8.6", args).Overwrites(args); got != want {
			t.Errorf("%s: overwrites %t, want %t", line, got, want)
		}
	}
}
