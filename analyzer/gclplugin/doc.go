// Package gclplugin makes redislint a module plugin of golangci-lint v2, under the name "redislint".
//
// It takes the settings of .golangci.yml (analyzer.Settings, unknown keys are refused) and gives analyzers that report at lines of .go
// files only, which is all that golangci-lint shows. It refuses to know anything else: it is the one package with an init function, since
// its host demands one.
package gclplugin
