package value

import (
	"cmp"
	"slices"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
)

// finish puts the facts in source order and sums up the uses of KEYS and ARGV.
func (ip *interp) finish() *Facts {
	f := ip.facts
	ip.rec.unsure()
	sortBy(f.Calls, func(c *Call) syntax.Pos { return c.Node.Start })
	sortBy(f.Libs, func(l *LibCall) syntax.Pos { return l.Node.Start })
	sortBy(f.Failures, func(x *Failure) syntax.Pos { return x.At.Start })
	sortBy(f.Globals, func(g *Global) syntax.Pos { return g.Node.Start })
	sortBy(f.KeyUses, func(u Use) syntax.Pos { return u.At.Start })
	sortBy(f.ArgUses, func(u Use) syntax.Pos { return u.At.Start })
	f.KeysUsed, f.KeysAll = sumUp(f.KeyUses)
	f.ArgsUsed, f.ArgsAll = sumUp(f.ArgUses)
	ip.markKeys()
	ip.settleFailures()
	return f
}

// sortBy sorts by position and keeps the order of what stands at one place. Most of a script is met in order.
func sortBy[T any](list []T, at func(T) syntax.Pos) {
	for i, last := 1, syntax.Pos(0); i < len(list); i++ {
		if i == 1 {
			last = at(list[0])
		}
		next := at(list[i])
		if next < last {
			slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(at(a), at(b)) })
			return
		}
		last = next
	}
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
	if len(ip.facts.KeyUses) == 0 {
		return
	}
	var asKey, asValue numbers
	for _, c := range ip.facts.Calls {
		for i, a := range c.Args {
			o := a.Value.From
			if o == nil || i == 0 {
				continue
			}
			whole := o.Kind == FromKeys
			key := c.Command == nil || !c.KeysSure || slices.ContainsFunc(c.Keys, func(k server.KeyArg) bool { return k.Arg == i })
			o.Leaves(func(l *Origin) {
				switch {
				case l.Kind != FromKeys:
				case key:
					asKey.add(l.Index) // also where it is only a part of the name
				case whole:
					asValue.add(l.Index)
				}
			})
		}
	}
	for i := range ip.facts.KeyUses {
		u := &ip.facts.KeyUses[i]
		u.AsKey, u.AsValue = asKey.has(u.Index), asValue.has(u.Index)
	}
}

// numbers is a set of numbers, mostly small ones; -1 is among them, for what is no element.
type numbers struct {
	small uint64
	large map[int]bool
}

func (n *numbers) add(i int) {
	switch {
	case 0 <= i && i < 64:
		n.small |= 1 << i
	case n.large == nil:
		n.large = map[int]bool{i: true}
	default:
		n.large[i] = true
	}
}

func (n *numbers) has(i int) bool {
	if 0 <= i && i < 64 {
		return n.small&(1<<i) != 0
	}
	return n.large[i]
}
