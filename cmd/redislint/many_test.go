package main

import (
	"fmt"
	"strings"
	"testing"
)

const ownClient = "type client interface {\n\tEval(script string, keys []string, args ...any) (any, error)\n}\n"

// TestManyEmbedded: a name that is not known stands for each of the files of a folder, also of a large one.
func TestManyEmbedded(t *testing.T) {
	files := map[string]string{"a.go": "package a\n\nimport \"embed\"\n\n//go:embed s\nvar fs embed.FS\n\n" + ownClient +
		"\nfunc f(c client, name string) {\n\tb, _ := fs.ReadFile(\"s/\" + name + \".lua\")\n\tc.Eval(string(b), nil)\n}\n"}
	for i := range 200 {
		files[fmt.Sprintf("s/f%d.lua", i)] = "return 1\n"
	}
	files["s/f150.lua"] = "return 1 2\n"
	status, out, errs := lintIn(t, module(t, files), "./...")
	if want := "s/f150.lua:1:10: error: syntax: "; status != exitFindings || !strings.HasPrefix(out, want) || strings.Count(out, "error: ") != 1 || errs != "" {
		t.Errorf("status %d, %q, %q; want one finding at %s", status, out, errs, want)
	}
}

// TestGrowingText: a text that grows without end at each step of a chain is not made, and that is said.
func TestGrowingText(t *testing.T) {
	var chain strings.Builder
	for i := range 40 {
		fmt.Fprintf(&chain, "\ts%d := strings.ReplaceAll(s%d, \"a\", \"aa\")\n", i+1, i)
	}
	status, out, errs := lintIn(t, module(t, map[string]string{"a.go": "package a\n\nimport \"strings\"\n\n" + ownClient +
		"\nfunc f(c client) {\n\ts0 := \"return a\"\n" + chain.String() + "\tc.Eval(s40, nil)\n\tc.Eval(strings.Repeat(strings.Repeat(strings.Repeat(`a`, 1000), 1000), 1000), nil)\n}\n"}), "-v", "./...")
	if status == exitProblem || !strings.Contains(errs, "the text is made at run time by strings.ReplaceAll(") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}
