package rules

import (
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// Words about calls of redis.call, shared by the rules about commands.

// maxQuote is how many bytes of source a message quotes.
const maxQuote = 40

// codeWords quotes a piece of the script for a message, on one line and not too long.
func codeWords(p *Pass, at syntax.Span) string {
	text := p.Source.Text
	if at.Start < 0 || int(at.End) > len(text) || at.Start >= at.End {
		return "the argument"
	}
	text = strings.Join(strings.Fields(text[at.Start:at.End]), " ")
	if len(text) > maxQuote {
		text = strings.ToValidUTF8(text[:maxQuote], "") + "..."
	}
	return strconv.Quote(text)
}

// callRank is the severity of what a server refuses for certain: an error, or a warning where the script catches it.
func callRank(c *value.Call) Severity {
	if c.Protected {
		return Warning
	}
	return ErrorSeverity
}

// onlyOn says on which builds something holds, "" where it holds on all of the target.
func onlyOn(p *Pass, builds []server.Build) string {
	if len(builds) == len(p.Target.Builds) {
		return ""
	}
	return " on " + buildWords(builds)
}

// nth is "1 argument", "2 arguments".
func nth(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// known counts the arguments of a call whose number is known.
func knownArgs(c *value.Call) int {
	n := len(c.Args)
	if c.ArgsMany {
		n--
	}
	return n
}
