package analyzer

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck"
)

// dump writes a site on one line, for golden comments.
func dump(s *luacheck.Site) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", modeNames[s.Mode], s.Label)
	if s.Function != "" {
		fmt.Fprintf(&b, " function=%s", s.Function)
	}
	if s.Mode.Runs() {
		fmt.Fprintf(&b, " keys=%s args=%s", dumpList(&s.Keys, false), dumpList(&s.Args, true))
		if s.NumKeys.Given {
			fmt.Fprintf(&b, " numkeys=%s", dumpCount(s.NumKeys))
		}
		if s.Result.Method != "" {
			fmt.Fprintf(&b, " use=%s", s.Result.Method)
		}
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{s.Result.NilHandled, "nil-handled"}, {s.Pipelined, "pipelined"}, {s.Fallback, "falls-back"}, {s.Client.Cluster, "cluster"},
		{s.Client.Node, "node"}, {s.OneOf, "one-of"}} {
		if f.on {
			b.WriteString(" " + f.name)
		}
	}
	if len(s.Result.ErrTexts) > 0 {
		fmt.Fprintf(&b, " errs=%q", s.Result.ErrTexts)
	}
	if s.TextVaries != "" {
		fmt.Fprintf(&b, " varies=%s", s.TextVaries)
	}
	return b.String()
}

var modeNames = map[luacheck.Mode]string{luacheck.ModeUnknown: "unknown", luacheck.ModeEval: "eval", luacheck.ModeEvalRO: "eval_ro",
	luacheck.ModeSha: "sha", luacheck.ModeShaRO: "sha_ro", luacheck.ModeFunction: "fcall", luacheck.ModeFunctionRO: "fcall_ro",
	luacheck.ModeLoad: "load", luacheck.ModeDefine: "define", luacheck.ModeLibrary: "library"}

func dumpCount(n luacheck.NumKeys) string {
	switch {
	case n.Length:
		return "len"
	case n.Known:
		return fmt.Sprint(n.Value)
	}
	return "?" + n.Text
}

func dumpList(l *luacheck.List, kinds bool) string {
	var items []string
	for _, e := range l.Items {
		s := dumpTemplate(e.Text)
		if kinds {
			s += dumpKind(&e.Kind)
		}
		items = append(items, s)
	}
	s := "[" + strings.Join(items, " ") + "]"
	if !l.Exact {
		s += fmt.Sprintf("%d..%d", l.Min, l.Max)
	}
	if l.Grows {
		s += "+"
	}
	return s
}

func dumpTemplate(t luacheck.Template) string {
	if len(t.Parts) == 0 {
		return "?"
	}
	var b strings.Builder
	for _, p := range t.Parts {
		if p.Hole != "" {
			b.WriteString("<" + p.Name + ">")
			continue
		}
		b.WriteString(p.Lit)
	}
	return b.String()
}

func dumpKind(k *luacheck.ArgKind) string {
	s := ":" + typeNames[k.Type]
	if k.Unit != luacheck.UnitUnknown {
		s += "/" + unitNames[k.Unit]
	}
	if k.Truncates {
		s += "/cut"
	}
	if k.HasRange {
		s += fmt.Sprintf("/%g..%g", k.Lo, k.Hi)
	}
	if len(k.Words) > 0 {
		s += "/" + strings.Join(k.Words, "|")
	}
	return s
}

var typeNames = [...]string{"?", "string", "int", "float", "bool", "duration", "time", "nil", "slice", "map", "struct", "named", "other"}

var unitNames = [...]string{"?", "ns", "us", "ms", "s", "min", "unix-ns", "unix-us", "unix-ms", "unix-s"}
