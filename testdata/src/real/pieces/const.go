// Package pieces shares pieces of Lua between scripts in constants.
package pieces

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const (
	luaCheck = `
local function check(v)
  if v == nil then -- a reply is never nil -- want nil-reply@6
    return redis.error_reply('missing')
  end
end
`
	luaGet = luaCheck + `
local v = redis.call('GET', KEYS[1])
return check(v) or v`

	luaSet = luaCheck + `
local v = redis.call('SET', KEYS[1], ARGV[1])
return v`
)

const luaBoth = luaGet + "\n" // the same again

type Op int

const (
	OpGet Op = iota
	OpSet
)

var scripts = [...]*redis.Script{OpGet: redis.NewScript(luaGet), OpSet: redis.NewScript(luaSet)}

func (o Op) script() *redis.Script {
	switch o {
	case OpGet:
		return scripts[OpGet]
	default:
		return scripts[OpSet]
	}
}

func use(ctx context.Context, c redis.Scripter, o Op) {
	scripts[OpSet].Run(ctx, c, []string{"a"}) // want missing-argv@2
	scripts[o].Run(ctx, c, []string{"a"}, 1)
	o.script().Run(ctx, c, []string{"a"}, 1)
}

var _, _ = use, luaBoth
