-- Takes up to ARGV[2] tokens from the bucket KEYS[1], which refills at ARGV[1] tokens a second.
local rate = tonumber(ARGV[1])
local wanted = tonumber(ARGV[2]) or 1
local now = redis.call('TIME')
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(state[1]), tonumber(state[2])
if not tokens then
  tokens, at = rate, now[1] + now[2] / 1000000
end
local granted = {}
for i = 1, wanted do
  if tokens >= 1 then
    tokens = tokens - 1
    granted[#granted + 1] = KEYS[1] .. ':' .. i
  end
end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', at)
redis.call("EXPIRE", KEYS[1], math.ceil(rate * 2))
return { granted = granted, left = math.floor(tokens), limit = rate ~= nil and rate }
