package server

// ArityOK is whether a call with n arguments, the name (and the subcommand's name) counted, passes the arity check.
func (c *Command) ArityOK(n int) bool { return arityOK(c.Arity, n) }

func arityOK(arity, n int) bool {
	if arity >= 0 {
		return n == arity
	}
	return n >= -arity
}

// olderArity holds the arity of commands before they took more arguments, where no dump shows it: from the documentation's history; HSET's
// was seen on 3.2.13.
var olderArity = []struct {
	name   string
	before Version
	arity  int
	most   bool // arity is the most, not the exact number
}{
	{"config|get", Version{7, 0, 0}, 3, false},
	{"config|set", Version{7, 0, 0}, 4, false},
	{"exists", Version{3, 0, 3}, 2, false},
	{"flushall", Version{4, 0, 0}, 1, false},
	{"flushdb", Version{4, 0, 0}, 1, false},
	{"hset", Version{4, 0, 0}, 4, false},
	{"info", Version{7, 0, 0}, 2, true},
	{"lpop", Version{6, 2, 0}, 2, false},
	{"lpushx", Version{4, 0, 0}, 3, false},
	{"ping", Version{2, 8, 0}, 1, false},
	{"rpop", Version{6, 2, 0}, 2, false},
	{"rpushx", Version{4, 0, 0}, 3, false},
	{"spop", Version{3, 2, 0}, 2, false},
}

// findArity is ArityProblems worked out.
func (t Target) findArity(cmd *Command, n int, atLeast bool) []Build {
	return t.filter(func(b Build) bool {
		c := t.CommandAt(b, cmd.Name)
		if c == nil {
			return false
		}
		if atLeast && (c.Arity < 0 || n <= c.Arity) {
			return tooManyForOlder(b, c.Name, n)
		}
		return !c.ArityOK(n) || !atLeast && olderRefuses(b, c.Name, n) || atLeast && tooManyForOlder(b, c.Name, n)
	})
}

func tooManyForOlder(b Build, name string, n int) bool {
	for _, o := range olderArity {
		if o.name == name && b.Profile == NoProfile && b.Product == Redis && b.Version.Less(o.before) {
			return n > o.arity
		}
	}
	return false
}

func olderRefuses(b Build, name string, n int) bool {
	for _, o := range olderArity {
		if o.name == name && b.Profile == NoProfile && b.Product == Redis && b.Version.Less(o.before) {
			return n > o.arity || !o.most && n != o.arity
		}
	}
	return false
}
