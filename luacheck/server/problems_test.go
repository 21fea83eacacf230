package server

import (
	"fmt"
	"strings"
	"testing"
)

func rolesText(roles []Role) string {
	var words []string
	for _, r := range roles[1:] {
		words = append(words, r.String())
	}
	return strings.Join(words, ", ")
}

func TestRoles(t *testing.T) {
	for _, c := range []struct{ target, call, want string }{
		{"redis@7.0", "GET k", "key"},
		{"redis@7.0", "SET k v EX 10 NX", "key, value, token, seconds, token"},
		{"redis@7.0", "SET k v PX ?", "key, value, token, milliseconds"},
		{"redis@7.0", "SET k v ? ?", "key, value, token, unknown"},
		{"redis@7.0", "SET k v EXAT 99 GET", "key, value, token, unix seconds, token"},
		{"redis@7.0", "SET ? ?", "key, value"},
		{"redis@7.0", "SETEX k ? ?", "key, seconds, value"},
		{"redis@7.0", "EXPIRE k ?", "key, seconds"},
		{"redis@7.0", "PEXPIRE k ? GT", "key, milliseconds, token"},
		{"redis@7.0", "EXPIREAT k ?", "key, unix seconds"},
		{"redis@7.0", "PEXPIREAT k ?", "key, unix milliseconds"},
		{"redis@7.4", "HEXPIRE k ? FIELDS 2 a b", "key, seconds, token, count, field, field"},
		{"redis@7.0", "HSET k f v g w", "key, field, value, field, value"},
		{"redis@7.0", "HSET k ...", "key, unknown"},
		{"redis@7.0", "SADD k ? ?", "key, member, member"},
		{"redis@7.0", "ZADD k 1 m", "key, score, member"},
		{"redis@7.0", "ZADD k ? m", "key, score, member"},
		{"redis@7.0", "ZADD k NX CH 1 m 2 n", "key, token, token, score, member, score, member"},
		{"redis@7.0", "ZRANGEBYSCORE k (1 +inf LIMIT 0 10 WITHSCORES", "key, unknown, unknown, token, integer, count, token"},
		{"redis@7.0", "ZRANGE k 0 -1 WITHSCORES", "key, integer, integer, token"},
		{"redis@7.0", "ZRANGE k 0 9 BYSCORE", "key, unknown, unknown, token"},
		{"redis@7.0", "LRANGE k 0 -1", "key, integer, integer"},
		{"redis@7.0", "SCAN 0 MATCH a* COUNT 10", "cursor, token, pattern, token, count"},
		{"redis@7.0", "XADD s MAXLEN ~ 100 * f v", "key, token, token, unknown, token, field, value"},
		{"redis@7.0", "XREAD COUNT 2 STREAMS a b 0 0", "token, count, token, key, key, unknown, unknown"},
		{"redis@7.0", "ZUNIONSTORE d 2 a b WEIGHTS 1 2 AGGREGATE MAX", "key, numkeys, key, key, token, float, float, token, token"},
		{"redis@7.0", "OBJECT ENCODING k", "subcommand, key"},
		{"redis@7.0", "INCRBY k ?", "key, integer"},
		{"redis@7.0", "INCRBYFLOAT k ?", "key, float"},
		{"redis@7.0", "LPOP k ?", "key, count"},
		{"redis@7.0", "LPUSH k a b", "key, value, value"},
		{"redis@7.0", "RESTORE k ? v", "key, milliseconds, unknown"},
		{"redis@7.0", "RESTORE k ? v REPLACE ABSTTL", "key, unix milliseconds, unknown, token, token"},
		{"redis@7.0", "MSET a 1 b 2", "key, value, key, value"},
		{"redis@7.0", "DEL a ...", "key, unknown"},
		{"redis@8.6", "HSETEX k EX 10 FIELDS 1 f v", "key, token, seconds, token, count, field, value"},
	} {
		args := call(c.call)
		if got := rolesText(find(t, c.target, args).Roles(args)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.call, got, c.want)
		}
	}
}

func TestArgProblems(t *testing.T) {
	for _, c := range []struct{ target, call, want string }{
		{"redis@7.0", "HSET k f v", ""},
		{"redis@7.0", "HSET k f v g", `0 "HSET" takes pairs of field and value, and there are 3 arguments for them: Redis 7.0`},
		{"redis@7.0", "HSET k f v ...", ""},
		{"redis@7.0", "MSET a 1 b", `0 "MSET" takes pairs of key and value, and there are 3 arguments for them: Redis 7.0`},
		{"redis@7.0", "ZADD k 1 m 2", `0 "ZADD" takes pairs of score and member, and there are 3 arguments for them: Redis 7.0`},
		{"redis@7.0", "ZADD k ? m 2", `3 "ZADD" needs a number here, not "m": Redis 7.0`},
		{"redis@7.0", "ZADD k ? 1 m", ""},
		{"redis@7.0", "ZADD k NX GT 1 m", `3 "ZADD" takes only one of the options "NX" and "GT": Redis 7.0`},
		{"redis@7.0", "ZADD k INCR 1 a 2 b", `0 "ZADD" with INCR takes one pair of score and member, not 2: Redis 7.0`},
		{"redis@7.0", "ZADD k abc m", `2 "ZADD" needs a number here, not "abc": Redis 7.0`},
		{"redis@7.0", "ZADD k +inf m", ""},
		{"redis@7.0", "ZADD k 0x10 m", ""},
		{"redis@7.0", "ZADD k -0X1.8 m", ""},
		{"redis@7.0", "SET k v XX NX", `3 "SET" takes only one of the options "NX" and "XX": Redis 7.0`},
		{"redis@7.0", "SET k v EX 10 PX 5", `5 "SET" takes only one of the options "EX" and "PX": Redis 7.0`},
		{"redis@7.0", "SET k v EX 10 NX", ""},
		{"redis@7.0", "SET k v EX abc", `4 "SET" needs an integer here, not "abc": Redis 7.0`},
		{"redis@7.0", "SET k v EX 1.5", `4 "SET" needs an integer here, not "1.5": Redis 7.0`},
		{"redis@7.0", "SET k v EX 0", `4 "SET" refuses the expire time 0: Redis 7.0`},
		{"redis@7.0", "SETEX k -1 v", `2 "SETEX" refuses the expire time -1: Redis 7.0`},
		{"redis@7.0", "EXPIRE k 0", ""},
		{"redis@7.0", "EXPIRE k 010", `2 "EXPIRE" needs an integer here, not "010": Redis 7.0`},
		{"redis@7.0", "SET k v EXX 10", `3 "SET" takes no "EXX" here, did you mean "XX"?: Redis 7.0`},
		{"redis@7.0", "SET k v EX", `3 "SET" needs a value behind "EX": Redis 7.0`},
		{"redis@7.0", "ZRANGEBYSCORE k 0 1 LIMIT 0", `4 "ZRANGEBYSCORE" needs more values behind "LIMIT": Redis 7.0`},
		{"redis@7.0", "GETEX k EX 10 PERSIST", `4 "GETEX" takes only one of the options "EX" and "PERSIST": Redis 7.0`},
		{"redis@7.0", "ZRANGE k 0 -1 REV LIMIT 0 10", `5 "ZRANGE" takes LIMIT only with BYSCORE or BYLEX: Redis 7.0`},
		{"redis@7.0", "ZRANGE k 0 9 BYSCORE REV LIMIT 0 10", ""},
		{"redis@7.0", "ZRANGE k 0 9 ? LIMIT 0 10", ""},
		{"redis@7.0", "ZRANGE k - + BYLEX WITHSCORES", `5 "ZRANGE" takes only one of the options "BYLEX" and "WITHSCORES": Redis 7.0`},
		{"redis@7.0", "ZRANGE k -inf 5 WITHSCORES", `2 "ZRANGE" needs an integer here, not "-inf", since neither BYSCORE nor BYLEX is given: Redis 7.0`},
		{"redis@7.0", "ZRANGE k -inf 5 ?", ""},
		{"redis@7.0", "ZRANGE k -inf 5 ...", ""},
		{"redis@7.0", "LCS a b LEN IDX", `4 "LCS" takes only one of the options "LEN" and "IDX": Redis 7.0`},
		{"redis@7.0", "LCS a b IDX MINMATCHLEN 4 WITHMATCHLEN", ""},
		{"redis@7.0", "XADD s MAXLEN abc * f v", `3 "XADD" needs an integer here, not "abc": Redis 7.0`},
		{"redis@7.0", "XADD s MAXLEN ~ -1 * f v", `4 "XADD" needs a number that is not negative here, not -1: Redis 7.0`},
		{"redis@7.0", "XADD s MAXLEN ~ 100 * f v", ""},
		{"redis@7.0", "XADD s MAXLEN 100 LIMIT 10 * f v", `4 "XADD" takes LIMIT only with ~: Redis 7.0`},
		{"redis@7.0", "XTRIM s MINID abc", `3 "XTRIM" needs an ID here, such as 1700000000000-0, not "abc": Redis 7.0`},
		{"redis@7.0", "XADD s MINID 17-0 * f v", ""},
		{"redis@7.0", "XADD s f v g w", ""},
		{"redis@7.0", "XADD s f v g", `2 "XADD" needs an ID here, such as *, not "f": Redis 7.0`},
		{"redis@7.0", "XADD s 17-* f v", ""},
		{"redis@7.0", "XADD s MAXLEN ~ 9 * f v g", `0 "XADD" takes pairs of field and value, and there are 3 arguments for them: Redis 7.0`},
		{"redis@7.0", "XADD s * f ...", ""},
		{"redis@7.0", "SETBIT k 0 2", `3 "SETBIT" needs a bit, 0 or 1, here, not 2: Redis 7.0`},
		{"redis@7.0", "SETBIT k -1 1", `2 "SETBIT" needs an offset that is not negative here, not -1: Redis 7.0`},
		{"redis@7.0", "SETBIT k ? 1", ""},
		{"redis@7.0", "SPOP k -1", `2 "SPOP" needs a number that is not negative here, not -1: Redis 7.0`},
		{"redis@7.0", "SRANDMEMBER k -1", ""},
		{"redis@7.0", "SETRANGE k -1 x", `2 "SETRANGE" needs an offset that is not negative here, not -1: Redis 7.0`},
		{"redis@7.0", "LPOS k a RANK 0", `4 "LPOS" needs 1, 2 ... from the start or -1, -2 ... from the end here, not 0: Redis 7.0`},
		{"redis@7.0", "LMPOP 1 k LEFT COUNT 0", `5 "LMPOP" needs a number greater than 0 here, not 0: Redis 7.0`},
		{"redis@7.0", "BITOP NOT d a b", `0 "BITOP" with NOT takes one key, not 2: Redis 7.0`},
		{"redis@7.0", "BITOP NOT d a", ""},
		{"redis@7.0", "ZRANGEBYSCORE k 0 1 LIMIT 0 ?", ""},
		{"redis@7.0", "SET k v ? NX", ""},
		{"redis@7.0", "SET k NX", ""},
		{"redis@6.2,redis@7.0", "EXPIRE k 10 NX", `3 "EXPIRE" has no option "NX": Redis 6.2`},
		{"redis@6.2,redis@7.0", "SET k v GET NX", `4 "SET" takes only one of the options "GET" and "NX": Redis 6.2`},
		{"redis@5.0,redis@6.0,redis@6.2", "SET k v KEEPTTL", `3 "SET" has no option "KEEPTTL": Redis 5.0`},
		{"redis@6.0,redis@6.2", "ZRANGE k 0 10 BYSCORE REV LIMIT 0 5", `4 "ZRANGE" has no option "BYSCORE": Redis 6.0
5 "ZRANGE" has no option "REV": Redis 6.0
6 "ZRANGE" has no option "LIMIT": Redis 6.0`},
		{"redis@6.0,redis@6.2", "XADD s NOMKSTREAM * f v", `2 "XADD" has no option "NOMKSTREAM": Redis 6.0`},
		{"redis@7.0,redis@8.2", "XADD s KEEPREF MAXLEN 10 * f v", `2 "XADD" has no option "KEEPREF": Redis 7.0`},
		{"redis@8.2,redis@8.4,valkey@8.0,valkey@8.1", "SET k v IFEQ x", `3 "SET" has no option "IFEQ": Redis 8.2, Valkey 8.0`},
		{"redis@6.2+,valkey", "BITOP AND d s", ""},
		{"redis@7.4,redis@8.0,redis@8.6", "BITOP ANDOR d s", `1 "BITOP" has no option "ANDOR": Redis 7.4, Redis 8.0`},
		{"redis@8.6", "HSETEX k FIELDS 1 f v EX 10", ""},
		{"redis@7.2,redis@7.4,valkey@7.2,valkey@8.0", "HSCAN k 0 NOVALUES", `3 "HSCAN" has no option "NOVALUES": Redis 7.2, Valkey 7.2`},
		{"redis@7.0,redis@7.2", "ZRANK k m WITHSCORE", `3 "ZRANK" has no option "WITHSCORE": Redis 7.0`},
		{"redis@7.0", "SADD k NX", ""},
		{"redis@7.0", "ZUNIONSTORE d 0 a", `2 "ZUNIONSTORE" needs at least one key, and the number of keys is 0: Redis 7.0`},
		{"redis@7.0", "ZUNIONSTORE d 2 a", `2 "ZUNIONSTORE" is told of 2 keys, and 1 argument follows: Redis 7.0`},
		{"redis@7.0", "ZUNIONSTORE d 3 a b", `2 "ZUNIONSTORE" is told of 3 keys, and 2 arguments follow: Redis 7.0`},
		{"redis@7.0", "XREAD STREAMS a b 0", `1 "XREAD" takes one ID for each stream, and there are 3 arguments for them: Redis 7.0`},
		{"redis@7.0", "SCAN 0 MATH a*", `2 "SCAN" takes no "MATH" here, did you mean "MATCH"?: Redis 7.0`},
		{"redis@7.0", "LRANGE k 0 end", `3 "LRANGE" needs an integer here, not "end": Redis 7.0`},
		{"redis@7.0", "INCRBY k 1.5", `2 "INCRBY" needs an integer here, not "1.5": Redis 7.0`},
		{"redis@7.0", "ZRANGEBYSCORE k (1 +inf", ""},
		{"redis@7.0", "PING a b", `2 "PING" takes at most 1 arguments, not 2: Redis 7.0`},
		{"redis@7.0", "SPOP k 1 2", `3 "SPOP" takes at most 2 arguments, not 3: Redis 7.0`},
		{"redis@7.0", "SPOP k 1 ...", ""},
		{"redis@7.0", "BITFIELD k SET u8 #1 2", ""},
	} {
		args := call(c.call)
		var got []string
		for _, p := range mustTarget(t, c.target).ArgProblems(find(t, c.target, args), args) {
			got = append(got, fmt.Sprintf("%d %s: %s", p.Index, p.Message, names(p.Builds)))
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s on %s:\n got %s\nwant %s", c.call, c.target, text, c.want)
		}
	}
}
