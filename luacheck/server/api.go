package server

import (
	"slices"
	"sort"
	"strings"
)

// Context is where Lua code runs.
type Context uint8

const (
	InScript   Context = iota // EVAL
	InFunction                // FCALL
	AtLoad                    // FUNCTION LOAD, outside function bodies
)

// walk is a server whose sandbox was walked; patched: with security fixes beyond its version number.
type walk struct {
	Build
	patched bool
}

// global is a name that scripts can read on some servers: bit i of eval and function is walked[i].
type global struct {
	name           string
	eval, function uint16
}

// Presence is where a name can be read.
type Presence struct {
	Everywhere bool    // on every build of the target
	Nowhere    bool    // on none
	Missing    []Build // the builds that lack it
	// Removed tells of a name that is there by version number but that security releases took away; "" for others.
	Removed string
}

// Libraries are the global tables of functions, on some server each.
var Libraries = []string{"bit", "cjson", "cmsgpack", "coroutine", "math", "os", "redis", "server", "string", "struct", "table"}

// IsLibrary is whether the name is one of Libraries.
func IsLibrary(name string) bool { return slices.Contains(Libraries, name) }

// Global is where a global variable can be read in the context. Builds without functions (before 7.0) do not count in the function
// contexts.
func (t Target) Global(name string, ctx Context) Presence { return t.presence("", name, ctx) }

// Field is where a field of a library can be read in the context.
func (t Target) Field(lib, name string, ctx Context) Presence { return t.presence(lib, name, ctx) }

func (t Target) findPresence(name string, ctx Context) Presence {
	p := Presence{Everywhere: true, Nowhere: true}
	for _, b := range t.Builds {
		if ctx != InScript && b.Version.Less(Version{7, 0, 0}) {
			continue
		}
		if hasName(b, name, ctx) {
			p.Nowhere = false
		} else {
			p.Everywhere = false
			p.Missing = append(p.Missing, b)
		}
	}
	p.Nowhere = p.Nowhere && len(p.Missing) > 0
	if slices.Contains(removedNames, name) && ctx != AtLoad && !p.Nowhere {
		p.Removed = "removed in security releases"
	}
	return p
}

// removedNames were in every server up to Redis 8.0.2 and Valkey 8.1 and are gone from Redis 8.0.6, Valkey 9.1.2 and from older builds
// with security fixes (seen: Debian's 7.0.15, 8.0.2 and Valkey 8.1.1).
var removedNames = []string{"getfenv", "newproxy", "setfenv"}

// hasName is whether the build has a global or a "library.field".
func hasName(b Build, name string, ctx Context) bool {
	if ctx == AtLoad {
		return hasAtLoad(b, name)
	}
	g, known := findGlobal(name)
	if b.Profile == Dragonfly {
		return hasDragonfly(name, known)
	}
	if !known {
		return false
	}
	bits := g.eval
	if ctx == InFunction {
		bits = g.function
	}
	if b.Profile != NoProfile {
		return bits != 0 // which server it is built from is not known
	}
	if slices.Contains(removedNames, name) {
		gone := Version{8, 0, 6}
		if b.Product == Valkey {
			gone = Version{9, 0, 0}
		}
		return b.Version.Less(gone)
	}
	return bits&walksOf(b) != 0 && !b.Version.Less(nameSince(name))
}

func findGlobal(name string) (global, bool) {
	at := sort.Search(len(globals), func(i int) bool { return globals[i].name >= name })
	if at == len(globals) || globals[at].name != name {
		return global{}, false
	}
	return globals[at], true
}

// walksOf are the walks that tell of a build: the one of its minor version, else its neighbours on both sides, so that a name is called
// missing only where both lack it.
func walksOf(b Build) (bits uint16) {
	for i, w := range walked {
		if w.patched || w.Product != b.Product {
			continue
		}
		if w.Version.Major == b.Version.Major && w.Version.Minor == b.Version.Minor {
			return 1 << i
		}
		if b.Version.Less(w.Version) {
			return bits | 1<<i
		}
		bits = 1 << i
	}
	return bits
}

// nameSince dates what Redis 6.2 has and older ones lack (from the public documentation, not run); the zero Version for all others.
func nameSince(name string) Version {
	lib, field, _ := strings.Cut(name, ".")
	switch {
	case lib == "bit":
		return Version{2, 8, 18}
	case lib != "redis":
		return Version{}
	case field == "setresp":
		return Version{6, 0, 0}
	case field == "REPL_REPLICA":
		return Version{5, 0, 0}
	case field == "set_repl", field == "replicate_commands", field == "breakpoint", field == "debug", strings.HasPrefix(field, "REPL_"):
		return Version{3, 2, 0}
	}
	return Version{}
}

// hasAtLoad: at FUNCTION LOAD the redis table holds only these (run on 7.0.15 to 8.6.3 and Valkey 7.2.7 to 9.1.2).
func hasAtLoad(b Build, name string) bool {
	lib, field, isField := strings.Cut(name, ".")
	valkey := b.Product == Valkey || b.Profile != NoProfile
	if b.Profile == Dragonfly || lib != "redis" && !(lib == "server" && valkey) {
		return false
	}
	switch field {
	case "register_function", "log", "LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING", "REDIS_VERSION", "REDIS_VERSION_NUM":
		return true
	case "SERVER_NAME", "VALKEY_VERSION", "VALKEY_VERSION_NUM":
		return valkey
	}
	return !isField
}

// hasDragonfly: Dragonfly runs Lua 5.4 with leftovers of 5.1 (from its documentation and source, not run). A name that its sources do not
// settle counts as there.
func hasDragonfly(name string, known bool) bool {
	lib, field, isField := strings.Cut(name, ".")
	switch lib {
	case "os", "io", "debug", "server", "setfenv", "getfenv", "newproxy", "module", "gcinfo":
		return false
	case "dragonfly", "utf8", "rawlen", "warn":
		return true
	case "redis":
		switch field {
		case "acall", "apcall":
			return true
		case "setresp", "set_repl", "breakpoint", "debug", "acl_check_cmd", "register_function":
			return false
		}
	}
	return known || isField && LaterLua(lib, field) != "" && !strings.HasPrefix(LaterLua(lib, field), "Lua 5.2 only")
}

// LaterLua tells of a name that newer Lua has and Redis' Lua 5.1 lacks: "Lua 5.2 and later"; "" for all others. lib is "" for a global.
func LaterLua(lib, name string) string {
	if lib != "" {
		if lib == "utf8" || lib == "bit32" {
			return LaterLua("", lib)
		}
		name = lib + "." + name
	}
	switch name {
	case "table.pack", "table.unpack", "rawlen", "_ENV":
		return "Lua 5.2 and later"
	case "bit32":
		return "Lua 5.2 only"
	case "utf8", "table.move", "string.pack", "string.packsize", "string.unpack", "math.type", "math.tointeger", "math.ult",
		"math.maxinteger", "math.mininteger", "coroutine.isyieldable":
		return "Lua 5.3 and later"
	case "coroutine.close", "warn":
		return "Lua 5.4 and later"
	case "jit", "ffi", "table.new", "table.clear", "string.buffer":
		return "LuaJIT only"
	}
	return ""
}

// Nearest suggests a name for a misspelt field of a library, or for a misspelt global where lib is ""; "" where none is near.
func Nearest(lib, name string) string {
	prefix := lib + "."
	var list []string
	for i := range globals {
		n := globals[i].name
		if lib == "" && !strings.Contains(n, ".") && !strings.HasPrefix(n, "_") {
			list = append(list, n)
		} else if rest, ok := strings.CutPrefix(n, prefix); ok && lib != "" {
			list = append(list, rest)
		}
	}
	if lib == "redis" || lib == "server" {
		list = append(list, "register_function")
	}
	return NearestWord(name, list)
}
