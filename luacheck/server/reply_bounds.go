package server

import "strconv"

// bound sets what the call's arguments say of the length of an array.
func bound(r *Reply, name string, args []Arg) {
	boundCount(r, name, args)
	if r.Kinds&ReplyArray == 0 || r.Tuple != nil {
		return
	}
	count, limited := countOf(name, args)
	if !limited {
		return
	}
	r.Bounded = true
	if count < 0 {
		return
	}
	r.NonEmpty = r.NonEmpty || count > 0 && answersEach(name)
	if r.FieldValue || len(args) < 3 && (name == "zpopmin" || name == "zpopmax") {
		count *= 2
	}
	r.MaxLen = count
}

// boundCount: a command that counts its own arguments replies no more than there are.
func boundCount(r *Reply, name string, args []Arg) {
	from, each := 0, 1
	switch name {
	case "exists", "del", "unlink", "touch":
		from = 1
	case "sadd", "srem", "hdel", "zrem", "xdel":
		from = 2
	case "xack":
		from = 3
	case "hset":
		from, each = 2, 2
	default:
		return
	}
	if n := countArgs(args, from) / each; n > 0 && r.Kinds == ReplyInt {
		r.Hi = min(r.Hi, int64(n))
	}
}

// boundClock: TIME replies seconds, of ten digits until the year 2286, and microseconds.
func boundClock(r *Reply) {
	if len(r.Tuple) == 2 {
		r.Tuple[0].Lo, r.Tuple[0].Hi = 1e9, 1e10
		r.Tuple[1].Lo, r.Tuple[1].Hi = 0, 999999
	}
}

// answersEach: the command replies one element for each thing that was asked for, null where it is not there.
func answersEach(name string) bool {
	switch name {
	case "mget", "hmget", "geohash", "geopos", "zmscore", "smismember", "script|exists":
		return true
	}
	return false
}

// countOf is the most elements that the arguments let through, -1 where they limit it by a number that is not known; limited is false
// where the length grows with the data.
func countOf(name string, args []Arg) (count int, limited bool) {
	switch name {
	case "mget":
		return countArgs(args, 1), true
	case "hmget", "geohash", "geopos", "zmscore", "smismember", "script|exists":
		return countArgs(args, 2), true
	case "lpop", "rpop", "spop", "srandmember", "hrandfield", "zrandmember", "vrandmember":
		return countArg(args, 2, -1), true
	case "zpopmin", "zpopmax":
		return countArg(args, 2, 1), true
	case "lrange":
		return rangeCount(args)
	case "zrange", "zrevrange":
		o := scanOptions(args, 4, "LIMIT:2")
		if name == "zrange" && o.has("BYSCORE", "BYLEX") == yes {
			return o.limit("LIMIT")
		}
		return rangeCount(args)
	case "zrangebyscore", "zrevrangebyscore", "zrangebylex", "zrevrangebylex":
		return scanOptions(args, 4, "LIMIT:2").limit("LIMIT")
	case "sort", "sort_ro":
		return scanOptions(args, 2, sortValued).limit("LIMIT")
	case "georadius", "georadius_ro", "georadiusbymember", "georadiusbymember_ro", "geosearch":
		return scanOptions(args, 2, geoValued).limit("COUNT")
	case "xrange", "xrevrange", "vrange":
		return scanOptions(args, 4, "COUNT:1").limit("COUNT")
	case "lpos":
		n, ok := scanOptions(args, 3, "RANK:1 COUNT:1 MAXLEN:1").limit("COUNT")
		return n, ok && n != 0
	case "xread", "xreadgroup", "xpending", "vsim":
		return -1, true
	}
	return 0, false
}

// countArgs is the number of arguments from index from on, -1 where it is not known.
func countArgs(args []Arg, from int) int {
	if manyAt(args) < len(args) || len(args) < from {
		return -1
	}
	return len(args) - from
}

// countArg is the count at an index, without its sign; none where the call has no such argument, -1 where it is not known.
func countArg(args []Arg, at, none int) int {
	switch many := manyAt(args); {
	case many < len(args) && many <= at:
		return -1
	case at >= len(args):
		return none
	}
	n, err := strconv.Atoi(args[at].Text)
	if !args[at].Known || err != nil {
		return -1
	}
	return max(n, -n)
}

// limit is the count behind LIMIT or COUNT; a negative one limits nothing.
func (o options) limit(word string) (count int, limited bool) {
	a, ok := o.value(word)
	if !ok {
		return -1, o.unknown
	}
	n, err := strconv.Atoi(a.Text)
	if !a.Known || err != nil {
		return -1, true
	}
	return n, n >= 0
}

// rangeCount is the length of an index range at 2 and 3; from a positive index to a negative one it grows with the data.
func rangeCount(args []Arg) (count int, limited bool) {
	if len(args) < 4 || manyAt(args) < 4 {
		return -1, true
	}
	from, err1 := strconv.Atoi(args[2].Text)
	to, err2 := strconv.Atoi(args[3].Text)
	switch {
	case !args[2].Known || !args[3].Known || err1 != nil || err2 != nil:
		return -1, true
	case from < 0 == (to < 0):
		return max(to-from+1, 0), true
	case from < 0: // LRANGE -10 20: at most the last ten
		return -from, true
	}
	return 0, false
}
