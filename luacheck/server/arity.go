package server

import "math"

// ArityOK is whether a call with n arguments, the name (and the subcommand's name) counted, passes the arity check.
func (c *Command) ArityOK(n int) bool { return arityOK(c.Arity, n) }

// ArityOKLater is whether any known server takes the command with n arguments, the names counted.
func (c *Command) ArityOKLater(n int) bool {
	for _, r := range rowsOf(c.Name) {
		if r.ArityOK(n) {
			return true
		}
	}
	return false
}

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

// arityOf is the least and the most arguments that the build takes for the command, as it knows it.
func arityOf(b Build, c *Command) (least, most int) {
	least, most = c.Arity, c.Arity
	if c.Arity < 0 {
		least, most = -c.Arity, math.MaxInt
	}
	if b.Profile != NoProfile || b.Product != Redis {
		return least, most
	}
	for _, o := range olderArity {
		if o.name != c.Name || !b.Version.Less(o.before) {
			continue
		}
		most = min(most, o.arity)
		if !o.most {
			least = max(least, o.arity)
		}
	}
	return least, most
}

// ArityProblems lists the builds of the target that have the command and refuse a call with n arguments, the names counted. atLeast: there
// may be more of them, so that only too many is certain.
func (t Target) ArityProblems(cmd *Command, n int, atLeast bool) []Build {
	e := t.of(cmd)
	if n <= e.most && (atLeast || n >= e.least) {
		return nil
	}
	var out []Build
	for i, b := range t.Builds {
		if e.at[i] == nil {
			continue
		}
		if least, most := arityOf(b, e.at[i]); n > most || !atLeast && n < least {
			out = append(out, b)
		}
	}
	return out
}
