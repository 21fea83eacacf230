package server

import "testing"

func TestPresence(t *testing.T) {
	const all = "everywhere"
	for _, c := range []struct {
		target, lib, name string
		ctx               Context
		missing           string
		removed           bool
	}{
		{DefaultTarget, "", "string", InScript, all, false},
		{DefaultTarget, "", "KEYS", InFunction, "nowhere", false},
		{DefaultTarget, "", "nosuch", InScript, "nowhere", false},
		{"redis@6.2+", "", "print", InScript, "Redis 7.0, Redis 7.2, Redis 7.4, Redis 8.0, Redis 8.2, Redis 8.4, Redis 8.6", false},
		{DefaultTarget, "", "os", InScript, "Redis 7.0, Redis 7.2, Valkey 7.2", false},
		{DefaultTarget, "os", "clock", InFunction, "Redis 7.0, Redis 7.2, Valkey 7.2", false},
		{DefaultTarget, "os", "time", InScript, "nowhere", false},
		{"redis@6.2,redis@7.4,redis@8.0", "", "setfenv", InScript, "Redis 8.0", true},
		{"redis@8.0.2,redis@8.0.6,valkey@8.1,valkey@9.0", "", "getfenv", InScript, "Redis 8.0.6, Valkey 9.0", true},
		{"redis@7.0,valkey@7.2", "", "server", InScript, "Redis 7.0", false},
		{"redis@7.0,valkey@7.2", "server", "call", InScript, "Redis 7.0", false},
		{"redis@7.0,valkey@7.2", "redis", "VALKEY_VERSION", InScript, "Redis 7.0", false},
		{"redis@6.2,redis@7.0", "redis", "acl_check_cmd", InScript, "Redis 6.2", false},
		{DefaultTarget, "redis", "replicate_commands", InScript, all, false},
		{DefaultTarget, "redis", "replicate_commands", InFunction, "nowhere", false},
		{DefaultTarget, "redis", "breakpoint", InFunction, "nowhere", false},
		{DefaultTarget, "redis", "call", InFunction, all, false},
		{DefaultTarget, "redis", "register_function", InScript, "nowhere", false},
		{DefaultTarget, "redis", "register_function", AtLoad, all, false},
		{DefaultTarget, "redis", "call", AtLoad, "nowhere", false},
		{DefaultTarget, "", "string", AtLoad, "nowhere", false},
		{DefaultTarget, "", "redis", AtLoad, all, false},
		{"redis@6.2,redis@7.0", "", "redis", AtLoad, all, false},
		{"redis@7.0,valkey@7.2", "server", "register_function", AtLoad, "Redis 7.0", false},
		{"redis@8.0+", "cjson", "decode_array_with_array_mt", InScript, "Redis 8.0", false},
		{"redis@5.0,redis@6.0", "redis", "setresp", InScript, "Redis 5.0", false},
		{"dragonfly", "redis", "acall", InScript, all, false},
		{"dragonfly", "redis", "setresp", InScript, "nowhere", false},
		{"redis@7.0,dragonfly", "table", "unpack", InScript, "Redis 7.0", false},
		{DefaultTarget, "", "valkey", InScript, "nowhere", false},
	} {
		tg := mustTarget(t, c.target)
		p := tg.Global(c.name, c.ctx)
		if c.lib != "" {
			p = tg.Field(c.lib, c.name, c.ctx)
		}
		got := names(p.Missing)
		switch {
		case p.Everywhere:
			got = all
		case p.Nowhere:
			got = "nowhere"
		}
		if got != c.missing || (p.Removed != "") != c.removed {
			t.Errorf("%s %s.%s in %d: missing %q removed %q, want %q %t", c.target, c.lib, c.name, c.ctx, got, p.Removed, c.missing, c.removed)
		}
	}
}

func TestLaterLuaAndNearest(t *testing.T) {
	for _, c := range []struct{ lib, name, want string }{
		{"table", "unpack", "Lua 5.2 and later"}, {"", "utf8", "Lua 5.3 and later"}, {"utf8", "char", "Lua 5.3 and later"},
		{"coroutine", "close", "Lua 5.4 and later"}, {"", "unpack", ""}, {"string", "gfind", ""}, {"", "bit32", "Lua 5.2 only"},
	} {
		if got := LaterLua(c.lib, c.name); got != c.want {
			t.Errorf("LaterLua(%q, %q) = %q, want %q", c.lib, c.name, got, c.want)
		}
	}
	for _, c := range []struct{ lib, name, want string }{
		{"redis", "cal", "call"}, {"string", "formt", "format"}, {"", "tonumbr", "tonumber"}, {"redis", "error_replay", "error_reply"}, {"", "nosuchname", ""}, {"redis", "acall", "call"},
	} {
		if got := Nearest(c.lib, c.name); got != c.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", c.lib, c.name, got, c.want)
		}
	}
}

func TestVersionFacts(t *testing.T) {
	tg := mustTarget(t, "redis@6.2,redis@7.0,redis@7.2,redis@7.2.0,redis@7.2.4,redis@8.0.2,redis@8.0,redis@8.6,valkey@7.2.5,valkey@7.2,valkey@8.1,valkey@9.1")
	for _, c := range []struct {
		what string
		got  []Build
		want string
	}{
		{"exponent", tg.ExponentInts(), "Redis 7.2.0, Redis 7.2.4, Valkey 7.2.5"},
		{"crash", tg.CrashesOnRaisedTable(), "Redis 7.0, Redis 7.2.0, Redis 7.2.4, Redis 7.2, Redis 8.0.2, Valkey 7.2.5, Valkey 7.2, Valkey 8.1"},
		{"load log", tg.AbortsOnLoadLog(), "Valkey 9.1"},
		{"long floats", tg.LongFloats(), "Redis 6.2, Redis 7.0"},
		{"shebang", tg.NoShebang(), "Redis 6.2"},
		{"any case", tg.EngineAnyCase(), "Valkey 8.1, Valkey 9.1"},
		{"frozen", tg.FrozenTime(), "Redis 7.2.0, Redis 7.2.4, Redis 7.2, Redis 8.0.2, Redis 8.0, Redis 8.6, Valkey 7.2.5, Valkey 7.2, Valkey 8.1, Valkey 9.1"},
	} {
		if names(c.got) != c.want {
			t.Errorf("%s: %s, want %s", c.what, names(c.got), c.want)
		}
	}
}

func TestSlot(t *testing.T) {
	for key, want := range map[string]int{"a{foo}b": 12182, "a{}b": 13694, "{}foo": 9500, "a{{foo}}b": 13308, "{foo}{bar}": 12182, "a{foo": 113,
		"a}foo{": 15293, "{foo}}": 12182, "x{}{foo}": 9729, "123456789": 12739, "": 0} {
		if got := Slot(key); got != want {
			t.Errorf("Slot(%q) = %d, want %d", key, got, want)
		}
	}
	if tag, ok := HashTag("a{{foo}}b"); tag != "{foo" || !ok {
		t.Errorf("HashTag = %q, %t", tag, ok)
	}
}
