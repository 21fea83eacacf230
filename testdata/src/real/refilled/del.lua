return redis.call('DEL', $KEY) -- no Lua as it stands
