package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"
)

// fileSet keeps the text of the files as they were analysed, for printers and to notice files that change before a fix is written.
type fileSet struct {
	dir   string // the working directory
	files map[string]*sourceFile
}

type sourceFile struct {
	text  string
	lines []int // offset of each line's first byte, once somebody asked for a line
}

func newFileSet(dir string) *fileSet { return &fileSet{dir: dir, files: map[string]*sourceFile{}} }

// put keeps a text that was read elsewhere.
func (s *fileSet) put(name string, text []byte) { s.files[name] = &sourceFile{text: string(text)} }

// starts are the offsets of the first bytes of all lines.
func (f *sourceFile) starts() []int {
	if f.lines == nil {
		f.lines = make([]int, 1, 1+strings.Count(f.text, "\n"))
		for i := range len(f.text) {
			if f.text[i] == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	}
	return f.lines
}

// get reads a file once. A file that cannot be read is empty: its findings are printed without their line.
func (s *fileSet) get(name string) *sourceFile {
	if s.files[name] == nil {
		text, err := os.ReadFile(name)
		if err != nil {
			text = nil
		}
		s.put(name, text)
	}
	return s.files[name]
}

// leavesProject reports whether a file is a symbolic link that leads out of its project. Links on the way to its folder do not count.
func leavesProject(name, workDir string) bool {
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(name)
	return err == nil && leaves(filepath.Dir(name), real, workDir)
}

// leaves reports whether what a name in a folder really is lies outside the folder's project: the nearest folder above that holds a go.mod or
// .git, else the working directory.
func leaves(dir, real, workDir string) bool {
	root := ""
	for at := dir; root == ""; at = filepath.Dir(at) {
		switch {
		case exists(filepath.Join(at, "go.mod")), exists(filepath.Join(at, ".git")):
			root = at
		case at == filepath.Dir(at):
			root = workDir
		}
	}
	if rel, err := filepath.Rel(root, dir); err != nil || !filepath.IsLocal(rel) {
		root = dir // named from elsewhere, in no project
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return true
	}
	rel, err := filepath.Rel(realRoot, real)
	return err != nil || !filepath.IsLocal(rel)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// short is the name as it is printed: relative to the working directory unless that is the longer way.
func (s *fileSet) short(name string) string {
	if rel, err := filepath.Rel(s.dir, name); err == nil && len(rel) < len(name) && filepath.IsAbs(name) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}

// at makes a place of a byte span.
func (s *fileSet) at(name string, start, end int) place {
	f := s.get(name)
	p := place{file: name, start: start, end: max(start, end)}
	p.startLine, p.startCol = f.position(p.start)
	p.endLine, p.endCol = f.position(p.end)
	return p
}

// like makes a place of the text that a file has at a line and byte column, both from 1; an empty one there where it has another.
func (s *fileSet) like(name string, line, column int, text []byte) place {
	f := s.get(name)
	starts := f.starts()
	if line < 1 || line > len(starts) {
		return place{file: name, startLine: line, startCol: column, endLine: line, endCol: column}
	}
	start := min(starts[line-1]+column-1, len(f.text))
	if !strings.HasPrefix(f.text[start:], string(text)) {
		text = nil
	}
	return s.at(name, start, start+len(text))
}

// position is the line and the byte column of an offset, both from 1.
func (f *sourceFile) position(offset int) (line, column int) {
	starts := f.starts()
	line = sort.SearchInts(starts, offset+1)
	return line, offset - starts[line-1] + 1
}

// line returns the text of a line, counted from 1, without its end.
func (f *sourceFile) line(n int) string {
	starts := f.starts()
	if n < 1 || n > len(starts) {
		return ""
	}
	end := len(f.text)
	if n < len(starts) {
		end = starts[n] - 1
	}
	return strings.TrimSuffix(f.text[starts[n-1]:end], "\r")
}

// runeColumn turns a byte column of a line into one in code points, both from 1.
func (f *sourceFile) runeColumn(line, column int) int {
	text := f.line(line)
	return 1 + utf8.RuneCountInString(text[:min(column-1, len(text))])
}
