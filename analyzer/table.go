package analyzer

import "github.com/redislint/redislint/luacheck"

// library is a client library: its import paths without major version, and its calls.
type library struct {
	name  string
	paths []string
	rows  []row
	// flattens: one slice or map alone as argument is spread by the client.
	flattens bool
	// fallback: the Script object sends EVAL when the server does not know the digest.
	fallback bool
}

// row is one function or method of a client library.
type row struct {
	recv string // the receiver's type, "*" for any type but a script object, "" for a function
	name string
	// roles names what each parameter is, without a leading context.Context: text, sha, function, keys, args, count, client, script,
	// "vars..." (keys and arguments in one list), "raw..." (a command as words), "_" (nothing to us).
	roles string
	mode  luacheck.Mode
	note  note
}

// note is what else matters of a row.
type note uint8

const (
	object   note = 1 << iota // the receiver is a script object that was made by a constructor
	falls                     // the client falls back to EVAL
	keyCount                  // a constructor whose count parameter says how many of the vars are keys
	returns                   // the result is the digest of the text
	builder                   // a step of a command builder: the keys follow in the chain
	sends                     // queued: the reply is read elsewhere
	multi                     // takes several runs, each a struct of keys and arguments
	bare                      // without keys and arguments
)

const (
	eval    = luacheck.ModeEval
	evalRO  = luacheck.ModeEvalRO
	sha     = luacheck.ModeSha
	shaRO   = luacheck.ModeShaRO
	fcall   = luacheck.ModeFunction
	fcallRO = luacheck.ModeFunctionRO
	load    = luacheck.ModeLoad
	define  = luacheck.ModeDefine
	lib     = luacheck.ModeLibrary
)

// libraries is the table of client libraries. Each row is checked against the real library by a test.
func libraries() []library {
	return []library{goRedis, redigo, rueidis, valkeyGo, glide, radix, goZero, gogf}
}

var goRedis = library{
	name:     "go-redis",
	paths:    []string{"github.com/redis/go-redis", "github.com/go-redis/redis"},
	flattens: true,
	rows: []row{
		{"", "NewScript", "text", define, falls},
		{"", "NewScriptServerSHA", "text", define, falls},
		{"Script", "Run", "client keys args...", eval, object | falls},
		{"Script", "RunRO", "client keys args...", evalRO, object | falls},
		{"Script", "Eval", "client keys args...", eval, object},
		{"Script", "EvalRO", "client keys args...", evalRO, object},
		{"Script", "EvalSha", "client keys args...", sha, object},
		{"Script", "EvalShaRO", "client keys args...", shaRO, object},
		{"Script", "Load", "client", load, object | returns},
		{"Script", "Exists", "client", luacheck.ModeUnknown, object},
		{"Script", "Hash", "", luacheck.ModeUnknown, object | returns},
		{"*", "Eval", "text keys args...", eval, 0},
		{"*", "EvalRO", "text keys args...", evalRO, 0},
		{"*", "EvalSha", "sha keys args...", sha, 0},
		{"*", "EvalShaRO", "sha keys args...", shaRO, 0},
		{"*", "ScriptLoad", "text", load, returns},
		{"*", "FCall", "function keys args...", fcall, 0},
		{"*", "FCallRO", "function keys args...", fcallRO, 0},
		{"*", "FCallRo", "function keys args...", fcallRO, 0},
		{"*", "FunctionLoad", "text", lib, 0},
		{"*", "FunctionLoadReplace", "text", lib, 0},
		{"*", "Do", "raw...", luacheck.ModeUnknown, 0},
		{"", "NewCmd", "raw...", luacheck.ModeUnknown, 0},
	},
}

var redigo = library{
	name:  "redigo",
	paths: []string{"github.com/gomodule/redigo/redis", "github.com/garyburd/redigo/redis"},
	rows: []row{
		{"", "NewScript", "count text", define, keyCount | falls},
		{"Script", "Do", "client vars...", eval, object | falls},
		{"Script", "DoContext", "client vars...", eval, object | falls},
		{"Script", "Send", "client vars...", eval, object | falls | sends},
		{"Script", "SendHash", "client vars...", sha, object | sends},
		{"Script", "Load", "client", load, object},
		{"Script", "Hash", "", luacheck.ModeUnknown, object | returns},
		{"Conn", "Do", "raw...", luacheck.ModeUnknown, 0},
		{"Conn", "Send", "raw...", luacheck.ModeUnknown, sends},
		{"ConnWithTimeout", "DoWithTimeout", "_ raw...", luacheck.ModeUnknown, 0},
		{"ConnWithContext", "DoContext", "raw...", luacheck.ModeUnknown, 0},
		{"", "DoWithTimeout", "client _ raw...", luacheck.ModeUnknown, 0},
		{"", "DoContext", "client _ raw...", luacheck.ModeUnknown, 0},
	},
}

// rueidisRows are shared by rueidis and valkey-go, which is a fork of it.
var rueidisRows = []row{
	{"", "NewLuaScript", "text", define, falls},
	{"", "NewLuaScriptReadOnly", "text", define, falls},
	{"", "NewLuaScriptNoSha", "text", define, falls},
	{"", "NewLuaScriptReadOnlyNoSha", "text", define, falls},
	{"", "NewLuaScriptRetryable", "text", define, falls},
	{"", "NewLuaScriptNoShaRetryable", "text", define, falls},
	{"Lua", "Exec", "client keys args", eval, object | falls},
	{"Lua", "ExecMulti", "client runs...", eval, object | falls | multi},
	{"Eval", "Script", "text", eval, builder},
	{"EvalRo", "Script", "text", evalRO, builder},
	{"Evalsha", "Sha1", "sha", sha, builder},
	{"EvalshaRo", "Sha1", "sha", shaRO, builder},
	{"Fcall", "Function", "function", fcall, builder},
	{"FcallRo", "Function", "function", fcallRO, builder},
	{"ScriptLoad", "Script", "text", load, builder | returns},
	{"FunctionLoad", "FunctionCode", "text", lib, builder},
	{"FunctionLoadReplace", "FunctionCode", "text", lib, builder},
	{"Builder", "Arbitrary", "raw...", luacheck.ModeUnknown, builder},
}

var rueidis = library{
	name:  "rueidis",
	paths: []string{"github.com/redis/rueidis", "github.com/redis/rueidis/internal/cmds"},
	rows:  rueidisRows,
}

var valkeyGo = library{
	name:  "valkey-go",
	paths: []string{"github.com/valkey-io/valkey-go", "github.com/valkey-io/valkey-go/internal/cmds"},
	rows:  rueidisRows,
}

var glide = library{
	name:  "valkey-glide",
	paths: []string{"github.com/valkey-io/valkey-glide/go", "github.com/valkey-io/valkey-glide/go/options", "github.com/valkey-io/valkey-glide/go/pipeline"},
	rows: []row{
		{"", "NewScript", "text", define, falls},
		{"*", "InvokeScript", "script", eval, falls | bare},
		{"*", "InvokeScriptWithOptions", "script options", eval, falls},
		{"*", "InvokeScriptWithClusterOptions", "script options", eval, falls},
		{"*", "InvokeScriptWithRoute", "script _", eval, falls | bare},
		{"*", "FCall", "function", fcall, bare},
		{"*", "FCallReadOnly", "function", fcallRO, bare},
		{"*", "FCallWithKeysAndArgs", "function keys args", fcall, 0},
		{"*", "FCallReadOnlyWithKeysAndArgs", "function keys args", fcallRO, 0},
		{"*", "FCallWithRoute", "function _", fcall, bare},
		{"*", "FCallReadOnlyWithRoute", "function _", fcallRO, bare},
		{"*", "FCallWithArgs", "function args", fcall, 0},
		{"*", "FCallReadOnlyWithArgs", "function args", fcallRO, 0},
		{"*", "FCallWithArgsWithRoute", "function args _", fcall, 0},
		{"*", "FCallReadOnlyWithArgsWithRoute", "function args _", fcallRO, 0},
		{"*", "FunctionLoad", "text _", lib, 0},
		{"*", "FunctionLoadWithRoute", "text _ _", lib, 0},
		{"Script", "GetHash", "", luacheck.ModeUnknown, object | returns},
		{"*", "CustomCommand", "raw", luacheck.ModeUnknown, 0},
		{"*", "CustomCommandWithRoute", "raw _", luacheck.ModeUnknown, 0},
	},
}

var radix = library{
	name:  "radix",
	paths: []string{"github.com/mediocregopher/radix"},
	rows: []row{
		{"", "NewEvalScript", "text", define, falls},
		{"EvalScript", "Cmd", "_ keys args...", eval, object | falls},
		{"EvalScript", "FlatCmd", "_ keys args...", eval, object | falls},
		{"", "Cmd", "_ raw...", luacheck.ModeUnknown, 0},
		{"", "FlatCmd", "_ raw...", luacheck.ModeUnknown, 0},
	},
}

var goZero = library{
	name:  "go-zero",
	paths: []string{"github.com/zeromicro/go-zero/core/stores/redis", "github.com/tal-tech/go-zero/core/stores/redis"},
	rows: []row{
		{"", "NewScript", "text", define, falls},
		{"*", "ScriptRun", "script keys args...", eval, falls},
		{"*", "ScriptRunCtx", "script keys args...", eval, falls},
		{"*", "Eval", "text keys args...", eval, 0},
		{"*", "EvalCtx", "text keys args...", eval, 0},
		{"*", "EvalSha", "sha keys args...", sha, 0},
		{"*", "EvalShaCtx", "sha keys args...", sha, 0},
		{"*", "ScriptLoad", "text", load, returns},
		{"*", "ScriptLoadCtx", "text", load, returns},
	},
	flattens: true,
}

var gogf = library{
	name:  "gogf",
	paths: []string{"github.com/gogf/gf/database/gredis", "github.com/gogf/gf/contrib/nosql/redis"},
	rows: []row{
		{"*", "Eval", "text count keys args", eval, 0},
		{"*", "EvalSha", "sha count keys args", sha, 0},
		{"*", "ScriptLoad", "text", load, returns},
		{"*", "Do", "raw...", luacheck.ModeUnknown, 0},
	},
}
