package value_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var update = flag.Bool("update", false, "write testdata/facts.txtar anew: read the difference before you commit it")

// TestFacts compares what the stage finds in the scripts of testdata/facts.txtar with the facts behind each: NAME.lua, then NAME.facts.
func TestFacts(t *testing.T) {
	const path = "testdata/facts.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out txtar.Archive
	out.Comment = ar.Comment
	for i, f := range ar.Files {
		name, ok := strings.CutSuffix(f.Name, ".lua")
		if !ok {
			continue
		}
		got := describe(analyze(t, string(f.Data)))
		out.Files = append(out.Files, f, txtar.File{Name: name + ".facts", Data: []byte(got)})
		if *update {
			continue
		}
		if i+1 >= len(ar.Files) || ar.Files[i+1].Name != name+".facts" {
			t.Errorf("%s has no facts", f.Name)
			continue
		}
		if diff := cmp.Diff(string(ar.Files[i+1].Data), got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(&out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func analyze(tb testing.TB, text string) (*syntax.Chunk, *value.Facts) {
	tb.Helper()
	target, err := server.ParseTarget(server.DefaultTarget, true)
	if err != nil {
		tb.Fatal(err)
	}
	c := syntax.Parse(syntax.Source{Text: text}, syntax.Lua51)
	return c, value.Analyze(value.Input{Chunk: c, Scope: scope.Bind(c), Target: target})
}

// describe writes facts one a line, with the text that each is about.
func describe(c *syntax.Chunk, f *value.Facts) string {
	var b strings.Builder
	text := func(s syntax.Span) string { return strings.Join(strings.Fields(c.Source.Text[s.Start:s.End]), " ") }
	for _, k := range f.Calls {
		fmt.Fprintf(&b, "call %s: %s\n", text(k.At), strings.ToUpper(k.Name))
		for i, a := range k.Args {
			if i > 0 && a.Value.From != nil {
				fmt.Fprintf(&b, "  %s from %s%s\n", text(a.At), a.Value.From, map[bool]string{true: ", and more"}[a.Many])
			}
		}
		if x := k.Conflict; x != nil {
			fmt.Fprintf(&b, "  %s was taken for a %s by %s\n", text(k.Args[x.Arg].At), x.Was, text(x.Earlier.At))
		}
		if k.Random != nil && k.Writes {
			fmt.Fprintf(&b, "  behind %s\n", text(k.Random.At))
		}
		if k.Entry != nil {
			fmt.Fprintf(&b, "  in %.24s\n", text(k.Entry.Span))
		}
		for l := k.LoopOf; l != nil; l = l.Outer {
			fmt.Fprintf(&b, "  in the loop %.24s\n", text(l.Node.Bounds()))
		}
		fmt.Fprintf(&b, "  gives %s%s\n", kinds(k.Result), after(k.Before, k.Mixed))
	}
	for _, l := range f.Loops {
		if l.Endless {
			fmt.Fprintf(&b, "%.24s never ends%s\n", text(l.Node.Bounds()), after(l.Writes, false))
		}
	}
	for _, x := range f.Failures {
		how := "may fail"
		switch {
		case x.Sure:
			how = "fails"
		case x.Weak:
			continue
		}
		fmt.Fprintf(&b, "%s %s: %s%s\n", text(x.At), how, x.Why, after(x.Writes, false))
	}
	for _, r := range f.Returns {
		var words []string
		for _, a := range r.Values {
			words = append(words, kinds(a.Value))
		}
		fmt.Fprintf(&b, "returns %s%s\n", strings.Join(words, ", "), after(r.Writes, r.Mixed))
	}
	return b.String()
}

func after(writes []*value.Call, mixed bool) string {
	if len(writes) == 0 {
		return ""
	}
	var names []string
	for _, w := range writes {
		names = append(names, w.Label())
	}
	s := " after " + strings.Join(names, ", ")
	if mixed {
		s += " or nothing"
	}
	return s
}

// kinds writes what a value may be; a kind that is there only on data that nobody can vouch for has a question mark.
func kinds(v *value.Value) string {
	if v.IsUnknown() {
		return "anything"
	}
	if v.Const {
		switch v.Kinds {
		case value.String:
			return fmt.Sprintf("%q", v.Text)
		case value.Number:
			return fmt.Sprint(v.Num)
		}
	}
	var words []string
	for _, k := range []struct {
		k value.Kinds
		s string
	}{{value.Nil, "nil"}, {value.False, "false"}, {value.True, "true"}, {value.Number, "number"}, {value.String, "text"},
		{value.Table, "table"}, {value.Status, "status"}, {value.Error, "error"}, {value.Function, "function"}, {value.Userdata, "userdata"}} {
		if v.Kinds&k.k == 0 {
			continue
		}
		if v.Weak&k.k != 0 {
			k.s += "?"
		}
		words = append(words, k.s)
	}
	return strings.Join(words, "|")
}
