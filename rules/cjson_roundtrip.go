package rules

import (
	"strings"

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
14 digits, so long integers (ids, microseconds) change. cjson.null is a value that counts as true.

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
	},
	Good: []Example{
		{Lua: "return cjson.encode({id = ARGV[1], n = 1})"},
		{Lua: "local name = cjson.decode(ARGV[1]).name\nreturn redis.call('HSET', KEYS[1], 'name', name)"},
		{Lua: "local doc = cjson.decode(ARGV[1])\nif doc.x == cjson.null then\n  return 0\nend\nreturn 1"},
		{Lua: "return cjson.encode(redis.call('LRANGE', KEYS[1], 0, 10))"},
		{Lua: "local o = cmsgpack.unpack(ARGV[1])\nreturn cjson.encode(o)"},
	},
	Lib:  checkCjsonEncode,
	Cond: checkCjsonNull,
}

func checkCjsonEncode(p *Pass, l *value.LibCall) {
	if l.Name != "cjson.encode" || len(l.Args) == 0 {
		return
	}
	o := l.Args[0].Value.From
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

func checkCjsonNull(p *Pass, c *value.Cond) {
	if c.Value.Only(value.Userdata) && c.Value.Builtin == "cjson.null" {
		p.Report(In(c.Node.Bounds(), Warning, "cjson.null is no nil and counts as true; compare with == cjson.null"))
	}
}
