package main

import (
	"io"
	"os/exec"
	"strings"
)

// page shows a long text: through the pager on a terminal, else as it is. pager is what PAGER says, "" for less where there is one; the
// text is never lost, whatever the pager does.
func page(text string, sys system) {
	if !sys.outTerminal || !runPager(text, sys) {
		io.WriteString(sys.stdout, text)
	}
}

func runPager(text string, sys system) bool {
	words := strings.Fields(sys.pager)
	if len(words) == 0 {
		words = []string{"less", "-FRX"} // ends by itself where the text fits the screen
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return false
	}
	cmd := exec.Command(path, words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), sys.stdout, sys.stderr
	return cmd.Run() == nil
}
