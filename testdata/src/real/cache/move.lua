return redis.call('RPOPLPUSH', KEYS[1], KEYS[2])
