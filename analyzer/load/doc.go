// Package load looks at the packages of a module, one after another: it asks cmd/go once for the graph of packages, tells which of them can hold
// a script or a fact, and parses, type-checks and analyses those in the order of their imports. What a package imports comes from the
// compiler's export data, and its tree and types are let go behind it, so memory is that of the packages at work and not of the module.
//
// go/packages with go/analysis/checker does the same with every tree in memory to the end; over a large module that is most of the memory
// and half of the time. This package keeps to what those two do, and to go vet's way with facts: it knows a fact by the path of its object.
//
// It takes patterns and a configuration and gives each package's result or what is wrong with it. It refuses to know what a finding is, and
// prints nothing.
package load
