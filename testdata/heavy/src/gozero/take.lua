local n = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
redis.call('SET', KEYS[1], n - 1, 'EX', ARGV[2])
return n > 0
