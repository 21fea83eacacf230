package rules

import (
	"fmt"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

var dynamicCommand = &Rule{
	Name:     "dynamic-command",
	Title:    "a command whose name is not written in the script",
	Severity: Note,
	Group:    "Commands",
	Claim:    Practice,
	OptIn:    true,
	Since:    "0.1",
	Doc: `With a name that comes from ARGV, a reply or decoded data neither a proxy nor a reviewer nor this linter can tell which keys the call
touches, and whether it writes. Choose between literal names in the script. A name that every caller in the package passes as one of a few
known words is left alone.`,
	Bad: []Example{
		{
			Lua: "return redis.call(⟦ARGV[1]⟧, KEYS[1], ARGV[2])",
			Say: `the command's name "ARGV[1]" is not written in the script: nobody can tell which keys it touches; choose between literal names`,
		},
		{
			Lua: "local op = cjson.decode(ARGV[1])\nreturn redis.call(⟦op.cmd⟧, KEYS[1])",
			Say: `the command's name "op.cmd" is not written in the script: nobody can tell which keys it touches; choose between literal names`,
		},
		{
			Lua: "return redis.call(⟦'Z' .. ARGV[1]⟧, KEYS[1], 0, 9)",
			Say: `the command's name "'Z' .. ARGV[1]" is not written in the script: nobody can tell which keys it touches; choose between literal names`,
		},
	},
	Good: []Example{
		{Lua: "local add = ARGV[1] == 'left' and 'LPUSH' or 'RPUSH'\nreturn redis.call(add, KEYS[1], ARGV[2])"},
		{Lua: "local call = redis.call\nlocal function run(...) return call(...) end\nreturn run('GET', KEYS[1])"},
		{
			Lua: "return redis.call(ARGV[1], KEYS[1], ARGV[2])",
			Sites: []luacheck.Site{{Mode: luacheck.ModeEval, Keys: oneElement, Args: luacheck.List{Exact: true, Items: []luacheck.Element{
				{Kind: luacheck.ArgKind{Type: luacheck.TypeString, Words: []string{"publish", "spublish"}}}, {}}}}},
		},
	},
	Call: checkDynamicCommand,
}

func checkDynamicCommand(p *Pass, c *value.Call) {
	if len(c.Args) == 0 {
		return
	}
	a := c.Args[0]
	if a.Value.Const || chosenWord(p, a.Value.From) || a.Value.Only(value.Number) {
		return
	}
	p.Report(In(a.At, Note, fmt.Sprintf("the command's name %s is not written in the script: nobody can tell which keys it touches; choose between literal names", codeWords(p, a.At))))
}

// chosenWord is whether a name is one of some words that are written down: in the script, or at every call that runs it.
func chosenWord(p *Pass, o *value.Origin) bool {
	if o == nil {
		return false
	}
	switch o.Kind {
	case value.FromLiteral:
		return true
	case value.FromOneOf:
		for _, x := range o.Parts {
			if !chosenWord(p, x) {
				return false
			}
		}
		return true
	case value.FromArgv:
		return wordAtSites(p, o.Index)
	}
	return false
}

func wordAtSites(p *Pass, index int) bool {
	if !p.SitesComplete || index < 1 {
		return false
	}
	runs := false
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Mode.Runs() {
			continue
		}
		runs = true
		if index > len(s.Args.Items) {
			return false
		}
		it := &s.Args.Items[index-1]
		if _, constant := it.Text.Constant(); !constant && len(it.Kind.Words) == 0 {
			return false
		}
	}
	return runs
}
