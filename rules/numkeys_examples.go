package rules

import "github.com/redislint/redislint/luacheck"

// announces is a site that gives the count of its keys itself.
func announces(n int, s luacheck.Site) luacheck.Site {
	s.Library, s.Callee = "redigo", "Do"
	s.NumKeys = luacheck.NumKeys{Given: true, Known: true, Value: n}
	return s
}

func numberElement(text string) luacheck.Element {
	e := tmpl(lit(text))
	e.Kind.Type = luacheck.TypeInt
	return e
}

// functionPair is a library of two functions.
const functionPair = `#!lua name=n1
redis.register_function('move', function(keys, args)
  return redis.call('RENAME', keys[1], keys[2])
end)
redis.register_function('peek', function(names, args)
  if names[2] then
    return redis.call('GET', names[2])
  end
  return redis.call('GET', names[1])
end)
redis.register_function('take', function(keys, args)
  return redis.call('INCRBY', keys[1], args[1] * args[2])
end)`

var numkeysBad = []Example{
	{
		Lua: "return redis.call('SMOVE', KEYS[1], KEYS[2], ARGV[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{announces(1, runs(exactly(tmpl(lit("{u}:a"))), exactly(tmpl(lit("{u}:b")), tmpl(hole("member")))))}
		},
		AtSite: true, Part: PartKeys,
		Say:  "the script uses 'KEYS[2]', the call passes 1 key: it is nil there, which redis.call refuses; pass 2 keys",
		Keys: []string{"{u}:a"}, Args: []string{"{u}:b", "m"},
		Raises: "ERR Lua redis lib command arguments must be strings or integers",
	},
	{
		Lua: "if redis.call('EXISTS', KEYS[1]) == 0 then\n  redis.call('SET', KEYS[1] .. KEYS[2], ARGV[1])\nend\nreturn 1",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly(tmpl(lit("x"))))}
		},
		AtSite: true, Part: PartKeys,
		Say:  "the script uses 'KEYS[2]', the call passes 1 key: it is nil there, which cannot be joined with ..; pass 2 keys",
		Keys: []string{"k"}, Args: []string{"x"},
		Raises: "ERR user_script:2: attempt to concatenate field '?' (a nil value)",
	},
	{
		Lua: "return redis.call('HGET', KEYS[1], ARGV[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{announces(3, runs(exactly(tmpl(lit("user:1")), tmpl(lit("name"))), exactly()))}
		},
		AtSite: true, Part: PartNumKeys,
		Say:      "the call announces 3 keys and passes 2 keys: the server refuses a count that is larger than the number of words; announce 2",
		NotRun:   "the count stands in the call, and the examples' runner counts itself",
		Recorded: []Recorded{{"redis 7.0.15", "-ERR Number of keys can't be greater than number of args", "EVAL 'return 1' 3 a b"}},
	},
	{
		Lua: "return redis.call('GET', KEYS[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{announces(1, runs(exactly(), exactly()))}
		},
		AtSite: true, Part: PartNumKeys,
		Say:      "the call announces 1 key and passes no key: the server refuses a count that is larger than the number of words; pass 1 key",
		NotRun:   "the count stands in the call, and the examples' runner counts itself",
		Recorded: []Recorded{{"redis 7.0.15", "-ERR Number of keys can't be greater than number of args", "EVAL 'return 1' 1"}},
	},
	{
		Lua: "return redis.call('INCR', KEYS[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{announces(1, runs(exactly(numberElement("1")), exactly(tmpl(hole("key")))))}
		},
		AtSite: true, Part: PartKey,
		Severity: new(Warning),
		Say:      "the count of keys is given twice: the second one becomes KEYS[1] and shifts all that follows; leave it out here",
	},
	{
		Lua: "return redis.call('HGET', KEYS[1], ARGV[1])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("h:"), hole("id")), tmpl(hole("field"))), exactly(tmpl(hole("x"))))}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Severity: new(Warning),
		Say:      "the script uses 1 key, the call passes 2: KEYS[2] is not used, and a cluster wants it in the same slot all the same; pass arguments in ARGV",
	},
	{
		Lua:    "for _, n in ipairs(redis.call('SMEMBERS', ARGV[1])) do\n  redis.call('DEL', n)\nend\nreturn 1",
		Sites:  func() []luacheck.Site { return []luacheck.Site{runs(exactly(), exactly(tmpl(lit("index"))))} },
		AtSite: true, Part: PartKeys,
		Severity: new(Warning),
		Say:      "the call passes no key, and the script runs SMEMBERS on a key: a cluster client cannot tell which node to send it to; pass the keys in KEYS",
		Also:     []string{"dynamic-key", "unbounded-work"},
	},
	{
		Lua: "return redis.call('LPUSH', ARGV[1], ARGV[2])",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(), exactly(tmpl(hole("queue")), tmpl(hole("job"))))}
		},
		NoCluster: true,
		AtSite:    true, Part: PartKeys,
		Severity: new(Note),
		Say:      "the call passes no key, and the script runs LPUSH on a key: a cluster, an ACL or a proxy cannot tell which keys it touches; pass the keys in KEYS",
		Also:     []string{"dynamic-key"},
	},
	{
		Lua:    "return redis.call('TIME')[1]",
		Sites:  func() []luacheck.Site { return []luacheck.Site{runs(exactly(), exactly())} },
		Target: "elasticache-serverless",
		AtSite: true, Part: PartKeys,
		Also:     []string{"time-random"},
		Say:      "the call passes no key: ElastiCache Serverless refuses a script without keys; pass a key that the script uses",
		NotRun:   "ElastiCache is not Redis",
		Recorded: []Recorded{{"elasticache-serverless", "refused", "its documentation"}},
	},
	{
		Lua:    "return 1",
		Sites:  func() []luacheck.Site { return fcall(luacheck.ModeFunction, "MOVE") },
		With:   []Script{{Lua: functionPair}},
		AtSite: true, Part: PartKeys,
		Say:      "'move' of the library uses 'keys[2]', the call passes 1 key: it is nil there, which redis.call refuses; pass 2 keys",
		NotRun:   "the library and its call are two scripts",
		Recorded: []Recorded{{"redis 7.0.15", "-ERR Lua redis lib command arguments must be strings or integers", "FCALL move 1 k"}},
	},
}

var numkeysGood = []Example{
	{
		// Keys that a function does not use are no mistake, nor are optional ones that it tests.
		Lua: "return 1",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{{Mode: luacheck.ModeFunction, Function: "move", Keys: exactly(tmpl(lit("{a}1")), tmpl(lit("{a}2")), tmpl(lit("{a}3"))), Args: exactly()},
				{Mode: luacheck.ModeFunction, Function: "peek", Keys: exactly(tmpl(lit("{a}1"))), Args: exactly()}}
		},
		With: []Script{{Lua: functionPair}},
	},
	{Lua: "return tonumber(ARGV[1]) >= 5 and 1 or 0", Sites: func() []luacheck.Site { return []luacheck.Site{runs(exactly(), exactly(numberElement("7")))} }},
	{
		Lua:   "if KEYS[2] then\n  redis.call('DEL', KEYS[2])\nend\nreturn redis.call('DEL', KEYS[1])",
		Sites: func() []luacheck.Site { return []luacheck.Site{runs(exactly(tmpl(hole("key"))), exactly())} },
	},
	{
		Lua: "return redis.call('DEL', unpack(KEYS))",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("{a}:1")), tmpl(lit("{a}:2")), tmpl(lit("{a}:3"))), exactly())}
		},
	},
	{
		// The second key is passed for the one that the script makes.
		Lua: "return redis.call('DEL', KEYS[1], KEYS[1] .. ':idx')",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("{a}")), tmpl(lit("{a}:idx"))), exactly())}
		},
		Also: []string{"dynamic-key"},
	},
	{Lua: "return redis.call('PING')", Sites: func() []luacheck.Site { return []luacheck.Site{runs(exactly(), exactly())} }},
	{
		Lua: "return redis.call('DBSIZE')",
		Sites: func() []luacheck.Site {
			return []luacheck.Site{{Mode: luacheck.ModeEval, Keys: exactly(), Args: exactly(), Client: luacheck.Client{Cluster: true, Node: true}}}
		},
	},
}
