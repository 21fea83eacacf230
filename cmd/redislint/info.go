package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/rules"
)

const homepage = "https://github.com/redislint/redislint"

// runSubcommand runs help and completion.
func runSubcommand(args []string, sys system) (code int, ok bool) {
	switch args[0] {
	case "help":
		if len(args) > 1 {
			return explain(args[1], sys), true
		}
		printHelp(sys.stdout)
		return exitClean, true
	case "completion":
		return printCompletion(args[1:], sys), true
	}
	return 0, false
}

// runInfo serves the flags that print something about redislint and look at no code.
func runInfo(opt options, sys system) (code int, ok bool) {
	switch {
	case opt.help:
		printHelp(sys.stdout)
	case opt.version:
		printVersion(sys.stdout)
	case opt.rules && opt.format == "json":
		if err := writeJSON(sys.stdout, jsonRules()); err != nil {
			return exitProblem, true
		}
	case opt.rules:
		printRules(sys.stdout)
	case opt.explain != "":
		return explain(opt.explain, sys), true
	default:
		return 0, false
	}
	return exitClean, true
}

const usage = `redislint finds the Redis and Valkey Lua scripts of Go packages, and bare .lua files, and says what a server will refuse,
what a cluster will break and what will go wrong on some data.

usage:
  redislint [flags] PACKAGES          such as ./...
  redislint [flags] FILE.lua ...      a folder with .lua files and no Go stands for those files
  redislint [flags] -                 a script on standard input
  redislint help [RULE]
  redislint completion bash|zsh|fish
  go vet -vettool=$(which redislint) [flags] PACKAGES
  go fix -fixtool=$(which redislint) PACKAGES

exit status: 0 nothing to report, 1 findings, 2 wrong usage, 3 something could not be loaded or analysed
`

func printHelp(w io.Writer) {
	fmt.Fprint(w, usage)
	for _, g := range flagGroups() {
		fmt.Fprintf(w, "\n%s:\n", strings.ToLower(g.Title))
		for _, f := range g.Flags {
			fmt.Fprintf(w, "  %-20s %s%s\n", f.spelling(), f.Usage, f.defaultText())
		}
	}
}

// spelling is the flag with what stands behind it.
func (f flagSpec) spelling() string {
	if f.Arg == "" {
		return "-" + f.Name
	}
	return "-" + f.Name + "=" + f.Arg
}

// defaultText is the default in brackets where it is worth saying.
func (f flagSpec) defaultText() string {
	opt := defaultOptions()
	if d := f.value(&opt).String(); d != "" && d != "false" {
		return " (default " + d + ")"
	}
	return ""
}

// version is the module version of the build.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func printVersion(w io.Writer) {
	fmt.Fprintf(w, "redislint %s, built with %s\n", version(), runtime.Version())
	fmt.Fprintf(w, "servers: %s\n", strings.Join(tableVersions(), ", "))
	fmt.Fprintf(w, "rules: %d\n", len(rules.All()))
}

// tableVersions names the range of each product that the tables know, then the other servers.
func tableVersions() []string {
	var out []string
	known := server.Known()
	for i := 0; i < len(known); {
		first := known[i]
		for i++; i < len(known) && known[i].Product == first.Product && known[i].Profile == first.Profile; i++ {
		}
		word := first.String()
		if last := known[i-1]; last != first {
			word += " to " + last.Version.String()
		}
		out = append(out, word)
	}
	return out
}

func printRules(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rules.All() {
		on := "on"
		if r.OptIn {
			on = "opt-in"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Name, r.Severity, on, r.Title)
	}
	table.Flush()
}

type jsonRule struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Severity string `json:"severity"`
	Group    string `json:"group"`
	OptIn    bool   `json:"optIn"`
	Since    string `json:"since"`
	URL      string `json:"url"`
}

func jsonRules() []jsonRule {
	out := []jsonRule{}
	for _, r := range rules.All() {
		out = append(out, jsonRule{r.Name, r.Title, r.Severity.String(), r.Group, r.OptIn, r.Since, analyzer.RuleURL(r.Name)})
	}
	return out
}

func explain(name string, sys system) int {
	for _, r := range rules.All() {
		if r.Name == name {
			page(rules.Explain(r), sys)
			return exitClean
		}
	}
	fmt.Fprintln(sys.stderr, "redislint:", analyzer.UnknownRule(name))
	return exitUsage
}
