// Package luacheck analyses one script: Analyze runs the stages syntax, scope, flow and value in order and gives a Program.
//
// It takes a Source, the sites that run it (data that the Go side found out, without any go/ast), and a target. It has no logic of its
// own, and refuses to know rules, severities and where a script stands in a Go file.
package luacheck
