local item = KEYS[1]
-- $include(helper.lua)
if exists(item, ARGV[1]) then return 1 end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 0
