// Package flow draws one graph of steps for each function, and solves forward problems over such graphs.
//
// It takes a function's body and gives a Graph whose edges carry the conditions under which they are taken; Solve takes any facts that can be joined.
// It refuses to know values, servers and rules.
package flow
