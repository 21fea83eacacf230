package server

import "strings"

// Role is what an argument of a call is for.
type Role uint8

const (
	RoleUnknown     Role = iota
	RoleName             // the command's name
	RoleSub              // the subcommand's name
	RoleKey              // a key
	RoleToken            // an option word
	RoleInteger          // an integer of no special meaning
	RoleFloat            // a number
	RoleSeconds          // a time to live in seconds
	RoleMillis           // a time to live in milliseconds
	RoleUnixSeconds      // a point in time in seconds
	RoleUnixMillis       // a point in time in milliseconds
	RoleCount            // how many elements
	RoleCursor           // SCAN's cursor
	RolePattern          // a glob pattern
	RoleField            // a hash field, or a field of a stream entry
	RoleMember           // a member of a set, sorted set or geo set
	RoleValue            // a value that is stored
	RoleScore            // a sorted set's score
	RoleNumKeys          // how many keys follow
)

var roleNames = [...]string{"unknown", "name", "subcommand", "key", "token", "integer", "float", "seconds", "milliseconds", "unix seconds",
	"unix milliseconds", "count", "cursor", "pattern", "field", "member", "value", "score", "numkeys"}

func (r Role) String() string { return roleNames[r] }

// Roles tells what each argument of a call is for, args[0] being the name. It follows the documented grammar; where the call can be
// read in more than one way (an unknown argument that may be an option) the roles that differ are RoleUnknown.
func (c *Command) Roles(args []Arg) []Role {
	roles := make([]Role, len(args))
	for i := range roles {
		if i == 0 {
			roles[i] = RoleName
		} else if i < c.nameArgs() {
			roles[i] = RoleSub
		}
	}
	m := c.readCall(args, newest)
	for i := range m.hits {
		for j, h := range m.hits[i] {
			role := c.roleOf(h, args)
			if j > 0 && role != roles[i] {
				roles[i] = RoleUnknown
				break
			}
			roles[i] = role
		}
	}
	keys, exact := c.KeysOf(args)
	for _, k := range keys {
		if !k.Many && !k.NotKey && exact && k.Index < len(args) {
			roles[k.Index] = RoleKey
		}
	}
	return roles
}

// Roles is what Form.Roles tells.
func (t Target) Roles(cmd *Command, args []Arg) []Role { return t.Form(cmd, args).Roles() }

// newest is a version that nothing is newer than.
var newest = Version{255, 255, 255}

func (c *Command) roleOf(h hit, args []Arg) Role {
	if h.token {
		return RoleToken
	}
	switch h.spec.Kind {
	case ArgKey:
		return RoleKey
	case ArgPattern:
		return RolePattern
	}
	if role := c.timeRole(h.spec, args); role != RoleUnknown {
		return role
	}
	switch h.spec.Name {
	case "numkeys":
		return RoleNumKeys
	case "count", "numfields":
		return RoleCount
	case "cursor":
		return RoleCursor
	case "score":
		return RoleScore
	case "field":
		return RoleField
	case "member", "member1", "member2":
		return RoleMember
	case "value", "element":
		if c.Name != "setbit" && !strings.HasPrefix(c.Name, "bitfield") && c.Group != "connection" && c.Group != "module" {
			return c.valueRole()
		}
	case "start", "stop":
		if c.Name == "zrange" && scanOptions(args, 4, "LIMIT:2").has("BYSCORE", "BYLEX") == no {
			return RoleInteger
		}
	}
	switch numberKind(c.Name, h.spec) {
	case ArgInteger:
		return RoleInteger
	case ArgDouble:
		return RoleFloat
	}
	return RoleUnknown
}

// valueRole: elements of HyperLogLogs are only counted, and values that are compared are not stored.
func (c *Command) valueRole() Role {
	switch c.Name {
	case "pfadd", "delifeq", "lrem", "lpos":
		return RoleUnknown
	}
	return RoleValue
}

// timeRole is the role of an argument that is a time to live or a point in time.
func (c *Command) timeRole(a *ArgSpec, args []Arg) Role {
	switch {
	case strings.HasPrefix(a.Name, "unix-time-milliseconds"), a.Kind == ArgUnixTime && strings.Contains(a.Name, "milli"):
		return RoleUnixMillis
	case strings.HasPrefix(a.Name, "unix-time-seconds"), a.Kind == ArgUnixTime:
		return RoleUnixSeconds
	case a.Name == "seconds":
		return RoleSeconds
	case a.Name == "milliseconds" && c.Name != "xread" && c.Name != "xreadgroup":
		return RoleMillis
	case a.Name == "ttl" && strings.HasPrefix(c.Name, "restore"):
		switch scanOptions(args, 4, "IDLETIME:1 FREQ:1").has("ABSTTL") {
		case yes:
			return RoleUnixMillis
		case no:
			return RoleMillis
		}
	}
	return RoleUnknown
}

// takesTime is whether some argument of a grammar may be a time by timeRole.
func takesTime(list []ArgSpec) bool {
	for i := range list {
		a := &list[i]
		if a.Kind == ArgUnixTime || strings.HasPrefix(a.Name, "unix-time-") || a.Name == "seconds" || a.Name == "milliseconds" || a.Name == "ttl" || takesTime(a.Args) {
			return true
		}
	}
	return false
}
