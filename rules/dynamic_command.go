package rules

import (
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
touches, whether it writes, and whether the server knows it. Choose between literal names in the script. A name that is always one of a few
words, in the script or at every call of the package, is left alone.`,
	Bad: []Example{
		{
			Lua: "return redis.call(⟦ARGV[1]⟧, KEYS[1], ARGV[2])",
			Say: "'ARGV[1]' is the command's name, and nobody can tell which keys it touches and whether it writes; choose between names written in the script",
		},
		{
			Lua: "local op = cjson.decode(ARGV[1])\nreturn redis.pcall(⟦op.cmd⟧, KEYS[1])",
			Say: "'op.cmd' is the command's name, and nobody can tell which keys it touches and whether it writes; choose between names written in the script",
		},
		{
			Lua: "return redis.call(⟦'Z' .. ARGV[1]⟧, KEYS[1], 0, 9)",
			Say: "''Z' .. ARGV[1]' is the command's name, and nobody can tell which keys it touches and whether it writes; choose between names written in the script",
		},
		{
			Lua: "return redis.call(⟦unpack(ARGV)⟧)",
			Say: "'unpack(ARGV)' is the command's name, and nobody can tell which keys it touches and whether it writes; choose between names written in the script",
		},
		{
			Lua: "local out = {}\nfor i, cmd in ipairs(cjson.decode(ARGV[1])) do\n  out[i] = redis.call(⟦cmd⟧, KEYS[1])\nend\nreturn out",
			Say: "'cmd' is the command's name, and nobody can tell which keys it touches and whether it writes; choose between names written in the script",
		},
	},
	Good: []Example{
		{Lua: "local add = ARGV[1] == 'left' and 'LPUSH' or 'RPUSH'\nreturn redis.call(add, KEYS[1], ARGV[2])"},
		{Lua: "local call = redis.call\nlocal function run(...) return call(...) end\nreturn run('GET', KEYS[1])"},
		{Lua: "for _, cmd in ipairs({'INCR', 'PERSIST'}) do\n  redis.call(cmd, KEYS[1])\nend\nreturn 1"},
	},
	Call: checkDynamicCommand,
}

func checkDynamicCommand(p *Pass, c *value.Call) {
	if len(c.Args) == 0 || c.Name != "" || c.Command != nil {
		return
	}
	a := c.Args[0]
	if a.Value.Const || a.Value.Kinds&value.String == 0 || chosenWord(p, a.Value.From) {
		return
	}
	p.Report(In(a.At, Note, codeText(p.Program, a.At, "this")+" is the command's name, and nobody can tell which keys it touches and whether it writes; choose "+
		"between names written in the script"))
}

// chosenWord reports whether a name is one of some words that are written down: in the script, or at every call that runs it.
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

// wordAtSites reports whether each call that is known passes one of a few words there.
func wordAtSites(p *Pass, index int) bool {
	found := false
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Mode.Runs() {
			continue
		}
		if index < 1 || index > len(s.Args.Items) {
			return false
		}
		it := &s.Args.Items[index-1]
		if _, constant := it.Text.Constant(); !constant && len(it.Kind.Words) == 0 {
			return false
		}
		found = true
	}
	return found
}
