package source

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// Loops over tables that are written out: for name, src := range table { scripts[name] = redis.NewScript(src) }. On each turn the variables of
// the loop have the values of one element, so that the name tells which script it is.

// maxTurns bounds the environments of one key that are told apart.
const maxTurns = maxAlts

// registrations are the environments in which a statement x[key] = value is run, by what they make of the key: the turns of a loop over a table
// around it, and the calls of its function where the key is a parameter, func register(name, src string). Other statements are run in one
// environment, of which nothing is known.
type registrations struct {
	all   []*Env
	byKey map[string][]*Env // where the key is a constant
	open  []*Env            // where it is not
}

// maxRegistrations bounds the environments of one statement.
const maxRegistrations = 10000

// registrations returns the environments in which a definition of an element gives that with a key: all of them for nil, or none where they are
// too many to look at each.
func (x *Index) registrations(d Def, key constant.Value) []*Env {
	r := x.registered[d.Key]
	if r == nil {
		r = &registrations{all: x.runsWith(d.Key, d.Cur, 0), byKey: map[string][]*Env{}}
		for _, env := range r.all {
			if at := x.constOf(d.Key, env); at != nil {
				r.byKey[at.ExactString()] = append(r.byKey[at.ExactString()], env)
			} else {
				r.open = append(r.open, env)
			}
		}
		x.registered[d.Key] = r
	}
	all := r.all
	if key != nil {
		all = slices.Concat(r.byKey[key.ExactString()], r.open)
	}
	if len(all) > maxTurns {
		return nil
	}
	return all
}

// maxHandings bounds how many functions hand a key on to the one that uses it.
const maxHandings = 3

// runsWith are the environments in which a statement with a key is run.
func (x *Index) runsWith(key ast.Expr, cur inspector.Cursor, depth int) []*Env {
	fn, i := x.ParamOf(x.ParamIn(At(ast.Unparen(key), nil)))
	if fn == nil || i < 0 || len(fn.Callers) == 0 || depth > maxHandings {
		return x.turns(cur)
	}
	var all []*Env
	for _, c := range fn.Callers {
		if i >= len(c.Expr.Args) {
			return []*Env{nil}
		}
		if len(all) > maxRegistrations {
			return nil
		}
		for _, env := range x.runsWith(c.Expr.Args[i], c.Cur, depth+1) {
			all = append(all, x.Bind(fn, c.Expr, env))
		}
	}
	return all
}

// turns are the environments of the turns of the innermost loop around a node that runs over a table; one in which nothing is known where there
// is none.
func (x *Index) turns(cur inspector.Cursor) []*Env {
	for c := range cur.Enclosing((*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		loop, ok := c.Node().(*ast.RangeStmt)
		if !ok {
			break
		}
		if !encloses(loop.Body, cur.Node().Pos()) {
			continue
		}
		if _, known := x.loops[loop]; !known {
			x.loops[loop] = []*Env{nil} // while it is looked at
			x.loops[loop] = x.turnsOf(loop)
		}
		if all := x.loops[loop]; len(all) != 1 || all[0] != nil {
			return all
		}
	}
	return []*Env{nil}
}

func (x *Index) turnsOf(loop *ast.RangeStmt) []*Env {
	none := []*Env{nil}
	var all []*Env
	for _, base := range x.Follow(At(loop.X, nil), false) {
		lit := compositeOf(base.Expr)
		if lit == nil || structOf(x.Info.TypeOf(lit)) != nil || len(all)+len(lit.Elts) > maxRegistrations {
			return none
		}
		for _, e := range lit.Elts {
			env := &Env{bind: map[types.Object]Bound{}}
			if kv, keyed := e.(*ast.KeyValueExpr); keyed {
				x.bindTurn(env, loop.Key, kv.Key, base.Env)
				e = kv.Value
			}
			x.bindTurn(env, loop.Value, e, base.Env)
			all = append(all, env)
		}
	}
	if len(all) == 0 {
		return none
	}
	return all
}

// bindTurn binds a variable of a loop for one turn.
func (x *Index) bindTurn(env *Env, name, value ast.Expr, outer *Env) {
	id, ok := name.(*ast.Ident)
	if !ok {
		return
	}
	if obj := x.Info.ObjectOf(id); obj != nil {
		env.bind[obj] = Bound{Expr: value, Env: outer, Index: -1, turn: true}
	}
}

// reassigned returns the assignments that a use of a bound variable may see, and whether one of them surely ran. The head of a loop does not
// count where one of its turns is what binds the variable.
func (x *Index) reassigned(v *types.Var, to Bound, id *ast.Ident) ([]Def, bool) {
	live, sure := x.assigned(v, id.Pos())
	if !to.turn {
		return live, sure
	}
	return slices.DeleteFunc(slices.Clone(live), func(d Def) bool { return d.Kind == RangeKey || d.Kind == RangeValue }), sure
}

// Ranged reports whether a variable is one of a loop over a table or list.
func (x *Index) Ranged(v *types.Var) bool {
	vr := x.vars[v]
	return vr != nil && slices.ContainsFunc(vr.defs, func(d Def) bool { return d.Kind == RangeKey || d.Kind == RangeValue })
}
