package ruletest

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the kernel end the server when the test dies before it can (a time-out, a fuzz worker that is killed).
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
