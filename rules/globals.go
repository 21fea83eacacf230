package rules

import (
	"slices"
	"sort"

	"github.com/redislint/redislint/luacheck/scope"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/luacheck/syntax"
	"github.com/redislint/redislint/luacheck/value"
)

// foreignGlobals are names that Lua or another host has and that some server lacks, with what to write instead. What is not here and does not
// exist is a name of the script's own: global-variable reports it.
var foreignGlobals = map[string]string{
	"print": "write redis.log(redis.LOG_NOTICE, ...)", "io": "a script cannot read or write files", "os": "pass the time in ARGV, or ask redis.call('TIME')",
	"debug": "there is no stack to look at", "package": "modules cannot be loaded", "require": "modules cannot be loaded; cjson, cmsgpack, bit and struct are there without",
	"module": "modules cannot be loaded", "dofile": "files cannot be loaded", "loadfile": "files cannot be loaded", "bit32": "use bit",
	"utf8": "string functions count bytes", "rawlen": "it is Lua 5.2, write #", "warn": "write redis.log(redis.LOG_WARNING, ...)", "jit": "the server runs no LuaJIT",
	"ffi": "the server runs no LuaJIT", "cjson_safe": "use cjson under pcall", "_ENV": "it is Lua 5.2", "ngx": "it belongs to nginx", "arg": "arguments are in ARGV",
	"setfenv": "pass values as arguments", "getfenv": "pass values as arguments", "newproxy": "use a table", "server": "write redis, which every server has",
	"valkey": "write redis, or server on Valkey", "dragonfly": "it belongs to Dragonfly", "gcinfo": "write collectgarbage('count')",
}

// oddGlobals are the names of the script's globals that not every server of the target has without more to say of them.
func (p *Pass) oddGlobals() []string {
	if p.shared.hasOdd || p.Facts.Scope == nil {
		return p.shared.odd
	}
	p.shared.hasOdd = true
	contexts := scriptContexts
	if p.Facts.Library != nil {
		contexts = libraryContexts
	}
	for name := range p.Facts.Scope.Globals {
		for _, ctx := range contexts {
			if lackedSomewhere(name, p.Target.Global(name, ctx)) {
				p.shared.odd = append(p.shared.odd, name)
				break
			}
		}
	}
	return p.shared.odd
}

var (
	scriptContexts  = []server.Context{server.InScript}
	libraryContexts = []server.Context{server.InFunction, server.AtLoad}
)

// lackedSomewhere: some server lacks the global, or may lack it; of print there is something to say where it is there, too.
func lackedSomewhere(name string, at server.Presence) bool {
	return !at.Everywhere || at.Removed != "" || name == "print"
}

// fieldOf is the x.k that a name begins, so that a finding about a table that is not there covers the field; nil where it begins none.
func fieldOf(p *Pass, n *syntax.Name) *syntax.Index {
	if x, ok := p.around(n).(*syntax.Index); ok && x.X == syntax.Expr(n) {
		return x
	}
	return nil
}

// failureAt is the failure of a class on just that span; nil where there is none.
func failureAt(f *value.Facts, at syntax.Span, class value.FailClass) *value.Failure {
	first := sort.Search(len(f.Failures), func(i int) bool { return f.Failures[i].At.Start >= at.Start })
	for _, x := range f.Failures[first:] {
		if x.Class == class && x.At == at {
			return x
		}
		if x.At.Start > at.Start {
			break
		}
	}
	return nil
}

// caught reports whether a Lua pcall around the place catches the failure there.
func caught(f *value.Facts, at syntax.Span, class value.FailClass) bool {
	x := failureAt(f, at, class)
	return x != nil && x.Protected
}

// loads reports whether the text is Lua that a server loads, and known to its end: else names that it declares may be missing.
func loads(p *Pass) bool { return p.Known && len(p.Chunk.Errors) == 0 && p.Chunk.CodeHole.Len() == 0 }

// contextOf is where the code of a function runs; nil is the main chunk.
func contextOf(p *Pass, f *syntax.Function) server.Context {
	switch {
	case p.Facts.Library == nil:
		return server.InScript
	case f == nil:
		return server.AtLoad
	}
	return server.InFunction
}

// maxNames bounds the locals that a wrong name is compared with: a script may have a hundred thousand.
const maxNames = 100

// localNames are the names of the locals declared last in front of a place, else of the first ones behind it, each once.
func localNames(f *value.Facts, at int32) []string {
	all := f.Scope.Locals // in order of their declaration
	end := sort.Search(len(all), func(i int) bool { return all[i].Name != nil && all[i].Name.Start >= at })
	end = max(end, min(maxNames, len(all)))
	var names []string
	for _, l := range all[max(0, end-maxNames):end] {
		if l.Name != nil && !slices.Contains(names, l.Name.Text) {
			names = append(names, l.Name.Text)
		}
	}
	return names
}

// constKey is the name in x.name or x["name"]; "" where it is not constant.
func constKey(a *value.Access) string {
	if a.Key.Const && a.Key.Kinds == value.String {
		return a.Key.Text
	}
	return ""
}

func localNamed(name string) func(*scope.Local) bool {
	return func(l *scope.Local) bool { return l.Name != nil && l.Name.Text == name }
}
