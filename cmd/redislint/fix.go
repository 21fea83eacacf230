package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/redislint/redislint/luacheck/syntax"
)

// patch is the edits of the chosen fixes in one file, by position and without overlap.
type patch struct {
	file  string
	edits []edit
	fixes int
}

// choose takes the first fix of each finding, as long as none of its edits meets one that was taken before. What is left out gets its turn
// when the files are analysed again.
func choose(list []finding) []patch {
	taken := map[string][]edit{}
	count := map[string]int{}
	for _, f := range list {
		if len(f.fixes) == 0 || len(f.fixes[0].edits) == 0 || slices.ContainsFunc(f.fixes[0].edits, func(e edit) bool { return meets(e, taken[e.file]) }) {
			continue
		}
		for _, e := range f.fixes[0].edits {
			taken[e.file] = append(taken[e.file], e)
		}
		count[f.fixes[0].edits[0].file]++
	}
	var out []patch
	for name, edits := range taken {
		slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
		out = append(out, patch{name, edits, count[name]})
	}
	slices.SortFunc(out, func(a, b patch) int { return strings.Compare(a.file, b.file) })
	return out
}

// meets reports whether an edit overlaps others or inserts at the same place.
func meets(e edit, others []edit) bool {
	return slices.ContainsFunc(others, func(o edit) bool {
		return e.start < o.end && o.start < e.end || e.start == o.start
	})
}

// apply returns the text of a file after a patch. An error says why the patch cannot be applied; then nothing of it is.
func (p patch) apply(old []byte) ([]byte, error) {
	var out []byte
	at := 0
	for _, e := range p.edits {
		if e.start < at || e.end > len(old) {
			return nil, fmt.Errorf("an edit lies outside the text")
		}
		out = append(append(out, old[at:e.start]...), e.text...)
		at = e.end
	}
	out = append(out, old[at:]...)
	if strings.HasSuffix(p.file, ".go") {
		return goFormatted(old, out)
	}
	return out, luaParses(string(old), string(out))
}

// goFormatted checks that Go still parses, and formats it where it was formatted before.
func goFormatted(old, changed []byte) ([]byte, error) {
	if _, err := parser.ParseFile(token.NewFileSet(), "", changed, parser.SkipObjectResolution|parser.ParseComments); err != nil {
		return nil, fmt.Errorf("the result would not parse: %w", err)
	}
	if was, err := format.Source(old); err != nil || !bytes.Equal(was, old) {
		return changed, nil
	}
	return format.Source(changed)
}

// luaParses refuses a text with more syntax errors than before.
func luaParses(old, changed string) error {
	before := syntax.Parse(syntax.Source{Text: old}, syntax.Lua51)
	after := syntax.Parse(syntax.Source{Text: changed}, syntax.Lua51)
	if len(after.Errors) > len(before.Errors) {
		return fmt.Errorf("the result would not parse: line %d: %s", after.Errors[0].Line, after.Errors[0].Message)
	}
	return nil
}

// writePatches applies patches to the files that were analysed. A file that changed in between is refused and left as it is.
func writePatches(patches []patch, files *fileSet) (fixed int, problems []string) {
	for _, p := range patches {
		if err := p.write(files); err != nil {
			problems = append(problems, fmt.Sprintf("%s: not fixed: %v", files.short(p.file), err))
			continue
		}
		fixed += p.fixes
	}
	return fixed, problems
}

func (p patch) write(files *fileSet) error {
	if leavesProject(p.file, files.dir) {
		return errors.New("a symbolic link leads out of the project")
	}
	read := files.get(p.file).text
	now, err := os.ReadFile(p.file)
	if err != nil {
		return err
	}
	if read != string(now) {
		return fmt.Errorf("the file changed while it was analysed; run again")
	}
	changed, err := p.apply(now)
	if err != nil {
		return err
	}
	return replaceFile(p.file, changed)
}

// printDiff writes patches as unified diffs.
func printDiff(w io.Writer, patches []patch, files *fileSet) (problems []string, err error) {
	for _, p := range patches {
		old := []byte(files.get(p.file).text)
		changed, err := p.apply(old)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: not fixed: %v", files.short(p.file), err))
			continue
		}
		name := files.short(p.file)
		if _, err := w.Write(diff.Diff("a/"+strings.TrimPrefix(name, "/"), old, "b/"+strings.TrimPrefix(name, "/"), changed)); err != nil {
			return problems, err
		}
	}
	return problems, nil
}

// replaceFile writes a file by renaming a new one over it, so that a reader sees the old or the new text and never a part. The mode stays.
// A symbolic link stays one: its target is replaced.
func replaceFile(name string, text []byte) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
		if mode&0o200 == 0 {
			return errors.New("it is read-only")
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".redislint-*")
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return fmt.Errorf("cannot write in its folder: %w", err)
	}
	defer os.Remove(tmp.Name()) // fails after the rename, as it should
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	return err
}
