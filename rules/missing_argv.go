package rules

import (
	"fmt"
	"strconv"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

var missingArgv = &Rule{
	Name:     "missing-argv",
	Title:    "an element of ARGV that the call does not pass",
	Severity: ErrorSeverity,
	Group:    "Keys and cluster",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `ARGV[n] past the last argument is nil. Passing it to redis.call, joining it with .. or computing with it aborts the script, after
whatever it wrote before; returning it ends the reply there.

Pass the argument, or let the script do without: ` + "`ARGV[2] or '0'`, `if ARGV[2] then`, `if #ARGV > 1 then`" + `.`,
	Bad: []Example{
		{
			Lua: "redis.call('HSET', KEYS[1], 'a', ARGV[1], 'b', ARGV[2])\nreturn 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(lit("x"))))}
			},
			AtSite: true, Part: PartArgs,
			Say:  "the script uses 'ARGV[2]', the call passes 1 argument: it is nil there, which redis.call refuses; pass 2 arguments",
			Keys: []string{"k"}, Args: []string{"x"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua: "local ttl = tonumber(ARGV[2])\nlocal n = redis.call('INCR', KEYS[1])\nif n == 1 then\n  redis.call('PEXPIRE', KEYS[1], ttl * 1000)\nend\nreturn n",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("limit"))))}
			},
			AtSite: true, Part: PartArgs,
			Say:  "the script uses 'ARGV[2]', the call passes 1 argument: it is nil there, which cannot be used in arithmetic; pass 2 arguments",
			Keys: []string{"k"}, Args: []string{"5"},
			Raises: "ERR user_script:4: attempt to perform arithmetic on local 'ttl' (a nil value)",
		},
		{
			Lua:    "return 'hello ' .. ARGV[1]",
			Sites:  func() []luacheck.Site { return []luacheck.Site{runs(exactly(), exactly())} },
			AtSite: true, Part: PartArgs,
			Say:    "the script uses 'ARGV[1]', the call passes no argument: it is nil there, which cannot be joined with ..; pass 1 argument",
			Raises: "ERR user_script:1: attempt to concatenate field '?' (a nil value)",
		},
		{
			Lua: "local t = cjson.decode(ARGV[2])\nreturn redis.call('SET', KEYS[1], t.id)",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("id"))))}
			},
			AtSite: true, Part: PartArgs,
			Say:  "the script uses 'ARGV[2]', the call passes 1 argument: it is nil there, which cjson.decode refuses; pass 2 arguments",
			Keys: []string{"k"}, Args: []string{"x"},
			Raises: "ERR user_script:1: bad argument #1 to 'decode' (string expected, got nil)",
		},
		{
			Lua: "return {redis.call('INCR', KEYS[1]), ARGV[2]}",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("id"))))}
			},
			AtSite: true, Part: PartArgs,
			Severity: new(Warning),
			Say:      "the script returns 'ARGV[2]', the call passes 1 argument: it is nil there, and the reply ends before it; pass 2 arguments",
			Keys:     []string{"k"}, Args: []string{"x"},
			Returns: "[:1]",
		},
		{
			// Whether it is reached is for the first argument to say.
			Lua: "if ARGV[1] == 'set' then\n  return redis.call('SET', KEYS[1], ARGV[2])\nend\nreturn redis.call('DEL', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("op"))))}
			},
			AtSite: true, Part: PartArgs,
			Severity: new(Warning),
			Say:      "the script uses 'ARGV[2]', the call passes 1 argument: it is nil there, which redis.call refuses; pass 2 arguments",
			Keys:     []string{"k"}, Args: []string{"set"},
			Raises: "ERR Lua redis lib command arguments must be strings or integers",
		},
		{
			Lua:    "if redis.call('GET', KEYS[1]) == ARGV[1] then\n  return redis.call('DEL', KEYS[1])\nend\nreturn 0",
			Sites:  func() []luacheck.Site { return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly())} },
			AtSite: true, Part: PartArgs,
			Severity: new(Warning),
			Say:      "the script compares 'ARGV[1]' with a reply, the call passes no argument: it is nil there, and never equal; pass 1 argument",
			Setup:    [][]string{{"SET", "k", "t"}},
			Keys:     []string{"k"},
			Returns:  ":0",
		},
		{
			Lua: "return 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{{Mode: luacheck.ModeFunction, Library: "go-redis", Callee: "FCall", Function: "take", Keys: exactly(tmpl(hole("key"))),
					Args: exactly(numberElement("2"))}}
			},
			With:   []Script{{Lua: functionPair}},
			AtSite: true, Part: PartArgs,
			Say:      "'take' of the library uses 'args[2]', the call passes 1 argument: it is nil there, which cannot be used in arithmetic; pass 2 arguments",
			NotRun:   "the library and its call are two scripts",
			Recorded: []Recorded{{"redis 7.0.15", "-ERR user_function:12: attempt to perform arithmetic on field '?' (a nil value)", "FCALL take 1 k 2"}},
		},
	},
	Good: []Example{
		{
			Lua:   "local n = redis.call('INCR', KEYS[1])\nif ARGV[1] == 'reset' then\n  redis.call('DEL', KEYS[1])\nend\nreturn n",
			Sites: func() []luacheck.Site { return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly())} },
		},
		{Lua: "return ARGV[1] or 'missing'", Sites: func() []luacheck.Site { return []luacheck.Site{runs(exactly(), exactly())} }},
		{
			Lua: "redis.call('SET', KEYS[1], ARGV[1])\nif ARGV[2] then\n  redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\nreturn 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("v"))))}
			},
		},
		{
			Lua: "redis.call('SET', KEYS[1], ARGV[1])\nif #ARGV > 1 then\n  redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\nreturn 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(hole("v"))))}
			},
		},
		{
			// One script, two uses: the first argument says which.
			Lua: "if ARGV[1] == 'set' then\n  return redis.call('SET', KEYS[1], ARGV[2])\nend\nreturn redis.call('DEL', KEYS[1])",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(lit("set")), tmpl(hole("v")))),
					runs(exactly(tmpl(hole("key"))), exactly(tmpl(lit("del"))))}
			},
		},
		{
			Lua: "redis.call('HSET', KEYS[1], 'a', ARGV[1], 'b', ARGV[2])\nreturn 1",
			Sites: func() []luacheck.Site {
				return []luacheck.Site{runs(exactly(tmpl(hole("key"))), luacheck.List{Min: 0, Max: -1})}
			},
		},
	},
	Site:    checkMissingArgv,
	Package: func(p *PackagePass) { calledWithFew(p, value.FromArgv, PartArgs, "argument") },
}

func checkMissingArgv(p *Pass, i int, s *luacheck.Site) {
	if !s.Mode.Runs() || s.OneOf || shifted(s) {
		return // numkeys says it, or it may be another script's
	}
	if !p.Known {
		passed, known := s.Args.AtMost()
		if need := p.Interface.ArgsRequired; known && passed < need {
			p.Report(At(i, PartArgs, 0, ErrorSeverity, requiredWords(s, "ARGV", need, passed, "argument")))
		}
		return
	}
	f, passed := missingAt(p, s, value.FromArgv)
	if f != nil {
		found := At(i, PartArgs, 0, elementRank(p, s, value.FromArgv), missingWords(f, "ARGV", passed, "argument"))
		found.Related = missingRelated(f)
		p.Report(found)
		return
	}
	if facts, passed := p.runAlone(s, value.FromArgv); facts != nil {
		if op, n := neverEqual(facts, passed); op != nil {
			found := At(i, PartArgs, 0, Warning, fmt.Sprintf("the script compares 'ARGV[%d]' with a reply, the call passes %s: it is nil there, and never equal; pass %s",
				n, countWords(passed, "argument"), countWords(n, "argument")))
			found.Related = []Related{{Span: op.Node.Bounds(), Site: -1, Message: "it is compared here"}}
			p.Report(found)
			return
		}
	}
	if n := returned(p.Program, s); n > 0 {
		passed, _ := s.Args.AtMost()
		p.Report(At(i, PartArgs, 0, Warning, "the script returns 'ARGV["+strconv.Itoa(n)+"]', the call passes "+countWords(passed, "argument")+
			": it is nil there, and the reply ends before it; pass "+countWords(n, "argument")))
	}
}

// returned is the index of an element of ARGV that is returned, alone or in a list, and that the call does not pass; 0 for none.
func returned(p *luacheck.Program, s *luacheck.Site) int {
	passed, known := s.Args.AtMost()
	if !known || passed >= p.Facts.ArgsUsed || p.Facts.Library != nil {
		return 0
	}
	for _, r := range p.Facts.Returns {
		for i, a := range r.Values {
			if a.Value.IsElementPast(value.FromArgv, passed) {
				return a.Value.From.Index
			}
			if r.Objects[i] == nil || !r.Objects[i].Exact {
				continue
			}
			for _, e := range r.Objects[i].List {
				if e.IsElementPast(value.FromArgv, passed) {
					return e.From.Index
				}
			}
		}
	}
	return 0
}
