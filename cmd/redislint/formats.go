package main

import "io"

// printer writes a report in one format.
type printer func(io.Writer, report) error

// outputFormat is a value of -format.
type outputFormat struct {
	name  string
	print printer
}

func formats() []outputFormat {
	return []outputFormat{
		{"text", printText},
		{"json", printJSON},
		{"sarif", printSARIF},
		{"github", printGitHub},
		{"checkstyle", printCheckstyle},
	}
}

func formatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

func printerFor(name string) printer {
	for _, f := range formats() {
		if f.name == name {
			return f.print
		}
	}
	return printText
}
