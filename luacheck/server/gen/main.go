// Command gen writes the tables of package server from dumps of servers, and makes such dumps.
//
//	go run ./luacheck/server/gen                                  writes zz_commands.go and zz_globals.go from testdata
//	go run ./luacheck/server/gen -from redis://127.0.0.1:6379     first asks that server and adds its dump to testdata
//
// A dump holds names, numbers and flags of COMMAND and COMMAND DOCS, and the names that a script can read; no sentence of the documentation.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	from := flag.String("from", "", "URL of a server to dump first")
	name := flag.String("name", "", "with -from: what the dump is called, product-version (default: what the server says it is)")
	dir := flag.String("dir", "luacheck/server", "folder of package server")
	flag.Parse()
	if err := run(*from, *name, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(from, name, dir string) error {
	data := filepath.Join(dir, "gen", "testdata")
	if from != "" {
		d, err := ask(context.Background(), from, name)
		if err != nil {
			return err
		}
		file, err := writeDump(data, d)
		if err != nil {
			return err
		}
		fmt.Println("wrote", file)
	}
	files, err := generate(data)
	if err != nil {
		return err
	}
	for base, text := range files {
		if err := os.WriteFile(filepath.Join(dir, base), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate gives the generated files by name.
func generate(data string) (map[string][]byte, error) {
	dumps, err := readDumps(data)
	if err != nil {
		return nil, err
	}
	words, err := readOptionWords(data)
	if err != nil {
		return nil, err
	}
	commands, err := writeCommands(dumps, merge(dumps, words))
	if err != nil {
		return nil, err
	}
	globals, err := writeGlobals(dumps)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"zz_commands.go": commands, "zz_globals.go": globals}, nil
}
