package server

import (
	"math"
	"sort"
	"strings"
	"sync/atomic"
)

// index keeps what a target was asked, since many scripts ask the same. It begins when the target is first asked, so that a program that
// only parses one pays nothing; it grows no further than the tables and its slots, and is safe for several goroutines.
type index struct {
	facts atomic.Pointer[facts]
}

// facts are the answers, which depend on the tables and the target alone.
type facts struct {
	views   []view // by build of the target
	entries [len(commandNames)]atomic.Pointer[entry]
	forms   [formSlots]atomic.Pointer[Form]
	places  [placeSlots]atomic.Pointer[place]
	names   [nameSlots]atomic.Uint32 // by hash of a name, its place in commandNames plus one
}

const nameSlots = 512

// known are the answers that are kept; nil in a target that ParseTarget did not make.
func (t Target) known() *facts {
	if t.index == nil {
		return nil
	}
	if f := t.index.facts.Load(); f != nil {
		return f
	}
	return t.index.begin(t.Builds)
}

// begin makes the facts; where several goroutines do, one of them wins.
func (x *index) begin(builds []Build) *facts {
	x.facts.CompareAndSwap(nil, &facts{views: viewsOf(builds)})
	return x.facts.Load()
}

// entry is what a target knows of one name of the tables.
type entry struct {
	at           []*Command // as each build of the target knows it, nil where the build lacks it
	command      *Command   // as Lookup gives it
	has, missing []Build
	container    bool
	noScript     []Build // those that have it and refuse it in scripts by its flag
	least, most  int     // with so many arguments no build refuses it
	readOnly     bool    // some build refuses it in read-only scripts
	takesTime    bool    // some argument of it is a time
	sides        [2]uint32
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

// entryAt is the entry of the at-th name.
func (t Target) entryAt(at int) *entry {
	known := t.known()
	if known == nil {
		return t.newEntry(at, viewsOf(t.Builds))
	}
	e := known.entries[at].Load()
	if e == nil {
		e = t.newEntry(at, known.views)
		known.entries[at].Store(e)
	}
	return e
}

// newEntry sums up the rows of a name.
func (t Target) newEntry(at int, views []view) *entry {
	from := sort.Search(len(rows), func(i int) bool { return int(rows[i].at) >= at })
	to := from + sort.Search(len(rows)-from, func(i int) bool { return int(rows[from+i].at) > at })
	e := &entry{at: make([]*Command, len(t.Builds)), most: math.MaxInt, container: isContainer(at), sides: sidesOf(commandNames[at])}
	for i := range rows[from:to] {
		e.takesTime = e.takesTime || takesTime(rows[from+i].Args)
	}
	var product Product
	for i, b := range t.Builds { // oldest first
		c := commandOf(b, views[i], rows[from:to])
		e.at[i] = c
		if c == nil {
			continue
		}
		if e.command == nil || b.Product == product {
			e.command, product = c, b.Product
		}
		e.readOnly = e.readOnly || c.Flags&(Write|MayReplicate) != 0 && !b.Version.Less(Version{7, 0, 0})
		least, most := arityOf(b, c)
		e.least, e.most = max(e.least, least), min(e.most, most)
	}
	e.has = e.choose(t.Builds, func(_ Build, c *Command) bool { return c != nil })
	e.missing = e.choose(t.Builds, func(_ Build, c *Command) bool { return c == nil })
	e.noScript = e.choose(t.Builds, func(b Build, c *Command) bool { return c != nil && refusedInScripts(c, b) })
	return e
}

// choose lists the builds for which f holds, nil for none.
func (e *entry) choose(builds []Build, f func(Build, *Command) bool) []Build {
	n := 0
	for i, b := range builds {
		if f(b, e.at[i]) {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case len(builds):
		return builds[:n:n]
	}
	out := make([]Build, 0, n)
	for i, b := range builds {
		if f(b, e.at[i]) {
			out = append(out, b)
		}
	}
	return out
}

// isContainer is whether the at-th name has subcommands, which stand behind it.
func isContainer(at int) bool {
	name := commandNames[at]
	for _, n := range commandNames[at+1:] {
		rest, ok := strings.CutPrefix(n, name)
		if !ok {
			return false
		}
		if rest[0] == '|' {
			return true
		}
	}
	return false
}

// of is the entry of a command.
func (t Target) of(c *Command) *entry { return t.entryAt(int(c.at)) }

// maxName is longer than any name of the tables.
const maxName = 40

// nameAt finds a name in any letter case behind what low holds, -1 where the tables lack it.
func (t Target) nameAt(low []byte, name string) int {
	if len(low)+len(name) > maxName {
		return -1
	}
	for i := range len(name) {
		b := name[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		low = append(low, b)
	}
	known := t.known()
	if known == nil {
		return searchName(low)
	}
	slot := &known.names[hashText(hashStart, string(low))%nameSlots]
	if at := slot.Load(); at != 0 && commandNames[at-1] == string(low) {
		return int(at - 1)
	}
	at := searchName(low)
	if at >= 0 {
		slot.Store(uint32(at + 1))
	}
	return at
}

// searchName finds a name in lower case.
func searchName(low []byte) int {
	from, to := 0, len(commandNames)
	for from < to {
		if mid := int(uint(from+to) / 2); commandNames[mid] < string(low) {
			from = mid + 1
		} else {
			to = mid
		}
	}
	if from < len(commandNames) && commandNames[from] == string(low) {
		return from
	}
	return -1
}

// Having lists the builds of the target that have the command. The list must not be changed.
func (t Target) Having(c *Command) []Build { return t.of(c).has }

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

// Lookup finds a command by name and, where known, its subcommand ("" for none). Letter case does not count; as on the server, neither
// "GET k" nor "CONFIG|GET" is a name. A module command (a name with a dot) is neither found nor unknown.
func (t Target) Lookup(name, sub string) Lookup {
	var low [maxName]byte
	at := t.nameAt(low[:0], name)
	switch {
	case IsModuleCommand(name):
		return Lookup{}
	case at < 0 || strings.IndexByte(name, '|') >= 0: // no such name can exist
		return Lookup{Missing: t.Builds, UnknownEverywhere: true}
	}
	e := t.entryAt(at)
	if sub == "" || !e.container {
		return Lookup{Command: e.command, Other: e.other(at), Container: e.container, Missing: e.missing, UnknownEverywhere: e.command == nil}
	}
	if at = t.nameAt(append(append(low[:0], commandNames[at]...), '|'), sub); at >= 0 {
		s := t.entryAt(at)
		if s.command != nil {
			return Lookup{Command: s.command, Container: true, HasSub: true, Missing: s.missing}
		}
		return Lookup{Other: s.other(at), Container: true, Missing: t.Builds, UnknownEverywhere: true}
	}
	return Lookup{Container: true, Missing: t.Builds, UnknownEverywhere: true}
}

// other is the command of the at-th name where the target lacks it.
func (e *entry) other(at int) *Command {
	if e.command != nil {
		return nil
	}
	return newestOf(rowsOf(commandNames[at]))
}
