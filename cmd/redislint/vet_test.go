package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/redislint/redislint/rules"
)

// TestRefuseNewerGo plays cmd/go of a Go that does not exist yet: the standard library is a silent unit, the user's package shows the message.
func TestRefuseNewerGo(t *testing.T) {
	dir := t.TempDir()
	unit := func(name string, u vetUnit) string {
		t.Helper()
		text, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name+".cfg")
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	std := filepath.Join(dir, "std.vetx")
	var out strings.Builder
	if code := refuseNewerGo(unit("std", vetUnit{GoVersion: "go1.999.1", VetxOnly: true, VetxOutput: std}), &out); code != exitClean || out.String() != "" {
		t.Errorf("standard library: got %d, %q", code, out.String())
	}
	user := vetUnit{GoVersion: "go1.21", PackageVetx: map[string]string{"fmt": std}}
	want := "redislint: built with " + runtime.Version() + ", which cannot read the packages of go1.999.1; build it again with that Go (go install, or go get -tool)\n"
	if code := refuseNewerGo(unit("user", user), &out); code != exitFindings || out.String() != want {
		t.Errorf("user's package: got %d, %q, want %q", code, out.String(), want)
	}
	if code := refuseNewerGo(unit("same", vetUnit{GoVersion: runtime.Version()}), &out); code != -1 {
		t.Errorf("the same Go: got %d", code)
	}
}

func TestVetConfig(t *testing.T) {
	cfg, err := vetConfig([]string{"-tests=false", "-redislint.severity=error", "-cluster=false", "-json=true", "x.cfg"})
	if err != nil || !cfg.SkipTests || cfg.Severity != rules.ErrorSeverity || cfg.Target.Cluster {
		t.Errorf("got %+v, %v", cfg, err)
	}
	if _, err := vetConfig([]string{"-disable=no-such", "x.cfg"}); err == nil || err.Error() != `-disable: unknown rule "no-such"; redislint -rules lists them` {
		t.Errorf("got %v", err)
	}
}
