package rules

import "github.com/redislint/redislint/luacheck"

const twoIncr = "redis.call('INCR', KEYS[1])\nreturn redis.call('INCR', KEYS[2])"

var crossSlotBad = []Example{
	{
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("q:paused")), tmpl(lit("q:active"))), exactly())}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Say:     "'q:paused' (slot 3224) and 'q:active' (slot 9000) lie in different slots: a cluster refuses the call with CROSSSLOT; put what the keys share in braces",
		Cluster: true,
		Keys:    []string{"q:paused", "q:active"},
		Raises:  "CROSSSLOT Keys in request don't hash to the same slot",
		Slots:   map[string]int{"q:paused": 3224, "q:active": 9000},
	},
	{
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("inbox:"), hole("tenant"), lit(":"), hole("addr")), tmpl(lit("pool:"), hole("tenant"))), exactly())}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Severity: new(Warning),
		Say:      "'inbox:<tenant>:<addr>' and 'pool:<tenant>' have no common hash tag: a cluster refuses the call with CROSSSLOT where their slots differ; put what the keys share in braces",
	},
	{
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("cart:{"), hole("id"), lit("}")), tmpl(lit("user:"), hole("id"))), exactly())}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Severity: new(Warning),
		Say:      "'cart:{<id>}' (hash tag '<id>') and 'user:<id>' have no common hash tag: a cluster refuses the call with CROSSSLOT where their slots differ; put what the keys share in braces",
	},
	{
		Lua: "#!lua flags=allow-cross-slot-keys\n" + twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("{a}:n")), tmpl(lit("{b}:n"))), exactly())}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Say:     "'{a}:n' (slot 15495) and '{b}:n' (slot 3300) lie in different slots: a cluster refuses the call with CROSSSLOT, allow-cross-slot-keys does not waive that for keys that are passed; put what the keys share in braces",
		Cluster: true,
		Keys:    []string{"{a}:n", "{b}:n"},
		Raises:  "CROSSSLOT Keys in request don't hash to the same slot",
		Slots:   map[string]int{"{a}:n": 15495, "{b}:n": 3300},
	},
	{
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("u:{"), hole("id"), lit("}")), tmpl(lit("{u:{"), hole("id"), lit("}}:s"))), exactly())}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Severity: new(Warning),
		Say:      "'u:{<id>}' (hash tag '<id>') and '{u:{<id>}}:s' (hash tag 'u:{<id>') have no common hash tag: a cluster refuses the call with CROSSSLOT where their slots differ; the tag ends at the first }, so braces around a key that has a tag make another one; put what the keys share in braces",
	},
	{
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{runs(exactly(tmpl(lit("{}jobs:"), hole("id")), tmpl(lit("{}done:"), hole("id"))), exactly())}
		},
		AtSite: true, Part: PartKey, Index: 1,
		Severity: new(Warning),
		Say:      "'{}jobs:<id>' and '{}done:<id>' have no common hash tag: a cluster refuses the call with CROSSSLOT where their slots differ; '{}' is no hash tag, so the whole key counts; put what the keys share in braces",
	},
	{
		// A function that takes the keys one by one: what its callers pass.
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{{Mode: luacheck.ModeEval, Keys: exactly(tmpl(hole("from")), tmpl(hole("to"))), Args: exactly(), CallersKnown: true,
				Callers: []luacheck.Caller{{Keys: []luacheck.Template{{Parts: []luacheck.Part{lit("{a}:n")}}, {Parts: []luacheck.Part{lit("{a}:m")}}}},
					{Keys: []luacheck.Template{{Parts: []luacheck.Part{lit("{a}:n")}}, {Parts: []luacheck.Part{lit("{b}:n")}}}}}}}
		},
		AtSite: true, Part: PartKey, Index: 1, Caller: 2,
		Say:     "'{a}:n' (slot 15495) and '{b}:n' (slot 3300) lie in different slots: a cluster refuses the call with CROSSSLOT; put what the keys share in braces",
		Cluster: true,
		Keys:    []string{"{a}:n", "{b}:n"},
		Raises:  "CROSSSLOT Keys in request don't hash to the same slot",
		Slots:   map[string]int{"{a}:n": 15495, "{b}:n": 3300},
	},
	{
		Lua:     "return redis.call('MGET', 'a:x', ⟦'b'⟧)",
		Say:     "'a:x' (slot 14746) and 'b' (slot 3300) lie in different slots: a cluster refuses one command over two slots, and on Valkey 9.1 every later redis.call on that node fails until it is restarted; put what the keys share in braces",
		Also:    []string{"literal-key"},
		Cluster: true,
		Raises:  "ERR Script attempted to access a non local key in a cluster node",
		Slots:   map[string]int{"a:x": 14746, "b": 3300},
	},
	{
		Lua:    "return redis.call('RENAME', '{a}:' .. ARGV[1], ⟦'{b}:' .. ARGV[1]⟧)",
		Target: "redis@7.0+",
		Say:    "'{a}:<…>' (slot 15495) and '{b}:<…>' (slot 3300) lie in different slots: a cluster refuses one command over two slots; put what the keys share in braces",
		Also:   []string{"dynamic-key"},
		Setup:  [][]string{{"SET", "{a}:1", "x"}}, Args: []string{"1"},
		Cluster: true,
		Raises:  "ERR Script attempted to access a non local key in a cluster node",
		Slots:   map[string]int{"{a}:1": 15495, "{b}:1": 3300},
	},
	{
		Lua:      "local n = redis.call('INCR', 'b')\nif n > 1 then\n  redis.call('DEL', ⟦'a:x'⟧)\nend\nreturn n",
		Severity: new(Warning),
		Say:      "'b' (slot 3300) and 'a:x' (slot 14746) lie in different slots: on a cluster the script works only where one node owns both; put what the keys share in braces",
		Also:     []string{"literal-key"},
	},
	{
		Lua:     "#!lua\nredis.call('INCR', 'b')\nreturn redis.call('INCR', ⟦'c'⟧)",
		Say:     "'b' (slot 3300) and 'c' (slot 7365) lie in different slots: with a #!lua line a cluster refuses the second one; put what the keys share in braces",
		Also:    []string{"literal-key"},
		Cluster: true,
		Raises:  "ERR Script attempted to access keys that do not hash to the same slot",
		Slots:   map[string]int{"b": 3300, "c": 7365},
	},
}

var crossSlotGood = []Example{
	{
		// The parts that the callers bring hold the tag.
		Lua: twoIncr,
		Sites: func() []luacheck.Site {
			return []luacheck.Site{{Mode: luacheck.ModeEval, Keys: exactly(tmpl(lit("p:"), hole("a")), tmpl(lit("q:"), hole("b"))), Args: exactly(), CallersKnown: true,
				Callers: []luacheck.Caller{{Keys: []luacheck.Template{{Parts: []luacheck.Part{lit("p:{"), hole("id"), lit("}")}},
					{Parts: []luacheck.Part{lit("q:{"), hole("id"), lit("}")}}}}}}}
		},
	},
	{Lua: twoIncr, Sites: func() []luacheck.Site {
		return []luacheck.Site{runs(exactly(tmpl(lit("cart:{"), hole("id"), lit("}:items")), tmpl(lit("cart:{"), hole("id"), lit("}:total"))), exactly())}
	}},
	// Whole keys that come from elsewhere may well have one tag.
	{Lua: twoIncr, Sites: func() []luacheck.Site {
		return []luacheck.Site{runs(exactly(tmpl(hole("key")), tmpl(hole("other"))), exactly())}
	}},
	{Lua: twoIncr, Sites: func() []luacheck.Site {
		return []luacheck.Site{runs(exactly(tmpl(hole("key")), tmpl(hole("key"), lit(":n"))), exactly())}
	}},
	{Lua: twoIncr, Sites: func() []luacheck.Site {
		return []luacheck.Site{runs(exactly(tmpl(hole("prefix"), lit("a")), tmpl(hole("prefix"), lit("b"))), exactly())}
	}},
	{Lua: twoIncr, NoCluster: true, Sites: func() []luacheck.Site {
		return []luacheck.Site{runs(exactly(tmpl(lit("q:paused")), tmpl(lit("q:active"))), exactly())}
	}},
	{Lua: "redis.call('INCR', 'm.{user2}.a')\nreturn redis.call('HINCRBY', 'm.{user2}.b', 'n', 1)", Also: []string{"literal-key"}},
}
