package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/redislint/redislint/analyzer/source"
)

// maxLuaFile is the largest .lua file that is looked at, in bytes.
const maxLuaFile = source.MaxScript

// foldersOutside are the folders of files that symbolic links lead out of their project.
func foldersOutside(names []string, workDir string) map[string]bool {
	outside := map[string]bool{}
	for _, name := range names {
		dir := filepath.Dir(name)
		if _, known := outside[dir]; name == "-" || known {
			continue
		}
		real, err := filepath.EvalSymlinks(dir)
		outside[dir] = err == nil && real != dir && leaves(dir, real, workDir)
	}
	return outside
}

// reader reads .lua files one after another. It is for one goroutine.
type reader struct {
	sys     system
	outside map[string]bool // see foldersOutside
	room    []byte          // for the bytes of a file until their number is known
}

// read reads a file or standard input. An error is one line.
func (r *reader) read(name string) (string, error) {
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(r.sys.stdin, maxLuaFile+1))
		return string(text), tooLarge(err, "standard input", int64(len(text)))
	}
	outside := r.outside[filepath.Dir(name)]
	if !outside {
		if text, ok := r.plain(name); ok {
			return text, nil
		}
	}
	return readLua(name, r.sys, outside)
}

// readLua reads any file, or says why it is not read. outside: its folder lies outside its project.
func readLua(name string, sys system, outside bool) (string, error) {
	if outside || leavesProject(name, sys.dir) {
		return "", fmt.Errorf("%s: a symbolic link leads out of the project, not read; name the file itself", newFileSet(sys.dir).short(name))
	}
	text, err := readFile(name)
	if err == nil {
		return string(text), nil
	}
	short := newFileSet(sys.dir).short(name)
	var path *fs.PathError
	switch {
	case errors.Is(err, errFolder):
		return "", fmt.Errorf("%s: is a folder", short)
	case errors.Is(err, errTooLarge):
		return "", tooLarge(nil, short, maxLuaFile+1)
	case errors.As(err, &path):
		err = path.Err
	}
	return "", fmt.Errorf("%s: %w", short, err)
}

var errFolder, errTooLarge = errors.New("a folder"), errors.New("too large")

// readFile reads a file of at most maxLuaFile bytes.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errFolder
	case info.Size() > maxLuaFile:
		return nil, errTooLarge
	}
	text := bytes.NewBuffer(make([]byte, 0, int(info.Size())+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(f, maxLuaFile+1)); err != nil {
		return nil, err
	}
	if text.Len() > maxLuaFile {
		return nil, errTooLarge
	}
	return text.Bytes(), nil
}

func tooLarge(err error, name string, size int64) error {
	if err == nil && size > maxLuaFile {
		return fmt.Errorf("%s: %s", name, source.TooLong)
	}
	return err
}
