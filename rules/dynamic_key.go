package rules

import (
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var dynamicKey = &Rule{
	Name:     "dynamic-key",
	Title:    "a key whose name is made or found while the script runs",
	Severity: Warning,
	Group:    "Keys and cluster",
	Claim:    Cluster,
	Since:    "0.1",
	Doc: `Redis wants every key that a script touches to be passed in KEYS. A cluster routes the script by KEYS; a key of another node makes the
call fail in the middle, after earlier writes, and with a ` + "`#!lua`" + ` line any second slot is refused. ACLs, proxies and tools that
change prefixes see only KEYS. A name from ARGV, from a reply, or joined from parts is a key that nobody was told of.

Pass the full name in KEYS. Where the name is known only while the script runs, put one hash tag around the common part of all names
(` + "`queue:{emails}:pending`, `queue:{emails}:task:`" + `): they are in one slot then, and the finding becomes a note where every call in the package
shows it. On Dragonfly undeclared keys are refused unless the script says ` + "`--!df flags=allow-undeclared-keys`" + `.`,
	Bad:  dynamicKeyBad,
	Good: dynamicKeyGood,
	Call: checkDynamicKey,
}

func checkDynamicKey(p *Pass, c *value.Call) {
	keyArgs(c, func(a *value.Arg, index int) {
		if p.Target.Profile == server.AliyunCluster {
			aliyunKey(p, c, a, index)
			return
		}
		if sourceOf(a.Value.From) == keyDynamic {
			f := In(a.At, dynamicRank(p, a), dynamicWords(p, a))
			f.Related = madeAt(a)
			p.Report(f)
		}
	})
}

// aliyunKey: the proxy reads the text of the script and wants each key written as an element of KEYS.
func aliyunKey(p *Pass, c *value.Call, a *value.Arg, index int) {
	if sourceOf(a.Value.From) == keyLiteral {
		return // literal-key says it
	}
	if at, ok := literalElement(p.Facts, c, index); !ok {
		p.Report(In(at, ErrorSeverity, codeText(p.Program, at, "this key")+
			" is not written as an element of KEYS: Aliyun cluster refuses to load the script; write KEYS[n] in the call itself"))
	}
}

// madeAt is where the name was put together, where that is not in the call itself.
func madeAt(a *value.Arg) []Related {
	o := a.Value.From
	if o.At.Len() == 0 || a.At.Contains(o.At) {
		return nil
	}
	return []Related{{Span: o.At, Site: -1, Message: "the name is made here"}}
}

func dynamicRank(p *Pass, a *value.Arg) Severity {
	switch {
	case refusesUndeclared(p.Program) != "":
		return ErrorSeverity
	case !onCluster(p.Program), declaredSlot(p.Program, a.Value.From):
		return Note
	}
	return Warning
}

func dynamicWords(p *Pass, a *value.Arg) string {
	o := a.Value.From
	made := " is made while the script runs"
	if words := originWords(o); words != "" {
		made = " is built from " + words
		if o.Kind != value.FromConcat && o.Kind != value.FromComputed && o.Kind != value.FromOneOf {
			made = " is " + words
		} else if onlyKeys(o) {
			made += " and other text"
		}
	}
	text := codeText(p.Program, a.At, "this key") + made + ", not an element of KEYS: "
	if why := refusesUndeclared(p.Program); why != "" {
		return text + why
	}
	_, header := headerFlags(p.Chunk)
	name, key, other := otherTag(p.Program, o)
	switch {
	case !onCluster(p.Program):
		return text + "a cluster, an ACL or a proxy cannot tell which keys the script touches; pass the name in KEYS"
	case declaredSlot(p.Program, o):
		return text + "its hash tag keeps it in the slot of the declared keys at every call; pass the name in KEYS where it is known before"
	case other:
		return text + "its hash tag '" + templateWords(name.parts) + "' is not '" + templateWords(key.parts) +
			"' of the declared key, so a cluster puts it into another slot; pass the name in KEYS"
	case header && !hasFlag(p.Program, "allow-cross-slot-keys"):
		return text + "with a #!lua line a cluster refuses it where its slot is another one; pass the name in KEYS, or give all keys one hash tag"
	}
	return text + "a cluster fails the call where another node holds it; pass the name in KEYS, or give all keys one hash tag"
}

// onlyKeys: nothing but elements of KEYS and literals.
func onlyKeys(o *value.Origin) bool {
	only, literal := true, false
	o.Leaves(func(l *value.Origin) {
		literal = literal || l.Kind == value.FromLiteral
		only = only && (l.Kind == value.FromLiteral || l.Kind == value.FromKeys)
	})
	return only && literal
}
