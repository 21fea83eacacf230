package main

import (
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	opt, rest, err := parseFlags(strings.Fields("./a -format json -v b.lua --tests=false -target=redis@7.2 - -- -x.lua"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rest, " "); got != "./a b.lua - -x.lua" {
		t.Errorf("arguments are %q", got)
	}
	if opt.format != "json" || !opt.verbose || opt.Tests || opt.Target != "redis@7.2" || !opt.Cluster {
		t.Errorf("got %+v", opt)
	}
}

func TestFlagErrors(t *testing.T) {
	for args, want := range map[string]string{
		"-formt=json":          `unknown flag -formt, did you mean -format?`,
		"-zzzzzzzz":            `unknown flag -zzzzzzzz; redislint help lists them`,
		"-format":              `-format needs a value`,
		"-format=jsn":          `-format: "jsn" is not known, did you mean "json"? (known: text, json, sarif, github, checkstyle)`,
		"-cluster=maybe":       `-cluster: want true or false`,
		"-severity=bad":        `-severity: unknown severity "bad"; known are note, warning, error`,
		"-target=redis@7.0,":   `-target: "redis@7.0," has an empty item; write a list such as redis@7.0+,valkey@7.2+`,
		"-disable=no-such":     `-disable: unknown rule "no-such"; redislint -rules lists them`,
		"-diff":                `-diff needs -fix`,
		"-write-baseline":      `-write-baseline needs -baseline FILE`,
		"-v=perhaps ./...":     `-v: want true or false`,
		"-color=purple a.lua":  `-color: "purple" is not known (known: auto, always, never)`,
		"-enable nil-repli -v": `-enable: unknown rule "nil-repli"`,
	} {
		_, _, err := parseFlags(strings.Fields(args))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", args, err, want)
		}
	}
}

// TestFlagTable checks the one list of flags: names are unique and lower case, and each says what it does.
func TestFlagTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range allFlags() {
		if seen[f.Name] || f.Name != strings.ToLower(f.Name) {
			t.Errorf("-%s is there twice or not in lower case", f.Name)
		}
		seen[f.Name] = true
		if f.Usage == "" || strings.HasSuffix(f.Usage, ".") || f.Usage[0] < 'a' || f.Usage[0] > 'z' {
			t.Errorf("-%s: usage %q is not a lower-case phrase", f.Name, f.Usage)
		}
	}
}
