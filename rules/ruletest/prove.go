package ruletest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/rules"
)

// Verdict is the result of one example on one runner: "" in Problem where the example holds.
type Verdict struct {
	Outcome Outcome
	Problem string
	Differs bool // otherwise than claimed, as the example says
}

// RunnersOf lists the runners that an example runs on.
func RunnersOf(e *rules.Example) []string {
	switch {
	case !e.Runs():
		return nil
	case e.Cluster || len(e.Slots) > 0:
		return []string{Cluster}
	case e.Library:
		return []string{Redis} // miniredis has no functions
	}
	return []string{Miniredis, Redis}
}

// Prove runs an example on a server and compares.
func Prove(s *Server, e *rules.Example) Verdict {
	o, err := s.Run(e)
	if err != nil {
		return Verdict{Outcome: o, Problem: err.Error()}
	}
	v := Verdict{Outcome: o}
	wrong := disagreement(s, e, o)
	why, differs := e.Differs[s.Name]
	holds := s.Version == "" || within(s.Version, e.From, e.Until)
	switch {
	case differs && wrong == "":
		v.Problem = fmt.Sprintf("%s answers as claimed; remove Differs (%s)", s.Name, why)
	case !differs && !holds && wrong == "":
		v.Problem = fmt.Sprintf("%s %s is outside %q to %q and answers as claimed", s.Name, s.Version, e.From, e.Until)
	case !differs && holds && wrong != "":
		v.Problem = wrong
	}
	v.Differs = differs
	for _, r := range e.Recorded {
		if r.Server == "redis "+s.Version && s.Name != Miniredis && !strings.HasPrefix(o.Reply, r.Says) {
			v.Problem = fmt.Sprintf("recorded for %s: %s; it answers %s", r.Server, r.Says, o.Reply)
		}
	}
	return v
}

// disagreement says how an outcome is not what the example claims; "" where it is.
func disagreement(s *Server, e *rules.Example, o Outcome) string {
	raised := strings.HasPrefix(o.Reply, "-")
	switch {
	case e.Raises != "" && s.Name == Miniredis && !raised:
		return fmt.Sprintf("must raise, answers %s", o.Reply)
	case e.Raises != "" && s.Name != Miniredis && !strings.HasPrefix(o.Reply, "-"+e.Raises):
		return fmt.Sprintf("must raise %q, answers %s", e.Raises, o.Reply)
	case e.Raises == "" && e.Returns != "" && o.Reply != e.Returns:
		return fmt.Sprintf("must return %s, answers %s", e.Returns, o.Reply)
	case e.Raises == "" && e.Returns == "" && len(e.State) > 0 && raised:
		return fmt.Sprintf("raises %s, which the example does not claim", o.Reply)
	}
	for i, st := range e.State {
		if o.After[i] != st.Reply {
			return fmt.Sprintf("then %s must answer %s, answers %s", strings.Join(st.Command, " "), st.Reply, o.After[i])
		}
	}
	for i, key := range slotKeys(e) {
		if o.Slots[i] != ":"+strconv.Itoa(e.Slots[key]) {
			return fmt.Sprintf("slot of %q must be %d, is %s", key, e.Slots[key], o.Slots[i])
		}
	}
	return ""
}

// within reports from ≤ version < until; an empty bound is none.
func within(version, from, until string) bool {
	return (from == "" || compareVersions(version, from) >= 0) && (until == "" || compareVersions(version, until) < 0)
}

// compareVersions compares dotted numbers; missing parts are 0.
func compareVersions(a, b string) int { return slices.Compare(numbers(a), numbers(b)) }

func numbers(version string) []int {
	parts := make([]int, 3)
	for i, p := range strings.SplitN(version, ".", 3) {
		parts[i], _ = strconv.Atoi(p)
	}
	return parts
}
