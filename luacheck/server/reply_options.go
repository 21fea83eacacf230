package server

import (
	"strconv"
	"strings"
)

// answer is whether a call has an option.
type answer uint8

const (
	no answer = iota
	yes
	maybe // an unknown argument may be it
)

// options are the option words of a call.
type options struct {
	words   []string // upper case
	values  []Arg    // the first value of each word that has one
	unknown bool     // an argument where a word may stand is unknown
}

// scanOptions reads words from index from on. valued names the words that values follow, with their number: "LIMIT:2 BY:1".
func scanOptions(args []Arg, from int, valued string) options {
	var o options
	for i := from; i < len(args); i++ {
		a := args[i]
		if !a.Known {
			o.unknown = true
			if a.Many {
				return o
			}
			continue
		}
		word := strings.ToUpper(a.Text)
		o.words = append(o.words, word)
		o.values = append(o.values, Arg{})
		if n := valuesOf(word, valued); n > 0 && i+n < len(args) {
			o.values[len(o.values)-1] = args[i+n]
			i += n
		}
	}
	return o
}

// valuesOf looks a word up in a list such as "LIMIT:2 BY:1".
func valuesOf(word, valued string) int {
	for item := range strings.FieldsSeq(valued) {
		if name, n, ok := strings.Cut(item, ":"); ok && name == word {
			return int(n[0] - '0')
		}
	}
	return 0
}

func (o options) has(words ...string) answer {
	for _, w := range o.words {
		if isWord(w, words...) {
			return yes
		}
	}
	if o.unknown {
		return maybe
	}
	return no
}

// value is the last value behind the word.
func (o options) value(word string) (a Arg, ok bool) {
	for i, w := range o.words {
		if w == word {
			a, ok = o.values[i], true
		}
	}
	return a, ok
}

// pick gives the replies for an option that is there, not there or may be.
func (a answer) pick(with, without string) []string {
	switch a {
	case yes:
		return []string{with}
	case no:
		return []string{without}
	}
	return []string{without, with}
}

// atLeast is whether the call has n arguments or more, the name counted.
func atLeast(args []Arg, n int) answer {
	many := manyAt(args)
	switch {
	case many == len(args) && len(args) < n:
		return no
	case many == len(args), many >= n:
		return yes
	}
	return maybe
}

const (
	scored     = "[s]= / [(s,d)]"
	geoValued  = "FROMMEMBER:1 FROMLONLAT:2 BYRADIUS:2 BYBOX:3 COUNT:1 STORE:1 STOREDIST:1"
	sortValued = "BY:1 GET:1 LIMIT:2 STORE:1"
	setValued  = "EX:1 PX:1 EXAT:1 PXAT:1 IFEQ:1 IFNE:1 IFDEQ:1 IFDNE:1"
	vsimValued = "COUNT:1 EPSILON:1 EF:1 FILTER:1 FILTER-EF:1"
)

// replySpecs are the replies that a call may have, options considered, in the language of parseReply.
func replySpecs(name string, args []Arg) []string {
	base := baseReply(name)
	for _, f := range [...]func(name, base string, args []Arg) []string{countReply, sortedSetReply, streamReply, geoSearchReply, otherReply} {
		if specs := f(name, base, args); specs != nil {
			return specs
		}
	}
	return []string{base}
}

// countReply: one element without a count, a list with one.
func countReply(name, base string, args []Arg) []string {
	withCount := atLeast(args, 3)
	switch name {
	case "lpop", "rpop":
		return withCount.pick("[s]*|nil", base)
	case "spop":
		return withCount.pick("[s]* / set", base)
	case "srandmember":
		return withCount.pick("[s]* / [s]*|set", base)
	case "vrandmember":
		return withCount.pick("[s]*", base)
	case "hrandfield":
		return randomReply(args, base, "[s]=* / [(s,s)]*")
	case "zrandmember":
		return randomReply(args, base, "[s]=* / [(s,d)]*")
	case "zpopmin", "zpopmax":
		return withCount.pick("[s]=* / [(s,d)]*", base)
	}
	return nil
}

func sortedSetReply(name, base string, args []Arg) []string {
	switch name {
	case "zadd":
		return zaddIncr(args).pick("n|nil / d|nil", base)
	case "zrank", "zrevrank":
		return atLeast(args, 4).pick("(int0..,n)|nil / (int0..,d)|nil", base)
	case "zrange", "zrevrange", "zrangebyscore", "zrevrangebyscore":
		return scanOptions(args, 4, "LIMIT:2").has("WITHSCORES").pick(scored, base)
	case "zunion", "zinter", "zdiff":
		return lastScores(args).pick(scored, base)
	}
	return nil
}

func streamReply(name, base string, args []Arg) []string {
	switch name {
	case "xpending":
		return atLeast(args, 4).pick("[(s,s,int0..,int0..)]*", base)
	case "xclaim":
		return scanOptions(args, 6, "IDLE:1 TIME:1 RETRYCOUNT:1 LASTID:1").has("JUSTID").pick("[s]*", base)
	case "xautoclaim":
		return scanOptions(args, 6, "COUNT:1").has("JUSTID").pick("(s,[s];[s])", base)
	case "xadd":
		if hasWord(args[:min(len(args), 5)], 2, "NOMKSTREAM") {
			return []string{"s|nil"}
		}
	}
	return nil
}

func geoSearchReply(name, base string, args []Arg) []string {
	switch name {
	case "georadius", "georadius_ro":
		return geoReply(scanOptions(args, 6, geoValued), base)
	case "georadiusbymember", "georadiusbymember_ro":
		return geoReply(scanOptions(args, 5, geoValued), base)
	case "geosearch":
		return geoReply(scanOptions(args, 2, geoValued), base)
	}
	return nil
}

func otherReply(name, base string, args []Arg) []string {
	switch name {
	case "set":
		return setReply(args)
	case "ping":
		return atLeast(args, 2).pick("s", base)
	case "sort", "sort_ro":
		return sortReply(name, base, args)
	case "lcs":
		return lcsReply(base, args)
	case "lpos":
		return scanOptions(args, 3, "RANK:1 COUNT:1 MAXLEN:1").has("COUNT").pick("[int0..]", base)
	case "hscan":
		return scanOptions(args, 3, "MATCH:1 COUNT:1").has("NOVALUES").pick("(i,[s])", base)
	case "vemb":
		return atLeast(args, 4).pick("any", base)
	case "vsim":
		o := scanOptions(args, 4, vsimValued)
		if o.has("WITHATTRIBS") != no {
			return []string{"any"}
		}
		return o.has("WITHSCORES").pick("[s]= / map", base)
	}
	return nil
}

// sortReply: null stands for what a GET pattern does not find; STORE replies the length.
func sortReply(name, base string, args []Arg) []string {
	o := scanOptions(args, 2, sortValued)
	list := o.has("GET").pick("[s|nil]", base)
	if name == "sort" && o.has("STORE") != no {
		return o.has("STORE").pick("int0..", list[len(list)-1])
	}
	return list
}

func lcsReply(base string, args []Arg) []string {
	o := scanOptions(args, 3, "MINMATCHLEN:1")
	if o.has("IDX") == yes {
		return []string{"[]= / map"}
	}
	specs := o.has("LEN").pick("int0..", base)
	if o.has("IDX") == maybe && o.has("LEN") != yes {
		specs = append(specs, "[]= / map")
	}
	return specs
}

// setReply: OK; null too where a condition may refuse; with GET the old value.
func setReply(args []Arg) []string {
	o := scanOptions(args, 3, setValued)
	switch {
	case o.has("GET") == yes:
		return []string{"s|nil"}
	case o.unknown:
		return []string{"ok|nil", "s|nil"}
	case o.has("NX", "XX", "IFEQ", "IFNE", "IFDEQ", "IFDNE") == yes:
		return []string{"ok|nil"}
	}
	return []string{"ok"}
}

// zaddIncr is whether ZADD has INCR: words stand before the first score. Scores and members come in pairs, so an unknown argument there
// may be INCR only where their number is odd.
func zaddIncr(args []Arg) answer {
	at := 2
	for ; at < len(args) && args[at].Known && isWord(args[at].Text, "NX", "XX", "GT", "LT", "CH", "INCR"); at++ {
		if isWord(args[at].Text, "INCR") {
			return yes
		}
	}
	if at < len(args) && !args[at].Known && manyAt(args) == len(args) && (len(args)-at)%2 == 1 {
		return maybe
	}
	return no
}

// randomReply: without a count one element or null; with one a list.
func randomReply(args []Arg, one, pairs string) []string {
	specs := atLeast(args, 3).pick("[s]*", one)
	switch atLeast(args, 4) {
	case yes:
		return []string{pairs}
	case maybe:
		return append(specs, pairs)
	}
	return specs
}

// lastScores is whether ZUNION and the like have WITHSCORES behind their keys.
func lastScores(args []Arg) answer {
	if hasWord(args, 3, "WITHSCORES") {
		return yes
	}
	if len(args) < 3 || manyAt(args) < len(args) {
		return maybe
	}
	if n, err := strconv.Atoi(args[1].Text); err == nil && args[1].Known {
		return scanOptions(args, min(2+max(n, 0), len(args)), "AGGREGATE:1").has("WITHSCORES")
	}
	if args[len(args)-1].Known {
		return no
	}
	return maybe
}

func geoReply(o options, base string) []string {
	switch {
	case o.has("STORE", "STOREDIST") == yes:
		return []string{"int0.."}
	case o.has("WITHCOORD", "WITHDIST", "WITHHASH") == yes:
		return []string{"[[any]]"}
	case o.unknown:
		return []string{base, "[[any]]", "int0.."}
	}
	return []string{base}
}
