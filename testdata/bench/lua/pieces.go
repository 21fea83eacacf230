package lua

// short are whole scripts of a few lines.
var short = []string{`if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0
`, `-- Only the owner may prolong it.
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("PEXPIRE", KEYS[1], ARGV[2])
else
  return 0
end
`, `local n = redis.call("INCR", KEYS[1])
if n == 1 then
  redis.call("PEXPIRE", KEYS[1], ARGV[1])
end
return n
`, `redis.call("ZREM", KEYS[1], ARGV[1])
redis.call("LPUSH", KEYS[2], ARGV[1])
return 1
`}

// heads begin longer scripts.
var heads = []string{`-- KEYS[1] -> the hash of the task
-- KEYS[2] -> the sorted set of pending tasks
-- KEYS[3] -> the list of results
-- KEYS[4] -> the set of known ids
-- ARGV[1] -> id
-- ARGV[2] -> now, in seconds
-- ARGV[3] -> how long to keep it, in milliseconds
-- ARGV[4] -> how many at most

local id = ARGV[1]
local now = tonumber(ARGV[2]) or 0

`, `--[[
  Moves what is due, as one step that no client sees half done.
]]
local id = ARGV[1]
local now = tonumber(ARGV[2]) or 0

`, `local rcall = redis.call
local id = ARGV[1] -- the caller
local now = tonumber(ARGV[2]) or 0

`}

// helpers are functions at the top of longer scripts.
var helpers = []string{`-- The field as a number, 0 where it is missing.
local function number$(key, field)
  local v = redis.call("HGET", key, field)
  if not v then
    return 0
  end
  return tonumber(v) or 0
end
number$(KEYS[1], "count")

`, `local function push$(key, value)
  redis.call("LPUSH", key, value)
  redis.call("LTRIM", key, 0, 99)
end
push$(KEYS[3], id)

`, `--- Splits text at a separator.
local function split$(text, sep)
  local out = {}
  for part in string.gmatch(text, "([^" .. sep .. "]+)") do
    out[#out + 1] = part
  end
  return out
end
for _, part in ipairs(split$(id, ":")) do
  redis.call("SADD", KEYS[4], part)
end

`, `local function min$(a, b)
  if a < b then
    return a
  end
  return b
end
redis.call("HSET", KEYS[1], "least$", min$(now, 10))

`}

// bodies are what scripts do.
var bodies = []string{`-- Nothing to do without it.
if redis.call("EXISTS", KEYS[1]) == 0 then
  return 0
end
`, `local state$ = redis.call("HGET", KEYS[1], "state")
if state$ ~= "active" and state$ ~= "retry" then
  return 0
end
`, `redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
local size$ = redis.call("ZCARD", KEYS[2])
if size$ >= 1000 then
  return 0
end
redis.call("ZADD", KEYS[2], now, id)
`, `local ids$ = redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", now, "LIMIT", 0, 100)
for _, member in ipairs(ids$) do
  redis.call("LPUSH", KEYS[3], member)
  redis.call("ZREM", KEYS[2], member)
end
`, `local used$ = tonumber(redis.call("HGET", KEYS[1], "used") or "0")
if used$ > 100 then
  return 0
end
redis.call("HINCRBY", KEYS[1], "used", 1)
`, `local pair$ = redis.call("HMGET", KEYS[1], "tokens", "last")
local tokens$ = tonumber(pair$[1])
local last$ = tonumber(pair$[2])
if not tokens$ or not last$ then
  tokens$ = 10
  last$ = now
end

-- Refill by the time that has gone by.
local delta$ = math.max(0, now - last$)
tokens$ = math.min(10, tokens$ + delta$ * 2)
redis.call("HSET", KEYS[1], "tokens", tokens$, "last", now)
`, `local total$ = 0
for i = 1, #KEYS do
  local n = redis.call("EXISTS", KEYS[i])
  total$ = total$ + n
end
if total$ == 0 then
  return 0
end
`, `local parts$ = {}
for i = 1, 3 do
  parts$[#parts$ + 1] = "part:" .. i .. ":" .. id
end
redis.call("HSET", KEYS[1], "parts", table.concat(parts$, ","))
`, `if redis.call("SISMEMBER", KEYS[4], id) == 1 then
  redis.call("SREM", KEYS[4], id)
  redis.call("HINCRBY", KEYS[1], "done", 1)
else
  redis.call("HINCRBY", KEYS[1], "missed", 1)
end
`, `local v$ = redis.call("HGET", KEYS[1], "owner")
if v$ and v$ ~= id then
  return -1
elseif not v$ then
  redis.call("HSET", KEYS[1], "owner", id)
end
`, `-- Oldest first, as long as there is room.
while redis.call("LLEN", KEYS[3]) > 1000 do
  redis.call("RPOP", KEYS[3])
end
`, `redis.call("HSET", KEYS[1],
  "id", id,
  "state", "pending",
  "since", now)
redis.call("PEXPIRE", KEYS[1], 60000)
`}

// tails end longer scripts.
var tails = []string{"return 1\n", "return redis.status_reply(\"OK\")\n", "redis.call(\"HSET\", KEYS[1], \"seen\", now)\nreturn 1\n", "return {1, now}\n"}
