// Package rueidis has one call of each row of rueidis.
package rueidis

import (
	"context"

	"github.com/redis/rueidis"
)

var (
	get      = rueidis.NewLuaScript(`return redis.call('GET', KEYS[1])`)
	read     = rueidis.NewLuaScriptReadOnly(`return redis.call('TTL', KEYS[1])`)
	noSha    = rueidis.NewLuaScriptNoSha(`return 1`)
	readNo   = rueidis.NewLuaScriptReadOnlyNoSha(`return 2`)
	retry    = rueidis.NewLuaScriptRetryable(`return 3`)
	noShaTry = rueidis.NewLuaScriptNoShaRetryable(`return 4`)
)

// Objects runs scripts.
func Objects(ctx context.Context, c rueidis.Client, id string) (int64, error) {
	get.Exec(ctx, c, []string{"a:" + id}, []string{"1", id})
	read.Exec(ctx, c, []string{id}, nil)
	noSha.Exec(ctx, c, nil, nil)
	readNo.Exec(ctx, c, nil, nil)
	noShaTry.Exec(ctx, c, nil, nil)
	get.ExecMulti(ctx, c, rueidis.LuaExec{Keys: []string{"a"}, Args: []string{"1"}}, rueidis.LuaExec{Keys: []string{"b"}})
	return retry.Exec(ctx, c, nil, nil).AsInt64()
}

// Builders makes commands step by step.
func Builders(ctx context.Context, c rueidis.Client, id string, more []string) (string, error) { // want Builders:"runs Eval( args=3) Fcall( keys=3)"
	c.Do(ctx, c.B().Eval().Script(`return KEYS[1]`).Numkeys(1).Key("a:"+id).Arg("1", "2").Build())
	c.Do(ctx, c.B().EvalRo().Script(`return KEYS[2]`).Numkeys(2).Key("a", "b").Build()) // want cross-slot@72
	c.Do(ctx, c.B().Eval().Script(`return ARGV[1]`).Numkeys(0).Arg(more...).Build())
	c.Do(ctx, c.B().Fcall().Function("f").Numkeys(int64(len(more))).Key(more...).Build())
	c.Do(ctx, c.B().FcallRo().Function("f").Numkeys(1).Key("k").Build()) // want function-library@37
	c.Do(ctx, c.B().FunctionLoad().FunctionCode("#!lua name=x\nredis.register_function('f', function() end)").Build())
	c.Do(ctx, c.B().Arbitrary("EVAL", `return 5`, "1").Keys("k").Args("a").Build())
	sha, err := c.Do(ctx, c.B().ScriptLoad().Script(`return redis.call('INCR', KEYS[1])`).Build()).ToString() // want lossy-reply@58
	if err != nil {
		return "", err
	}
	return c.Do(ctx, c.B().Evalsha().Sha1(sha).Numkeys(1).Key(id).Build()).ToString() // want noscript-fallback@19
}

var put = rueidis.NewLuaScript(`return redis.call('SET', KEYS[1], ARGV[1])`)

// Runs that a slice is filled with are known where no field is assigned afterwards.
func filled(ctx context.Context, c rueidis.Client, keys []string) {
	var runs []rueidis.LuaExec
	for _, k := range keys {
		runs = append(runs, rueidis.LuaExec{Keys: []string{k}, Args: []string{"1"}})
	}
	put.ExecMulti(ctx, c, runs...)
	made := make([]rueidis.LuaExec, len(keys))
	for i, k := range keys {
		made[i] = rueidis.LuaExec{Keys: []string{k}}
	}
	put.ExecMulti(ctx, c, made...) // want missing-argv@2
	changed := make([]rueidis.LuaExec, 0, len(keys))
	for _, k := range keys {
		e := rueidis.LuaExec{Keys: []string{k}}
		e.Args = []string{"1"}
		changed = append(changed, e)
	}
	put.ExecMulti(ctx, c, changed...)
}

var _ = filled
