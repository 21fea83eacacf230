// Command redislint finds the Redis and Valkey Lua scripts of Go packages, and bare .lua files, and says what a server will refuse, what a
// cluster will break and what will go wrong on some data.
//
// It takes arguments, and gives findings as text or in a machine format, edits, and an exit status. One binary serves go vet and go fix
// (vet.go), packages, .lua files and standard input (packages.go, lua.go), which it tells apart by its arguments. One list of flags
// (flags.go) feeds the parser, the help, docs/flags.md and the shell completions. All findings of a run are one value, report, which each
// printer takes.
//
// It refuses to know what makes a finding: rules, targets and suppression come from the packages below it.
package main
