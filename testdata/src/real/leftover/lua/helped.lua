local v = redis.call('GET', KEYS[1])
if v == nil then return helper(KEYS[1]) end -- want nil-reply@4
return v
