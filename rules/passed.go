package rules

import (
	"fmt"
	"strconv"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

// missingAt looks for places where the script surely fails because a call leaves out an element of KEYS (FromKeys) or ARGV (FromArgv) that
// it uses. The script is analysed once more as that call alone runs it: other calls may take other ways through it.
func missingAt(p *luacheck.Program, s *luacheck.Site, list value.OriginKind) (f *value.Failure, passed int) {
	l, used := &s.Args, p.Facts.ArgsUsed
	if list == value.FromKeys {
		l, used = &s.Keys, p.Facts.KeysUsed
	}
	passed, known := l.AtMost()
	if !known || passed >= used || !p.Complete || p.Facts.Library != nil {
		return nil, 0
	}
	alone := *s
	*pickList(&alone, list) = padded(*l, passed)
	facts := luacheck.Analyze(p.Source, []luacheck.Site{alone}, luacheck.Options{Target: p.Target, SitesComplete: true}).Facts
	for _, x := range facts.Failures {
		if x.MissesElement(list, passed) {
			return x, passed
		}
	}
	return nil, passed
}

func pickList(s *luacheck.Site, list value.OriginKind) *luacheck.List {
	if list == value.FromKeys {
		return &s.Keys
	}
	return &s.Args
}

// padded is a list of exactly n elements, those behind the known ones being unknown.
func padded(l luacheck.List, n int) luacheck.List {
	items := append([]luacheck.Element(nil), l.Items[:min(n, len(l.Items))]...)
	for len(items) < n {
		items = append(items, luacheck.Element{})
	}
	return luacheck.List{Items: items, Exact: true, Min: n, Max: n}
}

// missingWords says what becomes of the element that is not passed, and what to do.
func missingWords(f *value.Failure, list string, passed int, what string) string {
	name := list + "[" + strconv.Itoa(f.Value.From.Index) + "]"
	return fmt.Sprintf("the script uses '%s', the call passes %s: it is nil there, which %s; pass %s", name, countWords(passed, what), refusedHow(f),
		countWords(f.Value.From.Index, what))
}

// refusedHow says who refuses the nil.
func refusedHow(f *value.Failure) string {
	switch f.Class {
	case value.FailCommand:
		return "redis.call refuses"
	case value.FailArgument:
		return f.Host + " refuses"
	case value.FailConcat:
		return "cannot be joined with .."
	case value.FailOrder:
		return "cannot be ordered"
	case value.FailArith, value.FailFor:
		return "cannot be used in arithmetic"
	case value.FailIndex:
		return "cannot be indexed"
	case value.FailLen:
		return "has no length"
	}
	return "fails"
}

// requiredWords is what is said of a call that passes too little to a script of another package, whose text is not at hand.
func requiredWords(list string, need, passed int, what string) string {
	return fmt.Sprintf("the script needs '%s[%d]', the call passes %s: it is nil there, and the script fails; pass %s", list, need,
		countWords(passed, what), countWords(need, what))
}

// countWords writes a number with its noun: "no key", "1 key", "2 keys".
func countWords(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun
	case 1:
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func missingRelated(f *value.Failure) []Related {
	return []Related{{Span: f.At, Site: -1, Message: "it is used here"}}
}
