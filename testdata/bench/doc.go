// Package bench holds what redislint is measured with: real modules, linted as dependencies of this one. Nothing of them is copied.
package bench
