package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
)

var shells = []string{"bash", "zsh", "fish"}

// printCompletion writes a completion script, made from the list of flags.
func printCompletion(args []string, sys system) int {
	if len(args) == 1 {
		switch args[0] {
		case "bash":
			bashCompletion(sys.stdout)
			return exitClean
		case "zsh":
			zshCompletion(sys.stdout)
			return exitClean
		case "fish":
			fishCompletion(sys.stdout)
			return exitClean
		}
		if near := server.NearestWord(args[0], shells); near != "" {
			fmt.Fprintf(sys.stderr, "redislint: unknown shell %q, did you mean %q?\n", args[0], near)
			return exitUsage
		}
	}
	fmt.Fprintln(sys.stderr, "redislint: completion needs one shell:", strings.Join(shells, ", "))
	return exitUsage
}

// bashCompletion completes flags, the words behind them, and .lua files and folders. Bash makes "=" a word of its own.
func bashCompletion(w io.Writer) {
	var names []string
	fmt.Fprint(w, "_redislint() {\n  local cur=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]}\n")
	fmt.Fprint(w, "  [[ $cur == = ]] && cur=\n  [[ $flag == = ]] && flag=${COMP_WORDS[COMP_CWORD-2]}\n  case $flag in\n")
	for _, f := range allFlags() {
		names = append(names, "-"+f.Name)
		switch {
		case f.Words != nil:
			fmt.Fprintf(w, "    -%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", f.Name, strings.Join(f.Words(), " "))
		case f.Arg != "":
			fmt.Fprintf(w, "    -%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", f.Name)
		}
	}
	fmt.Fprint(w, "  esac\n")
	fmt.Fprintf(w, "  if [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n", strings.Join(names, " "))
	fmt.Fprint(w, "  else\n    COMPREPLY=($(compgen -f -X '!*.lua' -- \"$cur\") $(compgen -d -- \"$cur\"))\n  fi\n}\n")
	fmt.Fprint(w, "complete -o filenames -F _redislint redislint\n")
}

func zshCompletion(w io.Writer) {
	fmt.Fprint(w, "#compdef redislint\n_redislint() {\n  _arguments \\\n")
	for _, f := range allFlags() {
		usage := strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`).Replace(f.Usage)
		switch {
		case f.Words != nil:
			fmt.Fprintf(w, "    '-%s=[%s]:%s:(%s)' \\\n", f.Name, usage, f.Arg, strings.Join(f.Words(), " "))
		case f.Files:
			fmt.Fprintf(w, "    '-%s=[%s]:%s:_files' \\\n", f.Name, usage, f.Arg)
		case f.Arg != "":
			fmt.Fprintf(w, "    '-%s=[%s]:%s:' \\\n", f.Name, usage, f.Arg)
		default:
			fmt.Fprintf(w, "    '-%s[%s]' \\\n", f.Name, usage)
		}
	}
	fmt.Fprint(w, "    '*:script or folder:_files -g \"*.lua\"'\n}\ncompdef _redislint redislint\n")
}

func fishCompletion(w io.Writer) {
	for _, f := range allFlags() {
		fmt.Fprintf(w, "complete -c redislint -o %s -d '%s'", f.Name, strings.ReplaceAll(f.Usage, "'", `\'`))
		switch {
		case f.Words != nil:
			fmt.Fprintf(w, " -x -a '%s'", strings.Join(f.Words(), " "))
		case f.Arg != "":
			fmt.Fprint(w, " -r")
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "complete -c redislint -n __fish_use_subcommand -a 'help completion'\n")
}
