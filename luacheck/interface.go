package luacheck

import (
	"slices"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// interfaceOf sums up what a caller must know.
func interfaceOf(p *Program) Interface {
	f := p.Facts
	in := Interface{Keys: f.KeysUsed, Args: f.ArgsUsed, KeysMax: f.KeysUsed, ArgsMax: f.ArgsUsed}
	if f.KeysAll {
		in.Keys = -1
	}
	if f.ArgsAll {
		in.Args = -1
	}
	var room [16]string
	commands := room[:0]
	for _, c := range f.Calls {
		in.Writes = in.Writes || c.Writes
		if c.Name != "" && !slices.Contains(commands, c.Name) {
			commands = append(commands, c.Name)
		}
	}
	slices.Sort(commands)
	in.Commands = append(in.Commands, commands...)
	if f.Library != nil {
		in.IsLibrary = true
		for _, r := range f.Library.Functions {
			in.Functions = append(in.Functions, r.Name)
			if r.FlagsOK && slices.Contains(r.Flags, "no-writes") {
				in.NoWrites = append(in.NoWrites, r.Name)
			}
		}
	}
	return in
}

// mostRequired bounds the lists that Require looks at.
const mostRequired = 32

// Require fills in what a caller of p, a script that was analysed with these options and no sites, must pass at least. It is analysed as a
// call alone runs it that passes one element less than the script uses, then two less, until nothing surely fails for want of one. Nothing
// is required of a script that its arguments lead different ways: what one way needs, another does not.
func (in *Interface) Require(p *Program, opt Options) {
	if in.Keys < 0 || in.Args < 0 || ArgumentsDecide(p.Facts) {
		return
	}
	if opt.Scratch == nil {
		opt.Scratch = &Scratch{}
	}
	in.KeysRequired = required(p.Source, opt, value.FromKeys, in.KeysMax)
	in.ArgsRequired = required(p.Source, opt, value.FromArgv, in.ArgsMax)
}

func required(src syntax.Source, opt Options, list value.OriginKind, used int) int {
	opt.SitesComplete = true
	for n := min(used, mostRequired) - 1; n >= 0; n-- {
		few := List{Items: make([]Element, n), Exact: true, Min: n, Max: n}
		site := Site{Mode: ModeEval, Keys: few, Args: List{Max: -1}}
		if list == value.FromArgv {
			site.Keys, site.Args = List{Max: -1}, few
		}
		p := Analyze(src, []Site{site}, opt)
		if !p.Complete || p.Interface.IsLibrary && opt.Function == "" {
			return 0
		}
		for _, x := range p.Facts.Failures {
			if x.MissesElement(list, n) {
				return x.Value.From.Index
			}
		}
	}
	return 0
}

var comparisons = [...]syntax.Op{syntax.OpEq, syntax.OpNotEq, syntax.OpLess, syntax.OpLessEq, syntax.OpGreater, syntax.OpGreaterEq}

// ArgumentsDecide reports whether some test looks at an element of KEYS or ARGV that is not known, so that nobody knows which way a call
// goes. A comparison with a reply is none: it looks for a token.
func ArgumentsDecide(f *value.Facts) bool {
	passed := func(v *value.Value) (found, reply bool) {
		if v == nil || v.Const || v.Only(value.Nil) {
			return false, false
		}
		v.From.Leaves(func(o *value.Origin) {
			found = found || o.Kind == value.FromKeys || o.Kind == value.FromArgv || o.Kind == value.FromKeysList || o.Kind == value.FromArgvList
			reply = reply || o.Kind == value.FromReply
		})
		return found, reply
	}
	for _, op := range f.Ops {
		if !slices.Contains(comparisons[:], op.Op) {
			continue
		}
		x, xReply := passed(op.X)
		y, yReply := passed(op.Y)
		if x && !yReply || y && !xReply {
			return true
		}
	}
	return slices.ContainsFunc(f.Conds, func(c *value.Cond) bool {
		found, _ := passed(c.Value)
		return found
	})
}
