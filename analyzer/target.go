package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/redislint/redislint/analyzer/source"
	"github.com/redislint/redislint/luacheck"
)

// target is a script that a call may run.
type target struct {
	text     *source.Text // nil where it is not known
	label    string
	library  string
	readOnly bool         // its constructor makes every run read-only
	count    source.Bound // of a constructor that says how many keys there are
	counted  bool
	param    *types.Var // the parameter that holds the script, where the text is not known for that reason alone
	fact     *ScriptFact
	reason   string       // why the text is not known
	made     *source.Hole // the text itself, where it is made at run time
	at       token.Pos    // of the expression that is not known
	handed   bool         // it belongs to a script object that the caller passes
	once     bool         // it is made when the program starts, and is one text then
	kept     bool         // its script object is made as a field of a value that is kept
}

// handsOn reports whether a text is a field of an own script object that the function gets: its callers run the script.
func (a *packageRun) handsOn(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := a.x.Info.TypeOf(sel.X)
	return t != nil && isScriptStruct(t) && a.x.ParamIn(source.At(ast.Unparen(sel.X), nil)) != nil
}

// texts returns the targets of an expression that is a script's text.
func (a *packageRun) texts(b source.Bound, ctor *ast.CallExpr) []target {
	var all []target
	once, kept := a.madeAtStart(b.Expr) || ctor != nil && a.atStart(ctor), a.isFieldValue(ctor)
	for _, t := range a.x.Texts(b) {
		tg := target{text: t, label: a.label(b.Expr, t, ctor), once: once, kept: kept}
		if h := t.Unknown(); h != nil {
			tg.text, tg.param, tg.reason = nil, h.Param, a.unknownReason(h)
			if h.Expr != nil {
				tg.at = h.Expr.Pos()
			}
			tg.handed = a.handsOn(h.Expr)
			if tg.param == nil {
				tg.fact, tg.made = a.importedScript(h.Expr), h
			}
		}
		if t.Changed {
			if tg.text = a.asItStands(t); tg.text == nil {
				tg.reason, tg.at = "what is made of the text at run time is not known", t.Pos()
			}
		}
		all = append(all, tg)
	}
	return all
}

func (a *packageRun) unknownReason(h *source.Hole) string {
	switch {
	case h.Why != "":
		return h.Why
	case h.Param != nil:
		return "the text is the parameter " + h.Param.Name()
	case h.Name != "":
		return "the text is made at run time by " + h.Name
	}
	return "the text is made at run time"
}

// objects returns the targets of an expression that is a script object.
func (a *packageRun) objects(b source.Bound) []target {
	var all []target
	for _, to := range a.x.Follow(b, false) {
		all = append(all, a.object(to)...)
	}
	return all
}

// object returns the targets of one expression that was followed to its end.
func (a *packageRun) object(to source.Bound) []target {
	switch e := to.Expr.(type) {
	case *ast.CallExpr:
		if targets := a.constructed(e, to.Env); targets != nil {
			return targets
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if lit, ok := e.X.(*ast.CompositeLit); ok {
				return a.ownScript(lit, to.Env)
			}
		}
	case *ast.CompositeLit:
		return a.ownScript(e, to.Env)
	case *ast.StarExpr: // for a client that takes the object by value
		return a.pointedTo(source.At(e.X, to.Env))
	}
	if to.Expr == nil {
		return []target{{reason: "the script is not known here"}}
	}
	if v := a.x.ParamIn(to); v != nil {
		return []target{{param: v, reason: "the script is the parameter " + v.Name()}}
	}
	if f := a.importedScript(to.Expr); f != nil {
		return []target{{fact: f, label: f.Label, readOnly: f.ReadOnly}}
	}
	return []target{{reason: "the script comes from " + short(to.Expr)}}
}

// pointedTo returns the targets of a pointer to a script object.
func (a *packageRun) pointedTo(p source.Bound) []target {
	var all []target
	for _, to := range a.x.Follow(p, false) {
		if star, again := to.Expr.(*ast.StarExpr); again {
			all = append(all, target{reason: "the script comes from " + short(star)})
			continue
		}
		all = append(all, a.object(to)...)
	}
	return all
}

func short(e ast.Expr) string {
	s := types.ExprString(e)
	if len(s) > 50 {
		s = s[:47] + "…"
	}
	return s
}

// constructed returns the targets of a constructor's call; nil where it is none.
func (a *packageRun) constructed(c *ast.CallExpr, env *source.Env) []target {
	m := a.match(c)
	if m == nil {
		return a.wrapped(c, env)
	}
	if m.row.mode != define {
		return nil
	}
	roles := m.roles
	if len(roles["text"]) == 0 {
		return nil
	}
	targets := a.texts(source.At(roles["text"][0], env), c)
	for i := range targets {
		t := &targets[i]
		t.library = m.lib.name
		t.readOnly = strings.Contains(m.row.name, "ReadOnly")
		if m.row.note&keyCount != 0 && len(roles["count"]) > 0 {
			t.count, t.counted = source.At(roles["count"][0], env), true
		}
	}
	return targets
}

// wrapped returns the targets of a call of another package's function that makes a script object of its parameter.
func (a *packageRun) wrapped(c *ast.CallExpr, env *source.Env) []target {
	fn, ok := a.x.Callee(c).(*types.Func)
	if !ok {
		return nil
	}
	f := a.wrapper(fn)
	if f == nil || len(f.Sites) != 1 || f.Sites[0].Site.Mode != define || f.Sites[0].Script < 0 || f.Sites[0].Script >= len(c.Args) {
		return nil
	}
	targets := a.texts(source.At(c.Args[f.Sites[0].Script], env), c)
	for i := range targets {
		targets[i].library = f.Sites[0].Site.Library
		targets[i].readOnly = f.Sites[0].Site.Mode.ReadOnly()
	}
	return targets
}

// ownScript returns the texts in a literal of an own script type: the string field that holds the text, the int field with the key count.
func (a *packageRun) ownScript(lit *ast.CompositeLit, env *source.Env) []target {
	st := structUnder(a.x.Info.TypeOf(lit))
	if st == nil {
		return nil
	}
	var all []target
	var count ast.Expr
	for f := range st.Fields() {
		value := a.x.FieldValue(lit, f)
		if value == nil {
			continue
		}
		switch strings.ToLower(f.Name()) {
		case "src", "source", "text", "script", "body", "code", "lua":
			if isBasicString(f.Type()) {
				all = a.texts(source.At(value, env), nil)
			} else {
				all = a.objects(source.At(value, env))
			}
		case "keycount", "numkeys", "keys", "nkeys":
			count = value
		}
	}
	if all == nil {
		return []target{{reason: "the script is a literal of a type that is not known"}}
	}
	for i := range all {
		if count != nil {
			all[i].count, all[i].counted = source.At(count, env), true
		}
	}
	return all
}

// digests returns the targets of an expression that is the digest of a script.
func (a *packageRun) digests(b source.Bound) []target {
	var all []target
	for _, to := range a.x.Follow(b, false) {
		if to.Expr == nil {
			all = append(all, target{reason: "the digest is not known here"})
			continue
		}
		if lit, ok := to.Expr.(*ast.BasicLit); ok && lit.Value == `""` {
			continue
		}
		found := a.digestIn(to, 0)
		if found == nil {
			found = a.unknownDigest(to)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return []target{{reason: "the digest is not known here"}}
	}
	return all
}

func (a *packageRun) unknownDigest(to source.Bound) []target {
	if v := a.x.ParamIn(to); v != nil {
		return []target{{param: v, reason: "the digest is the parameter " + v.Name()}}
	}
	return []target{{reason: "the digest comes from " + short(to.Expr), at: to.Expr.Pos(), handed: a.handsOn(to.Expr)}}
}

// digestIn looks for what a digest is made of: SCRIPT LOAD of a text, the Hash of a script object, or SHA-1 of a text, also in a function
// of this package that it calls.
func (a *packageRun) digestIn(b source.Bound, depth int) []target {
	var found []target
	ast.Inspect(b.Expr, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found != nil {
			return found == nil
		}
		if found = a.digestOf(c, b.Env); found == nil {
			found = a.hashed(c, b.Env)
		}
		if fn := a.x.Func(a.x.Callee(c)); found == nil && fn != nil && depth < maxPath {
			if to := a.x.Follow(source.At(c, b.Env), true); len(to) == 1 && to[0].Expr != nil && to[0].Expr != ast.Expr(c) {
				found = a.digestIn(to[0], depth+1)
			}
		}
		return found == nil
	})
	return found
}

// hashed returns the targets of hex.EncodeToString or Sprintf("%x") of a sum that is held by a variable or made by a hash:
// h := sha1.New(); io.WriteString(h, text); h.Sum(nil).
func (a *packageRun) hashed(c *ast.CallExpr, env *source.Env) []target {
	fn, ok := a.x.Callee(c).(*types.Func)
	if !ok || fn.Pkg() == nil || len(c.Args) == 0 {
		return nil
	}
	switch fn.Pkg().Path() + "." + fn.Name() {
	case "encoding/hex.EncodeToString", "fmt.Sprintf":
	default:
		return nil
	}
	sum := ast.Unparen(c.Args[len(c.Args)-1])
	if part, ok := sum.(*ast.SliceExpr); ok {
		sum = part.X
	}
	to := a.x.Follow(source.At(sum, env), true)
	if len(to) != 1 {
		return nil
	}
	made, ok := to[0].Expr.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if found := a.digestOf(made, to[0].Env); found != nil {
		return found
	}
	return a.summed(made, to[0].Env)
}

// summed returns the targets of h.Sum(nil), where h is a local hash.Hash of SHA-1 that one statement writes a text to.
func (a *packageRun) summed(sum *ast.CallExpr, env *source.Env) []target {
	sel, ok := ast.Unparen(sum.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Sum" {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	h := a.x.Info.ObjectOf(id)
	made := a.x.Follow(source.At(id, nil), true)
	if len(made) != 1 || !a.calls(made[0].Expr, "crypto/sha1.New") {
		return nil
	}
	cur, ok := a.x.At(sum.Pos(), sum.End())
	if !ok {
		return nil
	}
	var texts []ast.Expr
	ast.Inspect(enclosingDecl(cur), func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			sel, _ := ast.Unparen(c.Fun).(*ast.SelectorExpr)
			switch {
			case sel != nil && sel.Sel.Name == "Write" && isUse(a.x.Info, sel.X, h),
				len(c.Args) == 2 && isUse(a.x.Info, c.Args[0], h) && a.calls(c, "io.WriteString"):
				texts = append(texts, c.Args[len(c.Args)-1])
			}
		}
		return true
	})
	if len(texts) != 1 {
		return nil
	}
	return a.texts(source.At(texts[0], env), nil)
}

// calls reports whether an expression is a call of one function, "path.Name".
func (a *packageRun) calls(e ast.Expr, name string) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := a.x.Callee(c).(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path()+"."+fn.Name() == name
}

func (a *packageRun) digestOf(c *ast.CallExpr, env *source.Env) []target {
	if fn, ok := a.x.Callee(c).(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "crypto/sha1" && fn.Name() == "Sum" {
		return a.texts(source.At(c.Args[0], env), nil)
	}
	m := a.match(c)
	if m == nil {
		return nil
	}
	raw := m
	if m = a.unpackRaw(raw, env); m == nil {
		m, env = a.boundRaw(raw, env)
	}
	if m == nil || m.row.note&returns == 0 {
		return nil
	}
	return a.targets(m, env)
}

// targets returns the scripts that a call may run, load or define.
func (a *packageRun) targets(m *match, env *source.Env) []target {
	var all []target
	switch {
	case len(m.roles["text"]) > 0 && m.row.mode == define:
		return a.withoutIncluded(eachOnce(a.constructed(m.call.Expr, env)))
	case len(m.roles["text"]) > 0:
		all = a.texts(source.At(m.roles["text"][0], env), nil)
	case len(m.roles["sha"]) > 0:
		all = a.digests(source.At(m.roles["sha"][0], env))
	case len(m.roles["script"]) > 0:
		all = a.objects(source.At(m.roles["script"][0], env))
	case m.row.note&object != 0:
		if recv := a.receiver(m, env); recv != nil {
			for _, r := range recv {
				all = append(all, a.object(r)...)
			}
		}
	}
	if m.wrapper != nil && m.wrapper.Fixed != nil {
		all = []target{{fact: m.wrapper.Fixed, label: m.wrapper.Fixed.Label}}
	}
	if len(all) > 1 {
		all = a.byFileName(m, env, a.withoutIncluded(eachOnce(all)))
	}
	for i := range all {
		if all[i].library == "" {
			all[i].library = m.lib.name
		}
	}
	return all
}

// eachOnce leaves out the targets with a text that one before has: a cache of scripts gives what it was given.
func eachOnce(all []target) []target {
	seen := map[string]bool{}
	kept := all[:0]
	for _, t := range all {
		if t.text != nil && !t.counted {
			key := t.text.Key()
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		kept = append(kept, t)
	}
	return kept
}

// withoutIncluded leaves out the embedded files that others of the targets include: they are no scripts of their own.
func (a *packageRun) withoutIncluded(all []target) []target {
	included := map[string]bool{}
	for _, t := range all {
		if t.text != nil && t.text.File() != "" {
			maps.Copy(included, a.x.Includes(t.text.Pos()))
		}
	}
	if len(included) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(t target) bool {
		return t.text != nil && t.text.File() != "" && included[a.pass.Fset.Position(t.text.Pos()).Filename]
	})
}

// byFileName picks, of scripts that a walk over embedded files puts into a map, the one whose file has the name that the call looks up. It
// gives all of them back where that does not tell.
func (a *packageRun) byFileName(m *match, env *source.Env, all []target) []target {
	key := a.lookedUp(m.script(), env)
	if key == "" {
		return all
	}
	var found []target
	for _, t := range all {
		if t.text == nil {
			continue // one that is put together at run time, of the same files
		}
		name := t.text.File()
		if name == "" {
			return all
		}
		bare := strings.TrimSuffix(name, path.Ext(name))
		if name == key || bare == key || strings.HasSuffix(name, "/"+key) || strings.HasSuffix(bare, "/"+key) {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return all
	}
	return found
}

// lookedUp is the constant key of the map element that an expression stands for, also through a variable or a function that returns it; ""
// where there is none.
func (a *packageRun) lookedUp(e ast.Expr, env *source.Env) string {
	for range maxPath {
		switch n := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			key, _ := a.constText(n.Index, env)
			return key
		case *ast.Ident:
			v, ok := a.x.Info.ObjectOf(n).(*types.Var)
			if !ok {
				return ""
			}
			if to, bound := env.Lookup(v); bound {
				e, env = to.Expr, to.Env
				break
			}
			defs, _, _ := a.x.Defs(v)
			if len(defs) != 1 || defs[0].Kind != source.Plain {
				return ""
			}
			e = defs[0].Expr
		case *ast.CallExpr:
			fn := a.x.Func(a.x.Callee(n))
			if fn == nil || len(fn.Returns) != 1 || len(fn.Returns[0].Results) == 0 {
				return ""
			}
			e, env = fn.Returns[0].Results[0], a.x.Bind(fn, n, env)
		default:
			return ""
		}
	}
	return ""
}

// receiver follows the receiver of a method call, through the embedded fields that the selection goes through.
func (a *packageRun) receiver(m *match, env *source.Env) []source.Bound {
	if m.recv == nil {
		return nil
	}
	bases := []source.Bound{source.At(m.recv, env)}
	sel, ok := ast.Unparen(m.call.Expr.Fun).(*ast.SelectorExpr)
	if s := a.x.Info.Selections[sel]; ok && s != nil && s.Kind() == types.MethodVal && len(s.Index()) > 1 {
		t := s.Recv()
		for _, i := range s.Index()[:len(s.Index())-1] {
			st := structUnder(t)
			if st == nil || i >= st.NumFields() {
				return nil
			}
			f := st.Field(i)
			var next []source.Bound
			for _, b := range bases {
				next = append(next, a.x.Field(b, f)...)
			}
			bases, t = next, f.Type()
		}
		return bases
	}
	return a.x.Follow(bases[0], false)
}

func structUnder(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

// ScriptFact is what other packages must know of a variable or function that gives a script.
type ScriptFact struct {
	Label     string
	Library   string
	ReadOnly  bool
	Counted   bool
	KeyCount  int
	Known     bool // Interface is that of the text
	Interface luacheck.Interface
}

// AFact marks the type as a fact of go/analysis.
func (*ScriptFact) AFact() {}

// String shows the fact for tests.
func (f *ScriptFact) String() string {
	return fmt.Sprintf("script %s keys=%d args=%d", f.Label, f.Interface.Keys, f.Interface.Args)
}
