// Package ruletest holds what proves the rules: it analyses every example, runs it on servers, and writes and checks the files that are
// generated from the rules (rules/all.go, rules/answers.json, docs/rules.md).
//
// It takes rules and gives problems as text, so that the tests can also show that a wrong claim is found. Servers are miniredis (in
// process), a redis-server from PATH, the same as a cluster of two nodes, and FUNCTION LOAD on it; they run this project's own examples
// and generated scripts only, never those of a project that is analysed. It refuses to know anything about Go code and the command line.
package ruletest
