package server

import (
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// index is what the tables say of every command for one target. It is worked out when the target is first asked and never changes; so a
// program that only parses a target pays nothing. Beside it stand the answers that were given before. It is safe for several goroutines.
type index struct {
	once    sync.Once
	entries []entry           // by Command.at
	byName  map[string]*entry // every name of the tables
	forms   [formSlots]atomic.Pointer[Form]
	places  [placeSlots]atomic.Pointer[place]
}

// entry is what a target knows of one name of the tables.
type entry struct {
	name         string
	at           []*Command // as each build of the target knows it, nil where the build lacks it
	command      *Command   // as Lookup gives it
	has, missing []Build
	container    bool
	noScript     []Build // those that have it and refuse it in scripts by its flag
	least, most  int     // with so many arguments no build refuses it
	readOnly     bool    // some build refuses it in read-only scripts
}

// maxName is longer than any name of the tables.
const maxName = 40

// work is the index once it is worked out.
func (t Target) work() *index {
	x := t.index
	x.once.Do(func() {
		x.entries, x.byName = make([]entry, nameCount), make(map[string]*entry, nameCount)
		cells := make([]*Command, nameCount*len(t.Builds))
		views := viewsOf(t.Builds)
		for from := 0; from < len(rows); {
			to := from + 1
			for to < len(rows) && rows[to].Name == rows[from].Name {
				to++
			}
			at := int(rows[from].at)
			x.entries[at] = t.entryOf(rows[from:to], views, cells[at*len(t.Builds):][:len(t.Builds):len(t.Builds)])
			x.byName[rows[from].Name] = &x.entries[at]
			from = to
		}
		for i := range x.entries {
			if base, sub := splitName(x.entries[i].name); sub != "" && x.byName[base] != nil {
				x.byName[base].container = true
			}
		}
	})
	return x
}

// view is how the tables tell of a build: see dumpOf.
type view struct {
	dump    int
	derived bool
}

func viewsOf(builds []Build) []view {
	views := make([]view, len(builds))
	for i, b := range builds {
		views[i].dump, views[i].derived = dumpOf(b)
	}
	return views
}

// entryOf sums up the rows of one name; cells is where the commands of the builds go.
func (t Target) entryOf(list []row, views []view, cells []*Command) entry {
	e := entry{at: cells, most: math.MaxInt, name: list[0].Name}
	var from Product
	for i, b := range t.Builds { // oldest first
		c := commandOf(b, views[i], list)
		e.at[i] = c
		if c == nil {
			e.missing = append(e.missing, b)
			continue
		}
		e.has = append(e.has, b)
		if e.command == nil || b.Product == from {
			e.command, from = c, b.Product
		}
		if refusedInScripts(c, b) {
			e.noScript = append(e.noScript, b)
		}
		e.readOnly = e.readOnly || c.Flags&(Write|MayReplicate) != 0 && !b.Version.Less(Version{7, 0, 0})
		least, most := arityOf(b, c)
		e.least, e.most = max(e.least, least), min(e.most, most)
	}
	return e
}

// of is the entry of a command of the tables; of another one, or in a target that ParseTarget did not make, it is worked out anew.
func (t Target) of(c *Command) *entry {
	if t.index != nil {
		if e := &t.work().entries[c.at]; e.name == c.Name {
			return e
		}
	}
	return t.fresh(c.Name)
}

// named is the entry of a name in any letter case, nil where the tables lack it.
func (t Target) named(name string) *entry {
	var low [maxName]byte
	return t.lower(low[:0], name)
}

// lower is the entry of what low holds and of name behind it, in lower case.
func (t Target) lower(low []byte, name string) *entry {
	if len(low)+len(name) > maxName {
		return nil
	}
	for i := range len(name) {
		b := name[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		low = append(low, b)
	}
	if t.index != nil {
		return t.work().byName[string(low)]
	}
	return t.fresh(string(low))
}

// fresh works out the entry of a name in lower case, nil where the tables lack it.
func (t Target) fresh(name string) *entry {
	list := rowsOf(name)
	if len(list) == 0 {
		return nil
	}
	e := t.entryOf(list, viewsOf(t.Builds), make([]*Command, len(t.Builds)))
	e.container = isContainer(name)
	return &e
}

// Having lists the builds of the target that have the command. The list must not be changed.
func (t Target) Having(c *Command) []Build {
	if e := t.of(c); e != nil {
		return e.has
	}
	return nil
}

// having lists those builds that have the command for which f holds.
func (t Target) having(c *Command, f func(Build) bool) []Build {
	var out []Build
	for _, b := range t.Having(c) {
		if f(b) {
			out = append(out, b)
		}
	}
	return out
}

// on is the command as the build knows it, nil where it lacks it.
func (t Target) on(b Build, e *entry) *Command {
	if i := slices.Index(t.Builds, b); i >= 0 {
		return e.at[i]
	}
	dump, derived := dumpOf(b)
	return commandOf(b, view{dump, derived}, rowsOf(e.name))
}

// lookup is what Lookup says of a name that is in the tables.
func (e *entry) lookup(sub bool) Lookup {
	return Lookup{Command: e.command, Container: e.container || sub, HasSub: sub, Missing: e.missing, UnknownEverywhere: e.command == nil}
}

// Lookup finds a command by name and, where known, its subcommand ("" for none). Letter case does not count; as on the server, neither
// "GET k" nor "CONFIG|GET" is a name. A module command (a name with a dot) is neither found nor unknown.
func (t Target) Lookup(name, sub string) Lookup {
	e := t.named(name)
	switch {
	case IsModuleCommand(name):
		return Lookup{}
	case e == nil || strings.IndexByte(name, '|') >= 0: // no such name can exist
		return Lookup{Missing: t.Builds, UnknownEverywhere: true}
	case sub == "" || !e.container:
		return e.lookup(false)
	}
	var low [maxName]byte
	if s := t.lower(append(append(low[:0], e.name...), '|'), sub); s != nil && s.command != nil {
		return s.lookup(true)
	}
	return Lookup{Container: true, Missing: t.Builds, UnknownEverywhere: true}
}
