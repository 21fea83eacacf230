package ruletest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Row is one script and what each known server answers to `EVAL script 1 k1 a1`, as it was observed by running these servers.
type Row struct {
	Name   string `json:"name"`
	Text   string `json:"script"`
	Base64 []byte `json:"base64"` // the text where it is no UTF-8
	// Says is the answer of all servers but those in But, which is by blank-separated server names ("redis-7.2.6 valkey-7.2.7").
	Says string            `json:"says"`
	But  map[string]string `json:"but"`
}

// RecordedServers are the servers whose answers the rows hold. The Debian build of 7.0.15 has security backports.
var RecordedServers = []string{"redis-6.2.16", "redis-7.0.15", "redis-7.0.15-deb12u10", "redis-7.2.6", "redis-7.4.1", "redis-8.0.2", "redis-8.6.3",
	"valkey-7.2.7", "valkey-8.0.1", "valkey-8.1.1", "valkey-9.1.2"}

// Script is the row's text.
func (r *Row) Script() string {
	if r.Base64 != nil {
		return string(r.Base64)
	}
	return r.Text
}

// Answer is what a server answers, in Notation.
func (r *Row) Answer(server string) string {
	for names, says := range r.But {
		for _, name := range strings.Fields(names) {
			if name == server {
				return says
			}
		}
	}
	return r.Says
}

// ReadRows reads the recorded verdicts, one JSON object a line.
func ReadRows(text []byte) ([]Row, error) {
	var rows []Row
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r Row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d of the recorded verdicts: %w", len(rows)+1, err)
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

// NoReply starts the record of a script that never ends or takes the server with it; it is not run again.
const NoReply = "NO REPLY"

// Unlike returns the rows to which a live server answers otherwise than recorded for the server with that name, and how many it was asked.
func (s *Server) Unlike(rows []Row, name string) (unlike []string, asked int, err error) {
	if err := s.clear(); err != nil {
		return nil, 0, err
	}
	for i := range rows {
		r := &rows[i]
		if strings.HasPrefix(r.Answer(name), NoReply) {
			continue
		}
		asked++
		got := s.Do("EVAL", r.Script(), "1", "k1", "a1")
		if want := r.Answer(name); got != want {
			unlike = append(unlike, fmt.Sprintf("%s: recorded %s, it answers %s", r.Name, want, got))
		}
	}
	return unlike, asked, nil
}
