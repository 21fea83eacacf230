package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

func TestPrintGitHub(t *testing.T) {
	want := `::warning file=a.lua,line=2,endLine=2,col=4,endColumn=12,title=redislint%3A nil-reply::compared with nil, 100%25 never true
::error file=a.lua,line=3,endLine=3,col=15,endColumn=16,title=redislint%3A syntax::'end' expected,%0Anear 'é'
`
	if got := printed(t, printGitHub, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPrintCheckstyle(t *testing.T) {
	want := `<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="4.3">
  <file name="a.lua">
    <error line="2" column="4" severity="warning" message="compared with nil, 100% never true" source="redislint.nil-reply"></error>
    <error line="3" column="15" severity="error" message="&#39;end&#39; expected,&#xA;near &#39;é&#39;" source="redislint.syntax"></error>
  </file>
</checkstyle>
`
	if got := printed(t, printCheckstyle, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPrintJSON(t *testing.T) {
	want := `{
  "findings": [
    {
      "rule": "nil-reply",
      "severity": "warning",
      "file": "a.lua",
      "line": 2,
      "column": 4,
      "endLine": 2,
      "endColumn": 12,
      "message": "compared with nil, 100% never true",
      "url": "https://github.com/redislint/redislint/blob/main/docs/rules.md#nil-reply",
      "script": "a.lua",
      "related": [
        {
          "file": "a.lua",
          "line": 1,
          "column": 11,
          "message": "the reply"
        }
      ],
      "fixes": [
        {
          "title": "compare with false",
          "edits": [
            {
              "file": "a.lua",
              "line": 2,
              "column": 9,
              "endLine": 2,
              "endColumn": 12,
              "new": "false"
            }
          ]
        }
      ]
    },
    {
      "rule": "syntax",
      "severity": "error",
      "file": "a.lua",
      "line": 3,
      "column": 15,
      "endLine": 3,
      "endColumn": 16,
      "message": "'end' expected,\nnear 'é'",
      "url": "https://github.com/redislint/redislint/blob/main/docs/rules.md#syntax",
      "script": "a.lua"
    }
  ],
  "scripts": [
    {
      "name": "a.lua",
      "file": "a.lua",
      "line": 1,
      "library": "",
      "keys": 1,
      "args": 0,
      "calls": 0,
      "counted": 0,
      "analysed": true,
      "reason": ""
    }
  ]
}
`
	if got := printed(t, printJSON, sample()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPrintJSONEmpty(t *testing.T) {
	want := "{\n  \"findings\": [],\n  \"scripts\": []\n}\n"
	if got := printed(t, printJSON, report{files: newFileSet("/src")}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPrintSARIF checks the results; the whole log is checked by Microsoft's validator in CI.
func TestPrintSARIF(t *testing.T) {
	var log struct {
		Runs []struct{ Results json.RawMessage }
	}
	if err := json.Unmarshal([]byte(printed(t, printSARIF, sample())), &log); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	enc := json.NewEncoder(&got)
	if err := enc.Encode(log.Runs[0].Results); err != nil {
		t.Fatal(err)
	}
	// The column of the second finding is 14, not 15: SARIF counts é once.
	want := `[{"ruleId":"nil-reply","level":"warning","message":{"text":"compared with nil, 100% never true"},` +
		`"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.lua","uriBaseId":"%SRCROOT%"},"region":{"startLine":2,"startColumn":4,"endLine":2,"endColumn":12}}}],` +
		`"relatedLocations":[{"id":1,"physicalLocation":{"artifactLocation":{"uri":"a.lua","uriBaseId":"%SRCROOT%"},"region":{"startLine":1,"startColumn":11,"endLine":1,"endColumn":37}},"message":{"text":"the reply"}}],` +
		`"partialFingerprints":{"redislint/v1":"` + keyOf(sample().findings[0]).hash() + `:1"},` +
		`"fixes":[{"description":{"text":"compare with false"},"artifactChanges":[{"artifactLocation":{"uri":"a.lua","uriBaseId":"%SRCROOT%"},"replacements":[{"deletedRegion":{"startLine":2,"startColumn":9,"endLine":2,"endColumn":12},"insertedContent":{"text":"false"}}]}]}]},` +
		`{"ruleId":"syntax","level":"error","message":{"text":"'end' expected,\nnear 'é'"},` +
		`"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.lua","uriBaseId":"%SRCROOT%"},"region":{"startLine":3,"startColumn":14,"endLine":3,"endColumn":15}}}],` +
		`"partialFingerprints":{"redislint/v1":"` + keyOf(sample().findings[1]).hash() + `:1"}}]` + "\n"
	// The index of a rule changes with each rule that is added.
	if got := regexp.MustCompile(`"ruleIndex":-?\d+,`).ReplaceAllString(got.String(), ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFingerprintsCountTwins(t *testing.T) {
	f := sample().findings[0]
	moved := f
	moved.line = "  if  v ==\tnil then"
	got := fingerprints([]finding{f, moved})
	want := []string{keyOf(f).hash() + ":1", keyOf(f).hash() + ":2"}
	if got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %q, want %q", got, want)
	}
}
