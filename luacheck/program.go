package luacheck

import (
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
}

// Analyze runs the stages. It never fails and never panics; what it cannot tell stays unknown.
func Analyze(src syntax.Source, sites []Site, opt Options) *Program {
	p := &Program{Known: true, Source: src, Sites: sites, Target: opt.Target, SitesComplete: opt.SitesComplete}
	p.Chunk = syntax.Parse(src, syntax.Lua51)
	p.Facts = &value.Facts{}
	p.Complete = len(p.Chunk.Errors) == 0 && p.Chunk.CodeHole.Len() == 0
	return p
}

// Unknown is the Program of sites whose script text is not known.
func Unknown(sites []Site, opt Options) *Program {
	return &Program{Chunk: &syntax.Chunk{Body: &syntax.Block{}}, Facts: &value.Facts{}, Sites: sites, Target: opt.Target,
		SitesComplete: opt.SitesComplete}
}
