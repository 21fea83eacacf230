package source

import (
	"cmp"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// include is a directive line of a Lua file that names another one.
type include struct {
	from, to int // the line without its end
	target   string
}

// includesIn finds the directives `-- $include(name)` and `--- @include "name"` of a text: comment lines that say nothing else.
func includesIn(text string) []include {
	var all []include
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if target := includeTarget(text[at:end]); target != "" {
			all = append(all, include{at, end, target})
		}
		at = end + 1
	}
	return all
}

func includeTarget(line string) string {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "--") {
		return ""
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "-"))
	word, rest := "", ""
	for _, w := range []string{"$include", "@include", "#include"} {
		if strings.HasPrefix(line, w) {
			word, rest = w, strings.TrimSpace(line[len(w):])
		}
	}
	if word == "" || rest == "" {
		return ""
	}
	switch rest[0] {
	case '(':
		rest, _, _ = strings.Cut(rest[1:], ")")
		return strings.Trim(rest, ` "'<>`)
	case '"', '\'', '<':
		close := rest[0]
		if close == '<' {
			close = '>'
		}
		if i := strings.IndexByte(rest[1:], close); i >= 0 {
			return rest[1 : i+1]
		}
	}
	return ""
}

// resolve finds the file that a directive names: beside the file or in one of the folders above, up to that of the Go file, or in a folder
// includes there, with or without .lua.
func (x *Index) resolve(dir string, from *embeddedFile, target string) *embeddedFile {
	var names []string
	for folder := path.Dir(from.name); ; folder = path.Dir(folder) {
		names = append(names, path.Join(folder, target), path.Join(folder, "includes", target))
		if folder == "." || folder == "/" {
			break
		}
	}
	for _, name := range names {
		for _, n := range []string{name, name + ".lua"} {
			if !filepath.IsLocal(filepath.FromSlash(n)) {
				continue
			}
			if f := x.file(dir, n); f != nil {
				return f
			}
		}
	}
	return nil
}

// included is the text of a file in which each directive is replaced by the file that it names. Every byte keeps its own file. A file is
// put in once, and one that includes itself not again.
func (x *Index) included(dir string, f *embeddedFile, seen map[string]bool) *Text {
	seen[f.path] = true
	whole := f.whole()
	lines := includesIn(f.text)
	if len(lines) == 0 {
		return whole
	}
	result := &Text{}
	at, refused := 0, ""
	for _, inc := range lines {
		other := x.resolve(dir, f, inc.target)
		if other == nil {
			refused = cmp.Or(refused, refusedInclude(dir, f, inc.target))
			continue
		}
		result = concat(result, whole.slice(at, inc.from))
		at = inc.to
		if !seen[other.path] {
			more := x.included(dir, other, seen)
			if other.refused != "" {
				refused = cmp.Or(refused, "the include of "+strconv.Quote(inc.target)+" is "+other.refused)
			}
			refused = cmp.Or(refused, more.Refused)
			result = concat(result, more)
		}
	}
	result = concat(result, whole.slice(at, len(f.text)))
	result.Refused = refused
	return result
}

// refusedInclude says why a directive that names no file to read is not followed: it leaves the folder of the Go package, or a symbolic link
// stands on the way. It is "" where there is just no such file.
func refusedInclude(dir string, from *embeddedFile, target string) string {
	name := path.Join(path.Dir(from.name), target)
	if path.IsAbs(target) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "the include of " + strconv.Quote(target) + " leaves the folder of the package, not read"
	}
	for _, n := range []string{name, name + ".lua"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(n))); err == nil {
			return "the include of " + strconv.Quote(target) + " is no regular file of the package, not read"
		}
	}
	return ""
}

// Includes returns the files that the one which holds a position includes, directly or not, without itself.
func (x *Index) Includes(pos token.Pos) map[string]bool {
	file := x.Fset.File(pos)
	if file == nil {
		return nil
	}
	return x.includes(file.Name())
}

// includes returns the files that a file includes, directly or not, without itself.
func (x *Index) includes(file string) map[string]bool {
	seen := map[string]bool{}
	if f := x.files[file]; f != nil {
		dir := strings.TrimSuffix(f.path, filepath.FromSlash(f.name))
		x.included(filepath.Clean(dir), f, seen)
		delete(seen, file)
	}
	return seen
}
