package registry

func init() {
	register("push", `return redis.call('LPUSH', KEYS[1], ARGV[1])`)
	register("pop", `return redis.call('RPOP', KEYS[1])`)
}
