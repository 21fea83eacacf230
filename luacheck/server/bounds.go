package server

import (
	"regexp"
	"strconv"
)

// numberRange is what a server takes for one number of a command, seen on 7.0.15 for keys that do not exist.
type numberRange struct {
	command string
	at      int    // its place; 0 where it is the value of token
	token   string // the option whose value it is
	ok      func(int64) bool
	takes   string
}

func notNegative(n int64) bool { return n >= 0 }
func positive(n int64) bool    { return n > 0 }
func isBit(n int64) bool       { return n == 0 || n == 1 }

const (
	wantNotNegative = "a number that is not negative"
	wantPositive    = "a number greater than 0"
)

var bounds = []numberRange{
	{"setbit", 2, "", notNegative, "an offset that is not negative"},
	{"setbit", 3, "", isBit, "a bit, 0 or 1,"},
	{"getbit", 2, "", notNegative, "an offset that is not negative"},
	{"setrange", 2, "", notNegative, "an offset that is not negative"},
	{"spop", 2, "", notNegative, wantNotNegative},
	{"lpop", 2, "", notNegative, wantNotNegative},
	{"rpop", 2, "", notNegative, wantNotNegative},
	{"zpopmin", 2, "", notNegative, wantNotNegative},
	{"zpopmax", 2, "", notNegative, wantNotNegative},
	{"lpos", 0, "RANK", func(n int64) bool { return n != 0 }, "1, 2 ... from the start or -1, -2 ... from the end"},
	{"lpos", 0, "COUNT", notNegative, wantNotNegative},
	{"lpos", 0, "MAXLEN", notNegative, wantNotNegative},
	{"lmpop", 0, "COUNT", positive, wantPositive},
	{"zmpop", 0, "COUNT", positive, wantPositive},
	{"scan", 0, "COUNT", positive, wantPositive},
	{"xautoclaim", 0, "COUNT", positive, wantPositive},
	{"sintercard", 0, "LIMIT", notNegative, wantNotNegative},
	{"zintercard", 0, "LIMIT", notNegative, wantNotNegative},
}

// bounds: constant numbers that the server refuses for what they say.
func (f *problemFinder) bounds(m match) {
	for i := range bounds {
		if b := &bounds[i]; b.command == f.cmd.Name {
			at := b.at
			if at == 0 {
				if at = m.option(b.token); at == 0 {
					continue
				}
				at++
			}
			if n, ok := f.constant(at); ok && !b.ok(n) {
				f.add(ProblemOption, at, nil, "%q needs %s here, not %d", f.name(), b.takes, n)
			}
		}
	}
}

// constant is the integer that is written at a place.
func (f *problemFinder) constant(at int) (int64, bool) {
	if at >= manyAt(f.args) || !f.args[at].Known {
		return 0, false
	}
	n, err := strconv.ParseInt(f.args[at].Text, 10, 64)
	return n, err == nil
}

// option is the place of an option word, where every reading of the call takes it for that; 0 for none.
func (m match) option(word string) int {
	for i, hits := range m.hits {
		for j, h := range hits {
			if !h.token || h.spec.Token != word {
				break
			}
			if j == len(hits)-1 {
				return i
			}
		}
	}
	return 0
}

// together: options that need one another or exclude one another beyond what excluding lists; seen on 7.0.15.
func (f *problemFinder) together(m match) {
	switch f.cmd.Name {
	case "zrange", "zrangestore":
		f.rangeOptions(m)
	case "lcs":
		if at, idx := m.option("LEN"), m.option("IDX"); at > 0 && idx > 0 {
			f.add(ProblemOption, max(at, idx), nil, "%q takes only one of the options %s", f.name(), quoteList([]string{"LEN", "IDX"}))
		}
	case "xadd", "xtrim":
		f.trimOptions(m)
	case "bitop":
		if len(f.args) > 4 && manyAt(f.args) == len(f.args) && f.args[1].Known && isWord(f.args[1].Text, "NOT") {
			f.add(ProblemArity, 0, nil, "%q with NOT takes one key, not %d", f.name(), len(f.args)-3)
		}
	}
}

func (f *problemFinder) rangeOptions(m match) {
	if !allKnown(f.args, min(len(f.args), 4)) {
		return // an option may be one of those that are not known
	}
	limit, scores, score, lex := m.option("LIMIT"), m.option("WITHSCORES"), m.option("BYSCORE"), m.option("BYLEX")
	switch {
	case limit > 0 && score == 0 && lex == 0 && m.ok:
		f.add(ProblemOption, limit, nil, "%q takes LIMIT only with BYSCORE or BYLEX", f.name())
	case score == 0 && lex == 0 && m.ok:
		f.rankEnds()
	case scores > 0 && lex > 0:
		f.add(ProblemOption, scores, nil, "%q takes only one of the options %s", f.name(), quoteList([]string{"BYLEX", "WITHSCORES"}))
	}
}

// rankEnds: without BYSCORE and BYLEX the two ends are ranks.
func (f *problemFinder) rankEnds() {
	from := 2
	if f.cmd.Name == "zrangestore" {
		from = 3
	}
	for i := from; i < min(from+2, len(f.args)); i++ {
		if f.args[i].Known && !fitsKind(f.args[i].Text, ArgInteger) {
			f.add(ProblemNotInteger, i, nil, "%q needs an integer here, not %s, since neither BYSCORE nor BYLEX is given", f.name(), strconv.Quote(f.args[i].Text))
		}
	}
}

// trimOptions: how XADD and XTRIM are told what to keep.
func (f *problemFinder) trimOptions(m match) {
	most, least, limit := m.option("MAXLEN"), m.option("MINID"), m.option("LIMIT")
	if limit > 0 && m.option("~") == 0 && most+least > 0 {
		f.add(ProblemOption, limit, nil, "%q takes LIMIT only with ~", f.name())
		return
	}
	at := max(most, least) + 1
	if at == 1 {
		return
	}
	if at < len(f.args) && f.args[at].Known && (f.args[at].Text == "~" || f.args[at].Text == "=") {
		at++
	}
	if at >= manyAt(f.args) || !f.args[at].Known {
		return
	}
	text := f.args[at].Text
	switch n, err := strconv.ParseInt(text, 10, 64); {
	case least > 0 && most == 0 && !streamID.MatchString(text):
		f.add(ProblemOption, at, nil, "%q needs an ID here, such as 1700000000000-0, not %s", f.name(), strconv.Quote(text))
	case most > 0 && least == 0 && err != nil:
		f.add(ProblemNotInteger, at, nil, "%q needs an integer here, not %s", f.name(), strconv.Quote(text))
	case most > 0 && least == 0 && n < 0:
		f.add(ProblemOption, at, nil, "%q needs %s here, not %d", f.name(), wantNotNegative, n)
	}
}

var streamID = regexp.MustCompile(`^[0-9]+(-[0-9]+)?$`)

// newID: the ID of a new entry, of which a forgotten * is the usual lack.
func (f *problemFinder) newID(m match) {
	if f.cmd.Name != "xadd" {
		return
	}
	for i, hits := range m.hits {
		for _, h := range hits {
			if h.token || h.spec.Name != "id" {
				break
			}
			text := f.args[i].Text
			if f.args[i].Known && !streamID.MatchString(text) && !partID.MatchString(text) {
				f.add(ProblemOption, i, nil, "%q needs an ID here, such as *, not %s", f.name(), strconv.Quote(text))
			}
			return
		}
	}
}

var partID = regexp.MustCompile(`^[0-9]+-\*$`)

// autoID is the place of the * that asks XADD for an ID, where nothing before it may be one; 0 for none.
func autoID(args []Arg) int {
	for i := 2; i < len(args) && args[i].Known && !args[i].Many; i++ {
		if args[i].Text == "*" {
			return i
		}
	}
	return 0
}
