package rules

import (
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

func isOrder(op syntax.Op) bool {
	switch op {
	case syntax.OpLess, syntax.OpGreater, syntax.OpLessEq, syntax.OpGreaterEq:
		return true
	}
	return false
}

// mayOrder reports whether the two values can be ordered on some data: two numbers, two texts, two tables with a metamethod.
func mayOrder(x, y *value.Value) bool {
	const ordered = value.Number | value.String | value.Table
	return x.IsUnknown() || y.IsUnknown() || x.Kinds&y.Kinds&ordered != 0
}
