// Package rules holds the rules: one value and one check a file, and the list of them.
//
// A rule takes facts (luacheck.Program) and gives findings as data. It refuses to know Go syntax, positions outside the script, and how
// findings are shown; it computes no scopes and re-reads no conditions: a fact that is missing belongs in luacheck/value.
package rules

//go:generate go run ./ruletest/gen list
//go:generate go run ./ruletest/gen answers
//go:generate go run ./ruletest/gen docs
