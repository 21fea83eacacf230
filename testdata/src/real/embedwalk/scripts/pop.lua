return redis.call('RPOP', KEYS[1])
