package rules

import (
	"sort"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var writeBeforeValidation = &Rule{
	Name:     "write-before-validation",
	Title:    "a write before a check that can still end the script in an error",
	Severity: Warning,
	Group:    "Atomicity, errors, expiry",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `Nothing is rolled back: what a script has written stays when it ends in an error, whether by error(), assert, a returned error reply,
arithmetic on an argument that is no number or on a reply that is missing, a false handed to redis.call, or a name that does not exist. The caller sees an error and
takes it that nothing happened.

Read and check everything first, then write. The rule is silent where the error depends on the reply of the write itself (a counter that
is compared with its limit), where the write is undone before the error, and where it is part of refusing, in the same branch as the error.`,
	Bad:     writeBeforeValidationBad,
	Good:    writeBeforeValidationGood,
	Program: checkWriteBeforeValidation,
}

func checkWriteBeforeValidation(p *Pass) {
	byWrite := map[syntax.Span][]*value.Failure{}
	writes := map[syntax.Span]*value.Call{}
	for _, f := range p.Facts.Failures {
		if f.Protected || reasonOf(p, f) == "" {
			continue
		}
		if w := earliestAvoidable(f); w != nil {
			byWrite[w.At] = append(byWrite[w.At], f)
			writes[w.At] = w
		}
	}
	for at, list := range byWrite {
		sort.SliceStable(list, func(i, j int) bool { return list[i].At.Start < list[j].At.Start })
		f := In(at, Warning, "what "+writes[at].Label()+" has written stays when "+reasonOf(p, list[0])+": nothing is rolled back; check first and write afterwards")
		seen := map[syntax.Span]bool{}
		for _, x := range list {
			if !seen[x.At] {
				seen[x.At] = true
				f.Related = append(f.Related, Related{Span: x.At, Site: -1, Message: reasonOf(p, x)})
			}
		}
		p.Report(f)
	}
}

// reasonOf says how the script ends, "" for failures that no check before the write could have excluded.
func reasonOf(p *Pass, f *value.Failure) string {
	switch f.Class {
	case value.FailRaise:
		if f.Host == "assert" {
			return snippet(p, f.At) + " fails"
		}
		if !passedOn(f.Value) {
			return snippet(p, f.At) + " ends the script"
		}
	case value.FailReply:
		if !passedOn(f.Value) && f.Value.Made() != nil {
			return "the error reply " + snippet(p, f.Value.Made().Bounds()) + " ends the script"
		}
	case value.FailArith, value.FailOrder, value.FailFor, value.FailArgument:
		if uncheckedArgument(f) {
			return snippet(p, f.At) + " is nil because " + f.Value.From.String() + " is no number"
		}
		return lackingReason(p, f)
	case value.FailConcat, value.FailIndex:
		return lackingReason(p, f)
	case value.FailCommand:
		if lacksArgument(p, f) {
			return snippet(p, f.At) + ", which may be " + falsyWord(f.Value) + ", is handed to " + f.Call.Label()
		}
	case value.FailGlobal: // of an assignment global-variable says enough
		return snippet(p, f.At) + " ends the script (" + f.Why + ")"
	}
	return ""
}

// lackingReason: a reply that is not there is computed with, though a test before the write could have found out.
func lackingReason(p *Pass, f *value.Failure) string {
	o := lacking(p, f)
	if o == nil || counted(p, o.Call) || o.Call.Writes || o.Path != "" && f.Class == value.FailIndex {
		return ""
	}
	return snippet(p, f.At) + " is " + falsyWord(f.Value) + " because " + missing(o)
}

// lacksArgument: a reply that may be false or nil, or a nil for certain, is handed to a command.
func lacksArgument(p *Pass, f *value.Failure) bool {
	if f.Call == nil || f.Node == nil || f.Value == nil || f.Weak || f.Value.Strong()&value.Falsy == 0 || notPassed(f.Value) {
		return false
	}
	if o := replyOf(f.Value); o != nil {
		return !counted(p, o.Call)
	}
	return f.Value.Const
}

func falsyWord(v *value.Value) string {
	if v.Strong()&value.False != 0 {
		return "false"
	}
	return "nil"
}

// uncheckedArgument: what tonumber gave for an argument is used as a number without a test.
func uncheckedArgument(f *value.Failure) bool {
	v := f.Value
	if v == nil || v.From == nil || v.From.Kind != value.FromArgv || v.From.Index == 0 || v.Kinds&value.Nil == 0 || v.Kinds&^(value.Nil|value.Number) != 0 {
		return false
	}
	return v.Kinds&value.Number != 0 && (f.Class != value.FailArgument || strings.HasPrefix(f.Host, "math."))
}

// passedOn: the error is one that a command or a caught call gave, so it is not the script's own check.
func passedOn(v *value.Value) bool {
	if v == nil {
		return false
	}
	if v.Caught() != "" {
		return true
	}
	found := false
	if v.From != nil {
		v.From.Leaves(func(o *value.Origin) {
			found = found || o.Text == "pcall" || o.Kind == value.FromReply && o.Call != nil && o.Call.PCall
		})
	}
	return found
}

// earliestAvoidable is the first write that a check placed before it would have avoided; nil where there is none.
func earliestAvoidable(f *value.Failure) *value.Call {
	var first *value.Call
	for _, w := range f.Early {
		if needed(f, w) || readsBack(f, w) || f.Call != nil && f.Call.Node == w.Node || first != nil && first.At.Start <= w.At.Start {
			continue
		}
		first = w
	}
	return first
}

// readsBack reports whether what is missing was read from the key that the write changed: before the write it would have been another value.
func readsBack(f *value.Failure, w *value.Call) bool {
	o := replyOf(f.Value)
	if o == nil || f.Class == value.FailCommand || f.Class == value.FailRaise || f.Class == value.FailReply {
		return false
	}
	key := keyOf(o.Call)
	other := keyOf(w)
	return key == nil || other == nil || key.Same(other) || key.Kind != other.Kind || key.Index == 0
}

// needed reports whether the failing test needs the write: it looks at the write's own reply, at another write of a chain in which each
// step is tested, or at what the write has left of the same key.
func needed(f *value.Failure, w *value.Call) bool {
	key := keyOf(w)
	for _, c := range f.Needs {
		if c.Node == w.Node {
			return true
		}
		if k := keyOf(c); tidies(w.Name) && key != nil && k != nil && k.Same(key) {
			return true
		}
		if c.Writes && hasNode(f.Passed, w) {
			return true
		}
	}
	return false
}

func hasNode(calls []*value.Call, c *value.Call) bool {
	for _, x := range calls {
		if x.Node == c.Node {
			return true
		}
	}
	return false
}

// tidies: the command removes what is out of date or sets an expiry, which changes nothing that counts.
func tidies(name string) bool {
	switch name {
	case "zremrangebyscore", "zremrangebyrank", "zremrangebylex", "xtrim", "ltrim":
		return true
	}
	return setsExpiry(name)
}

// setsExpiry: the command changes the expiry of a key and nothing else.
func setsExpiry(name string) bool {
	switch name {
	case "expire", "pexpire", "expireat", "pexpireat", "persist", "hexpire", "hpexpire", "hexpireat", "hpexpireat", "hpersist":
		return true
	}
	return false
}
