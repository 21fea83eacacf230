package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// embedded is a variable with a //go:embed directive.
type embedded struct {
	dir      string // of the Go file
	patterns []string
	at       token.Pos // of the variable's name, or of its use where another package declares it
	foreign  bool      // another package declares it
	names    []string  // of the files, once somebody asked
}

// embeddedFile is a file as it was read, registered with the FileSet.
type embeddedFile struct {
	name string // as its Go file embeds it, with slashes
	path string
	text string
	org  *origin
	// refused says why the file was not read; its text is empty then.
	refused string
}

// MaxScript is the longest script that is analysed, in bytes. A server takes 512 MB; nobody writes one of this size.
const MaxScript = 16 << 20

// TooLong says that a script is longer than MaxScript.
var TooLong = fmt.Sprintf("larger than %d MB, not looked at", MaxScript>>20)

// embedDecl notes the go:embed directives of a variable declaration.
func (x *Index) embedDecl(n *ast.GenDecl) {
	for name, em := range embedsOf(x.Fset, n) {
		if obj := x.Info.Defs[name]; obj != nil {
			x.embeds[obj] = em
		}
	}
}

// embedsOf are the variables of a declaration that have go:embed directives.
func embedsOf(fset *token.FileSet, n *ast.GenDecl) iter.Seq2[*ast.Ident, *embedded] {
	return func(yield func(*ast.Ident, *embedded) bool) {
		if n.Tok != token.VAR {
			return
		}
		for _, spec := range n.Specs {
			vs, ok := spec.(*ast.ValueSpec)
			if !ok || len(vs.Names) != 1 {
				continue
			}
			doc := vs.Doc
			if doc == nil && !n.Lparen.IsValid() {
				doc = n.Doc
			}
			patterns := embedPatterns(doc)
			if len(patterns) == 0 {
				continue
			}
			if !yield(vs.Names[0], &embedded{dir: filepath.Dir(GoFile(fset, n.Pos())), patterns: patterns, at: vs.Names[0].Pos()}) {
				return
			}
		}
	}
}

// IsEmbedded reports whether a comment holds a go:embed directive.
func IsEmbedded(doc *ast.CommentGroup) bool { return len(embedPatterns(doc)) > 0 }

// embedPatterns reads the patterns of //go:embed lines: words, or Go strings.
func embedPatterns(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var all []string
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, "//go:embed ")
		for ok {
			rest = strings.TrimSpace(rest)
			if rest == "" {
				break
			}
			word, err := strconv.QuotedPrefix(rest)
			if err == nil {
				rest = rest[len(word):]
				word, _ = strconv.Unquote(word)
			} else {
				word, rest, _ = strings.Cut(rest, " ")
			}
			all = append(all, word)
		}
	}
	return all
}

// expand lists the files of an embed directive, by the name they have in the FS. It looks at the folder once.
func (em *embedded) expand() []string {
	if em.names == nil {
		em.names = em.list()
	}
	return em.names
}

func (em *embedded) list() []string {
	seen := map[string]bool{}
	for _, pattern := range em.patterns {
		pattern, all := strings.CutPrefix(pattern, "all:")
		if path.IsAbs(pattern) || !filepath.IsLocal(filepath.FromSlash(pattern)) {
			continue // the compiler refuses it too
		}
		found, err := filepath.Glob(filepath.Join(em.dir, filepath.FromSlash(pattern)))
		if err != nil {
			continue
		}
		for _, f := range found {
			em.walk(f, all, seen)
		}
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// walk adds a file, or the files below a folder as go:embed does: without those that start with '.' or '_'.
func (em *embedded) walk(file string, all bool, seen map[string]bool) {
	info, err := os.Lstat(file)
	if err != nil {
		return
	}
	if info.Mode().IsRegular() {
		if rel, err := filepath.Rel(em.dir, file); err == nil && filepath.IsLocal(rel) {
			seen[filepath.ToSlash(rel)] = true
		}
		return
	}
	if !info.IsDir() {
		return // a symbolic link or a device
	}
	entries, err := os.ReadDir(file)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !all && (e.Name()[0] == '.' || e.Name()[0] == '_') {
			continue
		}
		em.walk(filepath.Join(file, e.Name()), all, seen)
	}
}

// file reads an embedded file and gives it a place in the FileSet; nil where it cannot be read.
func (x *Index) file(dir, name string) *embeddedFile {
	full := filepath.Join(dir, filepath.FromSlash(name))
	if f, ok := x.files[full]; ok {
		return f
	}
	x.files[full] = nil
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() || !filepath.IsLocal(filepath.FromSlash(name)) || linked(dir, name) {
		return nil
	}
	data, refused := readScript(full, info.Size())
	tf := x.Fset.AddFile(full, -1, len(data))
	tf.SetLinesForContent(data)
	base := token.Pos(tf.Base())
	f := &embeddedFile{name: name, path: full, text: string(data), refused: refused,
		org: &origin{kind: fileText, pos: base, end: base + token.Pos(len(data))}}
	x.files[full] = f
	return f
}

// readScript reads a file, or says why not.
func readScript(name string, size int64) (data []byte, refused string) {
	if size > MaxScript {
		return nil, TooLong
	}
	data, err := os.ReadFile(name)
	if err == nil {
		return data, ""
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return nil, "cannot be read: " + err.Error()
}

// linked reports whether a symbolic link lies on the way from dir to a file below it: the compiler embeds nothing behind one.
func linked(dir, name string) bool {
	for i, c := range name {
		if c != '/' {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name[:i])))
		if err != nil || info.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

func (f *embeddedFile) whole() *Text {
	t := &Text{}
	t.add(piece{text: f.text, org: f.org})
	if f.text == "" {
		t.pieces = []piece{{org: f.org}}
	}
	return t
}

// embedded is the text of a string or []byte variable with a go:embed directive.
func (e *evaluator) embedded(id *ast.Ident) *Text {
	obj := e.x.Info.ObjectOf(id)
	em := e.x.embedOf(obj, id.Pos())
	if em == nil || !isText(obj.Type()) {
		return nil
	}
	names := em.expand()
	if len(names) != 1 {
		return nil
	}
	return e.x.fileText(em.dir, names[0])
}

// fileText is the text of an embedded file with its includes resolved; nil where it cannot be read.
func (x *Index) fileText(dir, name string) *Text {
	f := x.file(dir, name)
	if f == nil {
		return nil
	}
	t := x.included(dir, f, map[string]bool{})
	t.file, t.start = f.name, f.org.pos
	if f.refused != "" {
		t.Refused = f.refused
	}
	return t
}

// readFile evaluates the reading of a file of an embed.FS. A name that is known in part stands for every .lua file that fits it.
func (e *evaluator) readFile(fsys, name ast.Expr, c *ast.CallExpr, b Bound) []*Text {
	em := e.fsOf(Bound{Expr: fsys, Env: b.Env, Index: -1})
	if em == nil {
		return nil
	}
	var all []*Text
	seen := map[string]bool{}
	for _, n := range e.eval(Bound{Expr: name, Env: b.Env, Index: -1}) {
		for _, file := range matching(em.expand(), n) {
			if t := e.x.fileText(em.dir, file); t != nil && !seen[file] {
				seen[file] = true
				all = append(all, t)
			}
		}
	}
	return all
}

// fsOf returns the embed directive behind an expression of a file system.
func (e *evaluator) fsOf(b Bound) *embedded {
	for _, to := range e.x.Follow(b, true) {
		if to.Expr == nil {
			return nil
		}
		if em := e.x.embedOf(e.x.object(to.Expr), to.Expr.Pos()); em != nil {
			return em
		}
		if u, ok := to.Expr.(*ast.UnaryExpr); ok {
			if em := e.x.embedOf(e.x.object(u.X), u.Pos()); em != nil {
				return em
			}
		}
	}
	return nil
}

// matching returns the names that a text may be: itself where it is constant, else the .lua files with its known start and end.
func matching(names []string, t *Text) []string {
	if s, ok := t.Constant(); ok {
		return []string{path.Clean(s)}
	}
	parts := t.Parts()
	prefix, suffix := "", ""
	if parts[0].Hole == nil {
		prefix = parts[0].Lit
	}
	if last := parts[len(parts)-1]; last.Hole == nil {
		suffix = last.Lit
	}
	var all []string
	for _, n := range names {
		if strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) && path.Ext(n) == ".lua" {
			all = append(all, n)
		}
	}
	return all
}

// LuaFile is an embedded .lua file, with the variable that embeds it.
type LuaFile struct {
	Name, Path string
	Text       *Text
	Var        *types.Var
	At         token.Pos // of the variable
}

// LuaFiles returns the .lua files that the package embeds, by variable and name. Files that others include are left out.
func (x *Index) LuaFiles() []LuaFile {
	var all []LuaFile
	for obj, em := range x.embeds {
		v, ok := obj.(*types.Var)
		if !ok {
			continue
		}
		for _, name := range em.expand() {
			if path.Ext(name) != ".lua" {
				continue
			}
			if t := x.fileText(em.dir, name); t != nil {
				all = append(all, LuaFile{Name: name, Path: filepath.Join(em.dir, name), Text: t, Var: v, At: em.at})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].At != all[j].At {
			return all[i].At < all[j].At
		}
		return all[i].Name < all[j].Name
	})
	included := map[string]bool{}
	for _, f := range all {
		for name := range x.includes(f.Path) {
			included[name] = true
		}
	}
	kept := all[:0]
	for _, f := range all {
		if !included[f.Path] {
			kept = append(kept, f)
		}
	}
	return kept
}

// EmbeddedAt returns the Go position that stands for an embedded file which holds pos: the variable that embeds it.
func (x *Index) EmbeddedAt(pos token.Pos) token.Pos {
	file := x.Fset.File(pos)
	if file == nil {
		return token.NoPos
	}
	f := x.files[file.Name()]
	if f == nil {
		return token.NoPos
	}
	best := token.NoPos
	for _, em := range x.embeds {
		if em.holds(f) && (!best.IsValid() || em.at < best) {
			best = em.at
		}
	}
	return best
}

func (em *embedded) holds(f *embeddedFile) bool {
	for _, name := range em.expand() {
		if filepath.Join(em.dir, filepath.FromSlash(name)) == f.path {
			return true
		}
	}
	return false
}

// Foreign reports whether a position lies in a file that a variable of another package embeds.
func (x *Index) Foreign(pos token.Pos) bool {
	file := x.Fset.File(pos)
	if file == nil || x.files[file.Name()] == nil {
		return false
	}
	for _, em := range x.embeds {
		if em.foreign && em.holds(x.files[file.Name()]) {
			return true
		}
	}
	return false
}
