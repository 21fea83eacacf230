package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Exit statuses. exitProblem wins over exitFindings.
const (
	exitClean    = 0
	exitFindings = 1 // any finding was shown
	exitUsage    = 2 // a flag, rule, target or argument is wrong
	exitProblem  = 3 // something could not be loaded or analysed, or a budget ran out
)

// system is what a run may touch besides files.
type system struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string // the working directory, absolute
	outTerminal    bool   // stdout is a terminal
	errTerminal    bool
	noColor        bool   // NO_COLOR is set
	pager          string // PAGER, "" for the usual one
}

func main() {
	args := os.Args[1:]
	smallHeap()
	if isVetCall(args) {
		vetMain(args)
		return
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "redislint: the working directory is unknown:", err)
		os.Exit(exitProblem)
	}
	os.Exit(run(args, system{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, dir: dir,
		outTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		noColor:     os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb",
		pager:       os.Getenv("PAGER"),
	}))
}

// isVetCall reports whether cmd/go is the caller: it asks for -flags, for -V=full, or hands over a unit of work as a .cfg file.
func isVetCall(args []string) bool {
	for _, a := range args {
		if a == "-flags" || a == "-V=full" {
			return true
		}
	}
	return len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// run is the command without its process: it returns the exit status.
func run(args []string, sys system) int {
	if len(args) > 0 {
		if code, ok := runSubcommand(args, sys); ok {
			return code
		}
	}
	opt, rest, err := parseFlags(args)
	if err != nil {
		fmt.Fprintln(sys.stderr, "redislint:", err)
		return exitUsage
	}
	if code, ok := runInfo(opt, sys); ok {
		return code
	}
	return lint(opt, rest, sys)
}
