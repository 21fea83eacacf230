package gclplugin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/redislint/redislint/rules"
)

func TestNew(t *testing.T) {
	made, err := New(map[string]any{"target": "redis@7.2", "cluster": false, "disable": []any{"syntax", "bad-directive"}, "severity": "warning"})
	if err != nil {
		t.Fatal(err)
	}
	c := made.(plugin).config
	if !c.GoLinesOnly || c.Target.Cluster || c.Severity != rules.Warning || c.Target.String() != "redis@7.2" || c.SkipTests {
		t.Errorf("got %+v", c)
	}
	for _, r := range c.Rules {
		if r.Name == "syntax" || r.Name == "bad-directive" {
			t.Errorf("%s is on", r.Name)
		}
	}
	if made.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("load mode is %q", made.GetLoadMode())
	}
}

func TestNewRefuses(t *testing.T) {
	for _, test := range []struct {
		raw  any
		want string
	}{
		{map[string]any{"targt": "redis@7"}, `redislint: unknown setting "targt", did you mean "target"?`},
		{map[string]any{"format": "json"}, `redislint: unknown setting "format"; known are target, cluster, enable, disable, severity, tests, generated`},
		{map[string]any{"cluster": "perhaps"}, `redislint: cluster: want true or false`},
		{map[string]any{"enable": []any{"syntx"}}, `redislint: enable: unknown rule "syntx", did you mean "syntax"?`},
	} {
		if _, err := New(test.raw); err == nil || err.Error() != test.want {
			t.Errorf("%v: got %v, want %s", test.raw, err, test.want)
		}
	}
	if _, err := New(nil); err != nil {
		t.Errorf("no settings: %v", err)
	}
}

// TestLuaMark: the mark changes with each change of a .lua file and with nothing else.
func TestLuaMark(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return luaMark(dir)
	}
	first := write("a/x.lua", "return 1")
	if got := write("a/x.go", "package a"); got != first {
		t.Error("a .go file changes the mark")
	}
	if got := write("a/x.lua", "return 2"); got == first {
		t.Error("a changed .lua file does not change the mark")
	}
	if got := write("a/x.lua", "return 1"); got != first {
		t.Error("the same files have another mark")
	}
	if got := write("b.lua", ""); got == first {
		t.Error("a new .lua file does not change the mark")
	}
}
