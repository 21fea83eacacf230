package rules

// badDirective has no check of its own: Suppress, which knows what was suppressed, reports it.
var badDirective = &Rule{
	Name:     "bad-directive",
	Title:    "a suppression comment that is malformed, gives no reason, or suppresses nothing",
	Severity: Warning,
	Group:    "The Go side",
	Claim:    Practice,
	Since:    "0.1",
	Doc: `A suppression that names no rule, or one that is misspelt, hides nothing. One without a reason cannot be reviewed, and one that
suppresses nothing will hide the next finding on its line, which nobody has looked at.

Write ` + "`-- redislint:ignore RULE[,RULE] reason`" + ` behind the line or above it, ` + "`redislint:ignore-file RULE reason`" + ` above the first statement, or
` + "`redislint:off RULE reason` … `redislint:on RULE`" + ` around a block; in Go the same behind ` + "`//`" + `. Remove the comment when the code is repaired.`,
	Bad: []Example{
		{
			Lua: "-- redislint:ignore ⟦no-such-rule⟧ because of an old review\nreturn redis.call('GET', KEYS[1])",
			Say: `"no-such-rule" is no rule; redislint -rules lists them`,
		},
		{
			Lua: "-- redislint:ignore ⟦sintax⟧ the engine is our own\nreturn redis.call('GET', KEYS[1])",
			Say: `"sintax" is no rule, did you mean "syntax"; redislint -rules lists them`,
		},
		{
			Lua: "-- ⟦redislint:ignore syntax⟧\nreturn redis.call('GET', KEYS[1])",
			Say: `"redislint:ignore syntax" gives no reason; write why behind the rule`,
		},
	},
	Good: []Example{
		{Lua: "-- redislint reads comments such as this one as text\nreturn redis.call('GET', KEYS[1])"},
	},
}
