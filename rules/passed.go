package rules

import (
	"fmt"
	"strconv"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// missingAt looks for places where the script surely fails because a call leaves out an element of KEYS (FromKeys) or ARGV (FromArgv) that
// it uses.
func missingAt(p *Pass, s *luacheck.Site, list value.OriginKind) (f *value.Failure, passed int) {
	facts, passed := p.runAlone(s, list)
	if facts == nil {
		return nil, 0
	}
	for _, x := range facts.Failures {
		if x.MissesElement(list, passed) {
			return x, passed
		}
	}
	return nil, passed
}

// loneRun is a script as one call alone runs it.
type loneRun struct {
	site   *luacheck.Site
	list   value.OriginKind
	facts  *value.Facts
	passed int
}

// runAlone analyses the script once more as one call alone runs it, since other calls may take other ways through it. It gives nil where that
// call passes all that the script uses, or nobody knows how much. The last answer is kept: the rules ask for each call in turn.
func (p *Pass) runAlone(s *luacheck.Site, list value.OriginKind) (f *value.Facts, passed int) {
	last := &p.shared.alone
	if last.site != s || last.list != list {
		*last = loneRun{site: s, list: list}
		last.facts, last.passed = runAlone(p.Program, s, list)
	}
	return last.facts, last.passed
}

func runAlone(p *luacheck.Program, s *luacheck.Site, list value.OriginKind) (f *value.Facts, passed int) {
	l, used := &s.Args, p.Facts.ArgsUsed
	if list == value.FromKeys {
		l, used = &s.Keys, p.Facts.KeysUsed
	}
	passed, known := l.AtMost()
	if !known || passed >= used || !p.Complete || p.Facts.Library != nil {
		return nil, 0
	}
	one := *s
	*pickList(&one, list) = padded(*l, passed)
	return luacheck.Analyze(p.Source, []luacheck.Site{one}, luacheck.Options{Target: p.Target, SitesComplete: true}).Facts, passed
}

// elementRank is how sure it is that what the call leaves out is used: where the script goes different ways by arguments that are not known,
// it may go another way at this call.
func elementRank(p *Pass, s *luacheck.Site, list value.OriginKind) Severity {
	if facts, _ := p.runAlone(s, list); facts != nil && luacheck.ArgumentsDecide(facts) {
		return Warning
	}
	return ErrorSeverity
}

// neverEqual is a comparison of an element of ARGV that a call does not pass with a reply, which is never nil: a token that was forgotten.
// A comparison with a literal asks for an option that may be left out.
func neverEqual(f *value.Facts, passed int) (op *value.Op, index int) {
	for _, op := range f.Ops {
		if op.Op != syntax.OpEq && op.Op != syntax.OpNotEq {
			continue
		}
		for _, pair := range [2][2]*value.Value{{op.X, op.Y}, {op.Y, op.X}} {
			v, other := pair[0], pair[1]
			if v.IsElementPast(value.FromArgv, passed) && !other.IsUnknown() && other.Kinds&value.Nil == 0 && replyOf(other) != nil {
				return op, v.From.Index
			}
		}
	}
	return nil, 0
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
func requiredWords(s *luacheck.Site, list string, need, passed int, what string) string {
	if s.Function != "" {
		name := map[string]string{"KEYS": "keys", "ARGV": "args"}[list]
		return fmt.Sprintf("'%s' needs '%s[%d]', the call passes %s: it is nil there, and the function fails; pass %s", s.Function, name, need,
			countWords(passed, what), countWords(need, what))
	}
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
