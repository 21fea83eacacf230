package server

import (
	"slices"
	"sort"
	"strings"
)

// dumpOf is the dump that tells about a build: the one of its minor version; else of the next newer one of the product (derived: then what
// is dated newer than the build must be left out); else of the newest.
func dumpOf(b Build) (index int, derived bool) {
	best := -1
	for i, d := range dumps {
		if d.Product != b.Product {
			continue
		}
		if d.Version.Major == b.Version.Major && d.Version.Minor == b.Version.Minor {
			return i, false
		}
		best = i
		if b.Version.Less(d.Version) {
			return i, true
		}
	}
	return best, true
}

// rowsOf are the rows of a name in lower case, oldest dump first, Redis before Valkey.
func rowsOf(name string) []row {
	from := sort.Search(len(rows), func(i int) bool { return rows[i].Name >= name })
	to := from
	for to < len(rows) && rows[to].Name == name {
		to++
	}
	return rows[from:to]
}

// CommandAt is the command ("get") or subcommand ("object|encoding") as the build knows it, nil where it lacks it. Letter case does not
// count.
//
// What is known: Redis 6.2.16, 7.0.15, 7.2.6, 7.4.1, 8.0.2, 8.6.3 and Valkey 7.2.7, 8.0.1, 8.1.1, 9.1.2 were asked. Other minor
// versions are derived, not seen: they have what the next newer dump has, less the commands that it dates later than the build.
func (t Target) CommandAt(b Build, name string) *Command {
	var low [maxName]byte
	at := t.nameAt(low[:0], name)
	if at < 0 {
		return nil
	}
	if i := slices.Index(t.Builds, b); i >= 0 {
		return t.entryAt(at).at[i]
	}
	dump, derived := dumpOf(b)
	return commandOf(b, view{dump, derived}, rowsOf(commandNames[at]))
}

// commandOf is the command of a name's rows as the build knows it, nil where it lacks it.
func commandOf(b Build, v view, list []row) *Command {
	if b.Profile != NoProfile {
		return profileCommand(b.Profile, list)
	}
	for i := range list {
		c := &list[i]
		if c.dumps&(1<<v.dump) == 0 {
			continue
		}
		if v.derived && b.Version.Less(c.Since[b.Product]) {
			return nil
		}
		return &c.Command
	}
	return nil
}

// profileCommand takes a command to be there as the newest dump of any server shows it: what such servers lack is known of few commands.
func profileCommand(p Profile, list []row) *Command {
	c := newestOf(list)
	base := c.Base()
	if p == Dragonfly && (base == "fcall" || base == "fcall_ro" || base == "function" && c.Sub() != "") {
		return nil
	}
	return c
}

// newestOf is the row of the newest known Redis if it has the command, else the newest row.
func newestOf(list []row) *Command {
	c := &list[len(list)-1]
	for i := range list {
		if list[i].dumps&(1<<newestRedisDump()) != 0 {
			c = &list[i]
		}
	}
	return &c.Command
}

func newestRedisDump() int {
	at := 0
	for i, d := range dumps {
		if d.Product == Redis {
			at = i
		}
	}
	return at
}

// Lookup is what a target knows of a command name.
type Lookup struct {
	// Command is the command, or the subcommand where one was named and exists, as the newest build that has it knows it (the newest
	// Redis if any, else the newest Valkey); nil where none has it.
	Command *Command
	// Container is whether the name has subcommands; HasSub is whether the subcommand exists on some build.
	Container, HasSub bool
	// Missing are the builds that lack it; the list must not be changed.
	Missing []Build
	// Other is a command that only servers out of the target have, as the newest of them knows it. Never beside Command.
	Other *Command
	// UnknownEverywhere: no build of the target has it. With Container it is the subcommand that is unknown. Never for module commands.
	UnknownEverywhere bool
}

// NearestCommand is a command of the target in upper case that may have been meant by an unknown name, or a subcommand of it where the name
// is that of a container; "" where none is near.
func (t Target) NearestCommand(name, sub string) string {
	word, prefix := name, ""
	var low [maxName]byte
	if at := t.nameAt(low[:0], name); at >= 0 && t.entryAt(at).container {
		word, prefix = sub, commandNames[at]+"|"
	}
	var list []string
	for i, n := range commandNames {
		if rest, ok := strings.CutPrefix(n, prefix); ok && !strings.Contains(rest, "|") && t.entryAt(i).command != nil {
			list = append(list, strings.ToUpper(rest))
		}
	}
	return NearestWord(strings.TrimSpace(word), list)
}

// IsModuleCommand is whether a command name belongs to a module (JSON.GET, FT.SEARCH): nothing is known of those.
func IsModuleCommand(name string) bool { return strings.Contains(name, ".") }
