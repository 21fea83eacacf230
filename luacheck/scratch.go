package luacheck

import (
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// Scratch is memory to work in for one analysis after another, so that each finds it warm and leaves nothing to clear away. The tree and the
// facts of a Program, and with them all but its Outline, are void once the next analysis with the same Scratch begins. What is kept is bounded.
// The zero Scratch is ready; it is for one goroutine.
type Scratch struct {
	syntax syntax.Scratch
	scope  scope.Scratch
	value  value.Scratch
	// outline is what all outlines share. It is apart, so that they do not hold the rest.
	outline *nothing
}
