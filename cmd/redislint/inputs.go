package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inputs are the arguments by kind.
type inputs struct {
	lua      []string // absolute names, or "-" for standard input
	patterns []string // package patterns, as cmd/go takes them
}

// sortArguments tells .lua files and "-" from package patterns. A folder that holds .lua files and no Go stands for those files.
func sortArguments(args []string, sys system) (inputs, error) {
	if len(args) == 0 {
		return inputs{}, errors.New("nothing to look at: name packages (redislint ./...), .lua files or - (redislint help says more)")
	}
	var in inputs
	for _, a := range args {
		path := inDir(sys.dir, a)
		switch {
		case a == "-":
			in.lua = append(in.lua, a)
		case strings.HasSuffix(a, ".lua"):
			in.lua = append(in.lua, path)
		case strings.HasSuffix(a, ".go"):
			return in, fmt.Errorf("%s: name the package and not the file: redislint ./%s", a, filepath.ToSlash(filepath.Dir(a)))
		default:
			if files := luaFolder(path); len(files) > 0 {
				in.lua = append(in.lua, files...)
			} else {
				in.patterns = append(in.patterns, a)
			}
		}
	}
	slices.Sort(in.lua)
	in.lua = slices.Compact(in.lua)
	return in, nil
}

// luaFolder lists the .lua files of a folder without Go files.
func luaFolder(path string) []string {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	var lua []string
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".go":
			return nil
		case ".lua":
			lua = append(lua, filepath.Join(path, e.Name()))
		}
	}
	return lua
}
