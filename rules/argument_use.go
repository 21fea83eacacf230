package rules

import (
	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// argument is one argument of a call in Go, and the script that gets it.
type argument struct {
	p     *Pass
	site  *luacheck.Site
	kind  *luacheck.ArgKind
	index int // in ARGV; 0 for a key, and where it is not known
	// behind: it stands somewhere behind the known ones. single: it may be the only one.
	behind, single bool
}

// element reports whether an element of ARGV is the argument, or may be.
func (a *argument) element(o *value.Origin) bool {
	if o.Kind != value.FromArgv {
		return false
	}
	if a.behind {
		return o.Index == 0 || o.Index > len(a.site.Args.Items)
	}
	return o.Index == a.index
}

// name is the element as the script has it.
func (a *argument) name() string {
	if a.behind {
		return "an element of ARGV"
	}
	return argvName(a.index)
}

// read reports whether the script is known, and which element of ARGV the argument is.
func (a *argument) read() bool {
	return (a.index > 0 || a.behind && a.alike()) && a.p.Known && a.p.Facts.Library == nil && !shifted(a.site)
}

// alike reports whether all arguments of which no place is known have one type, so that any of them may be where the script uses one.
func (a *argument) alike() bool {
	for n := range a.site.Args.Behind {
		if a.site.Args.Behind[n].Kind.Type != a.kind.Type {
			return false
		}
	}
	return true
}

// is reports whether a value is that element of ARGV, as text or as number.
func (a *argument) is(v *value.Value) bool {
	return v != nil && v.From != nil && a.element(v.From)
}

// in reports whether a value is made of that element, among others.
func (a *argument) in(v *value.Value) bool {
	found := false
	if v != nil {
		v.From.Leaves(func(o *value.Origin) { found = found || a.element(o) })
	}
	return found
}

// uses visits the arguments of commands that are made of the element, with what they are for.
func (a *argument) uses(visit func(c *value.Call, arg *value.Arg, role server.Role)) {
	for _, c := range a.p.Facts.Calls {
		if c.Command == nil {
			continue
		}
		for i := range c.Args {
			if c.Args[i].Many || !a.in(c.Args[i].Value) {
				continue
			}
			visit(c, &c.Args[i], c.Form.Roles()[i])
		}
	}
}

var timeUnits = map[server.Role]string{server.RoleSeconds: "seconds", server.RoleMillis: "milliseconds", server.RoleUnixSeconds: "seconds",
	server.RoleUnixMillis: "milliseconds"}

// usedInOtherUnit says in which unit the script takes an argument of nanoseconds. A script that divides it converts it. What go-redis sends as
// a time to live is ttl-unit's to tell.
func usedInOtherUnit(a *argument) string {
	if !a.read() || a.divided() {
		return ""
	}
	how := ""
	a.uses(func(c *value.Call, _ *value.Arg, role server.Role) {
		if unit := timeUnits[role]; unit != "" && how == "" {
			how = "passes " + a.name() + " to " + c.Label() + " as " + unit
		}
	})
	if how != "" {
		if a.site.Library == "go-redis" && !a.behind {
			return ""
		}
		return how
	}
	for _, o := range a.p.Facts.Ops {
		if o.Y == nil || !arithmetic(o.Op) && !ordering(o.Op) {
			continue
		}
		if how := a.mixed(o.X, o.Y); how != "" {
			return how
		}
		if how := a.mixed(o.Y, o.X); how != "" {
			return how
		}
	}
	return ""
}

// mixed says what the nanoseconds x are computed with: the server's clock, or an argument in another unit.
func (a *argument) mixed(x, y *value.Value) string {
	if !a.in(x) || a.in(y) {
		return ""
	}
	how := ""
	y.From.Leaves(func(o *value.Origin) {
		switch {
		case o.Kind == value.FromTime:
			how = "computes with the server's clock, which counts seconds and microseconds"
		case o.Kind == value.FromArgv && o.Index > 0 && o.Index <= len(a.site.Args.Items):
			if unit := unitWord(a.site.Args.Items[o.Index-1].Kind.Unit); unit != "" {
				how = "computes with " + argvName(o.Index) + ", which counts " + unit
			}
		}
	})
	return how
}

func unitWord(u luacheck.Unit) string {
	switch u {
	case luacheck.UnitMicros, luacheck.UnitUnixMicros:
		return "microseconds"
	case luacheck.UnitMillis, luacheck.UnitUnixMillis:
		return "milliseconds"
	case luacheck.UnitSeconds, luacheck.UnitUnixSeconds:
		return "seconds"
	}
	return ""
}

// divided reports whether the script divides the argument, or multiplies it by less than one.
func (a *argument) divided() bool {
	for _, o := range a.p.Facts.Ops {
		if o.Op == syntax.OpDiv && a.in(o.X) {
			return true
		}
		if o.Op == syntax.OpMul && (a.in(o.X) && below1(o.Y) || a.in(o.Y) && below1(o.X)) {
			return true
		}
	}
	return false
}

func below1(v *value.Value) bool { return v.Const && v.Only(value.Number) && v.Num < 1 }

// takenForNumber says where the script takes an argument that is no number for one.
func takenForNumber(a *argument) string {
	if !a.read() {
		return ""
	}
	how := ""
	a.uses(func(c *value.Call, arg *value.Arg, role server.Role) {
		switch role {
		case server.RoleInteger, server.RoleFloat, server.RoleScore, server.RoleCount, server.RoleSeconds, server.RoleMillis, server.RoleUnixSeconds,
			server.RoleUnixMillis:
			if how == "" && a.is(arg.Value) {
				how = "passes " + a.name() + " to " + c.Label() + " as a number"
			}
		}
	})
	for _, l := range a.p.Facts.Libs {
		if how == "" && l.Name == "tonumber" && len(l.Args) > 0 && a.is(l.Args[0].Value) {
			how = "takes " + a.name() + " for a number"
		}
	}
	for _, o := range a.p.Facts.Ops {
		if how == "" && arithmetic(o.Op) && (a.is(o.X) || o.Y != nil && a.is(o.Y)) {
			how = "computes with " + a.name()
		}
	}
	return how
}

// usedAsInteger says where a number that may have a fraction goes to a command that takes integers. Where the script's own line is reported
// for that (see bad-argument), nothing is said twice.
func usedAsInteger(a *argument) string {
	if !a.read() {
		return ""
	}
	how := ""
	a.uses(func(c *value.Call, arg *value.Arg, role server.Role) {
		switch role {
		case server.RoleInteger, server.RoleSeconds, server.RoleMillis, server.RoleUnixSeconds, server.RoleUnixMillis, server.RoleCount:
			if how == "" && a.is(arg.Value) && arg.Value.Frac != value.Fractional && arg.Value.Frac != value.Whole {
				how = "passes " + a.name() + " to " + c.Label() + ", which takes an integer"
			}
		}
	})
	return how
}

// comparedWithWord says where the script compares an argument with "true" or "false".
func comparedWithWord(a *argument) string {
	if !a.read() {
		return ""
	}
	for _, o := range a.p.Facts.Ops {
		if o.Op != syntax.OpEq && o.Op != syntax.OpNotEq {
			continue
		}
		for _, side := range [][2]*value.Value{{o.X, o.Y}, {o.Y, o.X}} {
			if a.is(side[0]) && (side[1].IsText("true") || side[1].IsText("false")) {
				return "compares " + a.name() + " with '" + side[1].Text + "'"
			}
		}
	}
	return ""
}

func arithmetic(op syntax.Op) bool {
	switch op {
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv, syntax.OpMod, syntax.OpPow:
		return true
	}
	return false
}

func ordering(op syntax.Op) bool {
	switch op {
	case syntax.OpLess, syntax.OpLessEq, syntax.OpGreater, syntax.OpGreaterEq:
		return true
	}
	return false
}
