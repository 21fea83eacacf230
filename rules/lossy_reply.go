package rules

import (
	"slices"
	"strconv"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var lossyReply = &Rule{
	Name:     "lossy-reply",
	Title:    "a returned value that does not arrive as it is",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `A returned number is cut to an integer: 0.8 arrives as 0. An array ends at its first nil. Fields with names vanish, apart from ok, err and
the other special ones. Only the first of several returned values is sent. false, nil and a missing return arrive as null, which most
clients give as an error of their own.

Return ` + "`tostring(x)`" + ` for fractions, false in place of nil within an array, a flat list or JSON for fields, and 1 or 0 for booleans.`,
	Bad:    lossyReplyBad,
	Good:   lossyReplyGood,
	Return: checkLossyReturn,
	Site:   checkNoReply,
}

func checkLossyReturn(p *Pass, r *value.Return) {
	if r.Node == nil || len(r.Values) == 0 {
		return
	}
	a := r.Values[0]
	if a.Node == nil {
		return
	}
	if a.Value.May(value.Number) && a.Value.Frac == value.Fractional {
		reportFraction(p, a.At)
	}
	if shape := r.Objects[0]; shape != nil && !a.Value.Only(value.Error|value.Status) {
		checkShape(p, shape, a.At)
	}
	if len(r.Node.Exprs) > 1 {
		p.Report(In(r.Node.Exprs[1].Bounds(), Warning, "only the first value of a return is sent, so "+snippet(p, r.Node.Exprs[1].Bounds())+
			" is lost; return a table"))
	}
	for i := range p.Sites {
		if s := &p.Sites[i]; s.Mode.Runs() && !s.OneOf {
			checkDecoded(p, a, s)
		}
	}
}

func reportFraction(p *Pass, at syntax.Span) {
	f := In(at, Warning, snippet(p, at)+" may have a fraction, and a returned number is cut to an integer; return tostring("+oneLine(p, at)+")")
	code := p.Source.Text[at.Start:at.End]
	f.Fixes = []Fix{{Title: "return text", Edits: []Edit{{at, "tostring(" + code + ")"}}}}
	p.Report(f)
}

// specialFields are the names that give a returned table a meaning (fact 68).
var specialFields = []string{"ok", "err", "double", "map", "set", "big_number", "verbatim_string"}

// checkShape looks at a returned table. at is where to report what has no place of its own.
func checkShape(p *Pass, s *value.TableShape, at syntax.Span) {
	for _, n := range s.Names {
		if slices.Contains(specialFields, n) {
			return
		}
	}
	if len(s.Names) > 0 {
		p.Report(In(at, Warning, "the field '"+s.Names[0]+"' of a returned table is dropped, since only the elements from 1 on are sent; return a flat list or cjson.encode(…)"))
		return
	}
	if s.Holes {
		p.Report(In(at, Warning, "an element of the returned table may be left out, and the reply ends before the first gap; append with t[#t + 1], or put false there"))
		return
	}
	list := items{shape: s, at: at}
	for i, v := range s.List {
		switch {
		case i < len(s.List)-1 && v.May(value.Nil) && !v.Only(value.Falsy&^value.Nil):
			where, _ := list.of(p, i)
			p.Report(In(where, Warning, "element "+strconv.Itoa(i+1)+" of the returned table may be nil, and the reply ends before it; put false there"))
			return
		case v.May(value.Number) && v.Frac == value.Fractional:
			if where, written := list.of(p, i); written {
				reportFraction(p, where)
			} else {
				p.Report(In(where, Warning, "an element of the returned table may have a fraction, and returned numbers are cut to integers; put tostring(…) there"))
			}
		}
		if i < len(s.Nested) && s.Nested[i] != nil && !v.Only(value.Error|value.Status) {
			where, _ := list.of(p, i)
			checkShape(p, s.Nested[i], where)
		}
	}
	if s.Elem != nil && s.Elem.May(value.Number) && s.Elem.Frac == value.Fractional {
		p.Report(In(at, Warning, "an element of the returned table may have a fraction, and returned numbers are cut to integers; put tostring(…) there"))
	}
}

// items is where the elements of a table are written, found where the first of them is reported.
type items struct {
	shape *value.TableShape
	at    syntax.Span // where to report elements that have no place of their own
	list  []syntax.Span
	found bool
}

// of is the place of the i-th element; written is whether it has one.
func (it *items) of(p *Pass, i int) (where syntax.Span, written bool) {
	if !it.found {
		it.list, it.found = itemsOf(p, it.shape), true
	}
	if i < len(it.list) {
		return it.list[i], true
	}
	return it.at, false
}

// itemsOf is where the elements of a table are written, where its constructor writes each.
func itemsOf(p *Pass, s *value.TableShape) []syntax.Span {
	var items []syntax.Span
	syntax.Walk(p.Chunk.Body, func(n syntax.Node) bool {
		t, ok := n.(*syntax.Table)
		if ok && t.Span == s.At {
			for i := range t.Fields {
				if t.Fields[i].Key == nil {
					items = append(items, t.Fields[i].Value.Bounds())
				}
			}
		}
		return n.Bounds().Contains(s.At)
	})
	if len(items) != len(s.List) {
		return nil
	}
	return items
}

// checkDecoded: what the caller makes of the value.
func checkDecoded(p *Pass, a value.Arg, s *luacheck.Site) {
	v, method := a.Value, s.Result.Method
	if v.IsUnknown() || s.Result.Decode <= luacheck.DecodeAny {
		return
	}
	switch {
	case v.Strong()&value.Falsy != 0 && replyOf(v) == nil && ownFalsy(v) && !s.Result.NilHandled && !meansMissing(p, v, s):
		p.Report(In(a.At, Warning, falsyWord(v)+" arrives as null, which "+method+" gives as an error (redis.Nil); "+insteadOfNull(s.Result.Decode)))
	case wrongType(v, s.Result.Decode) != "":
		p.Report(In(a.At, Warning, snippet(p, a.At)+" is "+wrongType(v, s.Result.Decode)+", which "+method+" refuses; decode it as what it is, or return what is asked for"))
	}
}

func insteadOfNull(d luacheck.Decode) string {
	switch d {
	case luacheck.DecodeBool, luacheck.DecodeInt:
		return "return 1 and 0"
	case luacheck.DecodeFloat:
		return "return '0', or handle redis.Nil"
	case luacheck.DecodeText:
		return "return '', or handle redis.Nil"
	}
	return "return {}, or handle redis.Nil"
}

// meansMissing: the script says with a null that there is nothing, beside values that it found, and the caller hands the error on to those who
// may look for redis.Nil.
func meansMissing(p *Pass, v *value.Value, s *luacheck.Site) bool {
	if !s.Result.Returned || s.Result.Decode == luacheck.DecodeBool || !v.Only(value.Nil|value.False) {
		return false
	}
	return slices.ContainsFunc(p.Facts.Returns, func(r *value.Return) bool {
		return len(r.Values) > 0 && !r.Values[0].Value.Const && !r.Values[0].Value.Only(value.Falsy|value.True|value.Error)
	})
}

// ownFalsy: the false or nil is made in the script and is no missing argument.
func ownFalsy(v *value.Value) bool {
	found := true
	if v.From != nil && !v.Only(value.True|value.False) {
		v.From.Leaves(func(o *value.Origin) {
			found = found && o.Kind != value.FromArgv && o.Kind != value.FromKeys && o.Kind != value.FromReply && o.Kind != value.FromDecoded
		})
	}
	return found
}

// wrongType says what a value is that the decoder refuses for certain; "" for others.
func wrongType(v *value.Value, d luacheck.Decode) string {
	switch d {
	case luacheck.DecodeText:
		if v.Only(value.Number | value.True) {
			return "a number on the wire"
		}
		if v.Only(value.Table) {
			return "an array"
		}
	case luacheck.DecodeInt, luacheck.DecodeFloat, luacheck.DecodeBool:
		if v.Only(value.Table) {
			return "an array"
		}
		if d != luacheck.DecodeBool && v.Const && v.Kinds == value.String && v.Numeric == value.No {
			return "no number"
		}
	case luacheck.DecodeSlice, luacheck.DecodeIntSlice, luacheck.DecodeTextSlice, luacheck.DecodeFloatSlice, luacheck.DecodeBoolSlice:
		if v.Only(value.Number|value.String|value.True) && v.Kinds != 0 {
			return "no array"
		}
	}
	return ""
}

// checkNoReply: a script that never returns anything, and a caller that takes the null for an error.
func checkNoReply(p *Pass, i int, s *luacheck.Site) {
	if !s.Mode.Runs() || s.OneOf || s.Result.NilHandled || s.Result.Decode == luacheck.DecodeUnknown || !p.Complete || p.Facts.Library != nil {
		return
	}
	for _, r := range p.Facts.Returns {
		if r.Node != nil && len(r.Values) > 0 && !(r.Values[0].Value.Only(value.Nil) && r.Values[0].Value.Const) {
			return
		}
	}
	if len(p.Facts.Returns) > 0 {
		p.Report(At(i, PartResult, 0, Warning, "the script returns nothing, which arrives as null and as an error (redis.Nil) here; return 1, or handle redis.Nil"))
	}
}
