package ruletest

import (
	"os"
	"strings"
	"testing"
)

func recordedRows(t testing.TB) []Row {
	t.Helper()
	text, err := os.ReadFile("testdata/dialect.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ReadRows(text)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestRecordedServers checks that each server named in a row is known, so that no answer is lost to a misspelt name.
func TestRecordedServers(t *testing.T) {
	known := map[string]bool{}
	for _, name := range RecordedServers {
		known[name] = true
	}
	for _, r := range recordedRows(t) {
		for names := range r.But {
			for _, name := range strings.Fields(names) {
				if !known[name] {
					t.Errorf("%s: unknown server %q", r.Name, name)
				}
			}
		}
	}
}

// TestRecordIsTrue compares the live server with the record of its version; builds of one version differ, and it must be like one of them.
func TestRecordIsTrue(t *testing.T) {
	s := liveRedis(t)
	rows := recordedRows(t)
	var best []string
	like, asked := "", 0
	for _, name := range RecordedServers {
		if name != "redis-"+s.Version && !strings.HasPrefix(name, "redis-"+s.Version+"-") {
			continue
		}
		unlike, n, err := s.Unlike(rows, name)
		if err != nil {
			t.Fatal(err)
		}
		if like == "" || len(unlike) < len(best) {
			best, like, asked = unlike, name, n
		}
	}
	if like == "" {
		t.Skipf("no answers are recorded for redis %s", s.Version)
	}
	for _, u := range best {
		t.Error(u)
	}
	closing("record: %d of %d scripts answered by redis %s as recorded for %s; %d are not run again, since they never end or take the server with them",
		asked-len(best), asked, s.Version, like, len(rows)-asked)
}
