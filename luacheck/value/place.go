package value

import (
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Place is something that holds a value and that a test can narrow: a local, an element of KEYS or ARGV, a constant key of a table that the
// script made, or an element of a reply.
type Place struct {
	Local *scope.Local
	List  OriginKind // FromKeysList or FromArgvList
	Obj   *Object
	Field string
	Index int
	// Base is the stamp of a reply; Field or Index is its key then, see partPlace.
	Base uint32
}

// Object is a table made in the script.
type Object struct {
	ID   int
	At   syntax.Span
	Node syntax.Node // the constructor, or the call that made it
	// escaped: it was put into another table or handed on, so that it may outlive its turn of a loop.
	escaped bool
}
