package rules

import (
	"strings"
	"testing"
)

// What tells most names apart without cutting them lets every name through that says a unit, however it is written.
func TestNamesOfUnits(t *testing.T) {
	for word, scale := range nameScales {
		title := strings.ToUpper(word[:1]) + word[1:]
		for _, name := range []string{word, strings.ToUpper(word), "x_" + word, "x" + title, "window" + title, "X_" + strings.ToUpper(word), word + "_", word + "Left", "é_" + word} {
			if got := nameScale(name); got != scale {
				t.Errorf("%s counts %v, want %v", name, got, scale)
			}
		}
	}
	for name, want := range map[string]float64{"ttl_s": 1, "ttlS": 1, "TTL_S": 1, "lease_s_": 1, "ttls": 0, "s": 0, "keys": 0, "KEYS": 0, "ms_per_s": 0, "status": 0,
		"min": 0, "limit": 0, "window_ms_secs": 0, "seconds": 1, "msecTotal": 1e-3, "n": 0, "": 0} {
		if got := nameScale(name); got != want {
			t.Errorf("%s counts %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{"expiresAt": true, "expires_at": true, "EXPIRES_AT": true, "expires_at_": true, "timestamp": true, "lastTimestamp": true,
		"TIMESTAMP": true, "at": false, "format": false, "stamp": false, "a": false, "": false, "created_at2": false} {
		if got := momentName(name); got != want {
			t.Errorf("%s is the name of a moment: %t", name, got)
		}
	}
}
