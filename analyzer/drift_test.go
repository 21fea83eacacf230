package analyzer

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// realPackages are the packages that each library's rows are looked up in, and the module that holds them.
var realPackages = map[string]struct {
	dir   string
	paths []string
}{
	"go-redis":     {nested, []string{"github.com/redis/go-redis/v9"}},
	"redigo":       {nested, []string{"github.com/gomodule/redigo/redis"}},
	"rueidis":      {nested, []string{"github.com/redis/rueidis", "github.com/redis/rueidis/internal/cmds"}},
	"valkey-go":    {nested, []string{"github.com/valkey-io/valkey-go", "github.com/valkey-io/valkey-go/internal/cmds"}},
	"radix":        {nested, []string{"github.com/mediocregopher/radix/v4"}},
	"gogf":         {nested, []string{"github.com/gogf/gf/v2/database/gredis"}},
	"go-zero":      {heavy, []string{"github.com/zeromicro/go-zero/core/stores/redis"}},
	"valkey-glide": {heavy, []string{"github.com/valkey-io/valkey-glide/go/v2", "github.com/valkey-io/valkey-glide/go/v2/options", "github.com/valkey-io/valkey-glide/go/v2/pipeline"}},
}

// TestRowsAreReal looks up each row of the API table in the library that it describes, and compares the roles with the parameters.
func TestRowsAreReal(t *testing.T) {
	for _, l := range libraries() {
		r, ok := realPackages[l.name]
		if !ok {
			t.Errorf("%s: no package to check its rows against", l.name)
		}
		pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps |
			packages.NeedExportFile, Dir: r.dir}, r.paths...)
		if err != nil {
			t.Fatal(err)
		}
		tab := newTable()
		for _, row := range l.rows {
			found := false
			for _, p := range pkgs {
				if tab.library(p.Types) == nil {
					t.Errorf("%s: the table does not know the package %s", l.name, p.PkgPath)
				}
				for _, fn := range functionsNamed(p.Types, row.recv, row.name) {
					if _, got := tab.row(fn); got == nil || got.name != row.name || got.recv != row.recv {
						continue
					}
					found = true
					if wrong := misfit(fn, row.roles); wrong != "" {
						t.Errorf("%s: %s.%s(%s): %s in %v", l.name, row.recv, row.name, row.roles, wrong, fn)
					}
				}
			}
			if !found {
				t.Errorf("%s: no %s.%s in %v", l.name, row.recv, row.name, r.paths)
			}
		}
	}
}

// functionsNamed returns the functions or methods that a row means.
func functionsNamed(pkg *types.Package, recv, name string) []*types.Func {
	if recv == "" {
		if fn, ok := pkg.Scope().Lookup(name).(*types.Func); ok {
			return []*types.Func{fn}
		}
		return nil
	}
	var all []*types.Func
	for _, n := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(n).(*types.TypeName)
		if !ok || recv != "*" && n != recv {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, pkg, name)
		if types.IsInterface(tn.Type()) {
			obj, _, _ = types.LookupFieldOrMethod(tn.Type(), true, pkg, name)
		}
		if fn, ok := obj.(*types.Func); ok && fn.Pkg() == pkg {
			all = append(all, fn)
		}
	}
	return all
}

// misfit says which role does not fit its parameter.
func misfit(fn *types.Func, roles string) string {
	sig := fn.Type().(*types.Signature)
	params := withoutContext(sig.Params())
	words := strings.Fields(roles)
	if len(words) > len(params) {
		return "more roles than parameters"
	}
	for i, role := range words {
		name, variadic := strings.CutSuffix(role, "...")
		if variadic != (sig.Variadic() && i == len(params)-1) && name != "raw" {
			return role + " is variadic in one only"
		}
		fits := true
		switch name {
		case "text", "sha", "function":
			fits = isBasicString(params[i])
		case "keys":
			fits = isStrings(params[i])
		case "args", "vars":
			fits = isStrings(params[i]) || isAnys(params[i])
		case "count":
			b, ok := params[i].Underlying().(*types.Basic)
			fits = ok && b.Info()&types.IsInteger != 0
		}
		if !fits {
			return role + " is a " + params[i].String()
		}
	}
	return ""
}
