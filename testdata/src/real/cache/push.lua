return redis.call('RPUSH', KEYS[1], ARGV[1])
