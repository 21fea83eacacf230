package ruletest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/redislint/redislint"
	root   = "../.." // of the module, from this folder
)

// mayImport says, by package, what it may import besides the standard library. Packages of this module are named from the module's
// root; other entries are prefixes of import paths.
var mayImport = map[string][]string{
	"luacheck/arena":      {},
	"luacheck/syntax":     {"luacheck/arena"},
	"luacheck/scope":      {"luacheck/arena", "luacheck/syntax"},
	"luacheck/flow":       {"luacheck/arena", "luacheck/syntax", "luacheck/scope"},
	"luacheck/server":     {},
	"luacheck/value":      {"luacheck/arena", "luacheck/syntax", "luacheck/scope", "luacheck/flow", "luacheck/server"},
	"luacheck":            {"luacheck/syntax", "luacheck/scope", "luacheck/flow", "luacheck/server", "luacheck/value"},
	"rules":               below,
	"luacheck/server/gen": {"luacheck/server", "github.com/redis/go-redis/"},
	"rules/ruletest": append(slices.Clone(below), "rules", "github.com/alicebob/miniredis/", "github.com/redis/go-redis/",
		"github.com/yuin/gopher-lua"),
	"rules/ruletest/gen": {"rules", "rules/ruletest"},
	"analyzer/source":    append(slices.Clone(below), "golang.org/x/tools/"),
	"analyzer":           append(slices.Clone(below), "analyzer/source", "rules", "golang.org/x/tools/"),
	"analyzer/load":      {"analyzer", "golang.org/x/tools/"},
	"analyzer/gclplugin": {"analyzer", "golang.org/x/tools/go/analysis", "github.com/golangci/plugin-module-register/"},
	"cmd/redislint": append(slices.Clone(below), "analyzer", "analyzer/load", "analyzer/source", "rules", "golang.org/x/tools/", "golang.org/x/term",
		"golang.org/x/sys/", "github.com/rogpeppe/go-internal/"),
}

// below is luacheck and the packages under it.
var below = []string{"luacheck", "luacheck/syntax", "luacheck/scope", "luacheck/flow", "luacheck/server", "luacheck/value"}

// mustNotImport names standard packages that a part of the tree refuses to know.
var mustNotImport = map[string][]string{
	"luacheck": {"go/", "net", "os"},
	"rules":    {"go/", "net", "os"},
}

// TestImports checks every import outside tests against the table. A package that the table lacks fails too.
func TestImports(t *testing.T) {
	edges := 0
	eachGoFile(t, func(dir, path string, file *ast.File) {
		allowed, known := mayImport[dir]
		if !known {
			t.Errorf("%s: package %s is not in the table of imports", path, dir)
			return
		}
		for _, imp := range file.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			edges++
			if why := refused(dir, name, allowed); why != "" {
				t.Errorf("%s: %s may not import %q: %s", path, dir, name, why)
			}
		}
	})
	closing("imports: %d checked against the table", edges)
}

func refused(dir, name string, allowed []string) string {
	if own, ok := strings.CutPrefix(name, module+"/"); ok {
		if !slices.Contains(allowed, own) {
			return "the table has no such edge"
		}
		return ""
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		for _, prefix := range allowed {
			if strings.Contains(prefix, ".") && strings.HasPrefix(name, prefix) {
				return ""
			}
		}
		return "the table has no such module"
	}
	if dir == "rules/ruletest" || strings.HasSuffix(dir, "/gen") {
		return ""
	}
	for part, names := range mustNotImport {
		for _, bad := range names {
			inside := dir == part || strings.HasPrefix(dir, part+"/")
			if inside && (name == bad || strings.HasSuffix(bad, "/") && strings.HasPrefix(name, bad) || strings.HasPrefix(name, bad+"/")) {
				return part + " refuses to know it"
			}
		}
	}
	return ""
}

func TestRefusedImports(t *testing.T) {
	for _, c := range []struct {
		dir, name string
		ok        bool
	}{
		{"luacheck/scope", module + "/luacheck/syntax", true},
		{"luacheck/scope", module + "/luacheck/server", false},
		{"luacheck/value", module + "/rules", false},
		{"rules", module + "/analyzer", false},
		{"rules", "go/ast", false},
		{"luacheck/value", "go/token", false},
		{"luacheck", "golang.org/x/tools/go/analysis", false},
		{"analyzer", "golang.org/x/tools/go/analysis", true},
		{"analyzer", "go/ast", true},
		{"rules", "strings", true},
	} {
		if why := refused(c.dir, c.name, mayImport[c.dir]); (why == "") != c.ok {
			t.Errorf("%s importing %s: %q", c.dir, c.name, why)
		}
	}
}

// TestNoHidingPlaces looks for what DESIGN forbids everywhere: a recover, and an init outside the one plugin whose host demands it.
func TestNoHidingPlaces(t *testing.T) {
	eachGoFile(t, func(dir, path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "recover" {
					t.Errorf("%s: recover hides a panic", path)
				}
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" && dir != "analyzer/gclplugin" {
					t.Errorf("%s: init registers behind the reader's back", path)
				}
			}
			return true
		})
	})
}

// TestPackageComments checks that every package has a doc.go whose comment says what it refuses.
func TestPackageComments(t *testing.T) {
	seen := map[string]bool{}
	eachGoFile(t, func(dir, path string, file *ast.File) {
		if seen[dir] || file.Name.Name == "main" {
			return
		}
		seen[dir] = true
		doc, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, dir, "doc.go"), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			return
		}
		if doc.Doc == nil || !strings.Contains(doc.Doc.Text(), "refuse") {
			t.Errorf("%s/doc.go does not say what the package refuses to know", dir)
		}
	})
}

// eachGoFile parses each Go file of the module that is no test; nested modules and testdata are left out.
func eachGoFile(t *testing.T, visit func(dir, path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if rel != "." && (nested == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel), file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
