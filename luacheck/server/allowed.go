package server

import "strings"

// Allowed lists the builds of the target that have the command and refuse it in scripts, and says why in words for a message; none
// where all take it. Options count where they are known (XREAD BLOCK). What a build lacks is Lookup's business. The list must not be changed.
func (t Target) Allowed(c *Command, args []Arg, ctx Context) (refused []Build, why string) {
	if e := t.of(c); len(e.noScript) > 0 {
		return e.noScript, "not allowed from scripts"
	}
	switch c.Name {
	case "xread", "xreadgroup":
		// Up to 7.2 an error; later it acts as if the time had passed at once.
		if blocks(args) {
			return t.having(c, func(b Build) bool { return b.Profile == NoProfile && b.Version.Less(Version{7, 4, 0}) }), "not allowed from scripts with BLOCK"
		}
	case "select":
		if t.Cluster && len(args) > 1 && args[1].Known && args[1].Text != "0" {
			return t.having(c, func(b Build) bool {
				return b.Profile == NoProfile && (b.Product == Redis || b.Version.Less(Version{9, 0, 0}))
			}), "not allowed in cluster mode"
		}
	case "sort", "sort_ro":
		if t.Cluster && sortsByPattern(args) {
			return t.having(c, func(b Build) bool { return b.Profile == NoProfile && b.Version.Less(Version{7, 4, 0}) }), "not allowed in cluster mode with BY and a pattern"
		}
	}
	return nil, ""
}

// refusedInScripts is whether the build refuses the command, as it knows it, in scripts by its flag. Before 7.0 the flag is the command's,
// not the subcommand's: the table has it so.
func refusedInScripts(c *Command, b Build) bool {
	if b.Profile == Dragonfly { // from its source, not run
		switch c.Base() {
		case "blpop", "brpop", "blmove", "brpoplpush", "bzpopmin", "bzpopmax", "blmpop", "bzmpop", "wait", "command", "latency":
			return true
		}
	}
	return c.Flags&NoScript != 0
}

// blocks is whether XREAD or XREADGROUP has BLOCK before STREAMS.
func blocks(args []Arg) bool {
	for _, a := range args[min(1, len(args)):] {
		switch {
		case a.Known && isWord(a.Text, "BLOCK"):
			return true
		case a.Known && isWord(a.Text, "STREAMS"):
			return false
		}
	}
	return false
}

func sortsByPattern(args []Arg) bool {
	for i := 2; i+1 < len(args); i++ {
		switch {
		case !args[i].Known:
			return false
		case isWord(args[i].Text, "BY"):
			return args[i+1].Known && strings.Contains(args[i+1].Text, "*")
		case isWord(args[i].Text, "LIMIT"):
			i += 2
		case isWord(args[i].Text, "GET", "STORE"):
			i++
		}
	}
	return false
}

// NeverBlocks is whether the command, in this call, waits outside scripts and inside a script acts as if the time had passed at once.
func (c *Command) NeverBlocks(args []Arg) bool {
	switch c.Name {
	case "blpop", "brpop", "blmove", "brpoplpush", "bzpopmin", "bzpopmax", "blmpop", "bzmpop", "wait", "waitaof":
		return true
	case "xread", "xreadgroup":
		return blocks(args)
	}
	return false
}

// ReadOnlyRefused is whether some build of the target refuses the command in read-only scripts (EVAL_RO, no-writes): by its flags, not by
// what the call does. alternative is a command that reads alike and is allowed, "" where there is none.
func (t Target) ReadOnlyRefused(c *Command) (refused bool, alternative string) {
	if !t.of(c).readOnly {
		return false, ""
	}
	return true, readOnlyTwin(c.Name)
}

// readOnlyTwin names what to write instead of a command that may write.
func readOnlyTwin(name string) string {
	switch name {
	case "sort", "bitfield", "georadius", "georadiusbymember":
		return strings.ToUpper(name) + "_RO"
	case "getex":
		return "GET"
	case "hgetex":
		return "HMGET"
	}
	return ""
}
