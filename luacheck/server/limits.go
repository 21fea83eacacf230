package server

// Facts about single versions, each a small function over a target. A build of a whole minor version (LastPatch) counts as its last patch.

// ExponentInts are the builds that write computed integers of some sizes in exponent form when they are passed as arguments: Redis 7.2.0
// to 7.2.4, Valkey 7.2.4-rc1 to 7.2.5.
func (t Target) ExponentInts() []Build {
	return t.filter(func(b Build) bool {
		if b.Profile != NoProfile {
			return false
		}
		last := Version{7, 2, 4}
		if b.Product == Valkey {
			last = Version{7, 2, 5}
		}
		return between(b.Version, Version{7, 2, 0}, last)
	})
}

// CrashesOnRaisedTable are the builds that die of an uncaught error(table) whose err is no string: seen on Redis 7.0.15, 7.2.6, 7.4.1,
// 8.0.2 and Valkey 7.2.7, 8.0.1, 8.1.1; not on 6.2.16, 8.0.6, 8.6.3 and Valkey 9.1.2.
func (t Target) CrashesOnRaisedTable() []Build {
	return t.filter(func(b Build) bool {
		if b.Profile != NoProfile {
			return false
		}
		if b.Product == Valkey {
			return b.Version.Less(Version{9, 0, 0})
		}
		return between(b.Version, Version{7, 0, 0}, Version{8, 0, 2})
	})
}

// AbortsOnLoadLog are the builds that abort when redis.log is called at FUNCTION LOAD: seen on Valkey 9.1.2, not on 8.1.1.
func (t Target) AbortsOnLoadLog() []Build {
	return t.filter(func(b Build) bool {
		return b.Profile == NoProfile && b.Product == Valkey && !b.Version.Less(Version{9, 1, 0})
	})
}

// PoisonedByCrossSlot are the builds on which one multi-key command over two slots in a script, on a cluster, makes every later redis.call
// of that node fail until a restart: seen on Valkey 9.1.2, not on 8.1.1.
func (t Target) PoisonedByCrossSlot() []Build { return t.AbortsOnLoadLog() }

// FrozenTime are the builds on which TIME does not move within one script: Redis and Valkey from 7.2.
func (t Target) FrozenTime() []Build {
	return t.filter(func(b Build) bool { return b.Profile == NoProfile && !b.Version.Less(Version{7, 2, 0}) })
}

// LongFloats are the builds that pass 0.1 as 0.10000000000000001 and 1e17 as 1e+17: Redis up to 7.0.
func (t Target) LongFloats() []Build { return t.before(Version{7, 2, 0}) }

// NoShebang are the builds that refuse a #!lua line: Redis before 7.0. They have no functions and no read-only scripts either.
func (t Target) NoShebang() []Build { return t.before(Version{7, 0, 0}) }

// NoWritesAfterRandom are the builds that by default refuse a write after TIME, RANDOMKEY, SRANDMEMBER, SCAN and the like: Redis before
// 5.0 (seen on 3.2.13 and 4.0.14), unless the script called redis.replicate_commands (3.2 and later).
func (t Target) NoWritesAfterRandom() []Build { return t.before(Version{5, 0, 0}) }

// FixedRandomSeed are the builds that seed math.random anew with the same number for each run: Redis before 7.0 (seen on 6.2.16); later
// ones do so at server start only.
func (t Target) FixedRandomSeed() []Build { return t.before(Version{7, 0, 0}) }

// EvictsScripts are the builds that keep at most 500 scripts which came by EVAL: Redis from 7.4, Valkey from 8.0.
func (t Target) EvictsScripts() []Build {
	return t.filter(func(b Build) bool { return b.Profile == NoProfile && !b.Version.Less(Version{7, 4, 0}) })
}

// EngineAnyCase are the builds that take #!LUA in any letter case: Valkey from 8.1.
func (t Target) EngineAnyCase() []Build {
	return t.filter(func(b Build) bool {
		return b.Profile == NoProfile && b.Product == Valkey && !b.Version.Less(Version{8, 1, 0})
	})
}

func (t Target) before(v Version) []Build {
	return t.filter(func(b Build) bool { return b.Profile == NoProfile && b.Version.Less(v) })
}

// between is whether v is in the closed range.
func between(v, from, to Version) bool { return !v.Less(from) && !to.Less(v) }

// MaxUnpack is the most values unpack(t) gives, the same on all servers; with explicit bounds it is MaxUnpackBounds.
const (
	MaxUnpack       = 7999
	MaxUnpackBounds = 7997
)

// RefusesNestedBrackets are the builds of which some refuse `[[` inside a level-0 long string or comment: seen on Redis 6.2.16, 7.0.15,
// 7.2.6, 7.4.1 and Valkey 7.2.7, 8.0.1; not on those with later security fixes (Debian's 7.0.15, Redis 8.0.2, Valkey 8.1.1).
func (t Target) RefusesNestedBrackets() []Build {
	return t.filter(func(b Build) bool {
		fixed := Version{8, 0, 0}
		if b.Product == Valkey {
			fixed = Version{8, 1, 0}
		}
		return b.Profile == NoProfile && b.Version.Less(fixed)
	})
}
