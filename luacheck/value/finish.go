package value

import (
	"cmp"
	"slices"
)

// finish puts the facts in source order and sums up the uses of KEYS and ARGV.
func (ip *interp) finish() *Facts {
	f := ip.facts
	ip.rec.unsure()
	slices.SortStableFunc(f.Calls, func(a, b *Call) int { return cmp.Compare(a.Node.Start, b.Node.Start) })
	slices.SortStableFunc(f.Libs, func(a, b *LibCall) int { return cmp.Compare(a.Node.Start, b.Node.Start) })
	slices.SortStableFunc(f.Failures, func(a, b *Failure) int { return cmp.Compare(a.At.Start, b.At.Start) })
	slices.SortStableFunc(f.Globals, func(a, b *Global) int { return cmp.Compare(a.Node.Start, b.Node.Start) })
	slices.SortStableFunc(f.KeyUses, func(a, b Use) int { return cmp.Compare(a.At.Start, b.At.Start) })
	slices.SortStableFunc(f.ArgUses, func(a, b Use) int { return cmp.Compare(a.At.Start, b.At.Start) })
	f.KeysUsed, f.KeysAll = sumUp(f.KeyUses)
	f.ArgsUsed, f.ArgsAll = sumUp(f.ArgUses)
	ip.markKeys()
	ip.settleFailures()
	return f
}

func sumUp(uses []Use) (highest int, all bool) {
	for _, u := range uses {
		highest = max(highest, u.Index)
		all = all || u.Index == 0
	}
	return highest, all
}

// markKeys notes which elements of KEYS reach a key argument of a command and which reach something else.
func (ip *interp) markKeys() {
	asKey, asValue := map[int]bool{}, map[int]bool{}
	for _, c := range ip.facts.Calls {
		keyArgs := map[int]bool{}
		for _, k := range c.Keys {
			keyArgs[k.Arg] = true
		}
		for i, a := range c.Args {
			o := a.Value.From
			if o == nil || i == 0 {
				continue
			}
			whole := o.Kind == FromKeys
			o.Leaves(func(l *Origin) {
				if l.Kind != FromKeys {
					return
				}
				switch {
				case keyArgs[i] || c.Command == nil || !c.KeysSure:
					asKey[l.Index] = true // also where it is only a part of the name
				case whole:
					asValue[l.Index] = true
				}
			})
		}
	}
	for i := range ip.facts.KeyUses {
		u := &ip.facts.KeyUses[i]
		u.AsKey, u.AsValue = asKey[u.Index], asValue[u.Index]
	}
}
