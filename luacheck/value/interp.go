package value

import (
	"slices"

	"github.com/redislint/redislint/luacheck/flow"
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// Input is what the stage is given beside the script.
type Input struct {
	Chunk  *syntax.Chunk
	Scope  *scope.Info
	Target server.Target
	// Keys and Args are what is known of the elements of KEYS and ARGV, by position from 0; behind them Rest holds. Exact: there are no more.
	Keys, Args List
	// Budget bounds the work: evaluated expressions. 0 is the default, which grows with the text.
	Budget int
	// Scratch is memory to work in; nil is memory of its own.
	Scratch *Scratch
	// Function: only this registered function of a library is run; "" for all.
	Function string
}

// List is what is known of KEYS or ARGV: the join over all calls that run the script.
type List struct {
	Elems []*Value
	Rest  *Value
	// Grows: some caller passes a list without a bound.
	Grows bool
	// Counted: all callers are known, and each passes at least Min and at most Max elements (Max -1: no bound).
	Counted  bool
	Min, Max int
}

// Analyze runs the stage.
func Analyze(in Input) *Facts {
	ip := newInterp(in)
	ip.main()
	ip.others()
	return ip.finish()
}

// interp evaluates a script over sets of values.
type interp struct {
	in     Input
	facts  *Facts
	rec    recorder
	lib    bool // a FUNCTION library
	steps  int
	budget int
	nested int // expressions around the one that is evaluated
	gens   uint32
	owners uint32   // numbers of states, see tree
	graphs []*graph // by Function.Index; the last is the chunk's
	frame  *frame
	words  []server.Arg // of the call that is evaluated
	// seen are the functions that were looked at with recording on.
	seen []bool // by Function.Index
	// recursive are the functions that call themselves: the inner calls are not followed, so they are looked at once more on their own.
	recursive map[*syntax.Function]bool
	// stable are the values of locals that are never assigned again, as they were when bound: what an uncalled function sees.
	stable []*Value // by Local.Index
	// outer holds the stable locals but fresh, which changed since.
	outer *state
	fresh []*scope.Local
	// flags are the places that assign a local what tells only how they were reached, the latest first; by Local.Index.
	flags []*flagged
	// fieldFlags are those of fields, by name.
	fieldFlags []fieldFlag
	// objects numbers the tables by where they are made.
	objects few[syntax.Expr, *Object]
	fnVals  []*Value // by Function.Index
	resp3   bool     // redis.setresp occurs somewhere
	mem     *Scratch
	names   few[hostField, *Value] // host functions and libraries, by full name
	elems   few[elemKey, *Value]
	// replies are the models of replies as they were last, so that equal ones are one: joins go by the pointer.
	replies []nodeReply
	// owner is the operation that is being checked; failed is whether it surely fails in the present state.
	owner  syntax.Node
	failed bool
	// replays counts the tests that are made again, one because of the other; see replay.
	replays int
	// assigned are the lists, KEYS and ARGV, of which the script assigns elements.
	assigned map[string]bool
	// made are the names of globals that the script has tried to make.
	made []string
	// quiet and recorded are what problem gives, once it was asked.
	quiet, recorded flow.Problem[parts]
}

// frame is one function being evaluated.
type frame struct {
	fn      *syntax.Function // nil for the main chunk
	ctx     server.Context
	varargs []Arg
	outer   *frame
	depth   int
	call    *syntax.Call // that entered it
	// record is whether facts are kept in the present pass.
	record    bool
	protected bool   // inside a Lua pcall
	thrown    *state // what is known behind it where it catches an error
	loops     few[syntax.Stmt, *Loop]
	loopVals  few[*scope.Local, **Value]
	strides   map[*scope.Local]bool // variables of loops with a step
	walks     map[*syntax.GenFor]walk
	listed    map[*scope.Local]OriginKind // variables of loops that stay within KEYS or ARGV
	graph     *graph
	block     *flow.Block
	spot      *spot     // of the block, once it was asked for
	returns   []outcome // of the present pass
	root      bool      // its returns are the script's reply
	inLoop    bool
	where     int // contextOf, once it was asked; else 0
	// endless are the loops without a way out that were entered.
	endless map[syntax.Stmt]*Loop
}

// outcome is one way in which an evaluation ends.
type outcome struct {
	st   *state
	vals []Arg
}

const (
	maxInline  = 6
	stepsFloor = 40000
	stepsPer   = 40 // for each byte of text
)

func newInterp(in Input) *interp {
	mem := in.Scratch
	if mem == nil {
		mem = &Scratch{}
	}
	ip := mem.begin(&in)
	ip.budget = in.Budget
	if ip.budget == 0 {
		ip.budget = stepsFloor + stepsPer*len(in.Chunk.Source.Text)
	}
	ip.lib = isLibrary(in.Chunk)
	ip.changedLists()
	if ip.lib {
		ip.facts.Library = &Library{Name: headerOption(in.Chunk, "name")}
	}
	return ip
}

func isLibrary(c *syntax.Chunk) bool { return c.Header != nil && headerOption(c, "name") != "" }

func headerOption(c *syntax.Chunk, name string) string {
	for _, o := range c.Header.Options {
		if o.Name == name {
			return o.Value
		}
	}
	return ""
}

// main evaluates the chunk itself.
func (ip *interp) main() {
	ctx := server.InScript
	if ip.lib {
		ctx = server.AtLoad
	}
	fr := ip.mem.frames.Put(frame{ctx: ctx, record: true, root: !ip.lib})
	st := ip.mem.state()
	st.resp3 = No
	ip.run(fr, ip.in.Chunk.Body, st)
}

// others evaluates the functions that no evaluated call reached, with parameters of which nothing is known.
func (ip *interp) others() {
	ip.registered()
	for _, f := range ip.in.Scope.List {
		if ip.seen[f.Index] && !ip.recursive[f] {
			continue
		}
		fr := ip.mem.frames.Put(frame{fn: f, ctx: ip.bodyContext(), record: true})
		st := ip.outerState()
		ip.bindParams(st, fr, nil, true)
		ip.run(fr, f.Body, st)
	}
}

func (ip *interp) bodyContext() server.Context {
	if ip.lib {
		return server.InFunction
	}
	return server.InScript
}

// outerState is what a function sees that is called at an unknown time: locals that never change keep their value.
func (ip *interp) outerState() *state {
	if ip.outer == nil {
		ip.outer = ip.mem.state()
	}
	for _, l := range ip.fresh {
		v := ip.stable[l.Index]
		if v.Obj != nil {
			ip.outer.objs.set(v.Obj.ID, lostObject)
		}
		ip.outer.setLocal(l, v)
	}
	ip.fresh = ip.fresh[:0]
	st := ip.fork(ip.outer)
	st.resp3 = No
	if ip.resp3 {
		st.resp3 = Unknown
	}
	return st
}

// bindParams gives parameters their arguments; with unknown they may be anything.
func (ip *interp) bindParams(st *state, fr *frame, args []Arg, unknown bool) {
	f := fr.fn
	for i, p := range f.Params {
		v := nilValue
		switch {
		case unknown:
			v = ip.mem.vals.Put(Value{Kinds: Any, Weak: Any, Lo: -inf, Hi: inf, From: ip.mem.words.Put(Origin{Kind: FromParam, At: p.Span})})
		case i < len(args) && !args[i].Many:
			v = args[i].Value
		case len(args) > 0 && args[len(args)-1].Many && i >= len(args)-1:
			v = ip.orNil(args[len(args)-1].Value)
		}
		if l := ip.in.Scope.Ref(p); l != nil {
			st.give(l, v)
		}
	}
	if !f.Vararg {
		return
	}
	if unknown {
		fr.varargs = []Arg{{At: f.Span, Value: anyValue, Many: true}}
		return
	}
	for i := len(f.Params); i < len(args); i++ {
		fr.varargs = append(fr.varargs, args[i])
	}
	if len(args) > 0 && args[len(args)-1].Many && len(fr.varargs) == 0 {
		fr.varargs = []Arg{args[len(args)-1]}
	}
}

// orNil is v or nothing: what reading past an unknown number of values gives.
func (ip *interp) orNil(v *Value) *Value {
	if v.IsUnknown() {
		return v
	}
	c := ip.copyOf(v)
	c.Kinds |= Nil
	c.Weak |= Nil
	c.Const = false
	return c
}

// run evaluates a function body from one state and returns the ways in which it ends.
func (ip *interp) run(fr *frame, body *syntax.Block, entry *state) []outcome {
	g := ip.graph(fr.fn, body)
	fr.graph = g
	fr.outer, ip.frame = ip.frame, fr
	defer func() { ip.frame = fr.outer }()
	record := fr.record
	if record && fr.fn != nil {
		ip.seen[fr.fn.Index] = true
	}
	var p parts
	ip.add(&p, entry)
	if !flow.Solve(g.Graph, ip.problem(record), p, 64+40*len(g.Blocks)) {
		ip.giveUp()
	}
	if record {
		ip.endless(g)
	}
	return fr.returns
}

// problem is the evaluation of the function of the present frame. In a loop only the last pass is recorded, and of the ways in which the
// function ends only those of the last pass count.
func (ip *interp) problem(record bool) *flow.Problem[parts] {
	p := &ip.quiet
	if record {
		p = &ip.recorded
	}
	if p.Block == nil {
		*p = flow.Problem[parts]{Block: ip.block, Edge: ip.edge, Join: ip.joinParts, Widen: ip.widenParts, Copy: ip.copyParts, Coarse: ip.coarseParts, Room: &ip.mem.room,
			Mark: func() int { return len(ip.frame.returns) }, Undo: func(mark int) { ip.frame.returns = ip.frame.returns[:mark] }}
		if record {
			p.Keep = func(on bool) { ip.frame.record = on }
		}
	}
	return p
}

func (ip *interp) giveUp() { ip.facts.Complete = false }

// spent counts a step of work and reports whether the budget is used up.
func (ip *interp) spent() bool {
	ip.steps++
	if ip.steps > ip.budget {
		ip.giveUp()
		return true
	}
	return false
}

// graph is a function's flow graph with what is worked out on it.
type graph struct {
	*flow.Graph
	mem     *Scratch
	control *flow.Control
	// decided are the conditions that decide each block; see decisions.
	decided []decided
}

func (ip *interp) graph(f *syntax.Function, body *syntax.Block) *graph {
	i := len(ip.graphs) - 1
	if f != nil {
		i = int(f.Index)
	}
	if ip.graphs[i] == nil {
		ip.graphs[i] = ip.mem.graphs.Put(graph{Graph: flow.BuildIn(&ip.mem.flow, body), mem: ip.mem})
	}
	return ip.graphs[i]
}

// endless notes the loops without a way out that are reached, with what may be written before and in them.
func (ip *interp) endless(g *graph) {
	for _, l := range g.Endless {
		if fact := ip.frame.endless[l]; fact != nil && !ip.mayRaise(l) {
			ip.rec.loop(fact)
		}
	}
}

// inEndless keeps what may have been written where a block of an endless loop is entered.
func (ip *interp) inEndless(b *flow.Block, in parts) {
	fr := ip.frame
	if !fr.record || len(fr.graph.Endless) == 0 || !slices.Contains(fr.graph.Endless, b.Loop) {
		return
	}
	fact := fr.endless[b.Loop]
	if fact == nil {
		fact = ip.mem.loops.Put(Loop{Node: b.Loop, Endless: true})
		if fr.endless == nil {
			fr.endless = map[syntax.Stmt]*Loop{}
		}
		fr.endless[b.Loop] = fact
	}
	for _, st := range in {
		if st == nil {
			continue
		}
		for _, w := range st.writes {
			if !hasCall(fact.Writes, w) {
				fact.Writes = append(fact.Writes, w)
			}
		}
	}
}

func (ip *interp) gen() uint32 {
	ip.gens++
	return ip.gens
}

// parts are the states of one point, kept apart by whether the script has written: then what holds only where nothing was written yet
// does not blur what holds behind a write.
type parts [2]*state

func (ip *interp) add(p *parts, s *state) {
	if s == nil || s.dead {
		return
	}
	i := 0
	if len(s.writes) > 0 {
		i = 1
	}
	if p[i] == nil {
		p[i] = s
		return
	}
	p[i].merge(s, false)
}

func (p parts) empty() bool { return p[0] == nil && p[1] == nil }

// joinParts, widenParts and copyParts are what flow.Problem wants of them.
func (ip *interp) joinParts(a, b parts) parts {
	for i := range a {
		switch {
		case b[i] == nil:
		case a[i] == nil:
			a[i] = b[i]
		default:
			a[i].merge(b[i], false)
		}
	}
	return a
}

func (ip *interp) widenParts(a, b parts) (parts, bool) {
	changed := false
	for i := range a {
		switch {
		case b[i] == nil:
		case a[i] == nil:
			a[i], changed = b[i], true
		default:
			m := ip.fork(a[i])
			if m.merge(b[i], true) {
				a[i], changed = m, true
			}
		}
	}
	return a, changed
}

func (ip *interp) copyParts(p parts) parts {
	for i, st := range p {
		if st != nil {
			p[i] = ip.fork(st)
		}
	}
	return p
}

// coarseParts forgets all but what was written: nothing is known at the head of a loop that does not settle.
func (ip *interp) coarseParts(p parts) parts {
	for i, st := range p {
		if st == nil {
			continue
		}
		c := ip.mem.state()
		c.resp3, c.writes, c.mixed = Unknown, st.writes, true
		p[i] = c
	}
	return p
}

// block evaluates the steps of a block.
func (ip *interp) block(b *flow.Block, cur parts) (parts, bool) {
	ip.frame.block = b
	ip.inEndless(b, cur)
	for _, s := range b.Steps {
		var next parts
		for _, st := range cur {
			if st == nil {
				continue
			}
			st.calls, st.cond = nil, nil
			ip.step(s, st, &next)
		}
		cur = next
		if cur.empty() {
			return cur, false
		}
	}
	return cur, true
}

// edge narrows each state by the edge's condition.
func (ip *interp) edge(_ *flow.Block, e flow.Edge, out parts) (parts, bool) {
	if e.Cond == nil {
		return out, true
	}
	var next parts
	for _, st := range out {
		if st != nil && ip.take(st, e.Cond, e.When) {
			ip.add(&next, st)
		}
	}
	return next, !next.empty()
}
