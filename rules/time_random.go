package rules

import (
	"fmt"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var timeRandom = &Rule{
	Name:     "time-random",
	Title:    "a script that asks the clock or draws at random",
	Severity: ErrorSeverity,
	Group:    "Time, randomness, cost",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `A script whose result depends only on its keys, its arguments and the data can be tested and run again. Pass the time or the random
number in ARGV where the client knows it; servers from Redis 5.0 on take either, so this is a note.

math.random is a warning: the generator starts from a fixed seed, so that after every start of the server (before 7.0: in every run) the same
numbers come. Redis before 5.0 refuses a write behind TIME, SRANDMEMBER, SCAN and the like, which is an error.`,
	Bad: []Example{
		{
			Lua:      "local t = redis.call(⟦'TIME'⟧)\nreturn t[1]",
			Say:      `"TIME" makes the script depend on the clock; pass the time in ARGV where the client knows it`,
			Severity: new(Note),
		},
		{
			Lua:      "local function draw() return redis.call(⟦'SRANDMEMBER'⟧, KEYS[1]) end\nreturn draw()",
			Say:      `"SRANDMEMBER" makes the script depend on chance; choose in the client where it can`,
			Severity: new(Note),
		},
		{
			Lua:      "local n = ⟦math.random(10)⟧\nredis.call('SET', KEYS[1], n)\nreturn n",
			Say:      `"math.random" starts from a fixed seed, so the same numbers come after every start of the server; pass random numbers in ARGV`,
			Severity: new(Warning),
		},
		{
			Lua:      "return ⟦math.random(1000)⟧",
			Target:   "redis@6.2",
			Say:      `"math.random" starts from a fixed seed in each run on Redis 6.2, so the same numbers come every time; pass random numbers in ARGV`,
			Severity: new(Warning),
			Recorded: []Recorded{{"redis 6.2.16", ":171", "a build of that tag; the same at every run"}},
		},
		{
			Lua:      "local t = redis.call(⟦'TIME'⟧)\nredis.call('ZADD', KEYS[1], t[1], 'x')\nreturn 1",
			Target:   "redis@4.0",
			Say:      `"TIME" comes before the write "ZADD", which Redis 4.0 refuses then; pass the value in ARGV, or call redis.replicate_commands() first`,
			Recorded: []Recorded{{"redis 4.0.14", "-ERR Error running script (call to f_", "a build of that tag; it goes on: Write commands not allowed after non deterministic commands"}},
		},
		{
			Lua:      "local m = redis.call(⟦'SPOP'⟧, KEYS[1])\nif m then redis.call('LPUSH', KEYS[2], m) end\nreturn m",
			Target:   "redis@3.2",
			Say:      `"SPOP" comes before the write "LPUSH", which Redis 3.2 refuses then; pass the value in ARGV, or call redis.replicate_commands() first`,
			Recorded: []Recorded{{"redis 3.2.13", "-ERR Error running script (call to f_", "a build of that tag; it goes on: Write commands not allowed after non deterministic commands"}},
		},
	},
	Good: []Example{
		{Lua: "redis.call('ZADD', KEYS[1], ARGV[1], 'x')\nreturn 1", Target: "redis@4.0"},
		{Lua: "math.randomseed(tonumber(ARGV[1]))\nreturn math.random(10)", Also: []string{"leaking-state"}},
		{Lua: "return redis.call('SCAN', ARGV[1])"},
	},
	Program: checkTimeRandom,
}

func checkTimeRandom(p *Pass) {
	seeded, switched := false, false
	for _, l := range p.Facts.Libs {
		seeded = seeded || l.Name == "math.randomseed"
		switched = switched || l.Name == "redis.replicate_commands"
	}
	if old := p.Target.NoWritesAfterRandom(); len(old) > 0 && !switched {
		refusedWrites(p, old)
	}
	for _, c := range p.Facts.Calls {
		if c.Command == nil {
			continue
		}
		switch c.Name {
		case "time", "lastsave":
			p.Report(In(c.NameAt, Note, fmt.Sprintf("%q makes the script depend on the clock; pass the time in ARGV where the client knows it", c.Label())))
		case "randomkey", "srandmember", "spop", "hrandfield", "zrandmember", "vrandmember":
			p.Report(In(c.NameAt, Note, fmt.Sprintf("%q makes the script depend on chance; choose in the client where it can", c.Label())))
		}
	}
	for _, l := range p.Facts.Libs {
		switch {
		case l.Nowhere:
		case l.Name == "math.random" && !seeded:
			p.Report(In(l.Node.Span, Warning, randomWords(p.Target)))
		case l.Name == "os.clock":
			p.Report(In(l.Node.Span, Note, `"os.clock" makes the script depend on the clock; pass the time in ARGV where the client knows it`))
		}
	}
}

func randomWords(t server.Target) string {
	old := t.FixedRandomSeed()
	if len(old) > 0 && len(old) == len(t.Builds) {
		return fmt.Sprintf("\"math.random\" starts from a fixed seed in each run on %s, so the same numbers come every time; pass random numbers in ARGV", buildWords(old))
	}
	return `"math.random" starts from a fixed seed, so the same numbers come after every start of the server; pass random numbers in ARGV`
}

// refusedWrites reports, for servers that refuse a write behind them, calls whose reply differs from run to run.
func refusedWrites(p *Pass, old []server.Build) {
	for _, c := range p.Facts.Calls {
		if c.Random == nil || c.Command == nil || c.Command.Flags&server.Write == 0 {
			continue
		}
		sev := ErrorSeverity
		if c.Protected || c.Random.NameAt.Len() == 0 {
			sev = Warning
		}
		f := In(randomAt(c.Random), sev, fmt.Sprintf("%q comes before the write %q, which %s %s then; pass the value in ARGV, or call redis.replicate_commands() first",
			c.Random.Label(), c.Label(), buildWords(old), refuse(old)))
		f.Related = []Related{{Span: c.At, Site: -1, Message: "the write that is refused"}}
		p.Report(f)
	}
}

func randomAt(c *value.Call) syntax.Span {
	if c.NameAt.Len() > 0 {
		return c.NameAt
	}
	return c.At
}
