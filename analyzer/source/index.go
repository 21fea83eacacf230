package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Index knows what the variables, fields, constants and functions of a package are defined as, and where functions are called.
type Index struct {
	Fset  *token.FileSet
	Files []*ast.File
	Info  *types.Info
	Types *types.Package
	Root  inspector.Cursor
	// Imported gives what a fact says of a string function or variable of another package, ImportedEmbed what one says of a variable with
	// embedded files; nil where there is none.
	Imported      func(types.Object) *StringFact
	ImportedEmbed func(*types.Var) *EmbedFact

	read    func(string) ([]byte, error)
	content map[string][]byte
	literal map[*ast.BasicLit]decoded
	vars    map[types.Object]*variable
	consts  map[types.Object]ast.Expr
	params  map[types.Object]param
	funcs   map[types.Object]*Func
	lits    map[*ast.FuncLit]*Func
	Calls   []Call // every call of the package, in source order
	// pointers are the variables through which something is stored: *p = x.
	pointers   []types.Object
	embeds     map[types.Object]*embedded
	files      map[string]*embeddedFile
	loops      map[*ast.RangeStmt][]*Env   // see turns
	registered map[ast.Expr]*registrations // see registrations
	decls      []inspector.Cursor          // the declarations of all files by position, once At asks
}

type decoded struct {
	text string
	org  *origin
}

// Call is a call expression with its place in the tree.
type Call struct {
	Expr *ast.CallExpr
	Cur  inspector.Cursor
	Fn   types.Object // the function, method or function variable; nil where not static
	Made *Env         // what the maker of the closure that is called was called with
}

// Func is a function with a body in this package.
type Func struct {
	Obj     types.Object // *types.Func, or the variable that holds a function literal; nil
	Type    *ast.FuncType
	Recv    *ast.FieldList
	Body    *ast.BlockStmt
	Returns []*ast.ReturnStmt
	Callers []Call
}

type param struct {
	fn       *Func
	index    int // -1 for the receiver
	variadic bool
}

// Def is one place that gives a variable, field or element its value.
type Def struct {
	Expr  ast.Expr // nil where the value is not an expression of this package
	Index int      // which result of a call with several; -1 for the value itself
	Kind  DefKind
	Key   ast.Expr // of an element; the pointer, where it is stored through one
	Cur   inspector.Cursor
}

// DefKind is how a definition gives the value.
type DefKind uint8

const (
	Plain      DefKind = iota // x = Expr
	RangeValue                // x is each element of Expr
	RangeKey                  // x is each key of Expr
	Changed                   // x += Expr, x++ …
	Zero                      // declared, or left out of a literal: the zero value
)

type variable struct {
	defs   []Def
	elems  []Def // x[Key] = Expr
	stores []Def // *x = Expr
	taken  bool  // &x is passed on
}

// NewIndex reads the package once. read reads source files; it may be nil.
func NewIndex(fset *token.FileSet, files []*ast.File, info *types.Info, pkg *types.Package, read func(string) ([]byte, error)) *Index {
	x := &Index{
		Fset: fset, Files: files, Info: info, Types: pkg, Root: inspector.New(files).Root(), read: read,
		content: map[string][]byte{}, literal: map[*ast.BasicLit]decoded{}, vars: map[types.Object]*variable{},
		consts: map[types.Object]ast.Expr{}, params: map[types.Object]param{}, funcs: map[types.Object]*Func{},
		lits: map[*ast.FuncLit]*Func{}, loops: map[*ast.RangeStmt][]*Env{}, registered: map[ast.Expr]*registrations{}, embeds: map[types.Object]*embedded{}, files: map[string]*embeddedFile{},
		Imported: func(types.Object) *StringFact { return nil }, ImportedEmbed: func(*types.Var) *EmbedFact { return nil },
	}
	x.collect()
	x.dropReassigned()
	for i := range x.Calls {
		c := &x.Calls[i]
		if fn := x.funcs[c.Fn]; c.Fn != nil && fn != nil {
			fn.Callers = append(fn.Callers, *c)
		}
	}
	return x
}

func (x *Index) collect() {
	for cur := range x.Root.Preorder(
		(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil), (*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.CompositeLit)(nil),
		(*ast.UnaryExpr)(nil), (*ast.RangeStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.ReturnStmt)(nil), (*ast.CallExpr)(nil),
		(*ast.GenDecl)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			x.addFunc(x.Info.Defs[n.Name], n.Recv, n.Type, n.Body)
		case *ast.FuncLit:
			x.lits[n] = x.addFunc(nil, nil, n.Type, n.Body)
			x.nameLit(n, cur)
		case *ast.AssignStmt:
			x.assign(n, cur)
		case *ast.ValueSpec:
			x.valueSpec(n, cur)
		case *ast.GenDecl:
			x.constDecl(n)
			x.embedDecl(n)
		case *ast.CompositeLit:
			x.fields(n, cur)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				x.taken(n.X)
			}
		case *ast.RangeStmt:
			x.define(n.Key, Def{Expr: n.X, Index: -1, Kind: RangeKey, Cur: cur})
			x.define(n.Value, Def{Expr: n.X, Index: -1, Kind: RangeValue, Cur: cur})
		case *ast.IncDecStmt:
			x.define(n.X, Def{Expr: n.X, Index: -1, Kind: Changed, Cur: cur})
		case *ast.ReturnStmt:
			if fn := x.Enclosing(cur); fn != nil {
				fn.Returns = append(fn.Returns, n)
			}
		case *ast.CallExpr:
			x.Calls = append(x.Calls, Call{Expr: n, Cur: cur, Fn: x.Callee(n)})
		}
	}
}

// Callee returns the function, method or function-valued variable that a call names; nil where the call computes it. Instances of generic
// functions give the generic one.
func (x *Index) Callee(call *ast.CallExpr) types.Object {
	switch obj := typeutil.Callee(x.Info, call).(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj
	}
	return nil
}

func (x *Index) addFunc(obj types.Object, recv *ast.FieldList, typ *ast.FuncType, body *ast.BlockStmt) *Func {
	fn := &Func{Obj: obj, Type: typ, Recv: recv, Body: body}
	if obj != nil && body != nil {
		x.funcs[obj] = fn
	}
	if recv != nil {
		for _, f := range recv.List {
			for _, name := range f.Names {
				x.addParam(name, param{fn: fn, index: -1})
			}
		}
	}
	i := 0
	for _, f := range typ.Params.List {
		_, variadic := f.Type.(*ast.Ellipsis)
		for _, name := range f.Names {
			x.addParam(name, param{fn: fn, index: i, variadic: variadic})
			i++
		}
		if len(f.Names) == 0 {
			i++
		}
	}
	return fn
}

func (x *Index) addParam(name *ast.Ident, p param) {
	if obj := x.Info.Defs[name]; obj != nil {
		x.params[obj] = p
	}
}

// nameLit gives a function literal the variable that it is assigned to, where that is its only value.
func (x *Index) nameLit(lit *ast.FuncLit, cur inspector.Cursor) {
	var name ast.Expr
	switch p := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		if i := slices.Index(p.Rhs, ast.Expr(lit)); i >= 0 && len(p.Lhs) == len(p.Rhs) {
			name = p.Lhs[i]
		}
	case *ast.ValueSpec:
		if i := slices.Index(p.Values, ast.Expr(lit)); i >= 0 && i < len(p.Names) {
			name = p.Names[i]
		}
	case *ast.KeyValueExpr:
		name = p.Key
	}
	if name == nil {
		return
	}
	_, keyed := cur.Parent().Node().(*ast.KeyValueExpr)
	if v, ok := x.object(name).(*types.Var); ok && x.funcs[v] == nil && (v.IsField() || !keyed) {
		x.lits[lit].Obj = v
		x.funcs[v] = x.lits[lit]
	}
}

// dropReassigned forgets which function a variable or field holds where it is given more than one value, or other packages can give it one.
func (x *Index) dropReassigned() {
	for obj := range x.funcs {
		v, ok := obj.(*types.Var)
		if !ok {
			continue
		}
		values := 0
		for _, d := range x.variable(v).defs {
			if d.Kind != Zero {
				values++
			}
		}
		_, isParam := x.params[v]
		if values != 1 || isParam || v.IsField() && v.Exported() && x.Types.Name() != "main" {
			delete(x.funcs, obj)
		}
	}
}

// Enclosing returns the innermost function around a node.
func (x *Index) Enclosing(cur inspector.Cursor) *Func {
	for c := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			return x.funcs[x.Info.Defs[n.Name]]
		case *ast.FuncLit:
			return x.lits[n]
		}
	}
	return nil
}

// At returns the innermost node that holds a range, as Root.FindByPos does, without going through all declarations each time.
func (x *Index) At(pos, end token.Pos) (inspector.Cursor, bool) {
	if x.decls == nil {
		for file := range x.Root.Children() {
			x.decls = slices.AppendSeq(x.decls, file.Children())
		}
		slices.SortFunc(x.decls, func(a, b inspector.Cursor) int { return int(a.Node().Pos() - b.Node().Pos()) })
	}
	i, _ := slices.BinarySearchFunc(x.decls, pos, func(c inspector.Cursor, pos token.Pos) int {
		if c.Node().Pos() <= pos {
			return -1
		}
		return 1
	})
	if i > 0 && end <= x.decls[i-1].Node().End() {
		return x.decls[i-1].FindByPos(pos, end)
	}
	return x.Root.FindByPos(pos, end)
}

func (x *Index) variable(obj types.Object) *variable {
	v := x.vars[obj]
	if v == nil {
		v = &variable{}
		x.vars[obj] = v
	}
	return v
}

// object returns the variable or field that an assignable expression names.
func (x *Index) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return originVar(x.Info.ObjectOf(e))
	case *ast.SelectorExpr:
		return originVar(x.Info.ObjectOf(e.Sel))
	}
	return nil
}

// originVar maps a field of an instance of a generic type to the field of the generic type.
func originVar(obj types.Object) types.Object {
	v, ok := obj.(*types.Var)
	if !ok || v == nil {
		return nil
	}
	return v.Origin()
}

func (x *Index) define(target ast.Expr, d Def) {
	if target == nil {
		return
	}
	target = ast.Unparen(target)
	switch t := target.(type) {
	case *ast.IndexExpr:
		if obj := x.object(t.X); obj != nil {
			d.Key = t.Index
			v := x.variable(obj)
			v.elems = append(v.elems, d)
		}
		return
	case *ast.StarExpr:
		if obj := x.object(t.X); obj != nil {
			d.Key = t.X
			v := x.variable(obj)
			v.stores = append(v.stores, d)
			x.pointers = append(x.pointers, obj)
		}
		return
	}
	if obj := x.object(target); obj != nil {
		v := x.variable(obj)
		v.defs = append(v.defs, d)
	}
}

func (x *Index) assign(n *ast.AssignStmt, cur inspector.Cursor) {
	kind := Plain
	if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
		kind = Changed
	}
	x.pairs(n.Lhs, n.Rhs, kind, cur)
}

func (x *Index) pairs(lhs, rhs []ast.Expr, kind DefKind, cur inspector.Cursor) {
	for i, l := range lhs {
		switch {
		case len(lhs) == len(rhs):
			x.define(l, Def{Expr: rhs[i], Index: -1, Kind: kind, Cur: cur})
		case len(rhs) == 1:
			x.define(l, Def{Expr: rhs[0], Index: i, Kind: kind, Cur: cur})
		}
	}
}

func (x *Index) valueSpec(n *ast.ValueSpec, cur inspector.Cursor) {
	if len(n.Values) == 0 {
		if decl, ok := cur.Parent().Node().(*ast.GenDecl); ok && decl.Tok == token.VAR {
			for _, name := range n.Names {
				x.define(name, Def{Index: -1, Kind: Zero, Cur: cur})
			}
		}
		return
	}
	lhs := make([]ast.Expr, len(n.Names))
	for i, name := range n.Names {
		lhs[i] = name
	}
	x.pairs(lhs, n.Values, Plain, cur)
}

// constDecl notes the expression of each constant. A spec without values repeats the one before.
func (x *Index) constDecl(n *ast.GenDecl) {
	if n.Tok != token.CONST {
		return
	}
	var values []ast.Expr
	for _, spec := range n.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(vs.Values) > 0 {
			values = vs.Values
		}
		for i, name := range vs.Names {
			if obj := x.Info.Defs[name]; obj != nil && i < len(values) {
				x.consts[obj] = values[i]
			}
		}
	}
}

// fields notes what a composite literal gives the fields of a struct.
func (x *Index) fields(n *ast.CompositeLit, cur inspector.Cursor) {
	st := structOf(x.Info.TypeOf(n))
	if st == nil {
		return
	}
	set := map[*types.Var]bool{}
	for i, e := range n.Elts {
		var field *types.Var
		value := e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				field, _ = x.Info.ObjectOf(id).(*types.Var)
			}
			value = kv.Value
		} else if i < st.NumFields() {
			field = st.Field(i)
		}
		if field != nil {
			set[field.Origin()] = true
			v := x.variable(field.Origin())
			v.defs = append(v.defs, Def{Expr: value, Index: -1, Cur: cur})
		}
	}
	for f := range st.Fields() {
		if f = f.Origin(); f.Pkg() == x.Types && !set[f] {
			v := x.variable(f)
			v.defs = append(v.defs, Def{Index: -1, Kind: Zero, Cur: cur})
		}
	}
}

func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

func (x *Index) taken(e ast.Expr) {
	if obj := x.object(e); obj != nil {
		x.variable(obj).taken = true
	}
}

// ConstExpr is what a constant of this package is declared as; nil where that is not known.
func (x *Index) ConstExpr(c *types.Const) ast.Expr { return x.consts[c] }

// Func returns the function of this package that an object names, nil where there is none with a body.
func (x *Index) Func(obj types.Object) *Func { return x.funcs[obj] }

// Lit returns the function of a literal.
func (x *Index) Lit(lit *ast.FuncLit) *Func { return x.lits[lit] }

// ParamOf returns the function whose parameter v is and its index, -1 for the receiver; nil where v is no parameter.
func (x *Index) ParamOf(v types.Object) (*Func, int) {
	p, ok := x.params[v]
	if !ok {
		return nil, 0
	}
	return p.fn, p.index
}

// Variadic reports whether v is a variadic parameter.
func (x *Index) Variadic(v types.Object) bool { return x.params[v].variadic }

// Defs returns the definitions of a variable or field, and whether its address is passed on.
func (x *Index) Defs(obj types.Object) (defs, elems []Def, taken bool) {
	v := x.vars[obj]
	if v == nil {
		return nil, nil, false
	}
	return v.defs, v.elems, v.taken
}

// fileOf returns the bytes of the file that holds pos, nil where it cannot be read.
func (x *Index) fileOf(pos token.Pos) (*token.File, []byte) {
	file := x.Fset.File(pos)
	if file == nil || x.read == nil {
		return file, nil
	}
	src, ok := x.content[file.Name()]
	if !ok {
		src, _ = x.read(file.Name())
		x.content[file.Name()] = src
	}
	return file, src
}

func (x *Index) decode(lit *ast.BasicLit) (string, *origin) {
	if d, ok := x.literal[lit]; ok {
		return d.text, d.org
	}
	file, src := x.fileOf(lit.Pos())
	text, org := literal(lit, file, src)
	x.literal[lit] = decoded{text, org}
	return text, org
}
