package rules

import (
	"strings"

	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

var cjsonRoundtrip = &Rule{
	Name:     "cjson-roundtrip",
	Title:    "decoded JSON that is encoded again, which changes it",
	Severity: Warning,
	Group:    "Values and replies",
	Claim:    WrongResult,
	Since:    "0.1",
	Doc: `A Lua table does not remember whether it was an array: after decode and encode ` + "`[]` is `{}`" + `. Numbers become doubles of which encode writes
14 digits, so long integers (ids, microseconds) change. cjson.null is a value that counts as true. A list that the script makes itself, or the reply of a command, becomes {} as well where it is empty.

Change the document where its types are known, in the client; keep what the script changes in fields of a hash of their own; or send ids as
strings and avoid empty arrays.`,
	Bad: []Example{
		{
			Lua:     "local j = cjson.decode(ARGV[1])\nj.at = 5\nreturn ⟦cjson.encode(j)⟧",
			Say:     "this encodes what was decoded from ARGV[1]: [] becomes {}, and integers of more than 14 digits change; keep the changed fields apart, or change the JSON in the client",
			Args:    []string{`{"id":12345678901234567}`},
			Returns: `"{\"id\":1.2345678901235e+16,\"at\":5}"`,
			Differs: map[string]string{"miniredis": "another JSON library"},
		},
		{
			Lua:     "local raw = redis.call('GET', KEYS[1])\nif not raw then return 0 end\nlocal doc = cjson.decode(raw)\ndoc.seen = true\nredis.call('SET', KEYS[1], ⟦cjson.encode(doc)⟧)\nreturn 1",
			Say:     "this encodes what was decoded from the reply of GET: [] becomes {}, and integers of more than 14 digits change; keep the changed fields apart, or change the JSON in the client",
			Setup:   [][]string{{"SET", "k", `{}`}},
			Keys:    []string{"k"},
			Returns: ":1",
			State:   []State{{[]string{"GET", "k"}, `"{\"seen\":true}"`}},
		},
		{
			Lua:     "return ⟦cjson.encode(cjson.decode(ARGV[1]).list)⟧",
			Say:     "this encodes what was decoded from ARGV[1]: [] becomes {}, and integers of more than 14 digits change; keep the changed fields apart, or change the JSON in the client",
			Args:    []string{`{"list":[]}`},
			Returns: `"{}"`,
			Differs: map[string]string{"miniredis": "another JSON library"},
		},
		{
			Lua:     "local doc = cjson.decode(ARGV[1])\nlocal function save(d) return redis.call('SET', KEYS[1], ⟦cjson.encode(d)⟧) end\ndoc.n = (doc.n or 0) + 1\nreturn save(doc)",
			Say:     "this encodes what was decoded from ARGV[1]: [] becomes {}, and integers of more than 14 digits change; keep the changed fields apart, or change the JSON in the client",
			Keys:    []string{"k"},
			Args:    []string{`{"n":1}`},
			Returns: "+OK",
		},
		{
			Lua:     "return ⟦cjson.null⟧ and 'counts as true' or 'counts as false'",
			Say:     "cjson.null is no nil and counts as true; compare with == cjson.null",
			Returns: `"counts as true"`,
			Differs: map[string]string{"miniredis": "its cjson has no null"},
		},
		{
			Lua:     "local out = {}\nfor _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, 99)) do\n  if id ~= ARGV[1] then out[#out + 1] = id end\nend\nreturn ⟦cjson.encode(out)⟧",
			Say:     "'out' may have no element, and of an empty table this makes {}, not []: the reader expects a list; write '[]' yourself where # is 0",
			Keys:    []string{"k"},
			Args:    []string{"x"},
			Returns: `"{}"`,
			Differs: map[string]string{"miniredis": "another JSON library"},
		},
		{
			Lua:     "local found = {}\nlocal all = redis.call('SMEMBERS', KEYS[1])\nfor i = 1, #all do table.insert(found, {id = all[i]}) end\nreturn ⟦cjson.encode({items = found, total = #found})⟧",
			Say:     "'items' may have no element, and of an empty table this makes {}, not []: the reader expects a list; write '[]' yourself where # is 0",
			Keys:    []string{"k"},
			Returns: `"{\"items\":{},\"total\":0}"`,
			Differs: map[string]string{"miniredis": "another JSON library"},
		},
		{
			Lua:     "return ⟦cjson.encode(redis.call('ZRANGE', KEYS[1], 0, -1))⟧",
			Say:     "the reply of ZRANGE may have no element, and of an empty table this makes {}, not []: the reader expects a list; write '[]' yourself where # is 0",
			Keys:    []string{"k"},
			Returns: `"{}"`,
			Differs: map[string]string{"miniredis": "another JSON library"},
		},
		{
			Lua:     "local ok, doc = pcall(cjson.decode, ARGV[1])\nif not ok then return redis.error_reply('BADJSON') end\ndoc.n = 1\nreturn ⟦cjson.encode(doc)⟧",
			Say:     "this encodes what was decoded from ARGV[1]: [] becomes {}, and integers of more than 14 digits change; keep the changed fields apart, or change the JSON in the client",
			Args:    []string{`{"id":12345678901234567}`},
			Returns: `"{\"id\":1.2345678901235e+16,\"n\":1}"`,
			Differs: map[string]string{"miniredis": "another JSON library"},
		},
	},
	Good: []Example{
		{Lua: "return cjson.encode({id = ARGV[1], n = 1})"},
		{Lua: "local name = cjson.decode(ARGV[1]).name\nreturn redis.call('HSET', KEYS[1], 'name', name)"},
		{Lua: "local doc = cjson.decode(ARGV[1])\nif doc.x == cjson.null then\n  return 0\nend\nreturn 1"},
		{Lua: "local all = redis.call('LRANGE', KEYS[1], 0, 10)\nif #all == 0 then return '[]' end\nreturn cjson.encode(all)"},
		{Lua: "local out = {}\nfor _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do table.insert(out, id) end\nreturn #out > 0 and cjson.encode(out) or '[]'"},
		{Lua: "local out = {}\nfor _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do table.insert(out, id) end\nlocal text = cjson.encode(out)\nif text == '{}' then text = '[]' end\nreturn text"},
		{Lua: "local list = {ARGV[1]}\nfor _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do list[#list + 1] = id end\nreturn cjson.encode({ids = list})"},
		{Lua: "local doc = {}\nlocal flat = redis.call('HGETALL', KEYS[1])\nfor i = 1, #flat, 2 do doc[flat[i]] = flat[i + 1] end\nreturn cjson.encode(doc)"},
		{Lua: "return cjson.encode({id = ARGV[1], tags = {}})"},
		{Lua: "local o = cmsgpack.unpack(ARGV[1])\nreturn cjson.encode(o)"},
	},
	Lib:  checkCjsonEncode,
	Cond: checkCjsonNull,
}

func checkCjsonEncode(p *Pass, l *value.LibCall) {
	if l.Name != "cjson.encode" || len(l.Args) == 0 {
		return
	}
	checkEmptyList(p, l)
	o := triedDecode(l.Args[0].Value.From)
	if o == nil || o.Kind != value.FromDecoded || !strings.HasPrefix(o.Text, "cjson.") || len(o.Parts) == 0 {
		return
	}
	from := o.Parts[0]
	outside := false
	from.Leaves(func(leaf *value.Origin) {
		outside = outside || leaf.Kind == value.FromArgv || leaf.Kind == value.FromReply
	})
	if !outside {
		return // data of the script's own making
	}
	p.Report(In(l.Node.Span, Warning, "this encodes what was decoded from "+from.String()+
		": [] becomes {}, and integers of more than 14 digits change; keep the changed fields apart, or change the JSON in the client"))
}

// triedDecode is what pcall(cjson.decode, …) gives where it succeeds; other origins it leaves as they are.
func triedDecode(o *value.Origin) *value.Origin {
	if o == nil || o.Kind != value.FromOneOf || len(o.Parts) != 2 {
		return o
	}
	for i, part := range o.Parts {
		if other := o.Parts[1-i]; part != nil && other != nil && part.Kind == value.FromDecoded && other.Text == "pcall" {
			return part
		}
	}
	return o
}

// checkEmptyList: a list that may be empty is encoded, and then becomes {}.
func checkEmptyList(p *Pass, l *value.LibCall) {
	what := ""
	for _, x := range l.Lists {
		if x.Empty && x.Filled {
			what = snippet(p, l.Args[0].At)
			if x.Field != "" {
				what = "'" + x.Field + "'"
			}
			break
		}
	}
	if v := l.Args[0].Value; what == "" && v.From != nil && v.From.Kind == value.FromReply && v.From.Path == "" && unboundedReply(v) && v.Obj == nil && !v.NonEmpty && !v.Reply.NonEmpty {
		what = "the reply of " + v.From.Call.Label()
	}
	if what == "" || p.mindsBrackets() {
		return
	}
	p.Report(In(l.Node.Span, Warning, what+" may have no element, and of an empty table this makes {}, not []: the reader expects a list; write '[]' yourself where # is 0"))
}

// mindsBrackets reports whether the script itself compares or replaces the text of an empty object or list.
func (p *Pass) mindsBrackets() bool {
	if p.shared.mindsBrackets == value.Unknown {
		p.shared.mindsBrackets = value.No
		if writesBrackets(p) {
			p.shared.mindsBrackets = value.Yes
		}
	}
	return p.shared.mindsBrackets == value.Yes
}

func writesBrackets(p *Pass) bool {
	brackets := func(e syntax.Expr) bool {
		s, ok := bare(e).(*syntax.String)
		return ok && (strings.Contains(s.Value, "{}") || strings.Contains(s.Value, "[]") || strings.Contains(s.Value, "empty_array") || strings.Contains(s.Value, "array_mt"))
	}
	found := false
	syntax.Walk(p.Chunk.Body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Binary:
			found = found || (n.Op == syntax.OpEq || n.Op == syntax.OpNotEq) && (brackets(n.X) || brackets(n.Y))
		case *syntax.Index:
			found = found || brackets(n.Key) // cjson.empty_array and its like
		case *syntax.Call:
			if x, ok := n.Fn.(*syntax.Index); ok || n.Method != nil {
				lib := ""
				if ok {
					if name, is := x.X.(*syntax.Name); is {
						lib = name.Text
					}
				}
				for _, a := range n.Args {
					found = found || (n.Method != nil || lib == "string") && brackets(a)
				}
			}
		}
		return !found
	})
	return found
}

func checkCjsonNull(p *Pass, c *value.Cond) {
	if c.Value.Only(value.Userdata) && c.Value.Builtin() == "cjson.null" {
		p.Report(In(c.Node.Bounds(), Warning, "cjson.null is no nil and counts as true; compare with == cjson.null"))
	}
}
