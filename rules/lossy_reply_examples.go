package rules

import "github.com/redislint/redislint/luacheck"

// decoded is a call without keys whose reply is decoded.
func decoded(d luacheck.Decode, method string, nilHandled bool) []luacheck.Site {
	return []luacheck.Site{{Mode: luacheck.ModeEval, Library: "go-redis", Callee: "Run", Keys: luacheck.List{Exact: true},
		Args:   luacheck.List{Items: []luacheck.Element{{Kind: luacheck.ArgKind{Type: luacheck.TypeInt}}}, Exact: true, Min: 1, Max: 1},
		Result: luacheck.Use{Decode: d, Method: method, NilHandled: nilHandled}}}
}

// handedOn is a call whose error its function returns.
func handedOn(d luacheck.Decode, method string, keys ...luacheck.Element) []luacheck.Site {
	sites := decoded(d, method, false)
	sites[0].Keys = exactly(keys...)
	sites[0].Result.Returned = true
	return sites
}

var lossyReplyBad = []Example{
	{
		Lua:     "return ⟦ARGV[1] / 4⟧",
		Say:     "'ARGV[1] / 4' may have a fraction, and a returned number is cut to an integer; return tostring(ARGV[1] / 4)",
		Args:    []string{"3"},
		Returns: ":0",
		Fixed:   "return tostring(ARGV[1] / 4)",
	},
	{
		Lua:     "local share = tonumber(ARGV[1]) * 0.5\nreturn {⟦share⟧, 1}",
		Say:     "'share' may have a fraction, and a returned number is cut to an integer; return tostring(share)",
		Args:    []string{"1"},
		Returns: "[:0, :1]",
		Fixed:   "local share = tonumber(ARGV[1]) * 0.5\nreturn {tostring(share), 1}",
	},
	{
		Lua:     "return {1, ⟦nil⟧, 3}",
		Say:     "element 2 of the returned table may be nil, and the reply ends before it; put false there",
		Returns: "[:1]",
	},
	{
		Lua:     "local n = tonumber(redis.call('GET', KEYS[1]))\nreturn {⟦n⟧, 'after'}",
		Say:     "element 1 of the returned table may be nil, and the reply ends before it; put false there",
		Keys:    []string{"k"},
		Returns: "[]",
	},
	{
		Lua:     "local out = {}\nfor i, v in ipairs(ARGV) do\n  if v ~= 'skip' then out[i] = v end\nend\nreturn ⟦out⟧",
		Say:     "an element of the returned table may be left out, and the reply ends before the first gap; append with t[#t + 1], or put false there",
		Args:    []string{"skip", "b"},
		Returns: "[]",
	},
	{
		Lua:     "return ⟦{allowed = 1, left = 5}⟧",
		Say:     "the field 'allowed' of a returned table is dropped, since only the elements from 1 on are sent; return a flat list or cjson.encode(…)",
		Returns: "[]",
	},
	{
		Lua:     "local r = {}\nr.count = redis.call('LLEN', KEYS[1])\nreturn ⟦r⟧",
		Say:     "the field 'count' of a returned table is dropped, since only the elements from 1 on are sent; return a flat list or cjson.encode(…)",
		Keys:    []string{"k"},
		Returns: "[]",
	},
	{
		Lua:     "return redis.call('LLEN', KEYS[1]), ⟦redis.call('HLEN', KEYS[2])⟧",
		Say:     "only the first value of a return is sent, so 'redis.call('HLEN', KEYS[2])' is lost; return a table",
		Keys:    []string{"{k}1", "{k}2"},
		Returns: ":0",
	},
	{
		Lua:     "return ⟦tonumber(ARGV[1]) > 10⟧",
		Sites:   func() []luacheck.Site { return decoded(luacheck.DecodeBool, "Bool", false) },
		Say:     "false arrives as null, which Bool gives as an error (redis.Nil); return 1 and 0",
		Args:    []string{"5"},
		Returns: "(nil)",
	},
	{
		Lua:     "return ⟦tonumber(ARGV[1]) + 1⟧",
		Sites:   func() []luacheck.Site { return decoded(luacheck.DecodeText, "Text", false) },
		Say:     "'tonumber(ARGV[1]) + 1' is a number on the wire, which Text refuses; decode it as what it is, or return what is asked for",
		Args:    []string{"5"},
		Returns: ":6",
	},
	{
		// Nothing is found there: the script returns false or a constant.
		Lua:     "if ARGV[1] == '5' then\n  return ⟦false⟧\nend\nreturn 'other'",
		Sites:   func() []luacheck.Site { return handedOn(luacheck.DecodeText, "Text") },
		Say:     "false arrives as null, which Text gives as an error (redis.Nil); return '', or handle redis.Nil",
		Args:    []string{"5"},
		Returns: "(nil)",
	},
	{
		Lua:    "local n = tonumber(ARGV[1])\nif n > 10 then\n  redis.log(redis.LOG_NOTICE, 'many')\nend",
		Sites:  func() []luacheck.Site { return decoded(luacheck.DecodeInt, "Int", false) },
		AtSite: true, Part: PartResult,
		Say:     "the script returns nothing, which arrives as null and as an error (redis.Nil) here; return 1, or handle redis.Nil",
		Args:    []string{"5"},
		Returns: "(nil)",
	},
}

var lossyReplyGood = []Example{
	{Lua: "return #KEYS / 2"},
	{Lua: "local rows = redis.call('ZRANGE', KEYS[1], 0, 9, 'WITHSCORES')\nlocal out = {}\nfor i = 1, #rows, 2 do out[#out + 1] = (i - 1) / 2 end\nreturn out"},
	{Lua: "return tostring(ARGV[1] / 4)"},
	{Lua: "return math.floor(ARGV[1] / 4)"},
	{Lua: "return tonumber(redis.call('GET', KEYS[1]) or 0)"},
	{Lua: "return {1, false, 3}"},
	{Lua: "local pubs = nil\nif ARGV[1] ~= '0' then pubs = redis.call('LRANGE', KEYS[1], 0, 9) end\nreturn {1, 'epoch', pubs}"},
	{Lua: "local res = {}\ntable.insert(res, redis.call('HGET', KEYS[1], 'none'))\ntable.insert(res, 'after')\nreturn res"},
	{Lua: "return {ok = 'FINE'}"},
	{Lua: "return {err = 'NOPE not now'}"},
	{Lua: "return {double = ARGV[1] / 4}"},
	{Lua: "local out = {}\nfor _, v in ipairs(ARGV) do\n  if v ~= 'skip' then out[#out + 1] = v end\nend\nreturn out"},
	{Lua: "return tonumber(ARGV[1]) > 10", Sites: func() []luacheck.Site { return decoded(luacheck.DecodeBool, "Bool", true) }},
	{Lua: "return tonumber(ARGV[1]) > 10"},
	// The callers of the caller may look for redis.Nil.
	{Lua: "local v = redis.call('GET', KEYS[1])\nif not v then return false end\nreturn v", Sites: func() []luacheck.Site { return handedOn(luacheck.DecodeText, "Text", tmpl(hole("key"))) }},
	{Lua: "local v = redis.call('LRANGE', KEYS[1], 0, 9)\nif #v == 0 then return nil end\nreturn v",
		Sites: func() []luacheck.Site { return handedOn(luacheck.DecodeTextSlice, "StringSlice", tmpl(hole("key"))) }},
	{Lua: "return tonumber(ARGV[1]) + 1", Sites: func() []luacheck.Site { return decoded(luacheck.DecodeInt, "Int", false) }},
}
