package rules

import (
	"math"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

// The times that calls in Go pass.

// siteScale is what an argument of a call in Go counts, in seconds, whether it is a point in time, and that in words.
func siteScale(e *luacheck.Element) (scale float64, moment bool, words string) {
	switch e.Kind.Unit {
	case luacheck.UnitNanos:
		if e.Kind.Type == luacheck.TypeDuration {
			return 1e-9, false, "a time.Duration is sent as nanoseconds"
		}
		return 1e-9, false, "the argument counts nanoseconds"
	case luacheck.UnitMicros:
		scale = 1e-6
	case luacheck.UnitMillis:
		scale = 1e-3
	case luacheck.UnitSeconds:
		scale = 1
	case luacheck.UnitMinutes:
		scale = 60
	case luacheck.UnitUnixNanos:
		scale, moment = 1e-9, true
	case luacheck.UnitUnixMicros:
		scale, moment = 1e-6, true
	case luacheck.UnitUnixMillis:
		scale, moment = 1e-3, true
	case luacheck.UnitUnixSeconds:
		scale, moment = 1, true
	default:
		return siteNameScale(e)
	}
	if moment {
		return scale, moment, "the argument is a Unix time in " + scaleWords(scale)
	}
	return scale, moment, "the argument counts " + scaleWords(scale)
}

// siteNameScale is what the name of a variable in Go says.
func siteNameScale(e *luacheck.Element) (scale float64, moment bool, words string) {
	if len(e.Text.Parts) != 1 || e.Text.Parts[0].Hole == "" || e.Kind.HasRange && e.Kind.Lo == e.Kind.Hi {
		return 0, false, ""
	}
	name := e.Text.Parts[0].Name
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return strings.ContainsRune("()[]{}*&+-/ \"", r) }) {
		return 0, false, ""
	}
	if scale = nameScale(name); scale != 0 {
		return scale, false, "the argument '" + name + "' counts " + scaleWords(scale)
	}
	return 0, false, ""
}

// passedAt is what a site passes as ARGV[index].
func passedAt(s *luacheck.Site, index int) *luacheck.Element {
	if !s.Mode.Runs() || index < 1 || index > len(s.Args.Items) {
		return nil
	}
	e := &s.Args.Items[index-1]
	if e.Kind.Type == luacheck.TypeDuration && s.Library != "go-redis" {
		return nil // it is sent as a text, which is another rule's matter
	}
	return e
}

// sitesAgree: some call is known to pass what the command takes, and none to pass something else, so a name may say what it likes.
func (u *ttlChecker) sitesAgree(t *timeArg, leaves []timeLeaf) bool {
	agree := false
	for _, l := range leaves {
		for i := range u.Sites {
			e := passedAt(&u.Sites[i], l.argv)
			if e == nil || e.Kind.Unit == luacheck.UnitUnknown {
				continue
			}
			scale, _, _ := siteScale(e)
			if _, bad := unlike(scale, t.scale*l.factor, l.factor); bad {
				return false
			}
			agree = true
		}
	}
	return agree
}

// checkSites compares what the calls in Go pass with what the command takes.
func (u *ttlChecker) checkSites(t *timeArg, l *timeLeaf) (found bool) {
	for i := range u.Sites {
		e := passedAt(&u.Sites[i], l.argv)
		if e == nil {
			continue
		}
		if words := u.siteProblem(t, l, e); words != "" {
			f := At(i, PartArg, l.argv-1, Warning, words)
			f.Related = []Related{{Span: t.arg.At, Site: -1, Message: "it goes here"}}
			u.Report(f)
			found = true
		}
	}
	return found
}

// siteProblem is what is wrong with an argument in Go, "" for nothing.
func (u *ttlChecker) siteProblem(t *timeArg, l *timeLeaf, e *luacheck.Element) string {
	scale, moment, words := siteScale(e)
	known := e.Kind.Unit != luacheck.UnitUnknown
	if scale != 0 {
		want := t.scale * l.factor
		if times, ok := unlike(scale, want, l.factor); ok {
			if l.factor != 1 {
				return words + ", and the script takes it for " + scaleWords(nearScale(want)) + ": " + timesWords(t, times) + "; convert it"
			}
			return words + ", and " + t.takes() + ": " + timesWords(t, times) + "; convert it"
		}
		switch {
		case !known || l.part || l.factor != 1:
		case moment && !t.moment:
			return words + ", and " + t.word() + " takes a time to live: the key lives for decades; pass the time that is left"
		case !moment && t.moment:
			return words + " of a length of time, and " + t.word() + " takes a point in time: the key is deleted at once; add the present time"
		}
	}
	if t.moment || l.part || l.factor != 1 {
		return ""
	}
	return u.siteZero(t, l, e)
}

// nearScale is the unit that is nearest to a scale.
func nearScale(want float64) float64 {
	return math.Pow(1000, math.Round(math.Log10(want)/3))
}

// siteZero: a length of time that is 0, or may be.
func (u *ttlChecker) siteZero(t *timeArg, l *timeLeaf, e *luacheck.Element) string {
	bad := "deletes the key then"
	if t.refusesZero() {
		bad = "refuses that"
	}
	k := &e.Kind
	v := t.arg.Value
	switch {
	case k.HasRange && k.Hi <= 0:
		if v.Lo > 0 || u.ordersArgv(map[int]bool{l.argv: true}) {
			return ""
		}
		return "the time is " + value.FormatNumber(k.Hi) + ", and " + t.call.Label() + " " + bad + "; pass a time above 0"
	case k.HasRange && k.Lo == k.Hi && oddLength(t, k.Lo) && k.Unit == luacheck.UnitUnknown:
		return value.FormatNumber(k.Lo) + " looks like " + scaleWords(1e-3/t.scale) + ", and " + t.takes() + "; convert it"
	case k.Truncates && k.Unit == luacheck.UnitSeconds && t.scale == 1 && (!k.HasRange || k.Lo < 1):
		if v.Lo >= 1 || v.Lo >= 0 && !k.HasRange || u.ordersArgv(map[int]bool{l.argv: true}) {
			return ""
		}
		return "a duration cut to whole seconds is 0 below one second, and " + t.call.Label() + " " + bad + "; round it up, or pass milliseconds to " + twinOf(t)
	}
	return ""
}

func twinOf(t *timeArg) string {
	if w := twins[t.word()]; w != "" {
		return w
	}
	return "the twin of " + t.word()
}
