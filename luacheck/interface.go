package luacheck

import (
	"slices"

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
	for _, c := range f.Calls {
		in.Writes = in.Writes || c.Writes
		if c.Name != "" && !slices.Contains(in.Commands, c.Name) {
			in.Commands = append(in.Commands, c.Name)
		}
	}
	slices.Sort(in.Commands)
	in.KeysRequired, in.ArgsRequired = required(f, value.FromKeys), required(f, value.FromArgv)
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

// required is the highest index whose absence surely makes something fail: it is used without a guard where nil is refused.
func required(f *value.Facts, list value.OriginKind) int {
	n := 0
	for _, x := range f.Failures {
		if x.Value == nil || x.Value.Kinds&value.Nil == 0 || x.Value.From == nil || x.Value.From.Kind != list || x.Protected {
			continue
		}
		if x.Class == value.FailReply || x.Class == value.FailRaise {
			continue
		}
		n = max(n, x.Value.From.Index)
	}
	return n
}
