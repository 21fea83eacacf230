local function missing(v)
  local w = redis.call('GET', KEYS[2])
  if w == nil then return 'none' end -- want nil-reply@6
  return v
end
