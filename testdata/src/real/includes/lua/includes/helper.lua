local function exists(k, f) return redis.call('HEXISTS', k, f) == 1 end
