package server

// Product is a server family; each has a version axis of its own (fact 180).
type Product uint8

const (
	Redis Product = iota
	Valkey
)

// Version is major, minor, patch.
type Version struct{ Major, Minor, Patch uint8 }

// Build is one known server: a product, a version, and how it was observed.
type Build struct {
	Product Product
	Version Version
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

// Target is the set of servers a script must work on. Wrong on any of them is wrong.
type Target struct {
	// Builds are the servers, by product and version: every known minor version of each range, last patch of a minor unless the user named
	// a patch, and exactly the named patch where one was named.
	Builds  []Build
	Profile Profile
	// Cluster is whether the script must work on a cluster.
	Cluster bool
}
