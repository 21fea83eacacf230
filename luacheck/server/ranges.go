package server

import (
	"errors"
	"strconv"
	"strings"
)

// ranges: the two ends of a range of scores or of texts, which servers read before they look at the key (seen on 7.0.15).
func (f *problemFinder) ranges() {
	from := 2
	if f.cmd.Name == "zrangestore" {
		from = 3
	}
	kind := rangeKind(f.cmd.Name, f.args, from+2)
	for i := from; i < from+2 && i < len(f.args); i++ {
		text := f.args[i].Text
		switch {
		case !f.args[i].Known:
		case kind == "score" && !scoreEnd(text):
			f.add(ProblemNotFloat, i, nil, "%q needs a score here, such as 1, (1 or -inf, not %s", f.name(), strconv.Quote(text))
		case kind == "lex" && !lexEnd(text):
			f.add(ProblemNotFloat, i, nil, "%q needs - or + here, or a text behind [ or (, not %s", f.name(), strconv.Quote(text))
		}
	}
}

// rangeKind is "score" or "lex" where the command takes such a range, "" for others. options is where a command that knows both names it.
func rangeKind(name string, args []Arg, options int) string {
	switch name {
	case "zrangebyscore", "zrevrangebyscore", "zcount", "zremrangebyscore":
		return "score"
	case "zrangebylex", "zrevrangebylex", "zlexcount", "zremrangebylex":
		return "lex"
	case "zrange", "zrangestore":
		for _, a := range args[min(options, len(args)):] {
			switch {
			case a.Known && isWord(a.Text, "BYSCORE"):
				return "score"
			case a.Known && isWord(a.Text, "BYLEX"):
				return "lex"
			}
		}
	}
	return ""
}

// scoreEnd is whether strtod reads all of the text behind an open bracket; of no text it makes 0.
func scoreEnd(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, "("), " \t\n\v\f\r")
	if text == "" || fitsKind(text, ArgDouble) {
		return true
	}
	_, err := strconv.ParseFloat(text, 64)
	return errors.Is(err, strconv.ErrRange) // that is infinity
}

func lexEnd(text string) bool {
	return text == "-" || text == "+" || strings.HasPrefix(text, "[") || strings.HasPrefix(text, "(")
}
