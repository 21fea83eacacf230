package main

import (
	"bytes"
	"testing"
)

// TestPage: a terminal gets the text through the pager, a pager that fails or is not there loses nothing, and a pipe gets the text itself.
func TestPage(t *testing.T) {
	for _, tt := range []struct {
		name, pager string
		terminal    bool
		want        string
	}{
		{"pager", "tr a-z A-Z", true, "SHOWN\n"},
		{"no terminal", "tr a-z A-Z", false, "shown\n"},
		{"no such pager", "no-such-pager-anywhere", true, "shown\n"},
		{"a pager that fails", "false", true, "shown\n"},
	} {
		var out bytes.Buffer
		page("shown\n", system{stdout: &out, stderr: &bytes.Buffer{}, outTerminal: tt.terminal, pager: tt.pager})
		if out.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, out.String(), tt.want)
		}
	}
}
