package value_test

import "testing"

// A loop that writes and fills a table splits what is known into two parts, before and behind the first write. The call that unpacks the
// table is one record of an unknown number of arguments, not one with none and one with many.
func TestUnpackOfFilledTableIsOneCall(t *testing.T) {
	_, f := analyze(t, "local t = {}\nfor i = 1, 100 do t[i] = redis.call('LPOP', KEYS[1]) end\nredis.call('SADD', KEYS[2], unpack(t))")
	n := 0
	for _, c := range f.Calls {
		if c.Name == "sadd" {
			n++
			if !c.ArgsMany {
				t.Errorf("SADD has %d arguments, want an unknown number", len(c.Args))
			}
		}
	}
	if n != 1 {
		t.Errorf("%d records of SADD, want 1", n)
	}
}
