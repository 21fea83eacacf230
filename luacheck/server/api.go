package server

// Context is where Lua code runs.
type Context uint8

const (
	InScript   Context = iota // EVAL
	InFunction                // FCALL
	AtLoad                    // FUNCTION LOAD, outside function bodies
)
