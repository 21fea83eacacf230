package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// keySource says where the name of a key comes from.
type keySource uint8

const (
	keyUnknown  keySource = iota
	keyDeclared           // an element of KEYS
	keyLiteral            // written in the script
	keyDynamic            // made or found while the script runs
)

// sourceOf tells where a key's name comes from; with several possibilities the worst counts.
func sourceOf(o *value.Origin) keySource {
	if o == nil {
		return keyUnknown
	}
	switch o.Kind {
	case value.FromKeys:
		return keyDeclared
	case value.FromLiteral:
		return keyLiteral
	case value.FromConcat:
		return sourceOfConcat(o)
	case value.FromOneOf:
		worst := keyUnknown
		for _, part := range o.Parts {
			if part != nil && part.Kind == value.FromLiteral && part.Text == "" {
				continue // an empty name beside others is how scripts say "no key"
			}
			worst = max(worst, sourceOf(part))
		}
		return worst
	case value.FromComputed:
		found := keyUnknown
		o.Leaves(func(l *value.Origin) {
			if l.Kind != value.FromUnknown && l.Kind != value.FromParam {
				found = keyDynamic
			}
		})
		return found
	case value.FromHole:
		if o.Text == "" {
			return keyUnknown // code that Go puts in, which may be KEYS[1] as well
		}
		return keyDynamic
	case value.FromArgv, value.FromReply, value.FromDecoded, value.FromTime, value.FromRandom, value.FromNumber,
		value.FromKeysList, value.FromArgvList:
		return keyDynamic
	}
	return keyUnknown
}

// sourceOfConcat: joined texts are a new name, unless all but one of them are empty.
func sourceOfConcat(o *value.Origin) keySource {
	var kept []*value.Origin
	for _, part := range o.Parts {
		if part == nil || part.Kind != value.FromLiteral || part.Text != "" {
			kept = append(kept, part)
		}
	}
	if len(kept) == 1 {
		return sourceOf(kept[0])
	}
	for _, part := range kept {
		if part == nil || part.Kind != value.FromLiteral {
			return keyDynamic
		}
	}
	return keyLiteral
}

// originWords names what a key is made from: "ARGV[2] and the reply of RPOPLPUSH".
func originWords(o *value.Origin) string {
	var words []string
	o.Leaves(func(l *value.Origin) {
		w := l.String()
		switch l.Kind {
		case value.FromLiteral:
			return
		case value.FromUnknown, value.FromParam:
			w = "a value that is not known"
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	})
	return joinWords(words, "and")
}

// keyArgs calls check for each argument of a call that is a key.
func keyArgs(c *value.Call, check func(a *value.Arg, index int)) {
	if c.Ctx == server.AtLoad {
		return // there is no redis.call yet, which function-library says
	}
	for _, k := range c.Keys {
		if k.NotKey || k.Arg >= len(c.Args) {
			continue
		}
		a := &c.Args[k.Arg]
		if a.Many && mixes(a.Value.From) {
			continue // every second of them is a key, and which one comes from KEYS is not known
		}
		check(a, k.Arg)
	}
}

func mixes(o *value.Origin) bool {
	return o != nil && o.Kind == value.FromOneOf && slices.ContainsFunc(o.Parts, func(p *value.Origin) bool { return sourceOf(p) == keyDeclared })
}

// codeText is source text for a message, in single quotes; other says what it is where the text is long.
func codeText(p *luacheck.Program, at syntax.Span, other string) string {
	if at.Start < 0 || int(at.End) > len(p.Source.Text) || at.Start >= at.End {
		return other
	}
	text := p.Source.Text[at.Start:at.End]
	if len(text) > 48 || strings.ContainsAny(text, "\n\r") {
		return other
	}
	return "'" + text + "'"
}

// headerFlags are the flags of a #! line of a script; ok is false where there is none.
func headerFlags(c *syntax.Chunk) (flags []string, ok bool) {
	if c.Header == nil {
		return nil, false
	}
	for _, o := range c.Header.Options {
		if o.Name == "flags" {
			flags = append(flags, strings.Split(o.Value, ",")...)
		}
	}
	return flags, true
}

func hasFlag(p *luacheck.Program, flag string) bool {
	flags, _ := headerFlags(p.Chunk)
	return slices.Contains(flags, flag)
}

// onCluster is whether the script has to work on a cluster: the target says so, and the script does not refuse to run there.
func onCluster(p *luacheck.Program) bool { return p.Target.Cluster && !hasFlag(p, "no-cluster") }

// refusesUndeclared is why a server of the target refuses keys that are not declared, "" where none does.
func refusesUndeclared(p *luacheck.Program) string {
	switch {
	case p.Target.Profile == server.Dragonfly:
		return "Dragonfly refuses keys that are not declared; pass the name in KEYS, or write --!df flags=allow-undeclared-keys above the script"
	case p.Target.Profile == server.Upstash && hasFlag(p, "allow-key-locking"):
		return "Upstash refuses keys that are not declared in a script with allow-key-locking; pass the name in KEYS"
	}
	return ""
}

// literalElement reports whether a redis.call's argument is written as an element of KEYS.
func literalElement(facts *value.Facts, c *value.Call, index int) (at syntax.Span, ok bool) {
	if index >= len(c.Node.Args) {
		return syntax.Span{}, true // behind an unpack or `...`
	}
	e := c.Node.Args[index]
	switch e.(type) {
	case *syntax.Vararg, *syntax.Call:
		return syntax.Span{}, true
	}
	if x, isIndex := e.(*syntax.Index); isIndex {
		if n, isName := x.X.(*syntax.Name); isName && n.Text == "KEYS" && facts.Scope.Ref(n) == nil {
			return syntax.Span{}, true
		}
	}
	return e.Bounds(), false
}
