package syntax

import "testing"

// TestOrders holds Turned and Opposite against the order of numbers.
func TestOrders(t *testing.T) {
	holds := map[Op]func(a, b int) bool{
		OpLess: func(a, b int) bool { return a < b }, OpGreater: func(a, b int) bool { return a > b },
		OpLessEq: func(a, b int) bool { return a <= b }, OpGreaterEq: func(a, b int) bool { return a >= b },
	}
	for op, is := range holds {
		for a := range 3 {
			for b := range 3 {
				if holds[op.Turned()](b, a) != is(a, b) {
					t.Errorf("%d %v %d turned is %v", a, op, b, op.Turned())
				}
				if holds[op.Opposite()](a, b) == is(a, b) {
					t.Errorf("the opposite of %d %v %d is %v", a, op, b, op.Opposite())
				}
			}
		}
	}
	if OpEq.Turned() != OpEq || OpAdd.Opposite() != OpAdd {
		t.Error("an operator that is no order changes")
	}
}
