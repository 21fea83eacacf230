package server

import "strconv"

// Product is a server family; each has a version axis of its own (fact: HEXPIRE is 7.4 on Redis and 9.0 on Valkey).
type Product uint8

const (
	Redis Product = iota
	Valkey
)

func (p Product) String() string {
	if p == Valkey {
		return "Valkey"
	}
	return "Redis"
}

// LastPatch as Version.Patch stands for the last patch of a minor version: what `redis@7.0` means.
const LastPatch = 255

// Version is major, minor, patch. Patch may be LastPatch.
type Version struct{ Major, Minor, Patch uint8 }

// Compare is negative, zero or positive as v is older than, the same as or newer than w.
func (v Version) Compare(w Version) int {
	return int(v.number()) - int(w.number())
}

// Less is whether v is older than w.
func (v Version) Less(w Version) bool { return v.Compare(w) < 0 }

func (v Version) number() uint32 { return uint32(v.Major)<<16 | uint32(v.Minor)<<8 | uint32(v.Patch) }

// String is "7.0" where the patch is the last one, else "7.0.15".
func (v Version) String() string {
	s := strconv.Itoa(int(v.Major)) + "." + strconv.Itoa(int(v.Minor))
	if v.Patch == LastPatch {
		return s
	}
	return s + "." + strconv.Itoa(int(v.Patch))
}

// Build is one known server: a product and a version; or a server of another make (Profile), whose product and version then tell which
// Redis it is nearest to. Builds compare with ==.
type Build struct {
	Product Product
	Version Version
	Profile Profile
}

// String is "Redis 7.0", "Valkey 9.1.2" or the profile's name.
func (b Build) String() string {
	if b.Profile != NoProfile {
		return b.Profile.String()
	}
	return b.Product.String() + " " + b.Version.String()
}

// Profile is a server with rules of its own beside those of Redis (see docs/targets.md).
type Profile uint8

const (
	NoProfile Profile = iota
	Dragonfly
	AliyunCluster
	ElastiCacheServerless
	Kvrocks
	Upstash
)

// profileNames holds, by Profile, the word in a target and the name in messages.
var profileNames = [...]struct{ word, name string }{
	Dragonfly:             {"dragonfly", "Dragonfly"},
	AliyunCluster:         {"aliyun-cluster", "Aliyun cluster"},
	ElastiCacheServerless: {"elasticache-serverless", "ElastiCache Serverless"},
	Kvrocks:               {"kvrocks", "Kvrocks"},
	Upstash:               {"upstash", "Upstash"},
}

func (p Profile) String() string {
	if int(p) < len(profileNames) {
		return profileNames[p].name
	}
	return ""
}

// Target is the set of servers a script must work on. Wrong on any of them is wrong.
type Target struct {
	// Builds are the servers, oldest first, Redis before Valkey before the profile: every known minor version of each range, the last patch
	// of a minor unless the user named a patch, and exactly the named patch where one was named. Never empty after ParseTarget.
	Builds  []Build
	Profile Profile
	// Cluster is whether the script must work on a cluster.
	Cluster bool

	index *index // nil in targets that ParseTarget did not make
}

// minors are the known minor versions, oldest first. The tables hold dumps of Redis 6.2, 7.0, 7.2, 7.4, 8.0, 8.6 and Valkey 7.2, 8.0, 8.1,
// 9.1; the others derive from the next newer dump, less what its documentation says is newer (see dumpOf).
var minors = [...][]Version{
	Redis: {{2, 6, LastPatch}, {2, 8, LastPatch}, {3, 0, LastPatch}, {3, 2, LastPatch}, {4, 0, LastPatch}, {5, 0, LastPatch}, {6, 0, LastPatch},
		{6, 2, LastPatch}, {7, 0, LastPatch}, {7, 2, LastPatch}, {7, 4, LastPatch}, {8, 0, LastPatch}, {8, 2, LastPatch}, {8, 4, LastPatch}, {8, 6, LastPatch}},
	Valkey: {{7, 2, LastPatch}, {8, 0, LastPatch}, {8, 1, LastPatch}, {9, 0, LastPatch}, {9, 1, LastPatch}},
}

// FirstValkey is the first version of Valkey: what its tables date older came with Redis.
var FirstValkey = Version{Major: 7, Minor: 2}

// Known lists every known server: the minor versions of Redis and Valkey, oldest first, then the profiles.
func Known() []Build {
	var out []Build
	for p, list := range minors {
		for _, v := range list {
			out = append(out, Build{Product: Product(p), Version: v})
		}
	}
	for p := Dragonfly; p <= Upstash; p++ {
		out = append(out, profileBuild(p))
	}
	return out
}

// profileBuild is the build that stands for a profile. Its commands and globals are those of the newest known Redis, changed by what is
// known of the server; the newest, so that nothing is called missing only because an old Redis lacks it.
func profileBuild(p Profile) Build {
	list := minors[Redis]
	return Build{Product: Redis, Version: list[len(list)-1], Profile: p}
}

// Oldest is the oldest build of a product in the target; ok is false where it has none. Profiles are not counted.
func (t Target) Oldest(p Product) (b Build, ok bool) {
	for _, x := range t.Builds {
		if x.Product == p && x.Profile == NoProfile && (!ok || x.Version.Less(b.Version)) {
			b, ok = x, true
		}
	}
	return b, ok
}

// Has is whether the target has a plain build of the product.
func (t Target) Has(p Product) bool {
	_, ok := t.Oldest(p)
	return ok
}

// filter lists the builds of the target for which f holds; nil for none.
func (t Target) filter(f func(Build) bool) []Build {
	var out []Build
	for _, b := range t.Builds {
		if f(b) {
			out = append(out, b)
		}
	}
	return out
}
