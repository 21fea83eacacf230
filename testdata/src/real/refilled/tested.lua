return redis.call('DEL', KEYS[2])
