package source

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/redislint/redislint/luacheck/syntax"
)

// fixture is a package on disk.
type fixture struct {
	dir   string
	files map[string]string
}

// Checking the standard library from source takes a second, so it is done once.
var std = sync.OnceValue(func() types.Importer { return importer.ForCompiler(token.NewFileSet(), "source", nil) })

func write(t *testing.T, files map[string]string) fixture {
	t.Helper()
	f := fixture{t.TempDir(), files}
	for name, text := range files {
		full := filepath.Join(f.dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func (f fixture) index(t *testing.T) *Index {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(f.dir, "p.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}}
	conf := types.Config{Importer: std()}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return NewIndex(fset, []*ast.File{file}, info, pkg, os.ReadFile)
}

// script evaluates the right side of `var script = …`, or its embedded file.
func (f fixture) script(t *testing.T, x *Index) []*Text {
	t.Helper()
	for cur := range x.Root.Preorder((*ast.ValueSpec)(nil)) {
		if spec := cur.Node().(*ast.ValueSpec); spec.Names[0].Name == "script" {
			if len(spec.Values) > 0 {
				return x.Texts(At(spec.Values[0], nil))
			}
			return x.Texts(At(spec.Names[0], nil))
		}
	}
	t.Fatal("no variable script")
	return nil
}

const header = "package p\n\nimport (\n\t\"embed\"\n\t\"fmt\"\n\t\"io/fs\"\n\t\"os\"\n\t\"strings\"\n\t\"text/template\"\n)\n\nvar _, _, _, _, _ = template.Must, fmt.Sprint, strings.Trim, os.Exit, fs.ReadFile\nvar _ embed.FS\nvar id = os.Args[0]\n\n"

// texts are packages whose variable script has the text want; «» stands for a hole.
var texts = []struct{ name, src, want string }{
	{"raw", "var script = `return 1`", "return 1"},
	{"raw lines", "var script = `\nreturn\t'é'\n\n`", "\nreturn\t'é'\n\n"},
	{"raw CRLF", "var script = `a\r\nb\r\n\r\nc`", "a\nb\n\nc"},
	{"raw lone CR", "var script = `a\rb` + `c\r`", "abc"},
	{"quoted", `var script = "return '\t\\\"\xff\377\u00e9\U0001F600\a'\n"`, "return '\t\\\"\xff\xff\u00e9\U0001F600\a'\n"},
	{"quoted hex in upper case", `var script = "\xFe\xA0\u00C9"`, "\xfe\xa0\u00c9"},
	{"quoted UTF-8", `var script = "é𝄞x"`, "é𝄞x"},
	{"concatenated", "var script = `a` + \"b\\n\" + (`c` +\n\t\"d\")", "ab\ncd"},
	{"constant", "const tail = `x\ny`\nvar script = \"a\" + tail + tail", "ax\nyx\ny"},
	{"constant of constants", "const (\n\ta = \"1\\n\"\n\tb = a + `2`\n)\nvar script = b + a", "1\n21\n"},
	{"variable", "var src = `return 1`\nvar script = src", "return 1"},
	{"conversion", "type lua string\nvar script = string([]byte(lua(\"a\\tb\")))", "a\tb"},
	{"Sprintf", "const n = 7\nvar script = fmt.Sprintf(\"a %d %%s %s %[1]d %q\\n\", n, `k`)", "a 7 %s k 7 \"k\"\n"},
	{"Sprintf with holes", "var script = fmt.Sprintf(`get %s:%d 100%%`, id, len(id))", "get «»:«» 100%"},
	{"Sprintf with a flag", "var script = fmt.Sprintf(\"%05d|%-3s|\", 42, \"a\")", "00042|a  |"},
	{"TrimSpace", "var script = strings.TrimSpace(`\n  return 1\r\n\n`)", "return 1"},
	{"trims", "var script = strings.Trim(strings.TrimPrefix(\"--x;;\", \"--\"), \";\") + strings.TrimRight(\"ab  \", \" \") + strings.TrimSuffix(\"cd\", \"d\")", "xabc"},
	{"replace", "var script = strings.ReplaceAll(\"a.KEY b.KEY\", \"KEY\", \"`x`\") + strings.Replace(\"zz\", \"z\", \"y\", 1)", "a.`x` b.`x`yz"},
	{"replace by a variable", "var script = strings.ReplaceAll(`get {k} {k}`, `{k}`, id)", "get «» «»"},
	{"replacer", "var r = strings.NewReplacer(\"$A\", \"1\", \"$B\", `2`)\nvar script = r.Replace(`$A+$B`)", "1+2"},
	{"join", "var script = strings.Join([]string{`a`, \"b\", id}, \"\\n\")", "a\nb\n«»"},
	{"repeat", "var script = strings.Repeat(`ab`, 3)", "ababab"},
	{"function", "func src(s string) string { return `head ` + s + ` tail` }\nvar script = src(\"mid\\n\")", "head mid\n tail"},
	{"map", "var all = map[string]string{\"a\": `1`, \"b\": `2`}\nvar script = all[\"b\"]", "2"},
	{"slice", "var all = []string{`1`, `2`}\nvar script = all[1]", "2"},
	{"field", "var s = struct{ get, set string }{get: `1`, set: `2`}\nvar script = s.set", "2"},
	{"field of an element", "type d struct{ n int; src string }\nvar all = map[string]d{\"x\": {1, `1`}, \"y\": {2, `2`}}\nvar script = all[\"y\"].src", "2"},
	{"parameter as a hole", "func src(k string) string { return `get ` + k }\nvar script = src(id)", "get «»"},
	{"embedded", "//go:embed a.lua\nvar script string", "return 'é'\r\nend\n"},
	{"embedded bytes", "//go:embed \"a.lua\"\nvar src []byte\nvar script = string(src)", "return 'é'\r\nend\n"},
	{"embedded FS", "//go:embed lua\nvar dir embed.FS\nfunc read(n string) string { b, _ := dir.ReadFile(\"lua/\" + n + \".lua\"); return string(b) }\nvar script = read(\"b\")", "two\n"},
	{"embedded FS through io/fs", "//go:embed lua/*.lua\nvar dir embed.FS\nfunc read(n string) string { b, err := fs.ReadFile(dir, n); if err != nil { panic(err) }; return string(b) }\nvar script = read(\"lua/b.lua\")", "two\n"},
	{"include", "//go:embed inc.lua\nvar script string", "one\ntwo\n\nend\n"},
}

func fixtureOf(t *testing.T, src string) fixture {
	return write(t, map[string]string{
		"p.go": header + src, "a.lua": "return 'é'\r\nend\n", "lua/b.lua": "two\n", "inc.lua": "one\n-- $include(lua/b)\nend\n",
		"lua/loop.lua": "-- $include(loop)\nx\n",
	})
}

func TestTexts(t *testing.T) {
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			f := fixtureOf(t, c.src)
			x := f.index(t)
			all := f.script(t, x)
			if len(all) != 1 {
				t.Fatalf("%d texts", len(all))
			}
			if got := shown(all[0]); got != c.want {
				t.Fatalf("got  %q\nwant %q", got, c.want)
			}
			positions(t, x, all[0])
		})
	}
}

// shown writes holes as «».
func shown(t *Text) string {
	s := ""
	for _, p := range t.pieces {
		if p.hole != nil {
			s += "«»"
			continue
		}
		s += p.text
	}
	return s
}

// positions checks that the source between Pos(i) and End(i) gives byte i, for every byte that stands in a literal or a file, and that
// positions never go back within one literal.
func positions(t *testing.T, x *Index, text *Text) {
	t.Helper()
	m := text.Map()
	s := text.String()
	read := map[string]string{}
	for i, p := range m.pieces {
		if p.hole != nil || p.org.kind == useOnly {
			continue
		}
		for n := range len(p.text) {
			off := m.starts[i] + n
			pos, end := m.Pos(off), m.End(off)
			src := sourceOf(t, x, read, pos, end)
			if !gives(src, p.org.kind, s[off]) && !(p.wide && src == "%%") {
				t.Errorf("byte %d (%q): the source there is %q", off, s[off], src)
			}
			if n > 0 && m.Pos(off-1) > pos {
				t.Errorf("byte %d stands before byte %d", off, off-1)
			}
		}
	}
}

func gives(src string, kind originKind, b byte) bool {
	if kind == quotedLiteral {
		u, err := strconv.Unquote(`"` + src + `"`)
		return err == nil && strings.IndexByte(u, b) >= 0 || src == string([]byte{b}) && b >= utf8.RuneSelf
	}
	return src == string([]byte{b})
}

// sourceOf is the text of a file between two places; read keeps files that were read before.
func sourceOf(t *testing.T, x *Index, read map[string]string, pos, end token.Pos) string {
	t.Helper()
	file := x.Fset.File(pos)
	if file == nil || !end.IsValid() || x.Fset.File(end) != file {
		t.Fatalf("no file for %d to %d", pos, end)
	}
	text, known := read[file.Name()]
	if !known {
		data, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		text = string(data)
		read[file.Name()] = text
	}
	return text[file.Offset(pos):file.Offset(end)]
}

// TestEdits replaces spans of each text, writes the change to the file, and reads the text again.
func TestEdits(t *testing.T) {
	done := 0
	for _, c := range texts {
		if strings.Contains(c.want, "«»") || c.name == "include" {
			continue // a directive counts only on a line of its own
		}
		f := fixtureOf(t, c.src)
		x := f.index(t)
		text := f.script(t, x)[0]
		s := text.String()
		for _, from := range []int{0, len(s) / 2, len(s)} {
			for _, to := range []int{from, from + 2} {
				for _, new := range []string{"x", "%\n\"\\", "`"} {
					if to > len(s) {
						continue
					}
					pos, end, with, err := text.Map().Edit(syntax.SpanOf(from, to), new)
					if err != nil {
						continue
					}
					done++
					if got, want := f.edited(t, x, pos, end, with), s[:from]+new+s[to:]; got != want {
						t.Errorf("%s: [%d,%d) to %q: got %q, want %q", c.name, from, to, new, got, want)
					}
				}
			}
		}
	}
	if done < 150 {
		t.Errorf("only %d edits were allowed", done)
	}
}

// edited applies a change to a copy of the package and evaluates it again.
func (f fixture) edited(t *testing.T, x *Index, pos, end token.Pos, with string) string {
	t.Helper()
	tf := x.Fset.File(pos)
	rel, err := filepath.Rel(f.dir, tf.Name())
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(tf.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer os.WriteFile(tf.Name(), old, 0o644)
	changed := string(old[:tf.Offset(pos)]) + with + string(old[tf.Offset(end):])
	if err := os.WriteFile(filepath.Join(f.dir, rel), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	return f.script(t, f.index(t))[0].String()
}

func TestRefusedEdits(t *testing.T) {
	for _, c := range []struct {
		name, src, at, new string
		want               error
	}{
		{"backquote", "var script = `abc`", "b", "`", errBackquote},
		{"two literals", "var script = `abc` + `def`", "cd", "x", errTwoPlaces},
		{"hole", "var script = `abc` + id", "c_", "x", errHole},
		{"constant of another package", "var script = `a` + os.DevNull", "dev", "x", errConstant},
		{"half a rune's escape", "var script = \"\\u00e9\"", "\xa9", "x", errEscape},
		{"constant used twice", "const k = `ab`\nvar script = k + ` ` + k", "b", "x", errTwice},
		{"replacement", "var script = strings.ReplaceAll(`abc`, `b`, `d`)", "c", "x", errReplaced},
	} {
		f := fixtureOf(t, c.src)
		text := f.script(t, f.index(t))[0]
		at := strings.Index(text.String(), c.at)
		if at < 0 {
			t.Fatalf("%s: no %q in %q", c.name, c.at, text.String())
		}
		_, _, _, err := text.Map().Edit(syntax.SpanOf(at, at+len(c.at)), c.new)
		if err != c.want {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

// TestRange: a span over two literals is cut where the first one ends.
func TestRange(t *testing.T) {
	f := fixtureOf(t, "var script = `abc` +\n\t\"de\\x66\"")
	x := f.index(t)
	m := f.script(t, x)[0].Map()
	for _, c := range []struct {
		from, to int
		want     string
	}{{0, 3, "abc"}, {1, 5, "bc"}, {3, 6, `de\x66`}, {5, 6, `\x66`}, {6, 6, ""}} {
		pos, end := m.Range(syntax.SpanOf(c.from, c.to))
		if got := sourceOf(t, x, map[string]string{}, pos, end); got != c.want {
			t.Errorf("[%d,%d): got %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

// TestAlternatives: a text that is chosen at run time gives each of them.
func TestAlternatives(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"if", "func pick() string {\n\tsrc := `a`\n\tif len(id) > 1 {\n\t\tsrc = `b`\n\t}\n\treturn src + `c`\n}\nvar script = pick()", "ac bc"},
		{"returns", "func pick(b bool) string {\n\tif b {\n\t\treturn `a`\n\t}\n\treturn `b`\n}\nvar script = pick(len(id) > 1)", "a b"},
		{"map", "var all = map[string]string{\"a\": `1`, \"b\": `2`}\nvar script = all[id]", "1 2"},
		{"unknown file of an FS", "//go:embed lua/b.lua lua/loop.lua\nvar dir embed.FS\nfunc read(n string) string { b, _ := dir.ReadFile(\"lua/\" + n); return string(b) }\nvar script = read(id)", "two\n \nx\n"},
		{"changed", "func pick() string {\n\tsrc := `a`\n\tsrc += id\n\treturn src\n}\nvar script = pick()", "a«»"},
		{"changed in a loop", "func pick() string {\n\tsrc := `a`\n\tfor range id {\n\t\tsrc += id\n\t}\n\treturn src\n}\nvar script = pick()", "«»"},
		{"changed where a jump may leave it out", "func pick() string {\n\tsrc := `a`\n\tif len(id) > 1 {\n\t\tgoto end\n\t}\n\tsrc += `b`\nend:\n\treturn src\n}\nvar script = pick()", "«»"},
		{"parameter", "func pick(src string) string {\n\tsrc += `b`\n\treturn src\n}\nvar script = pick(`a`)", "ab"},
		{"template", "var tmpl = template.Must(template.New(``).Parse(`a {{.B}} {{- .C}}`))\nfunc pick() string {\n\tvar b strings.Builder\n\tif err := tmpl.Execute(&b, map[string]string{`B`: `b`, `C`: id}); err != nil {\n\t\tpanic(err)\n\t}\n\treturn b.String()\n}\nvar script = pick()", "a b«»"},
		{"template with a condition", "var tmpl = template.Must(template.New(``).Parse(`a {{if .B}}b{{end}}`))\nfunc pick() string {\n\tvar b strings.Builder\n\ttmpl.Execute(&b, nil)\n\treturn b.String()\n}\nvar script = pick()", "«»"},
		{"builder", "func pick() string {\n\tvar b strings.Builder\n\tb.WriteString(`a`)\n\tb.WriteByte(' ')\n\tfmt.Fprintf(&b, `%d`, 7)\n\tb.WriteString(id)\n\treturn b.String()\n}\nvar script = pick()", "a 7«»"},
		{"builder in a loop", "func pick() string {\n\tvar b strings.Builder\n\tfor range id {\n\t\tb.WriteString(`a`)\n\t}\n\treturn b.String()\n}\nvar script = pick()", "«»"},
		{"builder handed on", "func more(b *strings.Builder) {}\nfunc pick() string {\n\tvar b strings.Builder\n\tb.WriteString(`a`)\n\tmore(&b)\n\treturn b.String()\n}\nvar script = pick()", "«»"},
	} {
		f := fixtureOf(t, c.src)
		var got []string
		for _, text := range f.script(t, f.index(t)) {
			got = append(got, shown(text))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestEmbeddedElsewhere: nothing outside the package's folder is read, not even through a symbolic link or an include.
func TestEmbeddedElsewhere(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.lua")
	if err := os.WriteFile(outside, []byte("return 'secret'"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, src string }{
		{"link", "//go:embed link.lua\nvar script string"},
		{"linked folder", "//go:embed folder/secret.lua\nvar script string"},
		{"parent", "//go:embed ../secret.lua\nvar script string"},
		{"include", "//go:embed up.lua\nvar script string"},
		{"include of a link", "//go:embed in.lua\nvar script string"},
	} {
		f := fixtureOf(t, c.src)
		for from, to := range map[string]string{"link.lua": outside, "folder": filepath.Dir(outside)} {
			if err := os.Symlink(to, filepath.Join(f.dir, from)); err != nil {
				t.Fatal(err)
			}
		}
		rel, err := filepath.Rel(f.dir, outside)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"up.lua": "-- $include(" + filepath.ToSlash(rel) + ")\n", "in.lua": "-- $include(folder/secret)\n"} {
			if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range f.script(t, f.index(t)) {
			if strings.Contains(text.String(), "secret'") {
				t.Errorf("%s: read %q", c.name, text.String())
			}
		}
	}
}
