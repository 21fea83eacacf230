package luacheck

import (
	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// Program is a script with all that is known of it.
type Program struct {
	// Known is false where only the sites are known and not the text; then Chunk and Facts are empty and not nil.
	Known     bool
	Source    syntax.Source
	Chunk     *syntax.Chunk
	Facts     *value.Facts
	Interface Interface
	Sites     []Site
	Target    server.Target
	// SitesComplete: see Options.
	SitesComplete bool
	// Complete is false after a syntax error, a hole in code position, or when the budget ran out.
	Complete bool
	// OverBudget: the value stage gave up.
	OverBudget bool

	outline *nothing
}

// nothing is the tree and the facts of a program of which only the outline is left.
type nothing struct {
	chunk syntax.Chunk
	body  syntax.Block
	facts value.Facts
}

func newNothing() *nothing {
	n := &nothing{}
	n.chunk.Body = &n.body
	return n
}

// Analyze runs the stages. It never fails and never panics; what it cannot tell stays unknown.
func Analyze(src syntax.Source, sites []Site, opt Options) *Program {
	mem := opt.Scratch
	if mem == nil {
		mem = &Scratch{}
	}
	if mem.outline == nil {
		mem.outline = newNothing()
	}
	p := &Program{Known: true, Sites: sites, Target: opt.Target, SitesComplete: opt.SitesComplete, outline: mem.outline}
	p.Chunk = syntax.ParseIn(&mem.syntax, src, dialect(opt.Target))
	p.Source = p.Chunk.Source // empty where the text is too long to read
	names := scope.BindIn(&mem.scope, p.Chunk)
	keys, args := lists(sites, opt.SitesComplete)
	p.Facts = value.Analyze(value.Input{Chunk: p.Chunk, Scope: names, Target: opt.Target, Keys: keys, Args: args, Budget: opt.Budget,
		Function: opt.Function, Scratch: &mem.value})
	p.OverBudget = !p.Facts.Complete
	p.Complete = len(p.Chunk.Errors) == 0 && p.Chunk.CodeHole.Len() == 0 && p.Facts.Complete
	p.Interface = interfaceOf(p)
	return p
}

// Outline is what is left of a program when its tree and facts are not needed any more: the source, the interface and the sites.
func (p *Program) Outline() *Program {
	o := *p
	if o.outline == nil {
		o.outline = newNothing()
	}
	o.Chunk, o.Facts = &o.outline.chunk, &o.outline.facts
	return &o
}

// dialect is the language that the target loads.
func dialect(t server.Target) syntax.Dialect {
	if t.Profile == server.Dragonfly {
		return syntax.Lua54
	}
	return syntax.Lua51
}

// Unknown is the Program of sites whose script text is not known.
func Unknown(sites []Site, opt Options) *Program {
	none := newNothing()
	return &Program{Chunk: &none.chunk, Facts: &none.facts, Sites: sites, Target: opt.Target, SitesComplete: opt.SitesComplete}
}
