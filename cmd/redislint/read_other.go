//go:build !(linux || darwin || freebsd || openbsd || netbsd)

package main

// plain reads no file here.
func (r *reader) plain(string) (text string, ok bool) { return "", false }
