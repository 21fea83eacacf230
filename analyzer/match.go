package analyzer

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/redislint/redislint/luacheck"
)

// table finds the row of a function.
type table struct {
	libs   []library
	byPath map[string]*library
	names  map[string]bool // of all rows: most calls are left out by this alone
}

func newTable() *table {
	t := &table{libs: libraries(), byPath: map[string]*library{}, names: map[string]bool{}}
	for i := range t.libs {
		l := &t.libs[i]
		for _, p := range l.paths {
			t.byPath[p] = l
		}
		for _, r := range l.rows {
			t.names[r.name] = true
		}
	}
	return t
}

// basePath is an import path without its major version: "/v9", also in the middle, and gopkg.in's ".v5".
func basePath(path string) string {
	if i := strings.Index(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	words := strings.Split(path, "/")
	kept := words[:0]
	for _, w := range words {
		if len(w) > 1 && w[0] == 'v' && strings.Trim(w[1:], "0123456789") == "" {
			continue
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, "/")
}

// library returns the client library of a package, nil where it is none.
func (t *table) library(pkg *types.Package) *library {
	if pkg == nil {
		return nil
	}
	return t.libraryAt(pkg.Path())
}

func (t *table) libraryAt(path string) *library {
	if l := t.byPath[path]; l != nil {
		return l
	}
	return t.byPath[basePath(path)]
}

// row returns the row of a function or method.
func (t *table) row(fn *types.Func) (*library, *row) {
	if fn == nil || !t.names[fn.Name()] {
		return nil, nil
	}
	l := t.library(fn.Pkg())
	if l == nil {
		return nil, nil
	}
	recv := receiverName(fn)
	for i := range l.rows {
		r := &l.rows[i]
		if r.name != fn.Name() || r.recv == "*" && (recv == "" || isScriptType(recv)) || r.recv != "*" && r.recv != recv {
			continue
		}
		return l, r
	}
	return nil, nil
}

func isScriptType(name string) bool { return name == "Script" || name == "Lua" || name == "EvalScript" }

// receiverName is the name of a method's receiver type, "" for a function.
func receiverName(fn *types.Func) string {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return ""
	}
	return typeName(sig.Recv().Type())
}

// typeName is the name of a defined type or of what a pointer points to; "?" for others.
func typeName(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return "?"
}

// shapeModes are what a method of an own client interface or type is taken for, by how its name starts. Its parameters must have the
// shape: (ctx?, string, []string, ...any or []any). The longest start counts.
var shapeModes = []shapeStart{
	{"EvalShaRO", shaRO}, {"EvalSHARO", shaRO}, {"EvalSha", sha}, {"EvalSHA", sha}, {"Evalsha", sha}, {"EvalRO", evalRO}, {"Eval", eval}, {"RunScript", eval}, {"ExecLua", eval}, {"ScriptEval", eval},
}

type shapeStart struct {
	start string
	mode  luacheck.Mode
}

func shapeMode(name string) luacheck.Mode {
	for _, s := range shapeModes {
		if strings.HasPrefix(name, s.start) {
			return s.mode
		}
	}
	return luacheck.ModeUnknown
}

// shape returns the row that a method matches by its shape alone; nil where it does not.
func shape(fn *types.Func) *row {
	sig, ok := fn.Type().(*types.Signature)
	if !ok {
		return nil
	}
	if sig.Recv() == nil {
		return constructorShape(fn, sig)
	}
	params := withoutContext(sig.Params())
	if mode := shapeMode(fn.Name()); mode != luacheck.ModeUnknown && len(params) == 3 && isBasicString(params[0]) {
		if roles := evalRoles(fn.Name(), mode, params, sig.Variadic()); roles != "" {
			return &row{"*", fn.Name(), roles, mode, 0}
		}
	}
	if (fn.Name() == "ScriptLoad" || fn.Name() == "ScriptLoadCtx") && len(params) == 1 && isBasicString(params[0]) {
		return &row{"*", fn.Name(), "text", load, returns}
	}
	if fn.Name() == "Eval" && len(params) == 2 && sig.Variadic() && isAnys(params[1]) && isScriptStruct(params[0]) {
		return &row{"*", fn.Name(), "script vars...", eval, falls}
	}
	return nil
}

// rawShape returns the row of a method that takes a command as words, (ctx?, ...any), where the call's first word is a command that runs or
// loads a script.
func rawShape(fn *types.Func, call *ast.CallExpr, info *types.Info) *row {
	first := wordsFrom(fn)
	if first < 0 || len(call.Args) < first+2 {
		return nil
	}
	v := info.Types[call.Args[first]].Value
	if v == nil || v.Kind() != constant.String {
		return nil
	}
	switch word := strings.ToUpper(constant.StringVal(v)); word {
	case "EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO", "FCALL", "FCALL_RO":
		if len(call.Args) < first+3 {
			return nil
		}
	case "SCRIPT":
	default:
		return nil
	}
	return &row{"*", fn.Name(), "raw...", luacheck.ModeUnknown, 0}
}

// wordsFrom is the index of the parameter that takes the first word of a command, in a method (ctx?, ...any); -1 where fn is none.
func wordsFrom(fn *types.Func) int {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil || !sig.Variadic() {
		return -1
	}
	params := withoutContext(sig.Params())
	if len(params) == 0 || len(params) > 2 || !isAnys(params[len(params)-1]) || len(params) == 2 && !isBasicString(params[0]) {
		return -1
	}
	return sig.Params().Len() - len(params)
}

// evalRoles are the roles of the parameters of a method that takes a text or digest first: with keys and arguments apart, or, where it has just
// the name of a client's method, with arguments of text or behind the count of keys. They are "" for any other shape.
func evalRoles(name string, mode luacheck.Mode, params []types.Type, variadic bool) string {
	roles := "text"
	if mode == sha || mode == shaRO {
		roles = "sha"
	}
	count, _ := params[1].Underlying().(*types.Basic)
	switch {
	case isStrings(params[1]) && (isAnys(params[2]) || isStrings(params[2]) && evalNames[name]):
		roles += " keys args"
	case count != nil && count.Kind() == types.Int && variadic && (isAnys(params[2]) || isStrings(params[2])) && evalNames[name]:
		roles += " count vars"
	default:
		return ""
	}
	if variadic {
		roles += "..."
	}
	return roles
}

// evalNames are the names of methods that clients have.
var evalNames = map[string]bool{"Eval": true, "EvalSha": true, "EvalSHA": true, "Evalsha": true, "EvalRO": true, "EvalShaRO": true, "EvalCtx": true,
	"EvalShaCtx": true, "EvalContext": true, "EvalLua": true, "EvalScript": true}

// objectShape returns the row of a method of an interface that takes a client library's script object in front of keys and arguments:
// (ctx?, x?, *redis.Script, []string, ...any). It is nil for any other.
func (t *table) objectShape(fn *types.Func) (*library, *row) {
	if !onInterface(fn) {
		return nil, nil
	}
	params := withoutContext(fn.Signature().Params())
	n := len(params)
	if n < 3 || n > 4 || !isStrings(params[n-2]) || !isAnys(params[n-1]) || !isScriptType(typeName(params[n-3])) {
		return nil, nil
	}
	p, ok := types.Unalias(params[n-3]).(*types.Pointer)
	if !ok {
		return nil, nil
	}
	l := t.library(types.Unalias(p.Elem()).(*types.Named).Obj().Pkg())
	if l == nil {
		return nil, nil
	}
	roles := strings.Repeat("_ ", n-3) + "script keys args"
	if fn.Signature().Variadic() {
		roles += "..."
	}
	return l, &row{"*", fn.Name(), roles, eval, falls}
}

// constructorShape returns the row of a function that makes an own script object: NewScript with a text, and perhaps a key count.
func constructorShape(fn *types.Func, sig *types.Signature) *row {
	if fn.Name() != "NewScript" || sig.Variadic() || sig.Results().Len() == 0 || !isScriptStruct(sig.Results().At(0).Type()) {
		return nil
	}
	roles, text, count := "", 0, 0
	for p := range sig.Params().Variables() {
		role := " _"
		b, _ := p.Type().Underlying().(*types.Basic)
		switch {
		case b == nil:
		case b.Info()&types.IsString != 0 && text == 0:
			role, text = " text", 1
		case b.Kind() == types.Int && count == 0:
			role, count = " count", 1
		}
		roles += role
	}
	if text == 0 || count == 0 {
		return nil
	}
	return &row{"", fn.Name(), roles[1:], define, keyCount | falls}
}

func withoutContext(params *types.Tuple) []types.Type {
	var all []types.Type
	for i := range params.Len() {
		t := params.At(i).Type()
		if i == 0 && isContext(t) {
			continue
		}
		all = append(all, t)
	}
	return all
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

func isBasicString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isStrings(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && isBasicString(s.Elem())
}

func isAnys(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && isEmptyInterface(s.Elem())
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// isScriptStruct reports whether t is an own script type: a struct of that name with a string for the text and an int for the key count.
func isScriptStruct(t types.Type) bool {
	if typeName(t) != "Script" {
		return false
	}
	p, ok := t.Underlying().(*types.Pointer)
	if ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	text, count := false, false
	for f := range st.Fields() {
		b, _ := f.Type().Underlying().(*types.Basic)
		text = text || b != nil && b.Kind() == types.String
		count = count || b != nil && b.Kind() == types.Int
	}
	return text && count
}

// roleArgs gives each role of a row the arguments of a call: the one at its place, or all from there on for a variadic one.
func roleArgs(r *row, args []ast.Expr, takesContext bool) map[string][]ast.Expr {
	if len(args) > 0 && takesContext {
		args = args[1:]
	}
	roles := map[string][]ast.Expr{}
	for i, role := range strings.Fields(r.roles) {
		name, variadic := strings.CutSuffix(role, "...")
		switch {
		case variadic && i <= len(args):
			roles[name] = args[i:]
		case i < len(args):
			roles[name] = args[i : i+1]
		}
	}
	return roles
}

// hasContext reports whether a function takes a context first. For a method expression that is behind the receiver.
func hasContext(fun ast.Expr, info *types.Info) bool {
	t := info.TypeOf(fun)
	if t == nil {
		return false
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	first := 0
	if sel, ok := ast.Unparen(fun).(*ast.SelectorExpr); ok {
		if s := info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			first = 1
		}
	}
	return sig.Params().Len() > first && isContext(sig.Params().At(first).Type())
}
