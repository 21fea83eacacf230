package rules

import (
	"slices"
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// Words and questions about values and replies, shared by the rules about them.

// maxSnippet is how many bytes of the script a message quotes.
const maxSnippet = 48

// snippet quotes a piece of the script in single quotes, on one line and not too long.
func snippet(p *Pass, at syntax.Span) string {
	return "'" + oneLine(p, at) + "'"
}

// oneLine is a piece of the script on one line and not too long.
func oneLine(p *Pass, at syntax.Span) string {
	text := p.Source.Text
	if at.Start < 0 || int(at.End) > len(text) || at.Start >= at.End {
		return "the value"
	}
	text = strings.Join(strings.Fields(text[at.Start:at.End]), " ")
	if len(text) > maxSnippet {
		text = strings.ToValidUTF8(text[:maxSnippet], "") + "..."
	}
	return text
}

// bare strips parentheses.
func bare(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// pathTo lists the nodes around n, outermost first, n itself last; nil where n is not in the tree.
func pathTo(p *Pass, n syntax.Node) []syntax.Node {
	path := []syntax.Node{n}
	for m := p.around(n); m != nil; m = p.around(m) {
		path = append(path, m)
	}
	if path[len(path)-1] != syntax.Node(p.Chunk.Body) {
		return nil
	}
	slices.Reverse(path)
	return path
}

// maxOperands bounds how many operands of and, or and not are looked at around one: nobody writes as many.
const maxOperands = 100

// wholeTest is the largest expression of and, or, not and parentheses that n is an operand of; n itself where it stands alone.
func wholeTest(p *Pass, n syntax.Expr) syntax.Expr {
	whole := n
	for range maxOperands {
		switch x := p.around(whole).(type) {
		case *syntax.Paren:
			whole = x
		case *syntax.Unary:
			if x.Op != syntax.OpNot {
				return whole
			}
			whole = x
		case *syntax.Binary:
			if x.Op != syntax.OpAnd && x.Op != syntax.OpOr {
				return whole
			}
			whole = x
		default:
			return whole
		}
	}
	return whole
}

// operands calls visit for each operand of the and, or and not that e is made of, the last first, at most maxOperands of each side of a
// chain that wholeTest gives.
func operands(e syntax.Expr, visit func(syntax.Expr)) {
	stack := []syntax.Expr{e}
	for n := 0; len(stack) > 0 && n < 2*maxOperands; {
		e := bare(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		if x, ok := e.(*syntax.Unary); ok && x.Op == syntax.OpNot {
			stack = append(stack, x.X)
			continue
		}
		if x, ok := e.(*syntax.Binary); ok && (x.Op == syntax.OpAnd || x.Op == syntax.OpOr) {
			stack = append(stack, x.X, x.Y)
			continue
		}
		visit(e)
		n++
	}
}

// sameText reports whether two expressions are written alike, blanks aside.
func sameText(p *Pass, a, b syntax.Expr) bool {
	s, t := bare(a).Bounds(), bare(b).Bounds()
	return p.Source.Text[s.Start:s.End] == p.Source.Text[t.Start:t.End]
}

// guardedBeside reports whether, in the and, or and not around test, another operand looks at what e is: by truth, a comparison that ok
// accepts, type, # or next.
func guardedBeside(p *Pass, test, e syntax.Expr, ok func(other syntax.Expr) bool) bool {
	found := false
	operands(wholeTest(p, test), func(o syntax.Expr) {
		if o == test || found {
			return
		}
		if sameText(p, o, e) {
			found = true // by truth
			return
		}
		b, isBinary := o.(*syntax.Binary)
		if !isBinary {
			found = looksInto(p, o, e)
			return
		}
		for _, side := range [2][2]syntax.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if sameText(p, side[0], e) && ok(bare(side[1])) || looksInto(p, side[0], e) {
				found = true
			}
		}
	})
	return found
}

// looksInto: e is the operand of #, type or next here.
func looksInto(p *Pass, o, e syntax.Expr) bool {
	switch x := bare(o).(type) {
	case *syntax.Unary:
		return x.Op == syntax.OpLen && sameText(p, x.X, e)
	case *syntax.Call:
		if fn, ok := x.Fn.(*syntax.Name); ok && (fn.Text == "type" || fn.Text == "next") && len(x.Args) > 0 {
			return sameText(p, x.Args[0], e)
		}
	}
	return false
}

// replyOf is the reply that a value is, or is a part of; nil where it need not be one.
func replyOf(v *value.Value) *value.Origin {
	if v == nil || v.From == nil {
		return nil
	}
	var found *value.Origin
	all := true
	switch v.From.Kind {
	case value.FromReply, value.FromTime:
		found = v.From
	case value.FromOneOf:
		for _, o := range v.From.Parts {
			if o == nil || o.Kind != value.FromReply {
				all = false
			} else if found == nil {
				found = o
			}
		}
	}
	if !all || found == nil || found.Call == nil {
		return nil
	}
	return found
}

// missing says when a reply, or an element of it, is false or nil.
func missing(o *value.Origin) string {
	name, element := o.Call.Name, o.Path != ""
	switch name {
	case "get", "getdel", "getex", "getset", "substr", "dump", "object|encoding", "object|idletime", "object|freq", "object|refcount", "memory|usage":
		return "the key is missing"
	case "hget":
		return "the field is missing"
	case "hmget", "hgetdel", "hgetex":
		return "a field is missing"
	case "mget":
		return "a key is missing"
	case "lindex", "lpop", "rpop", "rpoplpush", "lmove", "lmpop", "blpop", "brpop", "blmove", "brpoplpush", "blmpop":
		return "the list has no such element"
	case "zscore", "zrank", "zrevrank", "zmscore", "geopos", "geodist", "geohash", "lpos":
		return "the member is missing"
	case "spop", "srandmember", "zrandmember", "hrandfield":
		return "the key is missing"
	case "xread", "xreadgroup":
		return "there is no entry"
	case "set":
		return "nothing was set"
	case "zadd", "geoadd":
		return "nothing was changed"
	}
	if element {
		return "there is no such element"
	}
	return "there is nothing"
}

// source points at the call that a reply came from, for Related; none where the finding stands in it.
func source(o *value.Origin, at syntax.Span) []Related {
	if o == nil || o.Call == nil || o.Call.At.Contains(at) || at.Contains(o.Call.At) {
		return nil
	}
	return []Related{{Span: o.Call.At, Site: -1, Message: "the reply comes from here"}}
}

// mentions reports whether e stands somewhere in o, written alike.
func mentions(p *Pass, o, e syntax.Expr) bool {
	found := false
	syntax.Walk(o, func(n syntax.Node) bool {
		if x, ok := n.(syntax.Expr); ok && sameText(p, x, e) {
			found = true
		}
		return !found
	})
	return found
}

// isParam reports whether e is a parameter of a function of the script: a test of one is care, whoever the present callers are.
func isParam(p *Pass, e syntax.Expr) bool {
	n, ok := bare(e).(*syntax.Name)
	if !ok {
		return false
	}
	l := p.Facts.Scope.Ref(n)
	if l == nil || l.Func == nil {
		return false
	}
	for _, q := range l.Func.Params {
		if q == l.Name {
			return true
		}
	}
	return false
}

// kindName is what a value is, in words: "a string".
func kindName(v *value.Value) string {
	switch k := v.Kinds; {
	case k&value.String != 0:
		return "a string"
	case k&value.Number != 0:
		return "a number"
	case k&value.Status != 0:
		return "a status reply"
	case k&value.Tables != 0:
		return "a table"
	case k&(value.True|value.False) != 0:
		return "a boolean"
	case k&value.Userdata != 0:
		return "cjson.null"
	case k&value.Function != 0:
		return "a function"
	}
	return "nil"
}
