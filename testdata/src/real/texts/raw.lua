
return redis.call('STRLEN', KEYS[1])
