return redis.call('LPUSH', KEYS[1], ARGV[1])
