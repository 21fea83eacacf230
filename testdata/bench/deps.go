//go:build tools

// The imports keep the linted modules in go.mod. One of them does not compile with the client version that another needs, so they are
// behind a tag that no build sets.
package bench

import (
	_ "github.com/bsm/redislock"
	_ "github.com/centrifugal/centrifuge"
	_ "github.com/cschleiden/go-workflows/backend/redis"
	_ "github.com/dapr/components-contrib/lock/redis"
	_ "github.com/dapr/components-contrib/state/redis"
	_ "github.com/go-redis/redis_rate/v10"
	_ "github.com/go-redsync/redsync/v4"
	_ "github.com/go-redsync/redsync/v4/redis/goredis/v9"
	_ "github.com/go-redsync/redsync/v4/redis/redigo"
	_ "github.com/hibiken/asynq"
	_ "github.com/throttled/throttled/v2/store/goredisstore"
	_ "github.com/throttled/throttled/v2/store/goredisstore.v8"
	_ "github.com/throttled/throttled/v2/store/goredisstore.v9"
	_ "github.com/throttled/throttled/v2/store/redigostore"
	_ "github.com/ulule/limiter/v3/drivers/store/redis"
	_ "github.com/zeromicro/go-zero/core/bloom"
	_ "github.com/zeromicro/go-zero/core/limit"
	_ "github.com/zeromicro/go-zero/core/stores/redis"
)
