package rules

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/value"
)

var numkeys = &Rule{
	Name:     "numkeys",
	Title:    "a call and its script that disagree on the keys",
	Severity: ErrorSeverity,
	Group:    "Keys and cluster",
	Claim:    ServerError,
	Since:    "0.1",
	Doc: `The count of keys decides which words become KEYS and which ARGV. With a wrong count every element is shifted: a key arrives in
ARGV, or an argument in KEYS, and nothing complains until redis.call is given a nil. A call without keys cannot be routed: a cluster client
sends it to any node.

Pass exactly the keys that the script names, and let the client count them where it can. FCALL is joined with the library of the package that
registers the function; keys that a function does not use are no mistake there.`,
	Bad:     numkeysBad,
	Good:    numkeysGood,
	Site:    checkNumkeys,
	Package: func(p *PackagePass) { calledWithFew(p, value.FromKeys, PartKeys, "key") },
}

func checkNumkeys(p *Pass, i int, s *luacheck.Site) {
	if !s.Mode.Runs() || s.OneOf {
		return
	}
	for _, check := range []func(*Pass, int, *luacheck.Site) bool{countedTwice, announcedKeys, tooFewKeys, tooManyKeys, noKeys} {
		if check(p, i, s) {
			return
		}
	}
}

// shifted reports whether the count of the call is not the number of its keys, so that elements stand where they are not meant.
func shifted(s *luacheck.Site) bool {
	return s.NumKeys.Known && s.Keys.Exact && s.NumKeys.Value != len(s.Keys.Items)
}

// countedTwice: redigo's NewScript takes the count, and the call passes it again as its first word.
func countedTwice(p *Pass, i int, s *luacheck.Site) bool {
	if !s.NumKeys.Given || len(s.Keys.Items) == 0 || s.Keys.Items[0].Kind.Type != luacheck.TypeInt {
		return false
	}
	text, constant := s.Keys.Items[0].Text.Constant()
	if constant && s.NumKeys.Known && text != strconv.Itoa(s.NumKeys.Value) {
		return false
	}
	p.Report(At(i, PartKey, 0, Warning, "the count of keys is given twice: the second one becomes KEYS[1] and shifts all that follows; leave it out here"))
	return true
}

// rightCount is what to do about a count: to pass the keys that the script uses, else to announce those that are passed.
func rightCount(p *Pass, have int) string {
	if used := p.Facts.KeysUsed; used > have && p.Facts.Library == nil {
		return "pass " + countWords(used, "key")
	}
	return "announce " + strconv.Itoa(have)
}

func announcedKeys(p *Pass, i int, s *luacheck.Site) bool {
	if !shifted(s) {
		return false
	}
	n, have := s.NumKeys.Value, len(s.Keys.Items)
	text := fmt.Sprintf("the call announces %s and passes %s", countWords(n, "key"), countWords(have, "key"))
	words := have + len(s.Args.Items)
	switch {
	case n > words && s.Args.Exact:
		p.Report(At(i, PartNumKeys, 0, ErrorSeverity, text+": the server refuses a count that is larger than the number of words; "+rightCount(p, have)))
	case n > have:
		p.Report(At(i, PartNumKeys, 0, Warning, text+": arguments become keys; announce "+strconv.Itoa(have)))
	default:
		p.Report(At(i, PartNumKeys, 0, Warning, text+": keys become arguments; announce "+strconv.Itoa(have)))
	}
	return true
}

func tooFewKeys(p *Pass, i int, s *luacheck.Site) bool {
	if !p.Known {
		passed, known := s.Keys.AtMost()
		need := p.Interface.KeysRequired
		if !known || passed >= need {
			return false
		}
		p.Report(At(i, PartKeys, 0, ErrorSeverity, requiredWords(s, "KEYS", need, passed, "key")))
		return true
	}
	f, passed := missingAt(p, s, value.FromKeys)
	if f == nil {
		return false
	}
	found := At(i, PartKeys, 0, elementRank(p, s, value.FromKeys), missingWords(f, "KEYS", passed, "key"))
	found.Related = missingRelated(f)
	p.Report(found)
	return true
}

// tooManyKeys: the script names its keys one by one, makes none of its own, and the call passes more.
func tooManyKeys(p *Pass, i int, s *luacheck.Site) bool {
	used := p.Facts.KeysUsed
	if !p.Known || !p.Complete || p.Facts.KeysAll || used == 0 || !s.Keys.Exact || len(s.Keys.Items) <= used || p.Facts.Library != nil || makesKeys(p.Facts) {
		return false
	}
	p.Report(At(i, PartKey, used, Warning, fmt.Sprintf("the script uses %s, the call passes %d: KEYS[%d] is not used, and a cluster wants it in the same slot all the same; pass arguments in ARGV",
		countWords(used, "key"), len(s.Keys.Items), used+1)))
	return true
}

// makesKeys: some key is not an element of KEYS, so a key may well be passed for it without being read.
func makesKeys(f *value.Facts) bool {
	return slices.ContainsFunc(f.Calls, func(c *value.Call) bool {
		return c.Name == "" || slices.ContainsFunc(c.Keys, func(k value.KeyArg) bool {
			return k.Arg < len(c.Args) && sourceOf(c.Args[k.Arg].Value.From) != keyDeclared
		})
	})
}

func noKeys(p *Pass, i int, s *luacheck.Site) bool {
	if !s.Keys.Exact || len(s.Keys.Items) > 0 || s.NumKeys.Known && s.NumKeys.Value != 0 {
		return false
	}
	if p.Target.Profile == server.ElastiCacheServerless {
		p.Report(At(i, PartKeys, 0, ErrorSeverity, "the call passes no key: ElastiCache Serverless refuses a script without keys; pass a key that the script uses"))
		return true
	}
	command := touchedBy(p.Facts)
	if command == "" || s.Client.Node || !p.Known {
		return false
	}
	rank, why := Warning, "a cluster client cannot tell which node to send it to"
	if !onCluster(p.Program) {
		rank, why = Note, "a cluster, an ACL or a proxy cannot tell which keys it touches"
	}
	p.Report(At(i, PartKeys, 0, rank, "the call passes no key, and the script runs "+command+" on a key: "+why+"; pass the keys in KEYS"))
	return true
}

// touchedBy is the first command that has a key, "" where none has.
func touchedBy(f *value.Facts) string {
	for _, c := range f.Calls {
		for _, k := range c.Keys {
			if !k.NotKey {
				return c.Label()
			}
		}
	}
	return ""
}
