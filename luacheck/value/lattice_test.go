package value

import (
	"math"
	"testing"

	"github.com/redislint/redislint/luacheck/syntax"
)

func samples() []*Value {
	return []*Value{anyValue, nilValue, trueValue, falseValue, boolValue, heap.numberValue(0), heap.numberValue(1.5), heap.numberValue(-3),
		heap.number(0, inf, Whole, nil), heap.number(-inf, 5, Fractional, nil), heap.textValue("a", syntax.Span{}), heap.textValue("12", syntax.Span{}), heap.text(nil),
		tableValue, keysList, new(Scratch).builtinValue("redis.call"), new(Scratch).libValue("redis"), {Kinds: String | False, Lo: -inf, Hi: inf},
		{Kinds: Number | Nil, Weak: Nil, Lo: -inf, Hi: inf}, {Kinds: Error, Lo: -inf, Hi: inf}}
}

// TestJoin: a join covers both sides, does not depend on their order, and joining again changes nothing.
func TestJoin(t *testing.T) {
	for i, v := range samples() {
		for k, w := range samples() {
			j, back := heap.join(v, w), *heap.join(w, v)
			r := &back
			r.From = j.From // its parts come in the order of the paths
			if !equal(j, r) {
				t.Errorf("%d, %d: %+v is not %+v", i, k, j, r)
			}
			if j.Kinds != v.Kinds|w.Kinds {
				t.Errorf("%d, %d: kinds %b", i, k, j.Kinds)
			}
			if again := heap.join(j, w); !equal(again, j) {
				t.Errorf("%d, %d: joining once more gives %+v, not %+v", i, k, again, j)
			}
			if strong := j.Kinds &^ j.Weak; v.Kinds&^v.Weak&^strong != 0 && !j.IsUnknown() {
				t.Errorf("%d, %d: what is certain of one side is not of both", i, k)
			}
		}
	}
}

// TestWidenEnds: widening a growing number stops after few steps.
func TestWidenEnds(t *testing.T) {
	v := heap.numberValue(1)
	for n := 2.0; n < 10; n++ {
		w := heap.widen(v, heap.numberValue(n))
		if n > 3 && w != v && !equal(w, v) {
			t.Fatalf("still growing at %v: %+v", n, w)
		}
		v = w
	}
	if v.Lo != 1 || !math.IsInf(v.Hi, 1) || v.Frac != Whole {
		t.Errorf("got %+v", v)
	}
}

// TestNumbers are tonumber and tostring as the servers have them (facts 90, 97; the answers are Redis 8.6.3's).
func TestNumbers(t *testing.T) {
	for s, want := range map[string]float64{"10": 10, " 10 ": 10, "0x10": 16, "-0x10": -16, "0x1p4": 16, "1e5": 100000, ".5": 0.5, "5.": 5, "inf": inf, "-inf": -inf} {
		if n, ok := ToNumber(s); !ok || n != want {
			t.Errorf("ToNumber(%q) = %v, %v", s, n, ok)
		}
	}
	for _, s := range []string{"", " ", "x", "1x", "1 2", "0x", "1_000", "--1", "1e", "true", "infinit", "nano"} {
		if n, ok := ToNumber(s); ok {
			t.Errorf("ToNumber(%q) = %v", s, n)
		}
	}
	for n, want := range map[float64]string{1: "1", -1: "-1", 1e14: "1e+14", 1e15: "1e+15", 123456789012345: "1.2345678901234e+14",
		0.1: "0.1", 1.0 / 3: "0.33333333333333", 1700000000123: "1700000000123", inf: "inf", math.Copysign(0, -1): "-0", 1 << 53: "9.007199254741e+15"} {
		if s := FormatNumber(n); s != want {
			t.Errorf("FormatNumber(%v) = %q, want %q", n, s, want)
		}
	}
}
