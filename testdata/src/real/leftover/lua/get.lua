local prefix = {{.Prefix}}
return redis.call('GET', prefix .. KEYS[1])
