// Package analyzer is the go/analysis side: it finds the scripts of a Go package and the calls that run them, has luacheck and rules look
// at them, and reports what they found at exact positions in Go and Lua files.
//
// It takes an analysis.Pass and a Config and gives diagnostics and a Result. What it knows of client libraries is one table. It refuses to
// know how findings are printed, and nothing in luacheck or rules knows it.
package analyzer
