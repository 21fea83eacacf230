package server

// DataType is the type of a key's value as TYPE tells it.
type DataType uint8

const (
	AnyType DataType = iota
	StringType
	ListType
	HashType
	SetType
	ZSetType
	StreamType
	VectorSetType
)

func (d DataType) String() string {
	return [...]string{"any type", "string", "list", "hash", "set", "sorted set", "stream", "vector set"}[d]
}

// KeyType is the type that the command wants its keys to have: any other gives WRONGTYPE. AnyType where it takes keys of any type or of
// more than one (ZUNION takes sets and sorted sets). A key that KeysOf gives with AccessOverwrite may hold any type before.
func (c *Command) KeyType() DataType {
	switch c.Name {
	case "zunion", "zinter", "zdiff", "zunionstore", "zinterstore", "zdiffstore", "zintercard", "setnx", "msetnx", "msetex":
		return AnyType
	}
	switch c.Group {
	case "string", "bitmap", "hyperloglog":
		return StringType
	case "list":
		return ListType
	case "hash":
		return HashType
	case "set":
		return SetType
	case "sorted-set", "sorted_set", "geo":
		return ZSetType
	case "stream":
		return StreamType
	case "vector_set", "module":
		if len(c.Keys) > 0 {
			return VectorSetType
		}
	}
	return AnyType
}

// Overwrites is whether the call gives a key a new value whatever type it held before: SET, the STORE commands, RENAME. Those that leave
// an existing key alone (SETNX, SET with NX, COPY without REPLACE) count too: they never fail on its type.
func (c *Command) Overwrites(args []Arg) bool {
	keys, _ := c.KeysOf(args)
	for _, k := range keys {
		if k.Access&AccessOverwrite != 0 {
			return true
		}
	}
	return false
}

// Deletes is whether the command can take whole keys away, so that a key may have another type behind it.
func (c *Command) Deletes() bool {
	switch c.Name {
	case "del", "unlink", "getdel", "delex", "delifeq", "rename", "renamenx", "move", "migrate", "flushall", "flushdb", "swapdb", "select":
		return true
	}
	return false
}
