// Package glide has one call of each row of valkey-glide.
package glide

import (
	"context"

	glide "github.com/valkey-io/valkey-glide/go/v2"
	"github.com/valkey-io/valkey-glide/go/v2/config"
	"github.com/valkey-io/valkey-glide/go/v2/options"
	"github.com/valkey-io/valkey-glide/go/v2/pipeline"
)

var (
	one    = options.NewScript(`return 1`)
	get    = options.NewScript(`return redis.call('GET', KEYS[1])`)
	set    = options.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)
	rename = options.NewScript(`return redis.call('RENAME', KEYS[1], KEYS[2])`)
	echo   = options.NewScript(`return {ARGV[1], ARGV[2]}`)
)

const library = `#!lua name=mylib
redis.register_function('f', function(keys, args) return redis.call('GET', keys[1]) end)
redis.register_function{function_name='g', callback=function(keys, args) return args[1] end, flags={'no-writes'}}
`

// Objects runs scripts on every kind of client.
func Objects(ctx context.Context, c *glide.Client, cc *glide.ClusterClient, id, ttl string) error {
	if _, err := c.InvokeScript(ctx, *one); err != nil {
		return err
	}
	c.InvokeScriptWithOptions(ctx, *get, *options.NewScriptOptions().WithKeys([]string{"a:" + id}))
	c.InvokeScriptWithOptions(ctx, *set, options.ScriptOptions{Keys: []string{"a:" + id}, Args: []string{id, ttl}})
	opts := options.NewScriptOptions().WithKeys([]string{"a:{" + id + "}", "b:{" + id + "}"})
	cc.InvokeScriptWithOptions(ctx, *rename, *opts)
	cc.InvokeScript(ctx, *one)
	cc.InvokeScriptWithRoute(ctx, *one, options.RouteOption{Route: config.RandomRoute})
	cc.InvokeScriptWithClusterOptions(ctx, *echo, *options.NewClusterScriptOptions().
		WithScriptArgOptions(options.NewScriptArgOptions().WithArgs([]string{"x", id})))
	return nil
}

// Wrong has calls that leave something out.
func Wrong(ctx context.Context, c *glide.Client, cc *glide.ClusterClient, id string) {
	c.InvokeScript(ctx, *get)                                                                                                       // want numkeys@2
	c.InvokeScriptWithOptions(ctx, *set, *options.NewScriptOptions().WithKeys([]string{"k"}).WithArgs([]string{id}))                // want missing-argv@100
	cc.InvokeScriptWithOptions(ctx, *rename, *options.NewScriptOptions().WithKeys([]string{"a", "b"}))                              // want cross-slot@94
	cc.FCallWithKeysAndArgs(ctx, "h", []string{id}, nil)                                                                            // want function-library@31
	cc.InvokeScriptWithOptions(ctx, *rename, options.ScriptOptions{Keys: []string{"a:" + id, "b:" + id}, Args: []string{"unused"}}) // want cross-slot@91
}

// Functions loads a library and calls its functions.
func Functions(ctx context.Context, c *glide.Client, cc *glide.ClusterClient, id string) {
	c.FunctionLoad(ctx, library, true)
	cc.FunctionLoadWithRoute(ctx, library, true, options.RouteOption{Route: config.AllPrimaries})
	c.FCall(ctx, "g")
	c.FCallReadOnly(ctx, "g")
	c.FCallWithKeysAndArgs(ctx, "f", []string{"a:" + id}, []string{id})
	c.FCallReadOnlyWithKeysAndArgs(ctx, "g", []string{"a:" + id}, []string{id})
	cc.FCallWithRoute(ctx, "g", options.RouteOption{Route: config.RandomRoute})
	cc.FCallReadOnlyWithRoute(ctx, "g", options.RouteOption{Route: config.RandomRoute})
	cc.FCallWithArgs(ctx, "g", []string{id})
	cc.FCallReadOnlyWithArgs(ctx, "g", []string{id})
	cc.FCallWithArgsWithRoute(ctx, "g", []string{id}, options.RouteOption{Route: config.RandomRoute})
	cc.FCallReadOnlyWithArgsWithRoute(ctx, "g", []string{id}, options.RouteOption{Route: config.RandomRoute})
}

// Raw sends commands as words, and in batches.
func Raw(ctx context.Context, c *glide.Client, cc *glide.ClusterClient, id string) error {
	c.CustomCommand(ctx, []string{"EVAL", `return redis.call('INCR', KEYS[1])`, "1", "a:" + id})
	cc.CustomCommandWithRoute(ctx, []string{"EVAL", `return redis.call('PING')`, "0"}, config.AllPrimaries)
	b := pipeline.NewStandaloneBatch(true).CustomCommand([]string{"EVALSHA", get.GetHash(), "1", "k"}).FCallWithKeysAndArgs("f", []string{"k"}, nil) // want noscript-fallback@7
	b.FunctionLoad(library, true).FCall("g").FCallReadOnly("g").FCallReadOnlyWithKeysAndArgs("g", nil, []string{id})
	_, err := c.Exec(ctx, *b, true)
	return err
}
