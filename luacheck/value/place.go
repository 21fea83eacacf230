package value

import "github.com/redislint/redislint/luacheck/scope"

// Place is something that holds a value and that a test can narrow: a local, or an element of KEYS or ARGV.
type Place struct {
	Local *scope.Local
	List  OriginKind // FromKeysList or FromArgvList
	Index int
}

// Object is a table made in the script.
type Object struct{ ID int }
