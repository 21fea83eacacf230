// Package scope resolves names: each use of a name to its local, to an upvalue of an enclosing function, or to a global.
//
// It takes a parsed chunk and gives an Info. It refuses to know which globals exist and what values are.
package scope
