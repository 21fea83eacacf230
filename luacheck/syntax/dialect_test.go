package syntax

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// dialectServers are the servers whose answers testdata/dialect.jsonl holds, in the order of its numbers. patched builds accept nested
// long brackets (fact 42).
var dialectServers = []struct {
	name    string
	patched bool
}{
	{"redis 7.0.15", false}, {"redis 7.0.15-1~deb12u10", true}, {"redis 8.0.2", true}, {"redis 8.6.3", true}, {"valkey 8.0.1", false},
	{"valkey 8.1.1", true}, {"valkey 9.1.2", true},
}

type dialectCase struct {
	Name    string           `json:"name"`
	Script  string           `json:"script"`
	Base64  []byte           `json:"base64"`  // where the script is not UTF-8
	Refused map[string][]int `json:"refused"` // message → servers; no servers: it loads everywhere
}

func (c dialectCase) text() string {
	if c.Base64 != nil {
		return string(c.Base64)
	}
	return c.Script
}

var hexByte = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// messages gives the answer of each server, "" where it loads the script.
func (c dialectCase) messages() []string {
	out := make([]string, len(dialectServers))
	for msg, servers := range c.Refused {
		msg = hexByte.ReplaceAllStringFunc(msg, func(h string) string {
			n, _ := strconv.ParseUint(h[2:], 16, 8)
			return string([]byte{byte(n)})
		})
		for _, s := range servers {
			out[s] = msg
		}
	}
	return out
}

func dialectCases(t testing.TB) []dialectCase {
	f, err := os.Open("testdata/dialect.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []dialectCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c dialectCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// serverMessage is what a server would say about a chunk.
func serverMessage(c *Chunk, patched bool) string {
	for _, e := range c.Errors {
		if e.Kind == NestedBracket && patched {
			continue
		}
		if e.Message == "constant table overflow" || e.Message == "too many local variables" {
			return e.Message
		}
		return fmt.Sprintf("user_script:%d: %s", e.Line, e.Message)
	}
	return ""
}

// dialectDifferences are the known differences between the parser and servers, by case. A row that is no longer true fails.
var dialectDifferences = map[string]string{}

func TestDialect(t *testing.T) {
	cases := dialectCases(t)
	if len(cases) < 575 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		chunk := Parse(Source{Text: c.text()}, Lua51)
		var diff []string
		for i, want := range c.messages() {
			if got := serverMessage(chunk, dialectServers[i].patched); got != want {
				diff = append(diff, fmt.Sprintf("%s says %q, the parser %q", dialectServers[i].name, want, got))
			}
		}
		why, known := dialectDifferences[c.Name]
		if len(diff) > 0 && !known {
			t.Errorf("%s: %.100q\n\t%s", c.Name, c.text(), strings.Join(diff, "\n\t"))
		}
		if len(diff) == 0 && known {
			t.Errorf("%s: no longer differs, remove its row (%s)", c.Name, why)
		}
	}
}
