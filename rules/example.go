package rules

import "github.com/redislint/redislint/luacheck"

// Example is a script that shows a rule, with what servers answer. rules/ruletest runs each one.
type Example struct {
	// Lua is the script; ⟦ and ⟧ stand around the span of the one finding and are stripped before use. A good example has none. Where the
	// finding is at a site, the brackets are absent and AtSite is set.
	Lua    string
	Target string // as -target; "" is the default
	// Sites are the calls that run the script, for rules that look at them; nil for none.
	Sites  []luacheck.Site
	AtSite bool
	// Say is the whole message; Severity of the finding where it differs from the rule's.
	Say      string
	Severity *Severity
	// Also names other rules that rightly report the same example.
	Also []string
	// Fixed is the text after the finding's fix; "" where there is none.
	Fixed string

	// What a server is given and does. Setup commands run first, each as words.
	Setup      [][]string
	Keys, Args []string
	// Function is the function to call where the script is a library.
	Function string
	// Raises is the start of the error reply; Returns the reply in redis-cli's notation without colour (see ruletest), State commands and
	// their replies afterwards. All empty: nothing is claimed, and the example is not run.
	Raises  string
	Returns string
	State   []State
	// ReadOnly runs it with EVAL_RO; Cluster on a cluster of two nodes; From and Until bound the server version for which Raises and
	// Returns hold ("7.0", "7.2": from ≤ server < until).
	ReadOnly    bool
	Cluster     bool
	From, Until string
	// Differs says, by runner ("miniredis", "redis"), why that runner answers otherwise; the test fails when it starts to agree.
	Differs map[string]string
	// NotRun says why no server may run it ("crashes the server", "never ends"); recorded answers prove it then.
	NotRun string
	// Recorded says what servers that cannot be installed answered: by server, with the source.
	Recorded map[string]string
}

// State is a command that is run afterwards and its reply.
type State struct {
	Command []string
	Reply   string
}
