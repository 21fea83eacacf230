package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var crossSlot = &Rule{
	Name:     "cross-slot",
	Title:    "keys that a cluster puts into different slots",
	Severity: ErrorSeverity,
	Group:    "Keys and cluster",
	Claim:    Cluster,
	Since:    "0.1",
	Doc: `On a cluster all keys of one call must lie in one slot: EVAL with keys of two slots is refused with CROSSSLOT, also where one node owns
both, and ` + "`allow-cross-slot-keys`" + ` does not waive that. Inside a script one command over two slots is refused always, and with a ` + "`#!lua`" + `
line so is a second slot in a later command. On Valkey 9.1 one such command makes every later redis.call on that node fail until it is restarted.

The slot comes from what stands between the first ` + "`{` and the first `}`" + ` behind it; from the whole key where that is empty or missing. Put the part
that the keys share in braces: ` + "`cart:{42}:items`, `cart:{42}:total`" + `. The rule is silent with ` + "`-cluster=false`" + `.`,
	Bad:     crossSlotBad,
	Good:    crossSlotGood,
	Program: checkLiteralSlots,
	Call:    checkCommandSlots,
	Site:    checkSiteSlots,
}

// twoKeys are two keys and what is known of their slots.
type twoKeys struct {
	a, b luacheck.Template
	rel  slotRelation
}

// words say that the keys are in different slots, with the slots where they are known.
func (k *twoKeys) words() string {
	x, y := slotPartOf(k.a), slotPartOf(k.b)
	return placed(k.a, x) + " and " + placed(k.b, y)
}

// placed is a key with its slot, or with its tag where only that is known.
func placed(t luacheck.Template, s slotPart) string {
	name := "'" + templateWords(joined(t.Parts)) + "'"
	if text, ok := (luacheck.Template{Parts: s.parts}).Constant(); ok {
		return fmt.Sprintf("%s (slot %d)", name, slotOfText(text))
	}
	if s.tagged {
		return name + " (hash tag '" + templateWords(s.parts) + "')"
	}
	return name
}

// hint says what is wrong with the braces, "" where nothing is.
func (k *twoKeys) hint() string {
	for _, s := range []slotPart{slotPartOf(k.a), slotPartOf(k.b)} {
		if s.empty {
			return "; '{}' is no hash tag, so the whole key counts"
		}
		if s.tagged && strings.Contains(templateWords(s.parts), "{") {
			return "; the tag ends at the first }, so braces around a key that has a tag make another one"
		}
	}
	return ""
}

func checkSiteSlots(p *Pass, i int, s *luacheck.Site) {
	if !onCluster(p.Program) || !s.Mode.Runs() || shifted(s) {
		return
	}
	worst, at := worstKeys(s.Keys.Templates())
	if worst.rel == slotsDiffer || worst.rel == slotsApart && !callersAgree(s) {
		reportSiteSlots(p, i, s, &worst, at, 0)
		return
	}
	for n := range s.Callers {
		if worst, at := worstKeys(s.Callers[n].Keys); worst.rel > slotsSame {
			reportSiteSlots(p, i, s, &worst, at, n+1)
		}
	}
}

// maxPaired bounds with how many of the first keys each key is compared: nobody writes more into one call by hand, but a program may.
const maxPaired = 64

// worstKeys are the two of the keys that lie in different slots for the surest, and the index of the second one.
func worstKeys(keys []luacheck.Template) (worst twoKeys, at int) {
	for b := range keys {
		for a := range min(b, maxPaired) {
			k := twoKeys{keys[a], keys[b], slotsOf(keys[a], keys[b])}
			if k.rel == slotsDiffer && worst.rel != slotsDiffer || k.rel == slotsApart && worst.rel <= slotsSame {
				worst, at = k, b
			}
		}
	}
	return worst, at
}

// SlotsTold reports whether the texts of the keys of one call tell whether they share a slot, so that its callers have nothing to add.
func SlotsTold(keys []luacheck.Template) bool {
	worst, _ := worstKeys(keys)
	return worst.rel > slotsSame || sameSlots(keys)
}

// SlotsSure is SlotsTold for keys of which the callers cannot even say that they share a tag after all: the same slot, or two that are proved.
func SlotsSure(keys []luacheck.Template) bool {
	worst, _ := worstKeys(keys)
	return worst.rel == slotsDiffer || sameSlots(keys)
}

func sameSlots(keys []luacheck.Template) bool {
	for _, k := range keys {
		if slotsOf(keys[0], k) != slotsSame {
			return false
		}
	}
	return true
}

// callersAgree: the parts of the keys that the callers bring hold what they share, at every caller there is.
func callersAgree(s *luacheck.Site) bool {
	for _, c := range s.Callers {
		if !sameSlots(c.Keys) {
			return false
		}
	}
	return s.CallersKnown && len(s.Callers) > 0
}

func reportSiteSlots(p *Pass, i int, s *luacheck.Site, k *twoKeys, at, caller int) {
	rank, how, when := Warning, " have no common hash tag", " where their slots differ"
	if k.rel == slotsDiffer {
		rank, how, when = ErrorSeverity, " lie in different slots", ""
	}
	f := At(i, PartKey, at, rank, k.words()+how+": a cluster refuses the call with CROSSSLOT"+when+panics(s)+k.hint()+waived(p)+
		"; put what the keys share in braces")
	if f.Caller = caller; caller > 0 {
		f.Related = []Related{{Site: i, Part: PartKeys, Message: "they are keys of one call here"}}
	}
	p.Report(f)
}

func panics(s *luacheck.Site) string {
	if s.Library == "rueidis" {
		return ", rueidis' cluster client panics"
	}
	return ""
}

func waived(p *Pass) string {
	if hasFlag(p.Program, "allow-cross-slot-keys") {
		return ", allow-cross-slot-keys does not waive that for keys that are passed"
	}
	return ""
}

// written is the name of a key as far as the script's text tells; ok is false where it does not tell the slot.
func written(a *value.Arg) (luacheck.Template, bool) {
	if o := a.Value.From; o == nil || o.Kind == value.FromKeys || o.Kind == value.FromArgv {
		return luacheck.Template{}, false
	}
	names := namesAt(a.Value.From, &luacheck.Site{})
	if len(names) != 1 || a.Many || !slotPartOf(names[0]).known {
		return luacheck.Template{}, false
	}
	return names[0], true
}

// checkCommandSlots: one command over two slots.
func checkCommandSlots(p *Pass, c *value.Call) {
	if len(c.Keys) < 2 || !onCluster(p.Program) {
		return
	}
	var first luacheck.Template
	have := false
	for _, k := range c.Keys {
		if k.Arg >= len(c.Args) {
			continue
		}
		name, ok := written(&c.Args[k.Arg])
		if !ok {
			continue
		}
		if !have {
			first, have = name, true
			continue
		}
		pair := twoKeys{first, name, slotsOf(first, name)}
		if pair.rel != slotsDiffer {
			continue
		}
		poison := ""
		if builds := p.Target.PoisonedByCrossSlot(); len(builds) > 0 {
			poison = ", and on " + buildWords(builds) + " every later redis.call on that node fails until it is restarted"
		}
		rank := ErrorSeverity
		if c.Protected {
			rank = Warning // the script goes on
		}
		p.Report(In(c.Args[k.Arg].At, rank, pair.words()+" lie in different slots: a cluster refuses one command over two slots"+poison+pair.hint()+
			"; put what the keys share in braces"))
		return
	}
}

// useOfKey is a key whose slot the text of the script tells.
type useOfKey struct {
	call *value.Call
	at   syntax.Span
	name luacheck.Template
}

// checkLiteralSlots: keys of different slots in different commands of one script or function.
func checkLiteralSlots(p *Pass) {
	if !onCluster(p.Program) {
		return
	}
	first := map[*syntax.Function]useOfKey{}
	for _, c := range p.Facts.Calls {
		for _, k := range c.Keys {
			if k.Arg >= len(c.Args) {
				continue
			}
			name, ok := written(&c.Args[k.Arg])
			if !ok {
				continue
			}
			use := useOfKey{c, c.Args[k.Arg].At, name}
			root := rootOf(p, c)
			if _, have := first[root]; !have {
				first[root] = use
				continue
			}
			if before := first[root]; before.call != c && slotsOf(before.name, name) == slotsDiffer {
				reportLiteralSlots(p, before, use)
				return
			}
		}
	}
}

// rootOf is the registered function that a call of a library belongs to; nil for a script, all of which is one run.
func rootOf(p *Pass, c *value.Call) *syntax.Function {
	if p.Facts.Library == nil {
		return nil
	}
	return c.Func
}

func reportLiteralSlots(p *Pass, a, b useOfKey) {
	pair := twoKeys{a.name, b.name, slotsDiffer}
	_, header := headerFlags(p.Chunk)
	strict := header && !hasFlag(p.Program, "allow-cross-slot-keys")
	f := In(b.at, Warning, pair.words()+" lie in different slots: on a cluster the script works only where one node owns both"+pair.hint()+
		"; put what the keys share in braces")
	if strict {
		f.Message = pair.words() + " lie in different slots: with a #!lua line a cluster refuses the second one" + pair.hint() + "; put what the keys share in braces"
		if always(p, a.call) && !b.call.Protected {
			f.Severity = ErrorSeverity
		}
	}
	f.Related = []Related{{Span: a.at, Site: -1, Message: "the other key"}}
	p.Report(f)
}

// always reports whether a call is made in every run that comes to its end: it stands in a plain statement of the body itself.
func always(p *Pass, c *value.Call) bool {
	body := p.Chunk.Body
	if c.Func != nil {
		if p.Facts.Library == nil {
			return false
		}
		body = c.Func.Body
	}
	for _, stmt := range body.Stmts {
		if !stmt.Bounds().Contains(c.Node.Span) {
			continue
		}
		switch stmt.(type) {
		case *syntax.CallStmt, *syntax.Local, *syntax.Assign, *syntax.Return:
		default:
			return false
		}
		plain := true
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Function:
				plain = plain && !n.Span.Contains(c.Node.Span)
			case *syntax.Binary:
				plain = plain && !(n.Op == syntax.OpAnd || n.Op == syntax.OpOr)
			}
			return true
		})
		return plain
	}
	return false
}
